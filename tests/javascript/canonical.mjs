// The canonical form: the order of a game's parts, and the text of a game.

import { SEATS, compareLabels, sorted } from "./cards.mjs";
import { rulesOf } from "./rules.mjs";

const TAGS = [
  "CGN", "Event", "Site", "Date", "Round", "Rules", ...SEATS,
  "Target", "Dealer", "Result", "Recorder", "Annotator", "Source",
];

const placeOfTag = ({ name }) => (TAGS.includes(name) ? TAGS.indexOf(name) : TAGS.length);
const placeOfSeat = ({ seat }) => SEATS.indexOf(seat);
const placeOfSide = ({ side }) => SEATS.indexOf(side[0]);

/** A list in the order of a number that each of its parts has. */
const by = (place, parts) => [...parts].sort((one, other) => place(one) - place(other));

/** Change the parts of a list field, if it is there. */
function change(value, field, work) {
  if (value[field]) value[field] = work(value[field]);
}

const withSortedCards = (value) => ({ ...value, cards: sorted(value.cards) });
const isSequence = (group) => /^[shdc]/.test(group.lay ?? "");
const ordered = (group) => (isSequence(group) ? withSortedCards(group) : group);

/** A `melds` line with its groups in canonical order. */
function orderedMelds(line) {
  const groups = [...line.groups].sort((one, other) => compareLabels(one.lay, other.lay));
  return { ...line, groups: groups.map(ordered) };
}

function orderedDeal(written) {
  const deal = { ...written };
  for (const field of ["hands", "packets", "threes", "left"]) {
    change(deal, field, (lines) => lines.map(withSortedCards));
  }
  change(deal, "play", (lines) =>
    lines.map((line) => (line.actions ? { ...line, actions: line.actions.map(ordered) } : line)),
  );
  change(deal, "melds", (lines) => by(placeOfSide, lines).map(orderedMelds));
  change(deal, "threes", (lines) => by(placeOfSide, lines));
  change(deal, "left", (lines) => by(placeOfSeat, lines));
  return deal;
}

/** A game in canonical order. */
export function canonical(game) {
  return { ...game, tags: by(placeOfTag, game.tags), deals: game.deals.map(orderedDeal) };
}

/** Writes the text of games, line by line. */
class Writer {
  constructor() {
    this.lines = [];
  }

  blank() {
    if (this.lines.length) this.lines.push("");
  }

  /** Write a comment alone on its line, or at the end of one. */
  comment(text, line = "") {
    const trimmed = text.replace(/[ \t]+$/, "");
    this.lines.push([line, ";", trimmed].filter((part) => part).join(" "));
  }

  /** Write a line of words, with the comments of the value that it says. */
  line(words, value) {
    for (const text of value.before ?? []) this.comment(text);
    const line = words.join(" ");
    if (value.comment === undefined) this.lines.push(line);
    else this.comment(value.comment, line);
  }

  game(game) {
    this.blank();
    this.count = Number(rulesOf(game)?.values["draw.count"] ?? 1);
    for (const tag of game.tags) {
      this.line([`[${tag.name} "${tag.value.replace(/["\\]/g, "\\$&")}"]`], tag);
    }
    for (const deal of game.deals) this.deal(deal);
    for (const text of game.comments ?? []) this.comment(text);
  }

  deal(deal) {
    this.blank();
    this.line(["deal", deal.number, ...(deal.dealer ? ["dealer", deal.dealer] : [])], deal);
    for (const line of deal.hands ?? []) this.line(handWords(line), line);
    if (deal.up) this.line(["up", ...deal.up.cards, ...acks(deal.up)], deal.up);
    if (deal.stock) this.line(["stock", ...deal.stock.cards], deal.stock);
    for (const line of deal.packets ?? []) {
      const seat = line.seat ? [line.seat] : [];
      this.line([line.packet, ...seat, ...line.cards, ...(line.rest_unknown ? ["..."] : [])], line);
    }
    for (const line of deal.play ?? []) this.line(playWords(line, this.count), line);
    if (deal.end) this.line(endWords(deal.end), deal.end);
    for (const line of deal.melds ?? []) {
      this.line(["melds", line.side, ...line.groups.map(groupWord)], line);
    }
    for (const line of deal.threes ?? []) this.line(["threes", line.side, ...line.cards], line);
    for (const line of deal.left ?? []) {
      this.line(["left", line.seat, ...line.cards, ...rest(line)], line);
    }
    for (const line of deal.scores ?? []) this.line(scoreWords(line), line);
    if (deal.total) this.line(totalWords(deal.total), deal.total);
  }
}

