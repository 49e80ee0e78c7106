// Special hands of fourteen cards.

import { isWild } from "./cards.mjs";
import { Undecided } from "./table.mjs";

const RANKS = "3456789TJQKA";

const byRank = (cards) => {
  const counts = {};
  for (const card of cards) counts[card[0]] = (counts[card[0]] ?? 0) + 1;
  return counts;
};

/** For each name, which of its forms the cards have; -1 for none. */
const FORMS = {
  straight(cards) {
    const counts = byRank(cards);
    return cards.length === 14 && [...RANKS, "2", "*"].every((rank) => counts[rank] === 1) ? 0 : -1;
  },
  pairs(cards) {
    const counts = byRank(cards);
    const even = cards.length === 14 && Object.keys(counts).length === 7 && Object.values(counts).every((count) => count === 2);
    if (!even || counts["3"]) return -1;
    if (!cards.some(isWild)) return 0;
    return counts["2"] && counts["7"] && counts.A ? 1 : -1;
  },
  garbage(cards) {
    const sizes = Object.values(byRank(cards)).sort().join();
    return sizes === "3,3,4,4" && !cards.some((card) => isWild(card) || card[0] === "3") ? 0 : -1;
  },
};

/** The points of a special hand; null if it is none. */
export function specialPoints(rules, name, cards) {
  const words = rules.values.special.split(",").map((word) => word.split(":"));
  const points = words.find(([other]) => other === name)?.[1].split("/").map(Number);
  if (!points) return null;
  // The text of the specification does not say what the other names stand for.
  if (!FORMS[name] || points.length > 2) throw new Undecided();
  return points[FORMS[name](cards)] ?? null;
}
