// A turn as a referee judges it: each action moves cards and may break a rule.

import { isBlackThree, isRedThree, isWild } from "./cards.mjs";
import { remove } from "./replay.mjs";
import { specialPoints } from "./specials.mjs";
import { CANASTA, Undecided, isSequence, naturalsOf, wildsOf, without } from "./table.mjs";

const ORDER = "456789TJQKA";

/** The end of what can be followed: nobody knows where the cards are. */
export class Lost extends Error {}

const isNewNumber = (melds, label) => {
  const base = label[0];
  for (let number = 1; number < 10; number += 1) {
    const name = number === 1 ? base : `${base}/${number}`;
    if (!melds.has(name)) return name === label;
  }
  return false;
};

export class Turn {
  constructor(deal, written) {
    Object.assign(this, { deal, written, table: deal.table, rules: deal.rules });
    this.line = written.line;
    this.seat = written.seat;
    this.broken = new Set();
  }

  violate(code) {
    if (this.broken.has(code)) return;
    this.broken.add(code);
    this.deal.violate(code, this.written);
  }

  lose(code) {
    this.violate(code);
    throw new Lost();
  }

  play() {
    const { deal, table, rules, seat } = this;
    if (deal.ended) this.lose("after-end");
    if (!rules.seats.includes(seat)) this.lose("wrong-seat");
    if (deal.due && seat !== deal.due) this.violate("wrong-seat");
    this.side = rules.sideOf(seat);
    this.hand = table.hands[seat];
    this.melds = table.melds[this.side];
    this.before = new Map([...this.melds].map(([label, cards]) => [label, [...cards]]));
    this.openedBefore = table.opened(this.side);
    this.frozen = table.isFrozenFor(this.side);
    this.groups = [];
    this.touched = new Set();
    this.fromPile = []; // cards of the rest of the pile that are in the hand
    this.pending = null; // the rest of the pile, until it goes into the hand
    this.waiting = [];
    this.asked = null;
    this.isOver = false;
    this.stockBefore = table.stock;
    const { actions } = this.written;
    this.begin(actions);
    for (const action of actions) {
      if (this.isOver && !("threes" in action)) this.lose("after-end");
      this.act(action);
    }
    this.finish();
  }

  begin(actions) {
    const has = (name) => actions.some((action) => name in action);
    const { table } = this;
    this.lateThrees = this.mustTable();
    if (has("draw") || has("take")) return;
    this.drawsNothing = true;
    if (!has("threes")) this.violate("draw-missing");
    this.onlyThrees = has("threes") && actions.length === 1;
  }

  /** The threes of the hand that must be tabled now. */
  mustTable() {
    const { table, rules, hand, seat } = this;
    const threes = hand.filter((card) => rules.isTabled(card));
    if (!table.stock || !threes.length) return [];
    const kept = rules.values["deal.three_kept"];
    const first = kept === "first-turn" && !table.hadTurn.has(seat);
    const late = kept === "until-opened" && this.openedBefore;
    const due = first || late ? threes : threes.filter((card) => table.dueThrees[seat].includes(card));
    return without(due, table.excused[seat]);
  }

  act(action) {
    if ("threes" in action) this.tableThrees(action);
    else if ("draw" in action) this.draw(action);
    else if ("take" in action) this.take(action);
    else if ("ask" in action) this.ask(action);
    else if ("lay" in action) this.lay(action);
    else if ("combine" in action) this.combine(action);
    else if ("back" in action) this.layBack(action);
    else if ("special" in action) this.special(action);
    else if ("discard" in action) this.discard(action.discard);
    else this.packet(action);
  }

  // --- cards from the stock

  tableThrees({ threes, replacements = [], bare }) {
    const { table, rules } = this;
    if (bare) throw new Undecided();
    for (const card of threes) {
      if (!this.hand.includes(card)) {
        const other = table.keepInstead(this.seat, this.side, card) ?? this.lose("not-in-hand");
        if (this.lateThrees.includes(other)) this.lateThrees.splice(this.lateThrees.indexOf(other), 1, card);
      }
      if (!rules.isTabled(card)) this.violate("meld-threes");
      remove(this.hand, [card]);
      table.threes[this.side].push(card);
      for (const list of [this.lateThrees, table.dueThrees[this.seat], table.excused[this.seat]]) remove(list, [card]);
    }
    const brought = this.receive(replacements, threes.length, "replacement");
    if (brought && replacements.length && table.stock === 0 && rules.is("draw.last_red3", "melds") && this.drawsNothing) this.lastThree = true;
  }

