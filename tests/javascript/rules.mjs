// The rules that the Rules tag of a game names.

import { readFileSync } from "node:fs";

function packaged(name) {
  return JSON.parse(readFileSync(new URL(`../conformance/${name}`, import.meta.url), "utf8"));
}

const PROFILES = packaged("profiles.json");
/** What form the value of each key has. */
const KEYS = packaged("keys.json");

/** The seats of a number of players, and their sides. */
const SEATS = { 2: "NS", 3: "NES", 4: "NESW", 6: "ABCDEF" };
const SIDES = {
  2: { 2: ["N", "S"] },
  3: { 3: ["N", "E", "S"] },
  4: { 2: ["NS", "EW"] },
  6: { 2: ["ACE", "BDF"], 3: ["AD", "BE", "CF"] },
};

const isNumber = (text) => /^-?[0-9]{1,9}$/.test(text);
const isWithin = ({ least, most }, text) =>
  isNumber(text) && Number(text) >= least && Number(text) <= most;
const rises = (numbers) => numbers.every((number, at) => !at || number >= numbers[at - 1]);
const areDifferent = (words) => new Set(words).size === words.length;

/** Whether a list of names with numbers, such as `A:15,3:0`, names nothing else and nothing twice. */
function areNamed(form, words, numberFits) {
  const pairs = words.map((word) => word.split(":"));
  return (
    areDifferent(pairs.map(([name]) => name)) &&
    pairs.every(([name, number = "", more]) =>
      more === undefined && form.choices.includes(name) && numberFits(number))
  );
}

/** Whether a text is a table of minimums, such as `0:15,1500:50,120`. */
function isTable(form, words) {
  const pairs = words.map((word) => word.split(":"));
  const last = pairs.pop();
  const steps = pairs.map(([step]) => Number(step));
  const points = [...pairs.map(([, minimum = ""]) => minimum), ...last];
  return (
    last.length === 1 &&
    pairs.every((pair) => pair.length === 2 && isNumber(pair[0])) &&
    areDifferent(steps) && rises(steps) &&
    points.every((minimum) => isWithin(form, minimum)) && rises(points.map(Number))
  );
}

/** Whether the points of threes rise, with a number for each red three of two packs or of three. */
function arePointsOfThrees(form, text) {
  const points = text.replace(/^per-colour:/, "").split(",");
  const isWhole = points.length === 4 || points.length === 6;
  return isWhole && points.every((each) => isWithin(form, each)) && rises(points.map(Number));
}

/** For each kind of key, whether a value has its form. */
const FITS = {
  number: (form, text) => (form.choices?.includes(text) ?? true) && isWithin(form, text),
  truth: (form, text) => text === "yes" || text === "no",
  choice: (form, text) => form.choices.includes(text),
  list: (form, text, words) =>
    areDifferent(words) && words.every((word) => form.choices.includes(word)),
  numbers: (form, text, words) => words.every((word) => isWithin(form, word) && Number(word) > 0),
  table: (form, text, words) => isTable(form, words),
  threes: arePointsOfThrees,
  points: (form, text, words) =>
    isWithin(form, text) ||
    (areNamed({ choices: [...form.choices, ...(form.optional ?? [])] }, words, (number) => isWithin(form, number)) &&
      form.choices.every((choice) => words.some((word) => word.startsWith(`${choice}:`)))),
  cards: (form, text, words) =>
    areNamed(form, words, (number) => isWithin(form, number) && Number(number) % 5 === 0),
};

/** Whether a key may have a value, as far as its form says. */
function fits(key, value, { values, offers }) {
  const form = KEYS[key];
  if (form.none && value === "none") return true;
  if (form.offered) return value === values[key] || (offers[key] ?? []).includes(value);
  return FITS[form.kind](form, value, value.split(","));
}

/** The overrides of a Rules tag by their keys, or null if one of them is wrong. */
function overridesOf(words, profile) {
  const overrides = {};
  for (const word of words) {
    const [, key, value] = /^([^=]+)=(.*)$/.exec(word) ?? [];
    if (!Object.hasOwn(KEYS, key) || key in overrides) return null;
    if (!fits(key, value, profile)) return null;
    overrides[key] = value;
  }
  return overrides;
}

/** The rules of a game: its seats, its sides and the value of every key; null if not known. */
export function rulesOf(game) {
  const tag = game.tags.find(({ name }) => name === "Rules");
  const [name = "classic", ...words] = tag?.value.match(/[^ \t]+/g) ?? [];
  if (!Object.hasOwn(PROFILES, name)) return null;
  const profile = PROFILES[name];
  const overrides = overridesOf(words, profile);
  if (!overrides) return null;
  const values = { ...profile.values, ...overrides };
  // The number of sides follows from that of the players, unless six play.
  const possible = SIDES[values.players] ?? {};
  if ("players" in overrides && !("sides" in overrides)) {
    values.sides = Object.keys(possible)[0];
  }
  // Which threes are tabled follows from their points.
  if ("score.red3" in overrides && !("threes" in overrides)) {
    values.threes = overrides["score.red3"].startsWith("per-colour") ? "all" : "red";
  }
  const sides = possible[values.sides];
  return sides ? { seats: [...SEATS[values.players]], sides, values } : null;
}
