// A deal as a referee judges it: what was dealt, its turns, how it ended, and its claims.

import { isBlackThree, isRedThree } from "./cards.mjs";
import { mustTake } from "./must.mjs";
import { remove } from "./replay.mjs";
import { scoreOf } from "./score.mjs";
import { CANASTA, Table, Undecided, without } from "./table.mjs";
import { Lost, Turn } from "./turn.mjs";

const isWritten = (card) => /^(?:\*|[2-9TJQKA][shdc])$/.test(card);
const sameCards = (one, other) => one.length === other.length && without(one, other).length === 0;

export class Deal {
  constructor(rules, written, { totals, place }) {
    Object.assign(this, { rules, written, totals, place });
    this.table = new Table(rules);
    this.violations = [];
    this.claims = [];
    this.turns = (written.play ?? []).filter(({ actions }) => actions);
    this.isLost = false;
    this.isOpen = false; // something cannot be checked because an irregularity was accepted
    this.ended = null;
    this.due = null;
    this.askedBy = new Set();
    this.openedAt = {};
    this.raises = Object.fromEntries(rules.sides.map((side) => [side, 0]));
    this.concealedCanastas = new Set();
    this.used = new Map(); // the findings of a line that the players accepted
    this.countsNothing = ["void", "time"].includes(written.end?.reason);
  }

  violate(code, { line, acknowledged }) {
    if (acknowledged?.includes(code)) {
      if (!this.used.has(line)) this.used.set(line, new Set());
      this.used.get(line).add(code);
    } else this.violations.push({ line, code });
  }

  claim(isTrue, code, { line, acknowledged }) {
    if (isTrue) return;
    if (acknowledged?.includes(code)) this.violate(code, { line, acknowledged });
    else this.claims.push({ line, code });
  }

  minimumFor(side) {
    const { rules, raises } = this;
    const step = rules.is("opening.by", "deal") ? this.place : this.totals?.[side] ?? null;
    if (step === null) throw new Undecided();
    return rules.minimum(step) + raises[side];
  }

  // --- what was dealt

  /** Whether the play and what was dealt are written in full. */
  needEveryCard() {
    const { written, rules } = this;
    const lists = [written.up, written.stock, ...(written.hands ?? []), ...(written.packets ?? []), ...(written.melds ?? []).flatMap(({ groups }) => groups), ...(written.threes ?? []), ...(written.left ?? []), ...this.turns.flatMap(({ actions }) => actions)];
    for (const list of lists) {
      if (!list) continue;
      if (list.rest_unknown || list.bare) throw new Undecided();
      for (const field of ["cards", "replacements", "threes", "draw", "back"]) {
        if (list[field] && !list[field].every(isWritten)) throw new Undecided();
      }
      for (const field of ["take", "discard"]) if (list[field] && !isWritten(list[field])) throw new Undecided();
    }
    const dealt = new Set((written.hands ?? []).map(({ seat }) => seat));
    if (!rules.seats.every((seat) => dealt.has(seat))) throw new Undecided();
    if (!written.up && rules.is("up.turned")) throw new Undecided();
  }

  count(card, line) {
    const { table, rules } = this;
    const seen = (table.seen.get(card) ?? 0) + 1;
    table.seen.set(card, seen);
    if (seen <= rules.copies(card)) return;
    this.violate("deck-count", line);
    throw new Lost();
  }

  /** A card comes from the stock in a turn. */
  leaveStock(card, turn) {
    this.table.stock -= 1;
    this.next(card, turn.written);
  }

  /** Cards come from the stock that have no order among themselves. */
  leaveInAnyOrder(cards, line) {
    const next = this.order?.splice(0, cards.length);
    this.table.stock -= cards.length;
    if (!next) cards.forEach((card) => this.count(card, line));
    else if (!sameCards(cards, next)) {
      this.violate("stock-order", line);
      throw new Lost();
    }
  }

  next(card, line) {
    if (!this.order) this.count(card, line);
    else if (this.order.shift() !== card) {
      this.violate("stock-order", line);
      throw new Lost();
    }
  }

  packetSize(at) {
    const sizes = this.rules.values["packet.size"].split(",").map(Number);
    return sizes[Math.min(at, sizes.length - 1)];
  }

  packetLines(kind) {
    return (this.written.packets ?? []).filter(({ packet }) => packet === kind);
  }

