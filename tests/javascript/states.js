// Rebuilds the table after each action from the JSON of a game, knowing nothing but
// schemas/game.schema.json and the values of the game's rules.
//
//     node states.js < INPUT       INPUT: {"rules": {"seats", "sides", "values"}, "game": a game}
//
// It rebuilds no points, and nothing that is frozen. It prints an array: for each deal, the table as dealt and after each action, penalty and bonus. A table
// has hands, melds and threes (cards sorted), the pile in order, the number of cards in the stock,
// and the seat that is due, null after the deal. Every card must be written.
"use strict";

// The points of a card, if the rules do not give it others.
const POINTS = { "*": 50, 2: 20, A: 20, K: 10, Q: 10, J: 10, T: 10, 9: 10, 8: 10 };
const points = (cards, values) =>
  cards.reduce((sum, card) => sum + (values?.[card[0]] ?? POINTS[card[0]] ?? 5), 0);
const isWild = (card) => card === "*" || card[0] === "2";
const isRed = (card) => card[1] === "h" || card[1] === "d";
const take = (cards, card) => cards.splice(cards.indexOf(card), 1);
const add = (map, label, cards) => (map[label] = [...(map[label] || []), ...cards]);

class Deal {
  constructor(rules, deal, totals) {
    this.rules = rules;
    this.value = rules.values;
    this.deal = deal;
    this.hands = {};
    this.melds = Object.fromEntries(rules.sides.map((side) => [side, {}]));
    this.threes = Object.fromEntries(rules.sides.map((side) => [side, []]));
    this.opened = {};
    this.minimum = Object.fromEntries(
      rules.sides.map((side) => [side, this.minimumOf(totals[side] || 0)])
    );
    this.pile = deal.up ? [...deal.up.cards] : [];
    this.stock = 52 * this.value["deck.packs"] + this.value["deck.jokers"] - this.pile.length;
    this.hasTalons = this.value["packet.of"] !== "none";
    this.talonsLieApart = this.hasTalons && this.value["packet.from"] === "aside";
    if (this.talonsLieApart) for (const size of this.packetSizes()) this.stock -= size;
    this.stock -= this.value["stock.unplayed"];
    // The cards of the feet that lines show, by seat, and of the pots; a talon names its cards.
    this.packets = Object.fromEntries((deal.packets || []).map((line) => [line.seat, line.cards]));
    this.pots = (deal.packets || []).filter((line) => !line.seat).map((line) => line.cards);
    this.potsGone = 0;
    for (const hand of deal.hands) this.dealHand(hand);
    this.turn = null;
    const first = deal.dealer || rules.seats[0];
    this.due = this.next(first);
  }

  // One size stands for all feet or pots.
  packetSizes() {
    const sizes = this.value["packet.size"];
    if (sizes.length !== 1 || this.value["packet.when"] === "opened") return sizes;
    const owners = this.value["packet.of"] === "seat" ? this.rules.seats : this.rules.sides;
    return owners.map(() => sizes[0]);
  }

  minimumOf(total) {
    const at = this.value["opening.by"] === "deal" ? this.deal.number : total;
    return this.value["opening.table"].find(([below]) => below === null || at < below)[1];
  }

  next(seat) {
    return this.rules.seats[(this.rules.seats.indexOf(seat) + 1) % this.rules.seats.length];
  }

  sideOf(seat) {
    return this.rules.sides.find((side) => side.includes(seat));
  }

  // Whether a card is a three that is tabled: a red one, under some rules a black one too.
  isTabled(card) {
    const threes = this.value["threes"];
    return card[0] === "3" && ["red", "all"].includes(threes) && (isRed(card) || threes === "all");
  }

  // A hand as dealt: each tabled three has a replacement. If there are more threes than
  // replacements, one was kept: the first black one, if there is one, or else the first.
  dealHand(hand) {
    const cards = [...hand.cards, ...(hand.replacements || [])];
    this.stock -= cards.length;
    const threes = cards.filter((card) => this.isTabled(card));
    this.hands[hand.seat] = cards;
    const kept = threes.length - (hand.replacements || []).length;
    threes.sort((one, other) => isRed(one) - isRed(other));
    this.table(hand.seat, threes.slice(kept));
  }