  /** Cards of the stock: so many are due, and a replacement for each three among them. */
  receive(cards, due, extra) {
    const { table, rules } = this;
    let left = due;
    let isExtra = false;
    for (const card of cards) {
      if (table.stock === 0) this.lose("stock-empty");
      if (left === 0) isExtra = true;
      this.deal.leaveStock(card, this);
      if (left > 0) left -= 1;
      if (rules.isTabled(card) && !isExtra) left += 1;
    }
    if (isExtra) this.violate(extra);
    const threes = cards.filter((card) => rules.isTabled(card));
    const unreplaced = left > 0 ? threes.slice(Math.max(0, threes.length - left)) : [];
    const stays = left > 0 ? this.keepsUnreplaced(unreplaced, left, extra) : [];
    const tabled = without(threes, stays);
    if (stays.length && tabled.length) table.choices[this.seat] = [...threes];
    this.hand.push(...without(cards, tabled));
    table.threes[this.side].push(...tabled);
    return threes.length === cards.length;
  }

  /** Which of the threes that were not replaced stay in the hand. */
  keepsUnreplaced(threes, missing, extra) {
    const { table, rules, hand } = this;
    const kept = rules.values["deal.three_kept"];
    if (table.stock === 0) {
      const talons = rules.packetOf !== "none" && rules.is("packet.threes", "next-turn");
      return rules.is("threes", "all") && (kept !== "no" || talons) ? threes : [];
    }
    const held = hand.filter((card) => rules.isTabled(card)).length;
    const mayKeep = kept === "yes" || (kept === "until-opened" && !this.openedBefore);
    if (mayKeep && missing === 1 && threes.length === 1 && held === 0) return threes.slice();
    if (missing > threes.length) this.violate(extra);
    else {
      this.violate("replacement");
      table.excused[this.seat].push(...threes);
    }
    return threes;
  }

  draw({ draw, bare }) {
    if (bare) throw new Undecided();
    const { table, rules } = this;
    if (table.stock === 0) this.lose("stock-empty");
    this.drew = true;
    const brought = this.receive(draw, rules.number("draw.count"), "draw-count");
    if (brought && draw.length && table.stock === 0) {
      if (rules.is("draw.last_red3", "ends")) this.isOver = true;
      this.lastThree = true;
    }
  }

  // --- the pile

  take({ take, onto }) {
    const { table, rules } = this;
    const size = table.pile.length;
    if (size === 0) this.lose("pile-empty");
    const top = table.pile[size - 1];
    if (take !== top) {
      if (take[0] !== top[0]) this.lose("pile-top");
      this.violate("pile-top");
    }
    if (!rules.is("pile.before_opening") && !this.openedBefore) this.violate("pile-frozen");
    this.pileCount = size;
    if (rules.is("special.with_pile") && this.written.actions.some((action) => "special" in action)) {
      this.hand.push(table.pile.pop());
      this.drew = true;
      return;
    }
    this.took = { top: take, rank: take[0], wasFrozen: this.frozen };
    if (rules.lists("pile.blockers", take)) this.took.spoiled = "pile-blocked";
    else if (isWild(take) || isRedThree(take) || isBlackThree(take)) this.took.spoiled = null;
    else if (!rules.is("meld.dead_ranks", "no") && table.isDead(take[0])) this.took.spoiled = "pile-unmeldable";
    if (this.took.spoiled) this.violate(this.took.spoiled);
    if (rules.is("pile.one_card_rule") && this.hand.length === 1 && size === 1) this.violate("pile-one-card");
    table.pile.pop();
    this.joinAtOnce(onto);
    const alone = isSequence(this.took.label ?? "") && rules.is("pile.onto_sequence", "alone");
    const most = alone ? 0 : rules.limit("pile.take") - 1;
    const rest = table.pile.splice(Math.max(0, table.pile.length - most));
    const threes = rest.filter((card) => rules.isTabled(card));
    table.threes[this.side].push(...threes);
    this.pending = without(rest, threes);
    table.frozen = table.pile.some((card) => rules.lists("pile.freezers", card));
    this.release();
  }

