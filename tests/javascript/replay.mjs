// Following the cards of games that were played by their rules, every card written.

import { compareLabels, isBlackThree, isRedThree, isWild, sorted } from "./cards.mjs";
import { rulesOf } from "./rules.mjs";

const CANASTA = 7;

/** Whether a list of kinds of cards, as a rule has it, names a card. */
export function names(list, card) {
  const kinds = { wild: isWild, red3: isRedThree, black3: isBlackThree };
  return list.split(",").some((kind) => kinds[kind]?.(card) ?? kind === card[0]);
}

/** Take cards out of a list, once each. */
export function remove(list, cards) {
  for (const card of cards) {
    const at = list.indexOf(card);
    if (at >= 0) list.splice(at, 1);
  }
}

/** The table of one deal. */
class Table {
  constructor(rules, deal, dealer) {
    this.rules = rules;
    this.deal = deal;
    this.values = rules.values;
    this.hands = Object.fromEntries(rules.seats.map((seat) => [seat, []]));
    this.melds = Object.fromEntries(rules.sides.map((side) => [side, new Map()]));
    this.threes = Object.fromEntries(rules.sides.map((side) => [side, []]));
    this.keeps = this.values["deal.three_kept"] !== "no";
    // Whether a three that is the last card of the stock stays in the hand.
    const fromTalons =
      this.values["packet.threes"] === "next-turn" && this.values["packet.of"] !== "none";
    this.keepsLast = this.tablesBoth() && (this.keeps || fromTalons);
    this.pile = [...(deal.up?.cards ?? [])];
    this.frozen = this.pile.some((card) => names(this.values["up.freezes"], card));
    this.stock = this.deckSize() - this.pile.length - this.cardsInTalons();
    this.due = dealer && seatAfter(rules.seats, dealer);
    this.ended = null;
    for (const hand of deal.hands ?? []) this.dealHand(hand);
  }

  deckSize() {
    return 52 * Number(this.values["deck.packs"]) + Number(this.values["deck.jokers"]);
  }

  /** How many cards were set aside as talons. */
  cardsInTalons() {
    const owners = this.values["packet.of"] === "seat" ? this.rules.seats.length : this.rules.sides.length;
    const sizes = this.values["packet.size"].split(",");
    const alike = sizes.length === 1 && this.values["packet.when"] !== "opened";
    const talons = alike ? sizes.concat(Array(owners - 1).fill(sizes[0])) : sizes;
    if (this.values["packet.of"] === "none" || this.values["packet.from"] !== "aside") return 0;
    return talons.reduce((sum, size) => sum + Number(size), 0);
  }

  sideOf(seat) {
    return this.rules.sides.find((side) => side.includes(seat));
  }

  /** Whether threes of both colours are put on the table. */
  tablesBoth() {
    return this.values["threes"] === "all";
  }

  /** Whether a card is put on the table instead of being held. */
  isTabled(card) {
    if (this.values["threes"] === "none") return false;
    return isRedThree(card) || (this.tablesBoth() && isBlackThree(card));
  }

  dealHand({ seat, cards, replacements = [] }) {
    const all = [...cards, ...replacements];
    const threes = all.filter((card) => this.isTabled(card));
    const missing = this.keeps ? Math.max(0, threes.length - replacements.length) : 0;
    // Black threes are kept first.
    const kept = [...threes.filter(isBlackThree), ...threes.filter(isRedThree)].slice(0, missing);
    remove(threes, kept);
    remove(all, threes);
    this.stock -= cards.length + replacements.length;
    this.hands[seat].push(...all);
    this.threes[this.sideOf(seat)].push(...threes);
  }

  /** Cards come from the stock, `due` of them and one for each three among them. */
  receive(seat, cards, due) {
    this.stock -= cards.length;
    const threes = cards.filter((card) => this.isTabled(card));
    const missing = Math.max(0, due + threes.length - cards.length);
    // The last threes were not replaced; they may stay in the hand.
    if (this.stock > 0 ? this.keeps : this.keepsLast) threes.splice(Math.max(0, threes.length - missing));
    const kept = [...cards];
    remove(kept, threes);
    this.hands[seat].push(...kept);
    this.threes[this.sideOf(seat)].push(...threes);
  }

  play(turn) {
    this.seat = turn.seat;
    this.side = this.sideOf(turn.seat);
    this.hand = this.hands[turn.seat];
    this.waiting = null; // the top of a taken pile, until its meld is known
    for (const action of turn.actions) this.act(action);
    const drawn = turn.actions.find((action) => "draw" in action)?.draw ?? [];
    const onlyThrees = drawn.length > 0 && drawn.every((card) => this.isTabled(card));
    this.due = seatAfter(this.rules.seats, turn.seat);
    if (turn.actions.some((action) => "special" in action)) this.end(`special ${turn.seat}`);
    else if (!this.hand.length) this.end(`out ${turn.seat}`);
    else if (onlyThrees && this.stock === 0) this.end("stock");
  }

  end(how) {
    this.ended = how;
    this.due = null;
  }

  act(action) {
    if ("threes" in action) this.tableThrees(action);
    else if ("draw" in action) this.draw(action);
    else if ("take" in action) this.take(action);
    else if ("lay" in action) this.lay(action);
    else if ("combine" in action) this.combine(action);
    else if ("special" in action) remove(this.hand, action.cards);
    else if ("discard" in action) this.discard(action);
    else if ("packet" in action) this.takeTalon(action);
  }

