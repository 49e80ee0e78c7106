// From a text to games, or to the errors of the text. A game is in its JSON form, with
// everything in the order in which it was written.

import { readLine } from "./line.mjs";

const MAX_LINE = 65536;
const MAX_GAME = 8388608;

/** The lines of a deal in their order; lines of one kind that share a number may be mixed. */
const ORDER = {
  hand: 1, up: 2, stock: 3, foot: 4, pot: 4, talon: 4, turn: 5, penalty: 5, bonus: 5,
  end: 6, melds: 7, threes: 8, left: 9, score: 10, total: 11,
};
/** Where the JSON form of a deal has a line that may be repeated. */
const LISTS = {
  hand: "hands", foot: "packets", pot: "packets", talon: "packets", turn: "play", penalty: "play", bonus: "play",
  melds: "melds", threes: "threes", left: "left", score: "scores",
};
/** What may occur any number of times, and what once for each seat or side; the rest is once. */
const REPEATED = new Set(["pot", "talon", "turn", "penalty", "bonus"]);
const ONCE_EACH = { hand: "seat", foot: "seat", left: "seat", melds: "side", threes: "side", score: "side" };

const bytes = (text) => Buffer.byteLength(text);
const isBlank = (line) => /^[ \t]*$/.test(line);
const isComment = (line) => /^[ \t]*;/.test(line);
const beginsDeal = (line) => /^[ \t]*deal(?![A-Za-z0-9_-])/i.test(line);
const beginsWithCgn = (line) => /^[ \t]*\[CGN(?![A-Za-z0-9_-])/.test(line);
const namesCgn = (line) => /^[ \t]*(?:\[[ \t]*)?CGN(?![A-Za-z0-9_-])/i.test(line);

/** The lines of a text, and for each the number of its bytes with its end. */
function split(text) {
  const end = text.includes("\n") ? "\n" : "\r";
  const pieces = text.split(end);
  return pieces.map((piece, at) => {
    const line = piece.endsWith("\r") ? piece.slice(0, -1) : piece;
    return { line, bytes: bytes(line) + (at === pieces.length - 1 ? 0 : 1) };
  });
}

/** Reads the lines of a file one after another. */
class Reader {
  constructor() {
    this.games = [];
    this.errors = [];
    this.game = null; // the game in its JSON form
    this.comments = []; // those that wait for the line that they belong to
    this.size = 0; // the bytes of the game
    this.blankBefore = null; // how many of them came before the last blank line
  }

  report(line, code) {
    this.errors.push({ line, code });
  }

  /** Read a line; returns false if the rest of the file is not read. */
  read(line, number, size) {
    const plain = line.startsWith("\ufeff") ? line.slice(1) : line;
    if (!isBlank(plain) && !isComment(plain)) {
      if (this.beginsGame(plain)) this.begin(number);
      this.statement(plain, number);
    } else if (bytes(plain) > MAX_LINE) this.report(number, "syntax");
    else if (isBlank(plain)) this.blankBefore = this.comments.length;
    else this.comment(plain, number);
    this.size += size;
    if (this.size < MAX_GAME) return true;
    this.report(number, "syntax");
    return false;
  }

  comment(line, number) {
    const read = readLine(line);
    if (read) this.comments.push(read.value);
    else this.report(number, "syntax");
  }

  /** Whether a line that is neither blank nor a comment begins a game. */
  beginsGame(line) {
    if (!this.game) return true;
    if (!beginsWithCgn(line)) return false;
    return this.dealSeen || (this.begunWithCgn && this.blankBefore !== null);
  }

  begin(number) {
    // Comments before the last blank line belong to the game that ends here.
    const own = this.game ? this.comments.splice(0, this.blankBefore ?? 0) : [];
    if (this.game) this.size = 0;
    this.finish(own);
    this.game = { tags: [], deals: [] };
    this.firstLine = number;
    this.begunWithCgn = null; // not known yet
    this.dealSeen = false;
    this.versionSeen = false; // a CGN tag that names a version, or cannot be read
    this.misspelt = null; // the line of a tag such as `cgn`
    this.straySeen = false; // a line before the first deal
    this.deal = null;
  }

  /** End the game, which has these comments at its end. */
  finish(comments) {
    if (!this.game) return;
    if (comments.length) this.game.comments = comments;
    if (!this.versionSeen) this.report(this.misspelt ?? this.firstLine, "version");
    this.games.push(this.game);
  }

  /** Read a line of a game. */
  statement(line, number) {
    this.begunWithCgn ??= beginsWithCgn(line);
    const before = this.comments;
    this.comments = [];
    this.blankBefore = null;
    const read = bytes(line) > MAX_LINE ? null : readLine(line);
    if (beginsDeal(line)) this.beginDeal();
    const code = read ? this.place(read, before, number) : "syntax";
    if (code) this.report(number, code);
    if (!read && namesCgn(line)) this.versionSeen = true;
  }

  /** What follows belongs to a new deal or, if its line cannot be read, to none. */
  beginDeal() {
    this.dealSeen = true;
    this.deal = null;
  }

  /** Put a line where it belongs; returns the code of an error if it cannot stand here. */
  place({ kind, value }, before, number) {
    if (before.length) value.before = before;
    // A referee asks for the line; no form of the record has it.
    Object.defineProperty(value, "line", { value: number });
    if (kind === "tag") return this.placeTag(value, number);
    if (kind === "deal") {
      this.game.deals.push(value);
      this.deal = { value, order: 0, seen: new Set() };
      return null;
    }
    if (this.deal) return this.placeInDeal(kind, value);
    if (this.dealSeen || this.straySeen) return null;
    this.straySeen = true;
    return "syntax";
  }

  placeTag(value, number) {
    if (this.dealSeen || this.straySeen) return "syntax";
    if (this.game.tags.some((tag) => tag.name === value.name)) return "duplicate-tag";
    this.game.tags.push(value);
    if (value.name.toUpperCase() !== "CGN") return null;
    if (value.name !== "CGN") {
      this.misspelt ??= number;
      return null;
    }
    this.versionSeen = true;
    return value.value === "1" ? null : "version";
  }

  placeInDeal(kind, value) {
    const { deal } = this;
    const key = kind in ONCE_EACH ? `${kind} ${value[ONCE_EACH[kind]]}` : kind;
    if (kind === "hand" && deal.order >= ORDER.end) {
      this.beginDeal(); // the first line of a deal whose own line is missing
      return "syntax";
    }
    // Feet that nobody picked up are turned up after the end.
    const shown = kind === "foot" && deal.order >= ORDER.end;
    if (ORDER[kind] < deal.order && !shown) return "syntax";
    if (!REPEATED.has(kind) && deal.seen.has(key)) return "syntax";
    if (!shown) deal.order = ORDER[kind];
    deal.seen.add(key);
    if (kind in LISTS) (deal.value[LISTS[kind]] ??= []).push(value);
    else deal.value[kind] = value;
    return null;
  }
}

/** Read a text. Returns its games, and its errors in the order of their lines. */
export function read(text) {
  const reader = new Reader();
  split(text).every(({ line, bytes: size }, at) => reader.read(line, at + 1, size));
  reader.finish(reader.comments);
  reader.errors.sort((one, other) => one.line - other.line);
  return { games: reader.games, errors: reader.errors };
}
