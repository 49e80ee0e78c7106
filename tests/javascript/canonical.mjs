// The canonical form of games in their JSON form, as a value and as a text.

import { read } from "./reader.mjs";

const TAGS = [
  "CGN", "Event", "Site", "Date", "Round", "Rules", ..."NESWABCDF",
  "Target", "Dealer", "Result", "Recorder", "Annotator", "Source",
];
const RANKS = "3456789TJQKA2*_";
const SEATS = "NESWABCDF";
const SUITS = "shdc";

/** Return what sorts cards: red threes, black threes, 4 to A, 2, the joker, the unknown card. */
function cardOrder(card) {
  const suit = card[1] === "r" || card[1] === "b" || !card[1] ? 4 : SUITS.indexOf(card[1]);
  const red = card[0] === "3" && "hdr".includes(card[1]);
  return (red ? -1 : RANKS.indexOf(card[0])) * 10 + suit;
}

export const sorted = (cards) => [...cards].sort((one, other) => cardOrder(one) - cardOrder(other));

const LABELS = "3456789TJQKA2*shdc";
const labelOrder = (label) => LABELS.indexOf(label[0]) * 10 + Number(label[2] ?? 1);
export const byLabel = (labels) => [...labels].sort((one, other) => labelOrder(one) - labelOrder(other));

const group = (lay) => (SUITS.includes(lay.lay[0]) ? { ...lay, cards: sorted(lay.cards) } : lay);
const by = (list, key) => [...list].sort((one, other) => key(one) - key(other));

/** Return a value with trimmed comments in every part of it. */
function trimmed(value) {
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== "object" || value === null) return value;
  const changed = {};
  for (const [name, each] of Object.entries(value)) {
    if (name === "comment") changed[name] = each.replace(/[ \t]+$/, "");
    else if (name === "before" || name === "comments") changed[name] = each.map((text) => text.replace(/[ \t]+$/, ""));
    else changed[name] = trimmed(each);
  }
  return changed;
}

/** Return a game in canonical order. */
export function canonical(game) {
  const place = (tag) => (TAGS.includes(tag.name) ? TAGS.indexOf(tag.name) : TAGS.length);
  return trimmed({ ...game, tags: by(game.tags, place), deals: game.deals.map(canonicalDeal) });
}

function canonicalDeal(deal) {
  const changed = { ...deal };
  const change = (name, work) => name in deal && (changed[name] = work(deal[name]));
  const withSorted = (line) => ({ ...line, cards: sorted(line.cards) });
  change("hands", (lines) => lines.map(withSorted));
  change("talons", (lines) => lines.map(withSorted));
  change("threes", (lines) => by(lines.map(withSorted), (line) => SEATS.indexOf(line.side[0])));
  change("left", (lines) => by(lines.map(withSorted), (line) => SEATS.indexOf(line.seat)));
  change("melds", (lines) =>
    by(lines, (line) => SEATS.indexOf(line.side[0])).map((line) => ({
      ...line,
      groups: by(line.groups, (each) => labelOrder(each.lay)).map(group),
    })),
  );
  change("play", (lines) =>
    lines.map((line) =>
      line.actions ? { ...line, actions: line.actions.map((each) => (each.lay ? group(each) : each)) } : line,
    ),
  );
  return changed;
}

// --- text --------------------------------------------------------------------------------------

/** Return the canonical text of games; `drawCount(game)` is how many cards a draw has. */
export function format(games, drawCount) {
  return games.map((game) => formatGame(canonical(game), drawCount(game))).join("\n");
}

function formatGame(game, drawCount) {
  const lines = game.tags.flatMap((tag) => commented(tag, `[${tag.name} "${tag.value.replace(/[\\"]/g, "\\$&")}"]`));
  for (const deal of game.deals) {
    lines.push("", ...commented(deal, join("deal", deal.number, deal.dealer && `dealer ${deal.dealer}`)));
    for (const [field, write] of Object.entries(WRITERS)) {
      for (const line of [deal[field] ?? []].flat()) lines.push(...commented(line, write(line, drawCount)));
    }
  }
  lines.push(...(game.comments ?? []).map(comment));
  return lines.map((line) => `${line}\n`).join("");
}