  cardsAside() {
    const { rules } = this;
    if (rules.packetOf === "none" || rules.is("packet.from", "stock")) return 0;
    const owners = rules.packetOf === "seat" ? rules.seats : rules.sides;
    return owners.reduce((sum, _, at) => sum + this.packetSize(at), 0);
  }

  dealCards() {
    const { written, rules, table } = this;
    const hands = written.hands ?? [];
    for (const hand of hands) {
      if (!rules.seats.includes(hand.seat)) {
        this.violate("wrong-seat", hand);
        throw new Lost();
      }
      if (hand.cards.length !== rules.number("deal.hand")) this.violate("deal-size", hand);
      this.checkReplacements(hand);
    }
    const inLine = this.followsStock();
    for (const hand of hands) {
      hand.cards.forEach((card) => this.count(card, hand));
      if (!inLine) (hand.replacements ?? []).forEach((card) => this.count(card, hand));
    }
    if (!inLine) (written.up?.cards ?? []).forEach((card) => this.count(card, written.up));
    this.stockLine();
    this.dealPackets();
    if (this.isWrong) throw new Lost();
    if (written.up) this.turnUp(written.up);
    for (const hand of hands) this.dealHand(hand);
    table.stock -= this.cardsAside();
  }

  checkReplacements(hand) {
    const { rules } = this;
    const { cards, replacements = [] } = hand;
    const kept = rules.values["deal.three_kept"];
    const isThree = (card) => rules.isTabled(card);
    let due = cards.filter(isThree).length;
    const isExtra = replacements.some((card) => {
      if (due === 0) return true;
      due -= isThree(card) ? 0 : 1;
      return false;
    });
    const few = kept !== "first-turn" && due > (kept === "no" ? 0 : 1);
    if (isExtra || few || (kept === "first-turn" && replacements.length)) this.violate("replacement", hand);
  }

  dealHand(hand) {
    const { rules, table } = this;
    const replacements = hand.replacements ?? [];
    const all = [...hand.cards, ...replacements];
    const threes = all.filter((card) => rules.isTabled(card));
    const kept = rules.values["deal.three_kept"];
    const missing = threes.length - replacements.length;
    const most = kept === "no" ? 0 : 1;
    const waits = kept === "first-turn";
    // A card that the line lacks was dealt all the same.
    table.stock -= replacements.length + Math.max(hand.cards.length, rules.number("deal.hand"));
    const stays = [...threes.filter(isBlackThree), ...threes.filter(isRedThree)].slice(0, Math.max(0, missing));
    if (!waits) table.excused[hand.seat].push(...stays.slice(most));
    const tabled = without(threes, stays);
    table.hands[hand.seat].push(...without(all, tabled));
    table.threes[rules.sideOf(hand.seat)].push(...tabled);
  }

  dealPackets() {
    const { rules, written } = this;
    const kind = rules.packetOf === "seat" ? "foot" : rules.is("packet.when", "opened") ? "talon" : "pot";
    const owners = rules.packetOf === "seat" ? rules.seats.length : rules.sides.length;
    const lines = written.packets ?? [];
    lines.forEach((line, at) => {
      const allowed = rules.packetOf !== "none" && line.packet === kind && !rules.is("packet.from", "stock") && at < owners;
      if (!allowed || line.cards.length !== this.packetSize(at)) this.violate("packet", line);
      if (allowed) line.cards.forEach((card) => this.count(card, line));
    });
  }

  stockLine() {
    const { stock, hands = [] } = this.written;
    if (!stock) return;
    if (!this.followsStock()) return this.violate("deck-count", stock);
    this.order = this.afterReplacements(stock, hands);
    return stock.cards.forEach((card) => this.count(card, stock));
  }

  /** Whether the stock line has all its cards; otherwise nobody knows which is next. */
  followsStock() {
    const { stock, hands = [] } = this.written;
    const dealt = hands.reduce((sum, { cards }) => sum + cards.length, 0);
    return stock !== undefined && stock.cards.length + dealt + this.cardsAside() === this.table.stock;
  }

  /** The cards of the stock line after the up cards and the replacements of the hands. */
  afterReplacements(stock, hands) {
    const { rules, written } = this;
    const order = [...stock.cards];
    const up = order.splice(0, written.up?.cards.length ?? 0);
    const at = rules.seats.indexOf(this.dealer ?? rules.seats.at(-1));
    const fromLeft = [...rules.seats.slice(at + 1), ...rules.seats.slice(0, at + 1)];
    const inTurn = [...hands].sort((one, other) => fromLeft.indexOf(one.seat) - fromLeft.indexOf(other.seat));
    const wrong = inTurn.filter(({ replacements = [] }) => replacements.join() !== order.splice(0, replacements.length).join());
    if (written.up && up.join() !== written.up.cards.join()) wrong.push(written.up);
    wrong.forEach((line) => this.violate("stock-order", line));
    this.isWrong = wrong.length > 0;
    return order;
  }

