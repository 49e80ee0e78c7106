// A reader of Canasta Game Notation, written from grammar/SPECIFICATION.md alone. It shares no code
// with the package, and needs no rules of the game.
//
// `read(text)` returns {games, errors}: games in their JSON form (game.schema.json), in the order of
// the text, and [line, code] of each error.

const CARD = "(?:(?:10|[AKQJT9876542])[shdc]?|3[shdcrb]|[*_])";
const SUITED = "(?:(?:10|[AKQJT98765432])[shdc]|\\*)";
const NUMBERED = "(?:/[2-9])?";
const RANK_LABEL = `(?:(?:10|[AKQJT9876542]|\\*)${NUMBERED})`;
const SUIT_LABEL = `(?:[shdc]${NUMBERED})`;
const MELD = `(?:${RANK_LABEL}|${SUIT_LABEL})`;
const SEAT = "[NESWABCDF]";
const SIDE = "(?:NS|EW|ACE|BDF|AD|BE|CF|N|E|S)";
const DIGITS = "[0-9]{1,9}";
const NAME = "[A-Za-z][A-Za-z0-9_-]*";
const CODE = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";
const ITEMS =
  "melds|natural|mixed|concealed-canasta|red3|out|concealed|hand|penalty|bonus|cards|threes|" +
  "sevens|aces|wild|sequence|unfinished|held|special";
const END = "(?![^\\x00-\\x20;])[ \\t]*";
const LIST = `${CARD}(?:[ \\t]*${CARD})*`;
const LIST_END = `(?:${END}|(?=\\.\\.\\.))`;

const sticky = (source) => new RegExp(source, "uy");
const word = (source) => sticky(`(${source})${END}`);
const list = (sign = "") => sticky(`${sign}(${LIST})${LIST_END}`);

const WORDS = {
  blank: sticky("[ \\t]*"),
  tag: sticky(`\\[(${NAME})[ \\t]+"((?:[\\t !#-\\[\\]-~\\u00a0-\\u{10ffff}]|\\\\"|\\\\\\\\)*)"[ \\t]*\\]${END}`),
  comment: sticky(";([\\t -~\\u00a0-\\u{10ffff}]*)$"),
  keyword: word("deal|up|stock|talon|penalty|bonus|end|melds|threes|left|score|total"),
  hand: sticky(`(${SEAT}):[ \\t]*`),
  number: sticky(`(${DIGITS})\\.[ \\t]*`),
  seat: word(SEAT),
  side: word(SIDE),
  count: word(DIGITS),
  points: word(`-?${DIGITS}`),
  name: word(NAME),
  dealer: word("dealer"),
  ending: word("out|special|stock|unfinished"),
  concealed: word("concealed"),
  equals: word("="),
  item: word(ITEMS),
  cards: list(),
  pulled: list("\\+"),
  rest: word("\\.\\.\\."),
  ack: sticky(`~(${CODE})${END}`),
  tabled: sticky(`threes:((?:3[shdcrb])+)(\\+(?:${CARD})*)?${END}`),
  draw: sticky(`\\+((?:${CARD})+)${END}`),
  plus: word("\\+"),
  take: sticky(`\\^(${CARD})(?:/(${DIGITS}))?(?:>(${MELD}))?${END}`),
  ask: sticky(`ask=(yes|no)${END}`),
  lay: sticky(`(${RANK_LABEL}|3):((?:${CARD})+)${END}`),
  sequence: sticky(`(${SUIT_LABEL}):((?:${SUITED})+)${END}`),
  combine: sticky(`(${MELD})>([1-9])${END}`),
  back: sticky(`back:((?:${CARD})+)${END}`),
  special: sticky(`(?!(?:talon|threes|back|ask|open):)(?=[a-z][a-z-])([a-z]+(?:-[a-z]+)*):((?:${CARD})+)${END}`),
  discard: sticky(`-(${CARD})${END}`),
  talonTaken: sticky(`talon:((?:${CARD})+)(?:\\+((?:${CARD})+))?${END}`),
  open: sticky(`open=(${DIGITS})${END}`),
  out: word("##|#"),
  clock: sticky(`@(${DIGITS}(?:\\.${DIGITS})?)${END}`),
  annotation: word("!!|\\?\\?|!\\?|\\?!|!|\\?|\\$[0-9]{1,3}"),
};