  joinAtOnce(onto) {
    const { rules, took } = this;
    const meld = this.melds.get(took.rank);
    const may = meld && !this.frozen && rules.is("pile.onto_meld") && (meld.length < CANASTA || rules.is("pile.onto_canasta"));
    if (onto) this.layTop(onto);
    else if (may) this.layTop(took.rank);
  }

  layTop(label) {
    const { took } = this;
    this.checkLabel(label);
    took.label = label;
    took.joined = this.before.has(label);
    if (isSequence(label)) this.addToSequence(label, took.top);
    else if (label[0] !== took.rank) this.violate("meld-rank");
    this.meld(label).push(took.top);
    this.complete(label);
    this.checkSequenceEnd(label);
  }

  checkSequenceEnd(label) {
    const { took, rules } = this;
    if (!isSequence(label)) return;
    const cards = this.before.get(label);
    const place = (card) => ORDER.indexOf(card[0]);
    const places = (cards ?? []).map(place);
    const ends = cards && [Math.min(...places) - 1, Math.max(...places) + 1].includes(place(took.top));
    if (rules.is("pile.onto_sequence", "no") || !ends || cards.length >= CANASTA) took.misplaced = true;
  }

  /** Put the rest of the pile into the hand, if it is time. */
  release() {
    const { rules, took } = this;
    if (!this.pending || !took.label || !rules.is("pile.rest_usable")) return;
    if (this.openedBefore || this.openingSoFar() >= this.deal.minimumFor(this.side)) this.releaseAll();
  }

  releaseAll() {
    this.hand.push(...(this.pending ?? []));
    this.fromPile.push(...(this.pending ?? []));
    this.pending = null;
  }

  /** What the groups so far count that are melds. */
  openingSoFar() {
    const whole = ([label, cards]) =>
      cards.length >= 3 &&
      (isSequence(label) || label[0] === "*" || label[0] === "3" || naturalsOf(cards).length >= this.rules.number("meld.min_naturals"));
    const labels = new Set([...this.melds].filter(whole).map(([label]) => label));
    return this.openingCount((label) => labels.has(label));
  }

  /** What the cards count that the turn laid, without those of the rest of the pile. */
  openingCount(counts = () => true) {
    const { rules, took } = this;
    const how = rules.values["opening.take_counts"];
    let sum = 0;
    for (const { label, own } of this.groups) {
      if (counts(label) && !(how === "other-melds" && took?.label === label)) sum += rules.pointsOf(own);
    }
    if (took?.label && how === "top" && counts(took.label)) sum += rules.pointsOf([took.top]);
    return sum;
  }

  // --- groups

  meld(label) {
    if (!this.melds.has(label)) this.melds.set(label, []);
    this.touched.add(label);
    return this.melds.get(label);
  }

  checkLabel(label) {
    const { rules, melds } = this;
    const base = label[0];
    if (isSequence(label) && !rules.is("meld.sequences")) return this.violate("meld-label");
    if (melds.has(label)) return null;
    if (label.length > 1 && rules.is("meld.several", "no")) return this.violate("meld-label");
    if (!isNewNumber(melds, label)) return this.violate("meld-label");
    const others = [...melds].filter(([other]) => other[0] === base);
    if (rules.is("meld.several", "complete") && others.some(([, cards]) => cards.length < Math.min(rules.limit("meld.max_cards"), CANASTA)))
      return this.violate("meld-label");
    return null;
  }

