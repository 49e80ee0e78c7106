// Whether a seat can take the pile in a legal turn, when the stock is empty.

import { isBlackThree, isRedThree, isWild } from "./cards.mjs";
import { CANASTA, isSequence, naturalsOf, wildsOf, without } from "./table.mjs";

const NATURALS = "456789TJQKA";

/** The cards of the hand that could take the pile with its top, as lists, each with the meld. */
function ways(deal, side, hand, top) {
  const { rules, table } = deal;
  const [rank] = top;
  const frozen = table.isFrozenFor(side);
  const naturals = hand.filter((card) => card[0] === rank);
  const wilds = [...new Set(wildsOf(hand))];
  const found = [];
  const own = [...table.melds[side]].filter(([label]) => label[0] === rank);
  const targets = own.map(([label]) => label);
  if (!own.length || !rules.is("meld.several", "no")) targets.push(own.length ? `${rank}/${own.length + 1}` : rank);
  for (const label of targets) {
    const meld = table.melds[side].get(label) ?? [];
    const full = meld.length >= CANASTA && !rules.is("pile.onto_canasta");
    if (meld.length && !frozen && rules.is("pile.onto_meld") && !full) found.push({ label, cards: [], joins: true });
    if (naturals.length >= 2) found.push({ label, cards: naturals.slice(0, 2) });
    if (!frozen && rules.is("pile.with_wild") && naturals.length && !full) {
      for (const wild of wilds) found.push({ label, cards: [naturals[0], wild] });
    }
  }
  if (!frozen && !rules.is("pile.onto_sequence", "no")) {
    for (const [label, cards] of table.melds[side]) {
      const places = cards.map((card) => NATURALS.indexOf(card[0]));
      const place = NATURALS.indexOf(rank);
      const fits = isSequence(label) && label[0] === top[1] && cards.length < CANASTA;
      if (fits && [Math.min(...places) - 1, Math.max(...places) + 1].includes(place)) found.push({ label, cards: [], joins: true });
    }
  }
  return found.filter((way) => wildsFit(rules, [...(table.melds[side].get(way.label) ?? []), top, ...way.cards], way.label));
}

function wildsFit(rules, cards, label) {
  if (isSequence(label)) return true;
  const wilds = wildsOf(cards).length;
  const naturals = cards.length - wilds;
  if (cards.length > rules.limit("meld.max_cards")) return false;
  if (wilds > rules.limit("meld.max_wilds") || naturals < rules.number("meld.min_naturals")) return false;
  if (rules.is("meld.wild_share", "equal") && wilds > naturals) return false;
  return !(rules.is("meld.wild_share", "fewer") && wilds >= naturals && wilds > 0);
}

/** Every way to lay cards of a hand on new or old melds; for each, the cards that are left. */
function* layings(rules, melds, hand, ranks) {
  if (!ranks.length) {
    yield { melds, hand };
    return;
  }
  const [rank, ...more] = ranks;
  const naturals = hand.filter((card) => card[0] === rank);
  const jokers = hand.filter((card) => card === "*");
  const twos = hand.filter((card) => card[0] === "2");
  const old = melds.get(rank) ?? [];
  for (let count = 0; count <= naturals.length; count += 1) {
    for (let joker = 0; joker <= jokers.length; joker += 1) {
      for (let two = 0; two <= twos.length; two += 1) {
        const laid = [...naturals.slice(0, count), ...jokers.slice(0, joker), ...twos.slice(0, two)];
        const cards = [...old, ...laid];
        if (laid.length && (cards.length < 3 || !wildsFit(rules, cards, rank))) continue;
        const next = laid.length ? new Map(melds).set(rank, cards) : melds;
        yield* layings(rules, next, without(hand, laid), more);
      }
    }
  }
}

/** The most that an opening can count, by the number of cards that stay and of canastas laid. */
function openings(rules, way, hand, top) {
  const jokers = hand.filter((card) => card === "*").length;
  const twos = wildsOf(hand).length - jokers;
  let states = new Map([[`${jokers},${twos},0,0`, 0]]);
  for (const rank of NATURALS) {
    const naturals = naturalsOf(hand).filter((card) => card[0] === rank);
    const fixed = rank === way.label[0] ? [top, ...way.cards] : [];
    const next = new Map();
    for (const [key, points] of states) {
      const [jokersLeft, twosLeft, laid, canastas] = key.split(",").map(Number);
      for (let count = 0; count <= naturals.length; count += 1)
        for (let joker = 0; joker <= jokersLeft; joker += 1)
          for (let two = 0; two <= twosLeft; two += 1) {
            const added = [...naturals.slice(0, count), ...Array(joker).fill("*"), ...Array(two).fill("2s")];
            const cards = [...fixed, ...added];
            if (added.length && (cards.length < 3 || !wildsFit(rules, cards, rank))) continue;
            const whole = [jokersLeft - joker, twosLeft - two, laid + added.length, canastas + (cards.length >= CANASTA ? 1 : 0)].join();
            const sum = points + rules.pointsOf(added);
            if (sum > (next.get(whole) ?? -1)) next.set(whole, sum);
          }
    }
    states = next;
  }
  return [...states].map(([key, points]) => ({ points, laid: Number(key.split(",")[2]), canastas: Number(key.split(",")[3]) }));
}

