// The form of one line. This is canasta.lark, with a function for each of its rules.
// A line becomes its JSON form: what it says, in the order in which it says it.

import { numbered } from "./cards.mjs";

/** A line that is not in the notation. */
class Unreadable extends Error {}

// The pieces of words, as sources of regular expressions.
const END = String.raw`(?![^\x00-\x20;])[ \t]*`;
const LIST_END = String.raw`(?:${END}|(?=\.\.\.))`;
const RANK = "(?:10|[AKQJT9876542])";
const SUIT = "[shdc]";
const THREE = "3[shdcrb]";
const CARD = `(?:${RANK}${SUIT}?|${THREE}|[*_])`;
const LIST = `${CARD}(?:[ \\t]*${CARD})*`;
const SUITED = `(?:(?:${RANK}|3)${SUIT}|\\*)`;
const NUMBERED = "(?:/[2-9])?";
const MELD = `(?:${RANK}|\\*|${SUIT})${NUMBERED}`;
const DIGITS = "[0-9]{1,9}";
const NAME = "[A-Za-z][A-Za-z0-9_-]*";
const SPECIAL_NAME =
  "(?!(?:foot|pot|talon|threes|back|ask|open):)(?=[a-z][a-z-])[a-z]+(?:-[a-z]+)*";
// Everything that a comment may hold; U+D800 to U+DFFF are no characters.
const TEXT = String.raw`[\t -~\u00a0-\ud7ff\ue000-\u{10ffff}]`;

const token = (source) => new RegExp(source, "yu");
const word = (source) => token(source + END);

const SPACES = token("[ \\t]+");
const COMMENT = token(`;(${TEXT}*)$`);
const TAG_NAME = token(`\\[(${NAME})[ \\t]+`);
const TAG_VALUE = token(`"((?:(?!["\\\\])${TEXT}|\\\\["\\\\])*)"[ \\t]*`);
const TAG_CLOSE = word("\\]");
const KEYWORD = word("(deal|up|stock|foot|pot|talon|penalty|bonus|end|melds|threes|left|score|total)");
const DEALER = word("dealer");
const HAND = token("([NESWABCDF]):[ \\t]*");
const SEAT = word("([NESWABCDF])");
const SIDE = word("(NS|EW|ACE|BDF|AD|BE|CF|N|E|S)");
const COUNT = word(`(${DIGITS})`);
const NUMBER = word(`(-?${DIGITS})`);
const WORD = word(`(${NAME})`);
const CARDS = token(`(${LIST})${LIST_END}`);
const REST = word("\\.\\.\\.");
const PULLED = token(`\\+(${LIST})${LIST_END}`);
const REASON = word("(out|special|stock|unfinished|void|time)");
const CONCEALED = word("concealed");
const EQUALS = word("=");
const ITEM = word(
  "(melds|natural|mixed|concealed-canasta|red3|out|concealed|hand|penalty|bonus|cards|threes" +
    "|sevens|aces|wild|sequence|unfinished|held|packet|special)",
);

const TURN_NUMBER = token(`(${DIGITS})\\.[ \\t]*`);
const TABLED = word(`threes:((?:${THREE})+)(\\+((?:${CARD})*))?`);
const DRAW = word(`\\+((?:${CARD})+)`);
const PLUS = word("\\+");
const TAKE = word(`\\^(${CARD})(?:/(${DIGITS}))?(?:>(${MELD}))?`);
const ASK = word("ask=(yes|no)");
const LAY = word(`(3|(?:${RANK}|\\*)${NUMBERED}):((?:${CARD})+)`);
const LAY_SEQUENCE = word(`(${SUIT}${NUMBERED}):(${SUITED}+)`);
const COMBINE = word(`(${MELD})>([1-9])`);
const BACK = word(`back:((?:${CARD})+)`);
const SPECIAL = word(`(${SPECIAL_NAME}):((?:${CARD})+)`);
const DISCARD = word(`-(${CARD})`);
const TALON_TAKEN = word(`(talon):((?:${CARD})+)(?:\\+((?:${CARD})+))?`);
const PICKED_UP = word(`(foot|pot)(?::((?:${CARD})+)(?:\\+((?:${CARD})+))?)?`);
const OPEN = word(`open=(${DIGITS})`);
const OUT = word("(##?)");
const ACK = word("~([a-z][a-z0-9]*(?:-[a-z0-9]+)*)");
const CLOCK = word(`@(${DIGITS}(?:\\.${DIGITS})?)`);
const ANNOTATION = word("(!!|\\?\\?|!\\?|\\?!|!|\\?|\\$[0-9]{1,3})");