  lay({ lay, cards }) {
    const { rules, took, table } = this;
    // Twos have no meld of their rank; they are wild cards.
    const label = lay.replace("2", (digit, at) => (at === 0 ? "*" : digit));
    if (label !== lay && cards.every(isWild)) this.violate("meld-wild-only");
    if (took && !took.label && !took.spoiled && took.rank === label[0]) this.layTop(label);
    else if (took && !took.label && took.spoiled && took.rank === label[0]) {
      took.label = label;
      this.meld(label).push(took.top);
      took.joined = this.before.has(label);
    }
    this.checkLabel(label);
    const isRank = !isSequence(label) && label[0] !== "*" && label[0] !== "3";
    if (isRank && rules.is("meld.dead_ranks", "all") && table.isDead(label[0]) && !this.wasOwnOpen(label)) this.dead(label);
    const own = [];
    const size = this.melds.get(label)?.length ?? 0;
    for (const card of cards) {
      this.checkRank(label, card);
      if (this.spend(card)) own.push(card);
    }
    const wilds = wildsOf(cards).length;
    if (!rules.is("meld.wilds_on_canasta") && wilds && size + wilds > CANASTA && label[0] !== "*") this.violate("meld-wild-ban");
    if (isSequence(label)) cards.forEach((card) => this.addToSequence(label, card));
    // A wild card of this group goes elsewhere while the side has an unfinished meld of them.
    const unfinished = [...this.melds].some(([other, held]) => other[0] === "*" && held.length < CANASTA);
    const tooSoon = rules.is("meld.wild_meld_first") && label[0] !== "*" && wilds > 0 && unfinished;
    const meld = this.meld(label);
    meld.push(...cards);
    this.groups.push({ label, cards, own, tooSoon });
    if (label[0] === "3") this.blackThrees = this.groups.length;
    this.release();
    this.complete(label);
  }

  /** Remember that the seat has completed a canasta, if this card was its seventh. */
  complete(label) {
    const isNew = (this.before.get(label)?.length ?? 0) < CANASTA;
    if (isNew && this.melds.get(label).length >= CANASTA) this.table.completed.add(this.seat);
  }

  dead(label) {
    this.deads = (this.deads ?? new Set()).add(label);
    this.violate("meld-dead");
  }

  /** Whether a rank is dead only because this turn completed its canasta. */
  wasOwnOpen(label) {
    const dead = this.rules.sides.some((side) => {
      const melds = side === this.side ? this.before : this.table.melds[side];
      return [...melds].some(([other, cards]) => other[0] === label[0] && cards.length >= CANASTA);
    });
    return !dead;
  }

  checkRank(label, card) {
    const base = label[0];
    if (isSequence(label)) {
      if (card[1] !== base || card[0] === "3" || isWild(card)) this.violate("meld-rank");
    } else if (base === "3") {
      if (card[0] !== "3" && !isWild(card)) this.violate("meld-rank");
      else if (!isBlackThree(card)) this.violate("meld-threes");
    } else if (base === "*" ? !isWild(card) : !isWild(card) && card[0] !== base) this.violate("meld-rank");
  }

  addToSequence(label, card) {
    if ((this.melds.get(label) ?? []).some((other) => other[0] === card[0])) this.violate("meld-sequence");
  }

  /** Take a card out of the hand; returns whether it is not of the rest of the pile. */
  spend(card) {
    const { hand, fromPile, pending } = this;
    if (hand.includes(card)) {
      remove(hand, [card]);
      const isOwn = hand.filter((other) => other === card).length >= fromPile.filter((other) => other === card).length;
      if (!isOwn) remove(fromPile, [card]);
      return isOwn;
    }
    if (!pending?.includes(card)) this.lose("not-in-hand");
    remove(pending, [card]);
    this.early = this.took.label && !this.openedBefore && this.rules.is("pile.rest_usable") ? "opening-low" : "not-in-hand";
    this.earlyCodes = (this.earlyCodes ?? new Set()).add(this.early);
    return false;
  }

  combine({ combine, onto }) {
    const { rules, melds } = this;
    this.combined = true;
    const from = melds.get(combine);
    const to = melds.get(onto);
    const sets = !isSequence(combine) && combine[0] !== "*" && combine[0] === onto[0];
    if (!rules.is("meld.combine") || !from || !to || !sets || combine === onto) {
      this.violate("meld-label");
      if (!from || combine === onto) return;
    }
    const wilds = wildsOf(from).length;
    if (!rules.is("meld.wilds_on_canasta") && wilds && (to?.length ?? 0) + wilds > CANASTA) this.violate("meld-wild-ban");
    melds.delete(combine);
    this.touched.delete(combine);
    this.meld(onto).push(...from);
    if (this.before.has(combine) || this.before.has(onto)) this.joinedOld = true;
    if (this.took?.label === combine) this.took.label = onto;
    for (const group of this.groups) if (group.label === combine) group.label = onto;
  }