  tableThrees({ threes, replacements = [] }) {
    remove(this.hand, threes);
    this.threes[this.side].push(...threes);
    this.receive(this.seat, replacements, threes.length);
  }

  draw({ draw }) {
    this.receive(this.seat, draw, Number(this.values["draw.count"]));
  }

  isFrozen() {
    const { values } = this;
    if (values["pile.always_frozen"] === "yes" || this.frozen) return true;
    return values["pile.frozen_until_opened"] === "yes" && this.melds[this.side].size === 0;
  }

  take({ onto }) {
    const top = this.pile.pop();
    if (top === undefined) return;
    const label = onto ?? this.meldThatTopJoins(top);
    if (label) this.meld(label).push(top);
    else this.waiting = top;
    const rest = this.pile.splice(Math.max(0, this.pile.length - this.most(label)));
    const threes = rest.filter((card) => this.isTabled(card));
    remove(rest, threes);
    this.threes[this.side].push(...threes);
    this.hand.push(...rest);
    this.frozen = this.pile.some((card) => names(this.values["pile.freezers"], card));
  }

  /** How many cards under the top go with it. */
  most(label) {
    if (/^[shdc]/.test(label ?? "") && this.values["pile.onto_sequence"] === "alone") return 0;
    const most = this.values["pile.take"];
    return most === "all" ? this.pile.length : Number(most) - 1;
  }

  /** The label of the meld that the top of the pile joins at once, or null. */
  meldThatTopJoins(top) {
    const meld = this.melds[this.side].get(top[0]);
    if (!meld || this.isFrozen() || this.values["pile.onto_meld"] !== "yes") return null;
    const full = meld.length >= CANASTA && this.values["pile.onto_canasta"] !== "yes";
    return full ? null : top[0];
  }

  /** The side's meld with a label, which begins if it is not there. */
  meld(label) {
    const melds = this.melds[this.side];
    if (!melds.has(label)) melds.set(label, []);
    return melds.get(label);
  }

  lay({ lay, cards }) {
    if (this.waiting && this.waiting[0] === lay[0]) {
      this.meld(lay).push(this.waiting);
      this.waiting = null;
    }
    remove(this.hand, cards);
    this.meld(lay).push(...cards);
  }

  combine({ combine, onto }) {
    const cards = this.meld(combine);
    this.melds[this.side].delete(combine);
    this.meld(onto).push(...cards);
  }

  discard({ discard }) {
    remove(this.hand, [discard]);
    this.pile.push(discard);
    if (names(this.values["pile.freezers"], discard)) this.frozen = true;
  }

  takeTalon({ cards, replacements = [] }) {
    const line = (this.deal.packets ?? []).find(({ seat }) => seat === this.seat);
    const talon = cards ?? line?.cards ?? [];
    if (this.values["packet.from"] === "stock") this.stock -= talon.length;
    const waits = this.values["packet.threes"] === "next-turn";
    const threes = waits ? [] : talon.filter((card) => this.isTabled(card));
    const rest = [...talon];
    remove(rest, threes);
    this.hand.push(...rest);
    this.threes[this.side].push(...threes);
    this.receive(this.seat, replacements, threes.length);
  }

  /** The table as the conformance suite describes it. */
  shown() {
    const state = {
      hands: mapped(this.hands, spelled),
      melds: mapped(this.melds, groupsOf),
      threes: mapped(this.threes, spelled),
      pile: this.pile.join(""),
      stock: this.stock,
      due: this.due,
    };
    return this.ended ? { ...state, ended: this.ended } : state;
  }
}

const spelled = (cards) => sorted(cards).join("");

/** The melds of a side as groups in canonical order. */
function groupsOf(melds) {
  const labels = [...melds.keys()].sort(compareLabels);
  return labels.map((label) => `${label}:${spelled(melds.get(label))}`).join(" ");
}

function mapped(object, work) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, work(value)]));
}

/** The seat so many places after another one, clockwise. */
export function seatAfter(seats, seat, places = 1) {
  return seats[(seats.indexOf(seat) + places) % seats.length];
}

/** The seat before the one that begins dealt, if nothing says who did. Null if nobody began. */
function dealerByPlay({ seats }, turns) {
  return turns.length ? seatAfter(seats, turns[0].seat, seats.length - 1) : null;
}

/** The tables of a deal: as dealt, and after each turn. */
function replayDeal(rules, deal, dealer, turns) {
  const table = new Table(rules, deal, dealer);
  const states = [];
  const show = (isLast) => {
    // With an empty stock, a seat that does not take the pile has no turn.
    if (isLast && !table.ended && table.stock === 0) table.end("stock");
    states.push(table.shown());
  };
  show(turns.length === 0);
  turns.forEach((turn, at) => {
    table.play(turn);
    show(at === turns.length - 1);
  });
  return states;
}

/** The tables of each deal of a game. Null if its rules are not known. */
export function replay(game) {
  const rules = rulesOf(game);
  if (!rules) return null;
  // The Dealer tag names the seat that deals first, so the one before it was the last dealer.
  const named = game.tags.find(({ name }) => name === "Dealer")?.value;
  const { seats } = rules;
  let dealer = seats.includes(named) ? seatAfter(seats, named, seats.length - 1) : null;
  return game.deals.map((deal) => {
    const turns = (deal.play ?? []).filter((line) => line.actions);
    const named = deal.dealer ?? (dealer && seatAfter(seats, dealer));
    dealer = named ?? dealerByPlay(rules, turns);
    return replayDeal(rules, deal, named, turns);
  });
}