const join = (...words) => words.filter((word) => word !== undefined && word !== "").join(" ");
const comment = (text) => (text ? `; ${text}` : ";");
const commented = (line, text) => [
  ...(line.before ?? []).map(comment),
  line.comment === undefined ? text : `${text} ${comment(line.comment)}`,
];
const acks = (line) => (line.acknowledged ?? []).map((code) => `~${code}`);
const rest = (line) => (line.rest_unknown ? "..." : "");
const pairs = (list) => (list ?? []).flatMap((each) => Object.values(each));

const WRITERS = {
  hands: (line) =>
    join(`${line.seat}:`, ...line.cards, rest(line), ...(line.replacements ?? []).map((card) => `+${card}`), ...acks(line)),
  up: (line) => join("up", ...line.cards, ...acks(line)),
  stock: (line) => join("stock", ...line.cards),
  talons: (line) => join("talon", ...line.cards),
  play: (line, drawCount) =>
    line.penalty
      ? join("penalty", line.penalty, line.points, line.word)
      : line.bonus
        ? join("bonus", line.bonus, line.points, line.word)
        : formatTurn(line, drawCount),
  end: (line) => join("end", line.reason, line.seat, line.concealed && "concealed"),
  melds: (line) => join("melds", line.side, ...line.groups.map(formatAction)),
  threes: (line) => join("threes", line.side, ...line.cards),
  left: (line) => join("left", line.seat, ...line.cards, rest(line)),
  scores: (line) => join("score", line.side, line.score, line.items && "=", ...pairs(line.items)),
  total: (line) => join("total", ...pairs(line.totals)),
};

function formatTurn(turn, drawCount) {
  const last = turn.actions.filter((each) => "discard" in each || "talon" in each);
  const first = turn.actions.filter((each) => !last.includes(each));
  return join(
    turn.number === undefined ? "" : `${turn.number}.`,
    turn.seat,
    ...first.map((each) => ("draw" in each ? formatDraw(each, drawCount) : formatAction(each))),
    turn.open === undefined ? "" : `open=${turn.open}`,
    ...last.map(formatAction),
    turn.out,
    ...acks(turn),
    turn.clock === undefined ? "" : `@${turn.clock}`,
    ...(turn.annotations ?? []),
  );
}

function formatDraw(action, drawCount) {
  const cards = action.draw;
  const words = [cards.slice(0, drawCount).join(""), ...cards.slice(drawCount)].filter(Boolean);
  return join(...words.map((each) => `+${each}`), action.bare && "+");
}

function formatAction(action) {
  const replaced = action.replacements ? `+${action.replacements.join("")}` : "";
  if ("take" in action) {
    const count = action.count === undefined ? "" : `/${action.count}`;
    return `^${action.take}${count}${action.onto ? `>${action.onto}` : ""}`;
  }
  if ("ask" in action) return `ask=${action.ask ? "yes" : "no"}`;
  if ("lay" in action) return `${action.lay}:${action.cards.join("")}`;
  if ("combine" in action) return `${action.combine}>${action.onto[2] ?? 1}`;
  if ("back" in action) return `back:${action.back.join("")}`;
  if ("special" in action) return `${action.special}:${action.cards.join("")}`;
  if ("discard" in action) return `-${action.discard}`;
  if ("talon" in action) return `talon:${action.talon.join("")}${replaced}`;
  return `threes:${action.threes.join("")}${replaced || (action.bare ? "+" : "")}`;
}

// --- JSON --------------------------------------------------------------------------------------

/** Return the text of a file's JSON form, null if it is not what its text would be read as. */
export function fromJson(text, drawCount) {
  let games;
  let written;
  try {
    const value = JSON.parse(text);
    games = value.games ?? [value];
    if (value.games && value.cgn !== 1) return null;
    written = format(games, drawCount);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return null;
  }
  const { games: again, errors } = read(written);
  return errors.length || ordered(again) !== ordered(games.map(canonical)) ? null : written;
}

/** Return JSON with the fields of every object in one order. */
function ordered(value) {
  const inOrder = (_, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each;
  return JSON.stringify(value, inOrder);
}