  turnUp(up) {
    const { rules, table } = this;
    if (!rules.is("up.turned")) this.violate("up-cards", up);
    const covered = up.cards.map((card) => rules.lists("up.covered", card));
    if (rules.is("up.turned") && (covered.pop() || covered.some((each) => !each))) this.violate("up-cards", up);
    table.pile = [...up.cards];
    table.stock -= up.cards.length;
    table.frozen = up.cards.some((card) => rules.lists("up.freezes", card));
  }

  // --- the play

  judge(dealer) {
    this.dealer = dealer;
    this.due = dealer && this.rules.after(dealer);
    if (!dealer && this.turns.length) this.isOpen = true; // nobody knows who had to begin
    this.needEveryCard();
    try {
      this.dealCards();
      for (const line of this.written.play ?? []) {
        if (line.actions) this.turn(line);
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      this.isLost = true;
    }
    this.penalties();
    this.turnNumbers();
    if (!this.isLost) this.judgeEnd();
    this.acknowledgements();
    this.tableAtEnd();
  }

  turn(line) {
    const turn = new Turn(this, line);
    this.current = line;
    try {
      turn.play();
    } finally {
      this.turnClaims(turn, line);
    }
  }

  /** What the turn leaves to the deal: who is next, and how the deal ended. */
  turnEnds(turn) {
    const { rules, table } = this;
    this.due = rules.after(turn.seat);
    for (const label of turn.touched) {
      const cards = turn.melds.get(label);
      const own = turn.ownOf(label).length + (turn.took?.label === label ? 1 : 0);
      if (!turn.before.has(label) && own >= CANASTA && rules.kindOf(label, cards)) this.concealedCanastas.add(cards);
    }
    if (turn.isSpecial) this.ended = { how: "special", seat: turn.seat };
    else if (turn.isOut) this.ended = { how: "out", seat: turn.seat, concealed: turn.concealed };
    else if (turn.lastThree) this.ended = { how: "stock" };
    else if (turn.onlyThrees && table.stock === 0) {
      if (mustTake(this, turn.seat)) this.violate("pile-must-take", turn.written);
      this.ended = { how: "stock" };
    }
    if (this.ended) this.due = null;
    for (const taken of table.packetAt.values()) if (taken.seat === turn.seat && !turn.pickedUp) taken.played = true;
  }

  turnClaims(turn, line) {
    const { took, broken } = turn;
    if (line.actions.some((action) => "take" in action) && turn.pileCount !== undefined) {
      const { count } = line.actions.find((action) => "take" in action);
      this.claim(count === undefined || count === turn.pileCount, "pile-count", line);
    }
    const isJudged = turn.isOut !== undefined;
    if (!isJudged) return;
    if (line.open !== undefined) this.claim(turn.isOpening && line.open === turn.openingCount(), "opening-claim", line);
    if (line.out) this.claim((turn.isOut || turn.isSpecial) && (line.out === "#" || turn.concealed), "out-claim", line);
    for (const code of line.acknowledged ?? []) {
      if (!broken.has(code) && !this.used.get(line.line)?.has(code)) this.pendingAcks = [...(this.pendingAcks ?? []), { code, line }];
    }
    return took;
  }

  turnNumbers() {
    let last = 0;
    this.turns.forEach((line, at) => {
      const number = line.number ?? last + 1;
      this.claim(number === at + 1 || number === last + 1, "turn-number", line);
      last = number;
    });
  }

  acknowledgements() {
    const lines = [...(this.written.hands ?? []), ...(this.written.up ? [this.written.up] : [])];
    const pending = [...(this.pendingAcks ?? []), ...(this.isLost ? [] : lines.flatMap((line) => (line.acknowledged ?? []).map((code) => ({ code, line }))))];
    for (const { code, line } of pending) {
      if (!this.used.get(line.line)?.has(code)) this.claims.push({ line: line.line, code: "ack-claim" });
    }
    if (this.isLost && !this.violations.length) this.isOpen = true;
  }

  penalties() {
    const { rules } = this;
    this.warnings = [];
    for (const line of this.written.play ?? []) {
      if (line.actions) continue;
      const side = line.penalty ?? line.bonus;
      if (!rules.sides.includes(side)) this.violate("score", line);
      if (line.penalty === undefined || !["ask", "upcard"].includes(line.word)) continue;
      if (rules.values[`penalty.${line.word}`] !== String(line.points)) this.warnings.push({ line: line.line, code: "penalty" });
    }
  }

  // --- the end

  judgeEnd() {
    const { written, table } = this;
    const { end } = written;
    if (!this.ended && table.stock === 0) {
      const must = this.due !== null && mustTake(this, this.due);
      const claimsStock = end?.reason === "stock" ;
      if (must && claimsStock) this.violate("pile-must-take", end);
      if (!must || claimsStock) this.ended = { how: "stock" };
    }
    const follows = written.scores || written.total || this.isFollowed || (!end && (written.melds || written.threes || written.left));
    if (!end) {
      if (!this.ended && follows) this.violate("end-missing", written);
      return;
    }
    if (end.seat && !this.rules.seats.includes(end.seat)) this.claim(false, "end-claim", end);
    else if (end.reason === "unfinished") {
      this.claim(!this.ended, "end-claim", end);
      if (!this.ended && (written.scores || written.total || this.isFollowed)) this.violate("end-missing", written);
    } else if (end.reason === "time") this.claim(!this.ended, "end-claim", end);
    else if (end.reason === "stock") {
      if (!this.ended && table.stock > 0) {
        this.claim(false, "end-stock-left", end);
        this.ended = { how: "stock" }; // false, but the deal was counted as it lay
      } else this.claim(this.ended?.how === "stock", "end-claim", end);
    } else if (end.reason !== "void") {
      const { ended } = this;
      const isTrue = ended?.how === end.reason && ended.seat === end.seat;
      // Beside turns, a line without `concealed` does not deny it.
      this.claim(isTrue && (!end.concealed || ended.concealed), "end-claim", end);
    }
  }

  /** The cards of the feet and pots that a side did not pick up; undefined for those not written. */
  packetsLeft(side) {
    const { rules, table } = this;
    if (rules.packetOf === "none") return [];
    const kind = rules.packetOf === "seat" ? "foot" : rules.is("packet.when", "opened") ? "talon" : "pot";
    if (kind === "talon") return [];
    const owners = kind === "foot" ? rules.seats.filter((seat) => side.includes(seat)) : [side];
    const lines = this.packetLines(kind);
    const left = [];
    for (const owner of owners) {
      const taken = table.packetAt.get(owner);
      if (!taken) left.push(kind === "foot" ? lines.find(({ seat }) => seat === owner)?.cards : undefined);
      else if (rules.is("packet.unplayed", "as-unused") && !taken.played) {
        if (!rules.is("packet.unused", "cards")) {
          remove(table.hands[taken.seat], taken.cards);
          left.push(taken.cards);
        }
      }
    }
    return left;
  }

  tableAtEnd() {
    const { written, table, rules } = this;
    if (this.isLost) return;
    if ((written.melds || written.threes || written.left) && !written.end) return;
    for (const line of written.melds ?? []) {
      const melds = table.melds[line.side];
      const groups = new Map();
      for (const { lay, cards } of line.groups) groups.set(lay, [...(groups.get(lay) ?? []), ...cards]);
      const isTrue = melds && groups.size === melds.size && [...groups].every(([label, cards]) => melds.has(label) && sameCards(cards, melds.get(label)));
      this.claim(isTrue, "end-melds", line);
    }
    for (const line of written.threes ?? []) this.claim(table.threes[line.side] && sameCards(line.cards, table.threes[line.side]), "end-threes", line);
    for (const line of written.left ?? []) this.claim(rules.seats.includes(line.seat) && sameCards(line.cards, table.hands[line.seat]), "end-hand", line);
  }

  /** The score of each side, or null if it does not follow from the record. */
  scores() {
    const { rules } = this;
    if (this.countsNothing) return Object.fromEntries(rules.sides.map((side) => [side, scoreOf(this, side)]));
    if (this.isLost || !this.ended) return null;
    const scores = Object.fromEntries(rules.sides.map((side) => [side, scoreOf(this, side)]));
    if (Object.values(scores).some(({ score }) => Number.isNaN(score))) throw new Undecided();
    return scores;
  }
}

