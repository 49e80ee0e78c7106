// Follows the cards of games that were played by their rules, every card written, as the section
// "Following the cards" of grammar/SPECIFICATION.md says.

import { byLabel, sorted } from "./canonical.mjs";

const SEATS = { 2: "NS", 3: "NES", 4: "NESW", 6: "ABCDEF" };
const SIDES = { 2: ["N", "S"], 3: ["N", "E", "S"], 4: ["NS", "EW"], 6: ["ACE", "BDF"] };

/** Return the values of the keys for a game, null if its profile is not known. */
export function rulesOf(game, profiles) {
  const tag = game.tags.find((each) => each.name === "Rules");
  const [name, ...overrides] = (tag?.value ?? "").split(/ +/).filter(Boolean);
  const profile = profiles[name ?? "classic"];
  if (!profile) return null;
  const changed = Object.fromEntries(overrides.map((each) => each.split("=")));
  const values = { ...profile.values, ...changed };
  const players = Number(values.players);
  const three = players === 6 && values.sides === "3";
  return { ...values, seats: SEATS[players], sideNames: three ? ["AD", "BE", "CF"] : SIDES[players] };
}

/** The cards of one deal. */
class Table {
  constructor(rules, deal, dealer) {
    this.rules = rules;
    this.hands = {};
    this.melds = Object.fromEntries(rules.sideNames.map((side) => [side, {}]));
    this.threes = Object.fromEntries(rules.sideNames.map((side) => [side, []]));
    this.pile = [...(deal.up?.cards ?? [])];
    this.frozen = this.pile.some((card) => this.named("up.freezes", card));
    this.stock = 52 * Number(rules["deck.packs"]) + Number(rules["deck.jokers"]) - this.pile.length;
    for (const line of deal.hands ?? []) this.dealHand(line);
    if (rules["talon.from"] === "aside") {
      for (const size of rules["deal.talons"].split(",")) this.stock -= Number(size) || 0;
    }
    this.due = this.after(dealer);
    this.ended = null;
  }

  after(seat) {
    const { seats } = this.rules;
    return seats[(seats.indexOf(seat) + 1) % seats.length];
  }

  side(seat) {
    return this.rules.sideNames.find((side) => side.includes(seat));
  }

  /** Whether a key's list names a card: wild, red3, black3. */
  named(key, card) {
    const kind = "2*".includes(card[0]) ? "wild" : card[0] !== "3" ? null : "hd".includes(card[1]) ? "red3" : "black3";
    return this.rules[key].split(",").includes(kind);
  }

  mustTable(card) {
    return card[0] === "3" && ("hd".includes(card[1]) || this.rules["score.red3"].startsWith("per-colour"));
  }

  dealHand({ seat, cards, replacements = [] }) {
    const every = [...cards, ...replacements];
    this.stock -= every.length;
    const threes = every.filter((card) => this.mustTable(card));
    const blackFirst = [...threes].sort((one, other) => "hd".includes(one[1]) - "hd".includes(other[1]));
    const keeps = this.rules["deal.three_kept"] !== "no" ? threes.length - replacements.length : 0;
    const tabled = blackFirst.slice(keeps);
    this.hands[seat] = without(every, tabled);
    this.threes[this.side(seat)].push(...tabled);
  }

  /** Put cards of the stock into a hand; `due` of them are not replacements. */
  draw(seat, cards, due) {
    this.stock -= cards.length;
    const threes = cards.filter((card) => this.mustTable(card));
    const missing = Math.max(0, due + threes.length - cards.length);
    const kept = this.rules["deal.three_kept"] === "no" ? 0 : missing;
    const tabled = threes.slice(0, threes.length - kept);
    this.threes[this.side(seat)].push(...tabled);
    this.hands[seat].push(...without(cards, tabled));
  }

  frozenFor(side) {
    const closed = this.rules["pile.frozen_until_opened"] === "yes" && !Object.keys(this.melds[side]).length;
    return this.rules["pile.always_frozen"] === "yes" || closed || this.frozen;
  }

  /** Whether the top joins a meld at once although the take does not name it. */
  joins(side, top) {
    const size = this.melds[side][top[0]]?.length ?? 0;
    const allowed = this.rules["pile.onto_meld"] === "yes" && (size < 7 || this.rules["pile.onto_canasta"] === "yes");
    return size > 0 && allowed && !this.frozenFor(side);
  }