  table(seat, threes) {
    for (const card of threes) {
      take(this.hands[seat], card);
      this.threes[this.sideOf(seat)].push(card);
    }
  }

  // A draw names the cards due and the replacements of its threes. A three without a replacement
  // is its last card: kept if the stock goes on; at the end of the stock tabled, unless the rules
  // leave it in the hand.
  draw(seat, cards, due) {
    this.stock -= cards.length;
    this.hands[seat].push(...cards);
    const threes = cards.filter((card) => this.isTabled(card));
    const last = cards[cards.length - 1];
    const short = threes.length > cards.length - due && this.isTabled(last);
    const keeps =
      this.value["deal.three_kept"] !== "no" ||
      (this.value["packet.threes"] === "next-turn" && this.hasTalons);
    const held = this.stock > 0 || (keeps && this.value["threes"] === "all");
    this.table(seat, short && held ? threes.slice(0, -1) : threes);
  }

  // The top of a taken pile joins a meld of its rank at once if the side had opened, the rules let
  // it join a meld and the pile was not frozen; or else it waits for the first group of its rank.
  // The rest waits until the top has been melded and the side has opened.
  takePile(action) {
    const side = this.sideOf(this.due);
    const freezers = this.value["pile.freezers"];
    const frozen =
      this.value["pile.always_frozen"] ||
      (!this.opened[side] && this.value["pile.frozen_until_opened"]) ||
      this.pile.some((card) => this.freezes(card, freezers));
    if (this.value["pile.needs"] !== "top") {
      this.hands[this.due].push(...this.pile);
      this.pile = [];
      return;
    }
    const label = action.onto || action.take[0];
    const meld = this.melds[side][label];
    const row = /[shdc]/.test(label[0]);
    const full = row ? this.value["sequence.cards"] : this.value["pile.onto_canasta"] ? Infinity : 7;
    const closed = meld && meld.length >= full;
    const onto = /[shdc]/.test(label[0]) || this.value["pile.onto_meld"];
    this.turn.waits = true;
    this.turn.taken = action.take;
    this.turn.alone = /[shdc]/.test(label[0]) && this.value["pile.onto_sequence"] === "alone";
    if (!frozen && meld && onto && !closed) this.meldTop(label);
  }

  freezes(card, freezers) {
    if (isWild(card)) return freezers.includes("wild");
    if (card[0] !== "3" || this.value["threes"] === "rank") return false;
    return isRed(card) ? !this.value["pile.always_frozen"] : freezers.includes("black3");
  }

  meldTop(label) {
    add(this.melds[this.sideOf(this.due)], label, [this.pile.pop()]);
    this.turn.topLaid = true;
    this.turn.topAt = label;
    this.bringRest();
  }

  // Where none of its cards may be melded in the turn, it stays until the discard, the `last` time.
  bringRest(last = false) {
    const side = this.sideOf(this.due);
    const turn = this.turn;
    if (!turn.waits || !turn.topLaid) return;
    if (!this.opened[side] && !this.hasOpened(side)) return;
    const most = this.value["pile.take"];
    const size = turn.alone ? 0 : most === "all" ? this.pile.length : most - 1;
    const taken = this.pile.slice(Math.max(0, this.pile.length - size));
    const stays = taken.some((card) => !this.isTabled(card));
    if (stays && !this.value["pile.rest_usable"] && !last) return;
    this.hands[this.due].push(...taken.filter((card) => !this.isTabled(card)));
    this.threes[side].push(...taken.filter((card) => this.isTabled(card)));
    this.pile = this.pile.slice(0, this.pile.length - taken.length);
    turn.waits = false;
  }

  // Whether what was laid in this turn opens: the cards on whole melds count the minimum, or under
  // some rules a natural canasta, or one of wild cards, was laid from the hand.
  hasOpened(side) {
    const { laid, taken, topAt } = this.turn;
    let counted = 0;
    for (const [label, cards] of Object.entries(laid)) {
      const meld = this.melds[side][label];
      const wild = label[0] === "*";
      const wilds = cards.filter(isWild).length;
      if (this.value["opening.waived"] === "splash" && cards.length >= 7 && (wild || !wilds)) return true;
      const naturals = meld.filter((card) => !isWild(card)).length;
      if (meld.length < 3 || (!wild && naturals < this.value["meld.min_naturals"])) continue;
      const counts = label === topAt && this.value["opening.take_counts"] === "top";
      counted += points(counts ? [...cards, taken] : cards, this.value["score.cards"]);
    }
    return counted >= this.minimum[side];
  }