  layBack({ back }) {
    const pool = [...this.hand];
    this.fromPile.forEach((card) => remove(pool, [card]));
    for (const card of back) {
      if (!pool.includes(card)) this.lose("not-in-hand");
      remove(pool, [card]);
    }
    if (!this.openedBefore) this.deal.raises[this.side] += this.rules.number("opening.raise");
  }

  special({ special, cards }) {
    const { rules, table, deal } = this;
    const points = specialPoints(rules, special, cards);
    if (!rules.values.special.split(",").some((word) => word.startsWith(`${special}:`)))
      this.violate(rules.is("special", "none") ? "special-hand" : "meld-label");
    else if (points === null) this.violate("special-hand");
    for (const card of cards) {
      if (!this.hand.includes(card)) this.lose("not-in-hand");
      remove(this.hand, [card]);
    }
    const courtesy = rules.is("special.courtesy") && !table.laidBy.has(this.seat) && deal.openedAt[this.side]?.fresh.has(this.seat);
    if ((this.openedBefore && !courtesy) || this.groups.length || !this.drew) this.violate("special-hand");
    if (this.hand.length) this.violate("special-hand");
    this.isSpecial = true;
    deal.special = { side: this.side, points: this.broken.has("special-hand") ? 0 : points };
    this.isOver = true;
  }

  ask({ ask }) {
    const { rules, deal } = this;
    const when = rules.values["out.ask_when"];
    const again = rules.is("out.ask_limit", "deal") ? deal.askedBy.has(this.side) : this.asked !== null;
    if (
      !rules.is("out.ask") || this.side.length === 1 || again ||
      (when === "before-melds" && (this.groups.length || this.combined)) || (when === "after-stock" && !this.drew)
    ) this.violate("ask-when");
    deal.askedBy.add(this.side);
    this.asked ??= ask;
  }

  discard(card) {
    const { rules, table } = this;
    this.releaseAll();
    if (this.lastThree) this.violate("after-end");
    if (rules.isTabled(card) && isRedThree(card)) {
      this.violate("discard-three");
      if (!this.hand.includes(card)) throw new Lost();
    } else if (rules.isTabled(card)) this.violate("discard-three");
    if (!this.hand.includes(card)) this.lose("not-in-hand");
    if (this.isBanned(card)) this.violate("discard-ban");
    remove(this.hand, [card]);
    this.discarded = card;
    this.pileBefore = table.pile.length;
    table.pile.push(card);
    if (rules.lists("pile.freezers", card)) table.frozen = true;
  }

  isBanned(card) {
    const { rules, hand, table } = this;
    const banned = rules.values["discard.banned"];
    const naturals = hand.filter((other) => !isWild(other) && !rules.isTabled(other));
    if (banned === "none") return false;
    if (banned === "red3") return isRedThree(card);
    const sevens = (side) => table.canastasOf(side).some(([label]) => label[0] === "7");
    if (banned === "sevens" || banned === "own-sevens") {
      const sides = banned === "sevens" ? rules.sides : [this.side];
      return card[0] === "7" && !sides.every(sevens) && hand.some((other) => other[0] !== "7");
    }
    if (isWild(card)) return naturals.length > 0;
    if (table.pile.length) return false;
    const kept = card[0] === "A" || card[0] === "7" || (banned === "league" && table.isDead(card[0]));
    const others = without(naturals, [card]).filter((other) => !"A7".includes(other[0]) && !(banned === "league" && table.isDead(other[0])));
    return kept && others.length > 0;
  }

  // --- feet, pots and talons