  meld(side, label, cards) {
    (this.melds[side][label] ??= []).push(...cards);
  }

  play(turn) {
    const { seat } = turn;
    const side = this.side(seat);
    let waiting = null;
    for (const action of turn.actions) {
      if ("take" in action) waiting = this.take(seat, side, action);
      else if ("lay" in action) {
        if (waiting && action.lay[0] === waiting[0]) {
          this.meld(side, action.lay, [waiting]);
          waiting = null;
        }
        this.meld(side, action.lay, action.cards);
        this.hands[seat] = without(this.hands[seat], action.cards);
      } else this.act(seat, side, action);
    }
    const special = turn.actions.some((action) => "special" in action);
    this.due = this.after(seat);
    if (!this.hands[seat].length) this.ended = `${special ? "special" : "out"} ${seat}`;
  }

  /** Take the pile; return the top card if it waits for a group of its rank, else null. */
  take(seat, side, action) {
    const top = this.pile.pop();
    const onto = action.onto ?? (this.joins(side, top) ? top[0] : null);
    if (onto) this.meld(side, onto, [top]);
    const threes = this.pile.filter((card) => this.mustTable(card));
    this.threes[side].push(...threes);
    this.hands[seat].push(...without(this.pile, threes));
    [this.pile, this.frozen] = [[], false];
    return onto ? null : top;
  }

  act(seat, side, action) {
    if ("draw" in action) this.draw(seat, action.draw, Number(this.rules["draw.count"]));
    else if ("threes" in action) {
      this.hands[seat] = without(this.hands[seat], action.threes);
      this.threes[side].push(...action.threes);
      this.draw(seat, action.replacements ?? [], action.threes.length);
    } else if ("combine" in action) {
      this.meld(side, action.onto, this.melds[side][action.combine]);
      delete this.melds[side][action.combine];
    } else if ("special" in action) this.hands[seat] = without(this.hands[seat], action.cards);
    else if ("discard" in action) {
      this.hands[seat] = without(this.hands[seat], [action.discard]);
      this.pile.push(action.discard);
      this.frozen ||= this.named("pile.freezers", action.discard);
    } else if ("talon" in action) this.takeTalon(seat, side, action);
  }

  takeTalon(seat, side, { talon, replacements = [] }) {
    if (this.rules["talon.from"] === "stock") this.stock -= talon.length;
    const stay = this.rules["talon.threes"] === "next-turn";
    const threes = stay ? [] : talon.filter((card) => this.mustTable(card));
    this.threes[side].push(...threes);
    this.hands[seat].push(...without(talon, threes));
    if (replacements.length) this.draw(seat, replacements, threes.length);
  }

  state() {
    const entries = (value, write) => Object.fromEntries(Object.entries(value).map(([name, each]) => [name, write(each)]));
    const state = {
      hands: Object.fromEntries([...this.rules.seats].map((seat) => [seat, sorted(this.hands[seat]).join("")])),
      melds: entries(this.melds, (melds) =>
        byLabel(Object.keys(melds)).map((label) => `${label}:${sorted(melds[label]).join("")}`).join(" "),
      ),
      threes: entries(this.threes, (cards) => sorted(cards).join("")),
      pile: this.pile.join(""),
      stock: this.stock,
      due: this.ended ? null : this.due,
    };
    return this.ended ? { ...state, ended: this.ended } : state;
  }
}

function without(cards, gone) {
  const left = [...cards];
  for (const card of gone) left.splice(left.indexOf(card), 1);
  return left;
}

/** Return, for each deal of a game, the table as dealt and after each turn. */
export function replay(game, rules) {
  let dealer = game.tags.find((tag) => tag.name === "Dealer")?.value ?? null;
  return game.deals.map((deal) => {
    dealer = deal.dealer ?? dealer;
    const table = new Table(rules, deal, dealer);
    dealer = table.after(dealer);
    const turns = (deal.play ?? []).filter((line) => line.actions);
    const states = [table.state()];
    turns.forEach((turn, at) => {
      table.play(turn);
      const last = at === turns.length - 1;
      if (last && !table.ended && table.stock === 0) table.ended = "stock";
      states.push(table.state());
    });
    return states;
  });
}
