// The table of a deal for a referee: hands, melds, pile and stock, and questions about them.

import { isBlackThree, isRedThree, isWild } from "./cards.mjs";
import { names, remove, seatAfter } from "./replay.mjs";

export const CANASTA = 7;
const USUAL = { 2: 20, "*": 50, A: 20, K: 10, Q: 10, J: 10, T: 10, 9: 10, 8: 10 };

/** What the record does not say enough about for this referee. */
export class Undecided extends Error {}

export const without = (cards, gone) => {
  const rest = [...cards];
  remove(rest, gone);
  return rest;
};
export const wildsOf = (cards) => cards.filter(isWild);
export const naturalsOf = (cards) => cards.filter((card) => !isWild(card));
export const countOf = (cards, card) => cards.filter((other) => other === card).length;
export const isSequence = (label) => /^[shdc]/.test(label);

/** Points of a list or a table by name, such as `A:15,3:0`. */
export function named(text) {
  if (text === "none") return {};
  return Object.fromEntries(text.split(",").map((pair) => pair.split(":")).map(([name, points]) => [name, Number(points)]));
}

/** The rules of a game with what follows from their values. */
export class Rules {
  constructor({ seats, sides, values }) {
    Object.assign(this, { seats, sides, values });
    this.packs = Number(values["deck.packs"]);
    this.jokers = Number(values["deck.jokers"]);
    this.points = { ...USUAL, ...named(values["score.cards"]) };
    this.packetOf = values["packet.of"];
  }

  is(key, value = "yes") {
    return this.values[key] === value;
  }

  number(key) {
    return Number(this.values[key]);
  }

  /** A number, or Infinity for `none` or `all`. */
  limit(key) {
    return /^-?[0-9]+$/.test(this.values[key]) ? Number(this.values[key]) : Infinity;
  }

  lists(key, card) {
    return names(this.values[key], card);
  }

  sideOf(seat) {
    return this.sides.find((side) => side.includes(seat));
  }

  after(seat) {
    return seatAfter(this.seats, seat);
  }

  pointsOf(cards) {
    return cards.reduce((sum, card) => sum + (this.points[card[0]] ?? 5), 0);
  }

  copies(card) {
    return card === "*" ? this.jokers : this.packs;
  }

  isTabled(card) {
    if (this.is("threes", "none")) return false;
    return isRedThree(card) || (this.is("threes", "all") && isBlackThree(card));
  }

  /** What an opening must count at a total, or in a deal. */
  minimum(step) {
    const pairs = this.values["opening.table"].split(",").map((pair) => pair.split(":"));
    const [, points] = pairs.find(([below, found]) => found !== undefined && step < Number(below)) ?? [null, pairs.at(-1)[0]];
    return Number(points);
  }

  /** The kind of a meld that is a canasta for a side; null if it is none. */
  kindOf(label, cards) {
    if (cards.length < CANASTA) return null;
    if (isSequence(label)) return "sequence";
    if (label[0] === "*") return "wild";
    if (label[0] === "7" && (this.number("score.sevens") > 0 || this.number("out.sevens") > 0)) return "sevens";
    return wildsOf(cards).length ? "mixed" : "natural";
  }
}

/** The table of a deal. */
export class Table {
  constructor(rules) {
    this.rules = rules;
    this.hands = Object.fromEntries(rules.seats.map((seat) => [seat, []]));
    this.melds = Object.fromEntries(rules.sides.map((side) => [side, new Map()]));
    this.threes = Object.fromEntries(rules.sides.map((side) => [side, []]));
    this.pile = [];
    this.frozen = false;
    this.stock = 52 * rules.packs + rules.jokers;
    this.seen = new Map();
    this.laidBy = new Set(); // seats that have laid cards
    this.hadTurn = new Set();
    this.completed = new Set(); // seats that have completed a canasta
    this.packetsTaken = new Set();
    this.packetAt = new Map(); // who took a foot or a pot, and its cards
    this.dueThrees = Object.fromEntries(rules.seats.map((seat) => [seat, []]));
    this.choices = {}; // threes of a draw of which one was kept, by seat
    this.excused = Object.fromEntries(rules.seats.map((seat) => [seat, []])); // threes already reported
  }

  /** Change which three of a draw a hand kept; returns the one it seemed to keep, or null. */
  keepInstead(seat, side, card) {
    const other = this.choices[seat]?.find((three) => this.hands[seat].includes(three));
    if (!other || !this.choices[seat].includes(card)) return null;
    remove(this.threes[side], [card]);
    remove(this.hands[seat], [other]);
    this.threes[side].push(other);
    this.hands[seat].push(card);
    return other;
  }

  /** The melds of a side that are canastas, with their labels. */
  canastasOf(side) {
    return [...this.melds[side]].filter(([label, cards]) => this.rules.kindOf(label, cards));
  }

  opened(side) {
    return this.melds[side].size > 0;
  }

  isFrozenFor(side) {
    const { rules } = this;
    return rules.is("pile.always_frozen") || this.frozen || (rules.is("pile.frozen_until_opened") && !this.opened(side));
  }

  canastas(side) {
    return [...this.melds[side]].map(([label, cards]) => this.rules.kindOf(label, cards)).filter((kind) => kind);
  }

  /** Whether a side has the canastas that it needs to go out. */
  mayGoOut(side, seat) {
    const { rules } = this;
    const kinds = this.canastas(side);
    const count = (kind) => kinds.filter((other) => other === kind).length;
    const needs = { sequence: "out.sequences", natural: "out.natural", mixed: "out.mixed", wild: "out.wild", sevens: "out.sevens" };
    if (kinds.length < rules.number("out.canastas")) return false;
    if (Object.entries(needs).some(([kind, key]) => count(kind) < rules.number(key))) return false;
    if (rules.is("out.finished") && [...this.melds[side]].some(([label, cards]) => isUnfinished(label, cards))) return false;
    return !(rules.is("out.packet") && this.packetLeft(seat));
  }

  /** Whether the seat has a foot, or its side a pot, that was not picked up. */
  packetLeft(seat) {
    const owner = this.rules.packetOf === "seat" ? seat : this.rules.sideOf(seat);
    return this.rules.packetOf !== "none" && !this.packetsTaken.has(owner);
  }

  isDead(rank) {
    return this.rules.sides.some((side) =>
      [...this.melds[side]].some(([label, cards]) => label[0] === rank && cards.length >= CANASTA),
    );
  }
}

/** Whether a meld is one of sevens, natural aces or wild cards that did not become a canasta. */
export function isUnfinished(label, cards) {
  if (cards.length >= CANASTA || isSequence(label)) return false;
  if (label[0] === "A") return wildsOf(cards).length === 0;
  return label[0] === "7" || label[0] === "*";
}