  packet({ packet, cards, replacements = [] }) {
    const { rules, table, deal, seat } = this;
    const kind = rules.packetOf === "seat" ? "foot" : rules.is("packet.when", "opened") ? "talon" : "pot";
    const owner = rules.packetOf === "seat" ? seat : this.side;
    if (rules.packetOf === "none" || packet !== kind) return this.packetWrong(cards);
    const lines = deal.packetLines(kind);
    // Talons go by the order in which the sides opened, whether or not the first was taken.
    const openers = [...Object.keys(deal.openedAt).filter((side) => side !== this.side), this.side];
    const at = kind === "foot" ? 0 : kind === "talon" ? openers.length - 1 : table.packetsTaken.size;
    const line = kind === "foot" ? lines.find((each) => each.seat === seat) : lines[at];
    const fromStock = rules.is("packet.from", "stock");
    if (!cards && !line) throw new Undecided();
    const found = cards ?? line.cards;
    if (line?.rest_unknown && !cards) throw new Undecided();
    const size = Math.min(deal.packetSize(at), fromStock ? table.stock : Infinity);
    if (!this.packetIsDue(kind, owner)) return this.violate("packet"); // it stays where it is
    if (found.length !== size) this.violate("packet");
    if (line && cards && !fromStock && !line.rest_unknown && (without(line.cards, cards).length || without(cards, line.cards).length)) this.violate("packet");
    table.packetsTaken.add(owner);
    if (fromStock) deal.leaveInAnyOrder(found, this.written);
    else if (!line) found.forEach((card) => deal.count(card, this.written));
    this.addPacket(found, replacements, kind);
    table.packetAt.set(owner, { seat, cards: [...found], played: !this.waiting.length });
    return null;
  }

  packetWrong() {
    this.violate("packet");
    throw new Lost();
  }

  packetIsDue(kind, owner) {
    const { rules, table, hand } = this;
    if (table.packetsTaken.has(owner)) return false;
    const when = rules.values["packet.when"];
    if (when === "empty") return hand.length === 0 && (!this.took || !this.pending?.length);
    if (when === "canasta") return table.completed.has(this.seat) && (!this.discarded || rules.is("packet.use", "run"));
    const { stock } = table;
    return (
      this.discarded !== undefined && !this.openedBefore && table.opened(this.side) &&
      (!this.took || rules.is("packet.with_pile")) && stock >= rules.number("packet.until")
    );
  }

  addPacket(cards, replacements, kind) {
    const { rules, table } = this;
    const how = rules.values["packet.threes"];
    const threes = how === "next-turn" ? [] : cards.filter((card) => rules.isTabled(card));
    const rest = without(cards, threes);
    const waits = this.discarded !== undefined || rules.is("packet.use", "next-turn");
    this.pickedUp = true;
    if (waits) this.waiting.push(...rest);
    else this.hand.push(...rest);
    table.threes[this.side].push(...threes);
    if (how === "next-turn") table.dueThrees[this.seat].push(...cards.filter((card) => rules.isTabled(card)));
    if (how === "at-once") this.receive(replacements, threes.length, "replacement");
    else if (replacements.length) this.receive(replacements, 0, "replacement");
  }

  // --- the end of the turn

  finish() {
    const { table, rules, deal, seat } = this;
    this.releaseAll();
    this.onlyThrees = this.onlyThrees && table.stock === 0;
    if (this.drawsNothing && !this.lastThree && !this.onlyThrees) this.violate("draw-missing");
    if (this.lateThrees.length && this.stockBefore > 0) {
      this.violate("replacement");
      table.excused[seat].push(...this.lateThrees);
    }
    const emptied = this.hand.length === 0 && !this.onlyThrees;
    const mustPick = emptied && !this.waiting.length && !this.isSpecial && rules.is("packet.when", "empty") && table.packetLeft(seat);
    if (mustPick) this.violate("packet");
    const ended = this.lastThree && rules.is("draw.last_red3", "ends");
    this.isOut = emptied && !this.waiting.length && !mustPick && !(ended && this.hand.length);
    if (!this.isSpecial) {
      this.judgeTake();
      this.judgeMelds();
      this.judgeOpening();
    }
    this.judgeEnd(ended);
    this.concealed = this.isOut && this.isConcealed();
    this.hand.push(...this.waiting);
    if (this.groups.length || this.took?.label) table.laidBy.add(seat);
    this.markOpening();
    table.hadTurn.add(seat);
    deal.turnEnds(this);
  }

  markOpening() {
    const { deal, rules, side, seat } = this;
    const opening = deal.openedAt[side];
    if (opening) opening.fresh.delete(seat);
    else if (this.table.opened(side)) {
      deal.openedAt[side] = { fresh: new Set(rules.seats.filter((each) => side.includes(each) && each !== seat)) };
    }
  }