const rest = (line) => (line.rest_unknown ? ["..."] : []);
const acks = (line) => (line.acknowledged ?? []).map((code) => `~${code}`);
const number = (value) => String(value + 0); // -0 + 0 is 0
const groupWord = ({ lay, cards }) => `${lay}:${cards.join("")}`;

function handWords(line) {
  const replacements = (line.replacements ?? []).map((card) => `+${card}`);
  return [`${line.seat}:`, ...line.cards, ...rest(line), ...replacements, ...acks(line)];
}

function endWords({ reason, seat, concealed }) {
  const who = seat === undefined ? [] : [seat];
  return ["end", reason, ...who, ...(concealed ? ["concealed"] : [])];
}

function scoreWords({ side, score, items }) {
  const written = (items ?? []).flatMap(({ item, points }) => [item, number(points)]);
  return ["score", side, number(score), ...(items ? ["="] : []), ...written];
}

function totalWords({ totals }) {
  return ["total", ...totals.flatMap(({ side, total }) => [side, number(total)])];
}

/** The words of a turn, a penalty or a bonus. */
function playWords(line, count) {
  if (line.penalty !== undefined) return ["penalty", line.penalty, line.points, line.word];
  if (line.bonus !== undefined) return ["bonus", line.bonus, line.points, line.word];
  // A foot or a pot stands where it enters the hand; a talon follows the discard.
  const ends = (action) => "discard" in action || action.packet === "talon";
  const at = line.actions.findIndex(ends);
  const [first, last] = at < 0 ? [line.actions, []]
    : [line.actions.slice(0, at), line.actions.slice(at)];
  return [
    ...(line.number === undefined ? [] : [`${line.number}.`]),
    line.seat,
    ...first.flatMap((action) => actionWords(action, count)),
    ...(line.open === undefined ? [] : [`open=${line.open}`]),
    ...last.flatMap((action) => actionWords(action, count)),
    ...(line.out ? [line.out] : []),
    ...acks(line),
    ...(line.clock === undefined ? [] : [`@${line.clock}`]),
    ...(line.annotations ?? []),
  ];
}

/** What `threes:` and packets have after their cards. */
function pulled({ replacements, bare }) {
  return replacements || bare ? `+${(replacements ?? []).join("")}` : "";
}

function actionWords(action, count) {
  if ("draw" in action) return drawWords(action, count);
  if ("threes" in action) return [`threes:${action.threes.join("")}${pulled(action)}`];
  if ("take" in action) return [takeWord(action)];
  if ("ask" in action) return [`ask=${action.ask ? "yes" : "no"}`];
  if ("lay" in action) return [groupWord(action)];
  if ("combine" in action) return [`${action.combine}>${action.onto[2] ?? 1}`];
  if ("back" in action) return [`back:${action.back.join("")}`];
  if ("special" in action) return [`${action.special}:${action.cards.join("")}`];
  if ("discard" in action) return [`-${action.discard}`];
  const cards = action.cards ? `:${action.cards.join("")}` : "";
  return [`${action.packet}${cards}${pulled(action)}`];
}

/** The words of a draw: its first cards together, each further card, and a bare `+`. */
function drawWords({ draw, bare }, count) {
  const first = draw.slice(0, count).join("");
  const words = [...(first ? [first] : []), ...draw.slice(count)].map((card) => `+${card}`);
  return bare ? [...words, "+"] : words;
}

function takeWord({ take, count, onto }) {
  const claimed = count === undefined ? "" : `/${count}`;
  return `^${take}${claimed}${onto === undefined ? "" : `>${onto}`}`;
}

/** The text of games that are in canonical order. */
export function write(games) {
  const writer = new Writer();
  for (const game of games) writer.game(game);
  return writer.lines.map((line) => `${line}\n`).join("");
}
