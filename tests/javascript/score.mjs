// What each side scores in a deal that was played to its end.

import { isBlackThree, isRedThree } from "./cards.mjs";
import { isUnfinished, named, wildsOf } from "./table.mjs";

/** The points of threes: one number for each, a table, or a table for each colour. */
function threesPoints(rules, threes) {
  const text = rules.values["score.red3"];
  const red = threes.filter(isRedThree).length;
  if (text.startsWith("each:")) return red * Number(text.slice(5));
  const table = [0, ...text.replace("per-colour:", "").split(",").map(Number)];
  if (!text.startsWith("per-colour:")) return table[Math.min(red, table.length - 1)];
  return table[red] + table[threes.length - red];
}

/** Whether the threes of a side count for it (1), against it (-1) or not at all (0). */
function threesSign(rules, melds, kinds) {
  switch (rules.values["score.red3_minus"]) {
    case "unmelded": return melds.size ? 1 : -1;
    case "no-canasta": return kinds.length ? 1 : -1;
    case "two-canastas": return kinds.length >= 2 ? 1 : -1;
    case "by-canastas": return [-1, 0, 1][Math.min(kinds.length, 2)];
    case "no-sevens": return kinds.some(({ label }) => label[0] === "7") ? 1 : -1;
    default: return 1;
  }
}

function wildPoints(rules, cards) {
  const points = rules.values["score.wild"];
  if (points === "none") return 0;
  if (/^[0-9]+$/.test(points)) return Number(points);
  const found = named(points);
  if (cards.every((card) => card[0] === "2")) return found["all-twos"] ?? found.else;
  return cards.filter((card) => card === "*").length === 4 ? (found["four-jokers"] ?? found.else) : found.else;
}

function unfinishedPoints(rules, label, cards) {
  const text = rules.values["score.unfinished"];
  if (text === "none" || !isUnfinished(label, cards)) return 0;
  if (/^-?[0-9]+$/.test(text)) return Number(text);
  const found = named(text);
  const everyJoker = cards.filter((card) => card === "*").length === rules.jokers;
  const kind = { 7: "sevens", A: "aces", "*": "wild" }[label[0]];
  return kind === "wild" && everyJoker ? (found["four-jokers"] ?? found.wild) : found[kind];
}

/** The points of the canastas of a side by item. */
function canastaItems(rules, kinds, items) {
  const add = (item, points) => (items[item] = (items[item] ?? 0) + points);
  for (const { label, cards, kind, isConcealed } of kinds) {
    const naturalAces = label[0] === "A" && !wildsOf(cards).length && rules.number("score.aces") > 0;
    if (kind === "sequence") add("sequence", rules.number("score.sequence"));
    else if (kind === "wild") add("wild", wildPoints(rules, cards));
    else if (label[0] === "7" && rules.number("score.sevens") > 0) add("sevens", rules.number("score.sevens"));
    else if (naturalAces) add("aces", rules.number("score.aces"));
    else add(wildsOf(cards).length ? "mixed" : "natural", rules.number(wildsOf(cards).length ? "score.mixed" : "score.natural"));
    if (isConcealed) add("concealed-canasta", rules.number("score.concealed_canasta"));
  }
}

/** What cards in a hand count, as a number below 0. */
function handPoints(rules, cards, anotherOut) {
  let sum = 0;
  for (const card of cards) {
    const black = rules.values["score.black3_held"];
    if (isRedThree(card)) sum += rules.number("score.red3_held");
    else if (isBlackThree(card) && black !== "none" && anotherOut) sum += Number(black);
    else sum -= rules.pointsOf([card]);
  }
  return sum;
}

function hands(deal, side, items) {
  const { rules, table } = deal;
  let sum = 0;
  const unused = rules.values["packet.unused"];
  const packets = deal.packetsLeft(side);
  for (const seat of rules.seats.filter((each) => side.includes(each))) {
    const anotherOut = deal.ended.how === "out" && deal.ended.seat !== seat;
    const hand = [...table.hands[seat]];
    for (const rank of "7A") {
      const held = hand.filter((card) => card[0] === rank).length;
      if (rules.number("score.held") && held >= 3) items.held = (items.held ?? 0) + rules.number("score.held");
    }
    sum += handPoints(rules, hand, anotherOut);
  }
  for (const cards of packets) {
    if (unused === "cards") sum += cards ? handPoints(rules, cards, deal.ended.how === "out") : NaN;
    else items.packet = (items.packet ?? 0) + Number(unused);
  }
  items.hand = sum;
}

function sideItems(deal, side) {
  const { rules, table, ended } = deal;
  const items = {};
  if (ended.how === "special" && side === deal.special.side) return { special: deal.special.points };
  const melds = table.melds[side];
  const kinds = [...melds]
    .map(([label, cards]) => ({ label, cards, kind: rules.kindOf(label, cards), isConcealed: deal.concealedCanastas.has(cards) }))
    .filter(({ kind }) => kind);
  const sum = [...melds].reduce((points, [, cards]) => points + rules.pointsOf(cards), 0);
  items.melds = rules.is("score.melds_minus", "no-canasta") && !kinds.length ? -sum : sum;
  canastaItems(rules, kinds, items);
  const threes = threesPoints(rules, table.threes[side]) * threesSign(rules, melds, kinds);
  items[rules.values["score.red3"].startsWith("per-colour") ? "threes" : "red3"] = threes;
  if (ended.how === "out" && side.includes(ended.seat)) {
    items.out = rules.number("score.out");
    if (ended.concealed) items.concealed = rules.number("score.concealed");
  }
  for (const [label, cards] of melds) items.unfinished = (items.unfinished ?? 0) + unfinishedPoints(rules, label, cards);
  hands(deal, side, items);
  return items;
}

/** The points of the penalties and bonuses of a deal, by side. */
export function pointsGiven(deal, side) {
  const lines = deal.written.play ?? [];
  const sum = (field) => lines.reduce((points, line) => points + (line[field] === side ? line.points : 0), 0);
  return { penalty: -sum("penalty"), bonus: sum("bonus") };
}

/** The items of a side in a deal that has ended, without those that are 0, and their sum. */
export function scoreOf(deal, side) {
  const counted = deal.countsNothing ? {} : sideItems(deal, side);
  const all = Object.entries({ ...counted, ...pointsGiven(deal, side) }).filter(([, points]) => points !== 0);
  const score = all.reduce((sum, [, points]) => sum + points, 0);
  return { score, items: Object.fromEntries(all) };
}