  judgeTake() {
    const { took, rules } = this;
    if (!took || took.spoiled) return;
    const { label, rank, joined } = took;
    if (!label) {
      (this.melds.get(rank) ?? this.hand).push(took.top); // it was lifted, and lies nowhere else
      // A group with a wrong label was meant for the top; the label is the mistake.
      const meant = this.groups.some((group) => group.label[0] !== rank && group.cards.some((card) => card[0] === rank && !isWild(card)));
      return meant ? null : this.violate(took.wasFrozen ? "pile-frozen" : "pile-unmeldable");
    }
    for (const code of this.earlyCodes ?? []) this.violate(code);
    const groups = this.groups.filter((group) => group.label[0] === rank);
    const own = groups.flatMap((group) => group.own);
    const naturals = own.filter((card) => card[0] === rank && !isWild(card)).length;
    if (took.misplaced) return this.violate(took.wasFrozen ? "pile-frozen" : "pile-unmeldable");
    if (isSequence(label)) return took.wasFrozen ? this.violate("pile-frozen") : null;
    if (took.wasFrozen) return naturals >= 2 ? this.acesTaken() : this.violate("pile-frozen");
    const isCanasta = (this.before.get(label)?.length ?? 0) >= CANASTA;
    const joins = joined && rules.is("pile.onto_meld") && (!isCanasta || rules.is("pile.onto_canasta"));
    const pair = naturals >= 2 || (rules.is("pile.with_wild") && !(isCanasta && !rules.is("pile.onto_canasta")) && naturals >= 1 && wildsOf(own).length >= 1);
    if (!joins && !pair) {
      const needed = rules.is("pile.with_wild") ? 1 : 2;
      if (joined || (own.length >= 2 && naturals < needed)) this.violate("pile-unmeldable");
    }
    return this.acesTaken();
  }

  acesTaken() {
    const { took, rules } = this;
    if (took.rank !== "A" || rules.is("pile.onto_mixed_aces")) return null;
    return wildsOf(this.melds.get(took.label) ?? []).length ? this.violate("meld-wild-ban") : null;
  }

  judgeMelds() {
    for (const label of this.touched) {
      if (this.deads?.has(label)) continue;
      if (this.took?.spoiled && this.took.label === label) continue;
      this.judgeMeld(label, this.melds.get(label));
    }
  }

  judgeMeld(label, cards) {
    const { rules } = this;
    const wilds = wildsOf(cards).length;
    const naturals = cards.length - wilds;
    if (label[0] === "3") return this.judgeBlackThrees(cards, wilds);
    if (isSequence(label)) return this.judgeSequence(cards);
    if (cards.length < 3) this.violate("meld-short");
    if (label[0] === "*") {
      if (!rules.is("meld.all_wild")) return this.violate("meld-wild-only");
      if (cards.length > Math.min(rules.limit("meld.max_cards"), rules.limit("meld.max_wild_cards"))) this.violate("meld-size");
      return null;
    }
    if (cards.length > rules.limit("meld.max_cards")) this.violate("meld-size");
    if (naturals === 0) return this.violate("meld-naturals");
    const low = naturals < rules.number("meld.min_naturals");
    if (low && cards.length >= 3) this.violate("meld-naturals");
    if (!wilds) return null;
    const share = rules.values["meld.wild_share"];
    const many = (share === "equal" && wilds > naturals) || (share === "fewer" && wilds >= naturals);
    if (wilds > rules.limit("meld.max_wilds") || (many && !low && cards.length >= 3)) this.violate("meld-wilds");
    return this.judgeWilds(label, naturals);
  }

  /** Whether wild cards of this turn may join a meld. */
  judgeWilds(label, naturals) {
    const { rules } = this;
    const laid = this.groups.filter((group) => group.label === label && wildsOf(group.cards).length);
    if (!laid.length) return null;
    const rank = label[0];
    const before = this.before.get(label) ?? [];
    if (rules.lists("meld.no_wilds_in", rank) && (rank !== "A" || (this.openedBefore && !wildsOf(before).length)))
      return this.violate("meld-wild-ban");
    if (rules.is("meld.rule_of_five") && this.openedBefore && naturals < 5) return this.violate("meld-wild-ban");
    return laid.some(({ tooSoon }) => tooSoon) ? this.violate("meld-wild-ban") : null;
  }