const ten = (text) => text.replace(/10/g, "T");
export const cardsOf = (text) => ten(text).match(/[*_]|[AKQJT98765432][shdcrb]?/g) ?? [];

class Unreadable extends Error {}

/** The words of one line. */
class Words {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.match("blank");
  }
  /** Return the match of the next word if it is of this kind, and go past it. */
  match(kind) {
    const pattern = WORDS[kind];
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }
  need(kind) {
    const found = this.match(kind);
    if (!found) throw new Unreadable();
    return found;
  }
  while(kind) {
    const found = [];
    for (let each = this.match(kind); each; each = this.match(kind)) found.push(each[1]);
    return found;
  }
  get done() {
    return this.at === this.text.length;
  }
}

// --- lines -------------------------------------------------------------------------------------

/** Return {kind, value, comment} of a line; null for a blank one. Throws Unreadable. */
function readLine(text) {
  const words = new Words(text);
  if (words.done) return null;
  const read = { kind: "comment", value: null };
  if (text[words.at] !== ";") Object.assign(read, readStatement(words));
  const comment = words.match("comment");
  if (comment) read.comment = comment[1].replace(/^ /, "");
  if (!words.done) throw new Unreadable();
  return read;
}

function readStatement(words) {
  const tag = words.match("tag");
  if (tag) return { kind: "tag", value: { name: tag[1], value: tag[2].replace(/\\(["\\])/g, "$1") } };
  const hand = words.match("hand");
  if (hand) return { kind: "hands", value: readHand(words, hand[1]) };
  const keyword = words.match("keyword");
  return keyword ? LINES[keyword[1]](words) : { kind: "turn", value: readTurn(words) };
}

function readHand(words, seat) {
  const value = { seat, cards: cardsOf(words.match("cards")?.[1] ?? "") };
  const before = Boolean(words.match("rest"));
  const pulled = words.while("pulled").flatMap(cardsOf);
  const after = !before && pulled.length > 0 && Boolean(words.match("rest"));
  if (before || after) value.rest_unknown = true;
  if (pulled.length) value.replacements = pulled;
  return withAcks(value, words);
}

function withAcks(value, words) {
  const acknowledged = words.while("ack");
  return acknowledged.length ? { ...value, acknowledged } : value;
}

const LINES = {
  deal: (words) => {
    const value = { number: Number(words.need("count")[1]) };
    if (words.match("dealer")) value.dealer = words.need("seat")[1];
    return { kind: "deal", value };
  },
  up: (words) => ({ kind: "up", value: withAcks({ cards: cardsOf(words.need("cards")[1]) }, words) }),
  stock: (words) => ({ kind: "stock", value: { cards: cardsOf(words.need("cards")[1]) } }),
  talon: (words) => ({ kind: "talons", value: { cards: cardsOf(words.need("cards")[1]) } }),
  penalty: (words) => {
    const [penalty, points] = [words.need("side")[1], Number(words.need("count")[1])];
    return { kind: "penalty", value: { penalty, points, word: words.need("name")[1] } };
  },
  bonus: (words) => {
    const [bonus, points] = [words.need("side")[1], Number(words.need("count")[1])];
    return { kind: "bonus", value: { bonus, points, word: words.need("name")[1] } };
  },
  end: (words) => {
    const value = { reason: words.need("ending")[1] };
    if (["out", "special"].includes(value.reason)) value.seat = words.need("seat")[1];
    if (value.reason === "out" && words.match("concealed")) value.concealed = true;
    return { kind: "end", value };
  },
  melds: (words) => {
    const value = { side: words.need("side")[1], groups: [] };
    for (let group = readLay(words); group; group = readLay(words)) value.groups.push(group);
    return { kind: "melds", value };
  },
  threes: (words) => {
    const side = words.need("side")[1];
    return { kind: "threes", value: { side, cards: cardsOf(words.match("cards")?.[1] ?? "") } };
  },
  left: (words) => {
    const value = { seat: words.need("seat")[1], cards: cardsOf(words.match("cards")?.[1] ?? "") };
    if (words.match("rest")) value.rest_unknown = true;
    return { kind: "left", value };
  },
  score: (words) => {
    const value = { side: words.need("side")[1], score: points(words) };
    if (words.match("equals")) value.items = pairs(words, "item", "item", "points");
    return { kind: "scores", value };
  },
  total: (words) => ({ kind: "total", value: { totals: pairs(words, "side", "side", "total") } }),
};

/** Return points; -0 is 0. */
const points = (words) => Number(words.need("points")[1]) + 0 || 0;

/** Return names with their points, each name once. */
function pairs(words, kind, name, figure) {
  const found = [{ [name]: words.need(kind)[1], [figure]: points(words) }];
  for (let each = words.match(kind); each; each = words.match(kind)) {
    found.push({ [name]: each[1], [figure]: points(words) });
  }
  if (new Set(found.map((each) => each[name])).size < found.length) throw new Unreadable();
  return found;
}

function readLay(words) {
  const found = words.match("lay") ?? words.match("sequence");
  return found && { lay: ten(found[1]), cards: cardsOf(found[2]) };
}

// --- a turn ------------------------------------------------------------------------------------

function readTurn(words) {
  const turn = {};
  const number = words.match("number");
  if (number) turn.number = Number(number[1]);
  turn.seat = words.need("seat")[1];
  turn.actions = [];
  readStart(words, turn.actions);
  const order = { group: 0, discard: 1, talon: 2 };
  let stage = order.group;
  for (;;) {
    if (readMark(words, turn)) continue;
    const [kind, action] = readAction(words);
    if (!kind) return turn;
    const late = order[kind] < stage || (kind !== "group" && order[kind] === stage);
    const second = "back" in (action ?? {}) && turn.actions.some((each) => "back" in each);
    if (late || second) throw new Unreadable();
    stage = order[kind];
    turn.actions.push(action);
  }
}

function readStart(words, actions) {
  const tabled = words.match("tabled");
  if (tabled) {
    const action = { threes: cardsOf(tabled[1]) };
    if (tabled[2]?.length > 1) action.replacements = cardsOf(tabled[2].slice(1));
    else if (tabled[2]) action.bare = true;
    actions.push(action);
  }
  const take = words.match("take");
  if (take) {
    const action = { take: ten(take[1]) };
    if (take[2]) action.count = Number(take[2]);
    if (take[3]) action.onto = ten(take[3]);
    actions.push(action);
    return;
  }
  const draw = words.while("draw").flatMap(cardsOf);
  const bare = Boolean(words.match("plus"));
  if (draw.length || bare) actions.push(bare ? { draw, bare } : { draw });
}

/** Return the kind of the next action and the action; [null] if there is none. */
function readAction(words) {
  const ask = words.match("ask");
  if (ask) return ["group", { ask: ask[1] === "yes" }];
  const lay = readLay(words);
  if (lay) return ["group", lay];
  const combine = words.match("combine");
  if (combine) {
    const label = ten(combine[1]);
    const onto = label[0] + (combine[2] === "1" ? "" : `/${combine[2]}`);
    return ["group", { combine: label, onto }];
  }
  const back = words.match("back");
  if (back) return ["group", { back: cardsOf(back[1]) }];
  const special = words.match("special");
  if (special) return ["group", { special: special[1], cards: cardsOf(special[2]) }];
  const discard = words.match("discard");
  if (discard) return ["discard", { discard: ten(discard[1]) }];
  const talon = words.match("talonTaken");
  if (!talon) return [null];
  const action = { talon: cardsOf(talon[1]) };
  if (talon[2]) action.replacements = cardsOf(talon[2]);
  return ["talon", action];
}

/** Put the next mark of a turn into it; return false if the next word is none. */
function readMark(words, turn) {
  const once = (name, value) => {
    if (name in turn) throw new Unreadable();
    turn[name] = value;
  };
  for (const kind of ["open", "out", "ack", "clock", "annotation"]) {
    const found = words.match(kind);
    if (!found) continue;
    if (kind === "ack") (turn.acknowledged ??= []).push(found[1]);
    else if (kind === "annotation") (turn.annotations ??= []).push(found[1]);
    else once(kind, kind === "open" ? Number(found[1]) : found[1]);
    return true;
  }
  return false;
}

// --- games -------------------------------------------------------------------------------------

const LINE_LIMIT = 65536;
const BEGINS_GAME = /^\uFEFF?[ \t]*\[CGN(?![A-Za-z0-9_])/;
const BEGINS_DEAL = /^[ \t]*deal(?![A-Za-z0-9_])/i;
const NAMES_VERSION = /^[^A-Za-z0-9_;[]*(?:\[[ \t]*)?CGN(?![A-Za-z0-9_])/i;
const BLANK = /^[ \t]*$/;
const COMMENT = /^\uFEFF?[ \t]*;/;

/** Return the lines of each game as [number, text] pairs. */
function blocks(text) {
  const lines = text.replace(/^\uFEFF/, "").split("\n").map((line) => line.replace(/\r$/, ""));
  const found = [];
  let [block, begun, dealt, blank] = [[], false, false, false];
  lines.forEach((line, at) => {
    const begins = BEGINS_GAME.test(line);
    if (begins && (dealt || (begun && blank))) {
      let own = block.length;
      while (own && COMMENT.test(block[own - 1][1])) own -= 1;
      found.push(block.slice(0, own));
      [block, dealt] = [block.slice(own), false];
    }
    begun ||= begins;
    dealt ||= BEGINS_DEAL.test(line);
    blank = BLANK.test(line) || (blank && COMMENT.test(line));
    block.push([at + 1, line.replace(/^\uFEFF/, "")]);
  });
  return [...found, block].filter((each) => each.some(([, line]) => !BLANK.test(line) && !COMMENT.test(line)));
}

const ORDER = ["hands", "up", "stock", "talons", "play", "end", "melds", "threes", "left", "scores", "total"];
const OWNER = { hands: "seat", left: "seat", melds: "side", threes: "side", scores: "side" };
const ONE = ["up", "stock", "end", "total"];

/** Puts the lines of one game together. */
class Game {
  constructor() {
    this.game = { tags: [], deals: [] };
    this.errors = [];
    this.comments = [];
    this.deal = null;
    this.lost = false;
    this.begins = null;
    this.versioned = false;
  }

  add(number, text) {
    let line;
    try {
      if (Buffer.byteLength(text) > LINE_LIMIT) throw new Unreadable();
      line = readLine(text);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.wrong(number, text);
      return;
    }
    if (line?.kind === "comment") this.comments.push(line.comment);
    else if (line) this.place(number, line);
  }

  wrong(number, text) {
    this.errors.push([number, "syntax"]);
    this.begins ??= number;
    this.versioned ||= NAMES_VERSION.test(text);
    if (BEGINS_DEAL.test(text)) [this.deal, this.lost] = [null, true];
  }

  place(number, { kind, value, comment }) {
    this.begins ??= number;
    if (this.comments.length) value.before = this.comments;
    if (comment !== undefined) value.comment = comment;
    this.comments = [];
    if (kind === "tag") this.addTag(number, value);
    else if (kind === "deal") {
      [this.deal, this.lost, this.rank, this.once] = [value, false, 0, new Set()];
      this.game.deals.push(value);
    } else if (this.deal) this.addLine(number, kind, value);
    else if (!this.lost) {
      this.errors.push([number, "syntax"]);
      this.lost = true;
    }
  }

  addTag(number, tag) {
    if (this.deal || this.lost) {
      this.errors.push([number, "syntax"]);
      return;
    }
    if (this.game.tags.some((each) => each.name === tag.name)) this.errors.push([number, "duplicate-tag"]);
    else if (tag.name === "CGN" && tag.value !== "1") this.errors.push([number, "version"]);
    this.versioned ||= tag.name === "CGN";
    this.game.tags.push(tag);
  }

  addLine(number, kind, value) {
    const field = ["turn", "penalty", "bonus"].includes(kind) ? "play" : kind;
    const rank = ORDER.indexOf(field);
    const name = OWNER[field] ? `${field} ${value[OWNER[field]]}` : ONE.includes(field) ? field : null;
    if (rank < this.rank || this.once.has(name)) {
      this.errors.push([number, "syntax"]);
      return;
    }
    this.rank = rank;
    if (name) this.once.add(name);
    if (ONE.includes(field)) this.deal[field] = value;
    else (this.deal[field] ??= []).push(value);
  }

  end() {
    if (this.comments.length) this.game.comments = this.comments;
    if (!this.versioned) this.errors.push([this.begins, "version"]);
    this.errors.sort((one, other) => one[0] - other[0]);
  }
}

export function read(text) {
  const games = blocks(text).map((lines) => {
    const game = new Game();
    for (const [number, line] of lines) game.add(number, line);
    game.end();
    return game;
  });
  return { games: games.map((each) => each.game), errors: games.flatMap((each) => each.errors) };
}
