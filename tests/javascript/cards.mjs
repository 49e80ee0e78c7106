// Cards and melds' labels: how they are spelled, and their canonical order.

const RANKS = ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2"];
const SUITS = ["s", "h", "d", "c"];

/** Every card as the notation spells it, in canonical order. */
const CARDS = [
  "3h", "3d", "3r", "3s", "3c", "3b",
  ...RANKS.flatMap((rank) => [...SUITS.map((suit) => rank + suit), rank]),
  "*", "_",
];
const PLACE = new Map(CARDS.map((card, place) => [card, place]));

/** The labels of melds without their numbers, in canonical order. */
const LABELS = ["3", ...RANKS, "*", ...SUITS];

/** Every seat, in the order in which tags and lines are written. */
export const SEATS = ["N", "E", "S", "W", "A", "B", "C", "D", "F"];

export const isRedThree = (card) => card === "3h" || card === "3d" || card === "3r";
export const isBlackThree = (card) => card === "3s" || card === "3c" || card === "3b";
export const isWild = (card) => card === "*" || card[0] === "2";

/** Cards in canonical order, as a new list. */
export function sorted(cards) {
  return [...cards].sort((one, other) => PLACE.get(one) - PLACE.get(other));
}

/** The order of two labels of melds: by rank, wild cards, sequences; then by number. */
export function compareLabels(one, other) {
  const place = (label) => 10 * LABELS.indexOf(label[0]) + Number(label[2] ?? 1);
  return place(one) - place(other);
}

/** The label of the meld with a number; the number 1 is not written. */
export const numbered = (base, number) => (number === 1 ? base : `${base}/${number}`);