  judgeSequence(cards) {
    const places = [...new Set(cards.map((card) => ORDER.indexOf(card[0])).filter((place) => place >= 0))].sort((a, b) => a - b);
    if (cards.length < 3) this.violate("meld-short");
    if (places.length && places.at(-1) - places[0] !== places.length - 1) this.violate("meld-sequence");
    if (cards.length > CANASTA) this.violate("meld-size");
  }

  judgeBlackThrees(cards, wilds) {
    const { rules } = this;
    const last = this.blackThrees !== this.groups.length || this.discarded !== undefined;
    if (!rules.is("meld.black_threes") || wilds || !this.isOut) this.violate("meld-threes");
    else if (rules.is("out.after_black_threes", "nothing") && last) this.violate("meld-threes");
    else if (cards.length < 3) this.violate("meld-short");
  }

  judgeOpening() {
    const { rules, deal, side } = this;
    if (this.openedBefore || (!this.groups.length && !this.took?.label)) return;
    this.isOpening = true;
    const needed = deal.minimumFor(side);
    const counted = this.openingCount();
    if (counted < needed && !this.isWaived()) this.violate("opening-low");
    if (this.broken.has("opening-low") === false && !rules.is("opening.clean_triple", "no") && !this.hasCleanTriple()) this.violate("opening-form");
    const mixed = [...this.melds].some(([label, cards]) => cards.length >= CANASTA && "*3".indexOf(label[0]) < 0 && wildsOf(cards).length);
    if (!rules.is("opening.mixed_canasta") && mixed) this.violate("opening-form");
  }

  ownOf(label) {
    return this.groups.filter((group) => group.label === label).flatMap(({ own }) => own);
  }

  isWaived() {
    const { rules } = this;
    const waived = rules.values["opening.waived"];
    if (waived === "out-concealed-from-stock") return this.drew && this.isOut && this.isConcealed();
    if (waived !== "splash") return false;
    return [...this.touched].some((label) => {
      const own = this.ownOf(label);
      const pure = label[0] === "*" ? !rules.is("opening.clean_triple", "natural") : !wildsOf(this.melds.get(label)).length;
      return own.length >= CANASTA && pure;
    });
  }

  hasCleanTriple() {
    return [...this.touched].some((label) => {
      if (label[0] === "*") return !this.rules.is("opening.clean_triple", "natural") && this.ownOf(label).length >= 3;
      return label[0] !== "3" && this.ownOf(label).length >= 3 && !wildsOf(this.melds.get(label)).length;
    });
  }

  /** Whether going out is concealed, if the seat goes out. */
  isConcealed() {
    const { rules, table } = this;
    const onOld = [...this.touched].some((label) => this.before.has(label)) || this.joinedOld;
    if (table.laidBy.has(this.seat) || onOld) return false;
    const kinds = rules.is("score.concealed_needs", "side") ? table.canastas(this.side) : [...this.touched].map((label) => rules.kindOf(label, this.melds.get(label)));
    return kinds.some((kind) => kind);
  }

  judgeEnd(ended) {
    const { rules, table, side, seat, hand } = this;
    if (this.isSpecial) {
      if (this.asked === false) this.violate("out-denied");
      return;
    }
    const may = table.mayGoOut(side, seat);
    const mayKeep = rules.is("out.discard", "kept") && (!may || this.asked === false);
    if (this.isOut) {
      if (!may) this.violate("out-canasta");
      else if (rules.is("out.discard", "required") && this.discarded === undefined) this.violate("out-discard");
      const banned = { wild: isWild, sevens: (card) => card[0] === "7" };
      const last = rules.values["out.last"].split(",").some((kind) => this.discarded && banned[kind]?.(this.discarded));
      if (may && last) this.violate("out-discard");
    } else if (this.discarded === undefined && !ended && !this.lastThree && !this.onlyThrees && !this.waiting.length) {
      if (hand.length !== 1 || (may && !mayKeep)) this.violate("discard-missing");
      else if (!mayKeep) this.violate("out-canasta");
    }
    if (this.asked === true && !this.isOut) this.violate("out-promised");
    if (this.asked === false && this.isOut) this.violate("out-denied");
  }
}