/** The words of a line, taken one after another. */
class Words {
  constructor(line) {
    this.line = line;
    this.at = 0;
    this.take(SPACES);
  }

  /** The match of a word that may come next, or null. */
  take(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.line);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  /** The match of a word that must come next. */
  need(pattern) {
    return this.take(pattern) ?? fail();
  }
}

function fail() {
  throw new Unreadable();
}

const tens = (text) => text.replaceAll("10", "T");
const cardsOf = (text) => tens(text).match(new RegExp(CARD, "gu")) ?? [];
const numberOf = (text) => Number(text) || 0; // -0 is 0

/** The text of a comment: without its sign, one space after it, and spaces at its end. */
const commentText = (text) => text.replace(/^ /, "").replace(/[ \t]+$/, "");

/** Add to a value what a pattern may find next: all matches, as a list, if there is one. */
function collect(words, pattern, value, field) {
  for (let match = words.take(pattern); match; match = words.take(pattern)) {
    (value[field] ??= []).push(match[1]);
  }
}

function tag(words) {
  const [, name] = words.need(TAG_NAME);
  const [, value] = words.need(TAG_VALUE);
  words.need(TAG_CLOSE);
  return { name, value: value.replace(/\\(.)/g, "$1") };
}

function deal(words) {
  const value = { number: numberOf(words.need(COUNT)[1]) };
  if (words.take(DEALER)) value.dealer = words.need(SEAT)[1];
  return value;
}

function hand(words) {
  const value = { seat: words.need(HAND)[1], cards: cardsOf(words.take(CARDS)?.[1] ?? "") };
  const rest = () => words.take(REST) !== null;
  let unknown = rest();
  const replacements = [];
  for (let match = words.take(PULLED); match; match = words.take(PULLED)) {
    replacements.push(...cardsOf(match[1]));
  }
  if (!unknown && replacements.length) unknown = rest();
  if (unknown) value.rest_unknown = true;
  if (replacements.length) value.replacements = replacements;
  collect(words, ACK, value, "acknowledged");
  return value;
}

const list = (words) => ({ cards: cardsOf(words.need(CARDS)[1]) });

function up(words) {
  const value = list(words);
  collect(words, ACK, value, "acknowledged");
  return value;
}

/** A penalty or a bonus; the field of its side says which. */
function points(field) {
  return (words) => ({
    [field]: words.need(SIDE)[1],
    points: numberOf(words.need(COUNT)[1]),
    word: words.need(WORD)[1],
  });
}

function end(words) {
  const value = { reason: words.need(REASON)[1] };
  if (value.reason === "out" || value.reason === "special") value.seat = words.need(SEAT)[1];
  if (value.reason === "out" && words.take(CONCEALED)) value.concealed = true;
  return value;
}

function melds(words) {
  const value = { side: words.need(SIDE)[1], groups: [] };
  for (let group = lay(words); group; group = lay(words)) value.groups.push(group);
  return value;
}

function threes(words) {
  return { side: words.need(SIDE)[1], cards: cardsOf(words.take(CARDS)?.[1] ?? "") };
}

function left(words) {
  const value = { seat: words.need(SEAT)[1], cards: cardsOf(words.take(CARDS)?.[1] ?? "") };
  if (words.take(REST)) value.rest_unknown = true;
  return value;
}

function score(words) {
  const value = { side: words.need(SIDE)[1], score: numberOf(words.need(NUMBER)[1]) };
  if (words.take(EQUALS)) value.items = figures(words, ITEM, "item", "points");
  return value;
}

const total = (words) => ({ totals: figures(words, SIDE, "side", "total") });

/** One or more names with their points; a name that comes twice is an error. */
function figures(words, pattern, nameField, pointsField) {
  const found = [];
  for (let name = words.need(pattern); name; name = words.take(pattern)) {
    if (found.some((figure) => figure[nameField] === name[1])) fail();
    const points = numberOf(words.need(NUMBER)[1]);
    found.push({ [nameField]: name[1], [pointsField]: points });
  }
  return found;
}