  // An empty stock is filled with the first pot that is left, unless the turn has ended the deal.
  fillStock(seat) {
    const sizes = this.value["packet.to_stock"] ? this.packetSizes() : [];
    if (this.stock > 0 || !this.hands[seat].length || this.potsGone >= sizes.length) return;
    this.stock += sizes[this.potsGone];
    this.potsGone += 1;
  }

  act(action) {
    const seat = this.due;
    const side = this.sideOf(seat);
    const hand = this.hands[seat];
    if (action.draw) this.draw(seat, action.draw, this.value["draw.count"]);
    if (action.take) this.takePile(action);
    if (action.threes) {
      this.table(seat, action.threes);
      if (action.replacements) this.draw(seat, action.replacements, action.threes.length);
    }
    if (action.lay) {
      for (const card of action.cards) take(hand, card);
      const waits = this.turn.waits && !this.turn.topLaid;
      const label = action.lay.split("/")[0];
      const taken = this.turn.taken;
      const wild = this.value["sequence.wilds"] && /[shdc]/.test(label) && taken && isWild(taken);
      const fits = label === taken?.[0] || label === taken?.[1] || wild;
      if (waits && fits) {
        add(this.melds[side], action.lay, []);
        this.meldTop(action.lay);
      }
      add(this.melds[side], action.lay, action.cards);
      add(this.turn.laid, action.lay, action.cards);
      this.bringRest();
    }
    if (action.combine) {
      add(this.melds[side], action.onto, this.melds[side][action.combine]);
      delete this.melds[side][action.combine];
    }
    if (action.back && !this.opened[side]) this.minimum[side] += this.value["opening.raise"];
    if (action.special) for (const card of action.cards) take(hand, card);
    if (action.discard) {
      this.bringRest(true);
      take(hand, action.discard);
      this.pile.push(action.discard);
    }
    if (action.packet) {
      const cards = action.cards || this.packets[seat] || this.pots[this.potsGone];
      hand.push(...cards);
      this.potsGone += 1;
      if (!this.talonsLieApart) this.stock -= cards.length;
      const stay = this.value["packet.threes"] === "next-turn";
      if (!stay) this.table(seat, cards.filter((card) => this.isTabled(card)));
      if (action.replacements) this.draw(seat, action.replacements, action.replacements.length);
    }
  }

  state(over) {
    const sorted = (map) =>
      Object.fromEntries(Object.entries(map).map(([key, cards]) => [key, [...cards].sort()]));
    return {
      hands: sorted(this.hands),
      melds: Object.fromEntries(
        Object.entries(this.melds).map(([side, melds]) => [side, sorted(melds)])
      ),
      threes: sorted(this.threes),
      pile: [...this.pile],
      stock: this.stock,
      due: over ? null : this.due,
    };
  }

  *states() {
    yield this.state(false);
    const play = this.deal.play || [];
    const ended = this.deal.end && !["unfinished", "void", "time"].includes(this.deal.end.reason);
    for (const [place, line] of play.entries()) {
      const last = place === play.length - 1;
      if (line.penalty || line.bonus) {
        yield this.state(last && ended);
        continue;
      }
      this.due = line.seat;
      this.turn = { waits: false, topLaid: false, taken: null, laid: {}, topAt: null };
      for (const [at, action] of line.actions.entries()) {
        this.act(action);
        const over = at === line.actions.length - 1;
        if (over) {
          const side = this.sideOf(line.seat);
          this.bringRest(true);
          if (Object.keys(this.melds[side]).length) this.opened[side] = true;
          this.fillStock(line.seat);
          this.due = this.next(line.seat);
        }
        yield this.state(over && last && ended);
      }
    }
  }
}

const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
let totals = {};
const deals = [];
for (const deal of input.game.deals) {
  deals.push([...new Deal(input.rules, deal, totals).states()]);
  for (const { side, total } of deal.total ? deal.total.totals : []) totals[side] = total;
}
console.log(JSON.stringify(deals));