/** Every sequence that a hand can lay. */
function* sequencesOf(hand) {
  for (const suit of "shdc") {
    const held = [...NATURALS].map((rank) => (hand.includes(rank + suit) ? rank + suit : null));
    for (let from = 0; from < held.length; from += 1)
      for (let size = 3; size <= CANASTA && from + size <= held.length; size += 1) {
        const cards = held.slice(from, from + size);
        if (cards.every((card) => card)) yield cards;
      }
  }
}

/** The groups of sequences that a hand can lay, at most two, each with their points. */
function* sequenceSets(rules, hand) {
  yield [];
  if (!rules.is("meld.sequences")) return;
  for (const one of sequencesOf(hand)) {
    yield one;
    for (const other of sequencesOf(without(hand, one))) yield [...one, ...other];
  }
}

function canOpen(deal, side, way, hand, top, rest) {
  const { rules } = deal;
  const free = without(hand, way.cards);
  for (const laid of sequenceSets(rules, free)) {
    const kept = without(free, laid);
    if (reachesOpening(deal, side, way, kept, top, rest, rules.pointsOf(laid))) return true;
  }
  return false;
}

function reachesOpening(deal, side, way, free, top, rest, before) {
  const { rules } = deal;
  const fixed = before + rules.pointsOf(way.cards) + (rules.is("opening.take_counts", "top") ? rules.pointsOf([top]) : 0);
  const needed = deal.minimumFor(side);
  return openings(rules, way, free, top).some(({ points, laid, canastas }) => {
    const left = free.length - laid + rest.length;
    const out = canastas >= Math.max(1, rules.number("out.canastas")) || rules.number("out.canastas") === 0;
    return points + fixed >= needed && (left >= 2 || (out && left >= (rules.is("out.discard", "required") ? 1 : 0)));
  });
}

function canEnd(deal, seat, side, way, hand, top, rest) {
  const { rules, table } = deal;
  const left = [...without(hand, way.cards), ...rest];
  if (left.length >= 2) return true;
  const before = table.melds[side];
  const melds = new Map(before).set(way.label, [...(before.get(way.label) ?? []), top, ...way.cards]);
  // Few cards are left, so every way to go on can be tried.
  const labels = [...melds.keys()].filter((label) => NATURALS.includes(label));
  for (const end of layings(rules, melds, left, labels)) {
    table.melds[side] = end.melds;
    const may = table.mayGoOut(side, seat);
    table.melds[side] = before;
    const blacks = end.hand.length >= 3 && end.hand.every(isBlackThree);
    const size = end.hand.length;
    if (may && (size === 1 || blacks || (size === 0 && !rules.is("out.discard", "required")))) return true;
    if (rules.is("out.discard", "kept") && size === 1) return true;
  }
  return false;
}

/** Whether the rules oblige a seat to take the pile. */
export function mustTake(deal, seat) {
  const { rules, table } = deal;
  const how = rules.values["pile.must_take"];
  const top = table.pile.at(-1);
  if (how === "no" || !top) return false;
  if (rules.lists("pile.blockers", top) || isWild(top) || isRedThree(top) || isBlackThree(top)) return false;
  const side = rules.sideOf(seat);
  const hand = table.hands[seat];
  if (rules.is("pile.one_card_rule") && hand.length === 1 && table.pile.length === 1) return false;
  if (!rules.is("pile.before_opening") && !table.opened(side)) return false;
  if (!rules.is("meld.dead_ranks", "no") && table.isDead(top[0])) return false;
  const under = table.pile.slice(0, -1);
  const rest = under.slice(Math.max(0, under.length - (rules.limit("pile.take") - 1))).filter((card) => !rules.isTabled(card));
  const found = ways(deal, side, hand, top);
  if (how === "matching" && !found.some(({ joins }) => joins)) return false;
  return found.some((way) =>
    table.opened(side) ? canEnd(deal, seat, side, way, hand, top, rest) : canOpen(deal, side, way, hand, top, rest),
  );
}