function turn(words) {
  const value = {};
  const number = words.take(TURN_NUMBER);
  if (number) value.number = numberOf(number[1]);
  value.seat = words.need(SEAT)[1];
  value.actions = [tableThrees(words), draw(words) ?? take(words)].filter((action) => action);
  for (;;) {
    const action = ask(words) ?? lay(words) ?? combine(words) ?? back(words) ?? special(words)
      ?? packet(words, PICKED_UP);
    if (action?.back && value.actions.some((other) => "back" in other)) fail();
    if (action) value.actions.push(action);
    else if (!mark(words, value)) break;
  }
  const last = (action) => {
    if (!action) return;
    value.actions.push(action);
    while (mark(words, value));
  };
  const discarded = discard(words);
  last(discarded);
  last((discarded && packet(words, PICKED_UP)) ?? packet(words, TALON_TAKEN));
  return value;
}

function tableThrees(words) {
  const match = words.take(TABLED);
  if (!match) return null;
  const value = { threes: cardsOf(match[1]) };
  if (match[3]) value.replacements = cardsOf(match[3]);
  else if (match[2]) value.bare = true;
  return value;
}

/** A draw. All its words are one sequence. */
function draw(words) {
  const cards = [];
  for (let match = words.take(DRAW); match; match = words.take(DRAW)) {
    cards.push(...cardsOf(match[1]));
  }
  if (words.take(PLUS)) return { draw: cards, bare: true };
  return cards.length ? { draw: cards } : null;
}

function take(words) {
  const match = words.take(TAKE);
  if (!match) return null;
  const value = { take: tens(match[1]) };
  if (match[2]) value.count = numberOf(match[2]);
  if (match[3]) value.onto = tens(match[3]);
  return value;
}

function ask(words) {
  const match = words.take(ASK);
  return match && { ask: match[1] === "yes" };
}

function lay(words) {
  const match = words.take(LAY) ?? words.take(LAY_SEQUENCE);
  return match && { lay: tens(match[1]), cards: cardsOf(match[2]) };
}

function combine(words) {
  const match = words.take(COMBINE);
  if (!match) return null;
  const label = tens(match[1]);
  return { combine: label, onto: numbered(label[0], Number(match[2])) };
}

function back(words) {
  const match = words.take(BACK);
  return match && { back: cardsOf(match[1]) };
}

function special(words) {
  const match = words.take(SPECIAL);
  return match && { special: match[1], cards: cardsOf(match[2]) };
}

function discard(words) {
  const match = words.take(DISCARD);
  return match && { discard: tens(match[1]) };
}

/** A packet that enters the hand. */
function packet(words, pattern) {
  const match = words.take(pattern);
  if (!match) return null;
  const value = { packet: match[1] };
  if (match[2]) value.cards = cardsOf(match[2]);
  if (match[3]) value.replacements = cardsOf(match[3]);
  return value;
}

/** Take a word that may stand anywhere after the draw; return whether there was one. */
function mark(words, value) {
  const once = (field, content) => {
    if (field in value) fail();
    value[field] = content;
    return true;
  };
  const more = (field, content) => (value[field] ??= []).push(content) > 0;
  let match;
  if ((match = words.take(OPEN))) return once("open", numberOf(match[1]));
  if ((match = words.take(OUT))) return once("out", match[1]);
  if ((match = words.take(CLOCK))) return once("clock", match[1]);
  if ((match = words.take(ACK))) return more("acknowledged", match[1]);
  if ((match = words.take(ANNOTATION))) return more("annotations", match[1]);
  return false;
}

const aside = (word) => (words) => ({ packet: word, ...list(words) });
const foot = (words) => ({ packet: "foot", ...left(words) });

const RULES = {
  tag, deal, hand, up, stock: list, foot, pot: aside("pot"), talon: aside("talon"), turn,
  penalty: points("penalty"), bonus: points("bonus"),
  end, melds, threes, left, score, total,
};

/** Which rule of the grammar a line follows. A keyword is taken. */
function kindOf(words) {
  const first = words.line[words.at];
  if (first === "[") return "tag";
  if (first && words.line[words.at + 1] === ":") return "hand";
  return words.take(KEYWORD)?.[1] ?? "turn";
}

/** Read a line that is not blank. Returns its kind and its JSON form, or null for an error. */
export function readLine(line) {
  const words = new Words(line);
  try {
    if (line[words.at] === ";") {
      return { kind: "comment", value: commentText(words.need(COMMENT)[1]) };
    }
    const kind = kindOf(words);
    const value = RULES[kind](words);
    const comment = words.take(COMMENT);
    if (words.at < line.length) fail();
    if (comment) value.comment = commentText(comment[1]);
    return { kind, value };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
