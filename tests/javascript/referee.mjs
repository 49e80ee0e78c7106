// The referee: the verdict of a record, its first error, its findings and its scores.

import { Deal } from "./deal.mjs";
import { read } from "./reader.mjs";
import { rulesOf } from "./rules.mjs";
import { Rules, Undecided } from "./table.mjs";

const SEATS = "NESWABCDF";
const DIGITS = /^[0-9?]{4}-[0-9?]{2}-[0-9?]{2}$/;

/** Whether a date can be a real day, with a `?` for each digit that is not known. */
function isDate(text) {
  if (!DIGITS.test(text)) return false;
  const [year, month, day] = text.split("-");
  const fits = (pattern, number, width) => {
    const digits = String(number).padStart(width, "0");
    return [...pattern].every((digit, at) => digit === "?" || digit === digits[at]);
  };
  const leap = (number) => (number % 4 === 0 && number % 100 !== 0) || number % 400 === 0;
  const years = year.includes("?") ? [...Array(10000).keys()].filter((each) => fits(year, each, 4)) : [Number(year)];
  const months = [...Array(12).keys()].map((each) => each + 1).filter((each) => fits(month, each, 2));
  return months.some((each) => {
    const lengths = [31, years.some(leap) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    return [...Array(lengths[each - 1]).keys()].some((before) => fits(day, before + 1, 2));
  }) && years.some((each) => each > 0);
}

/** The totals that a Result tag names, or null if it has another form. */
function resultOf(text, sides) {
  const words = text.match(/[^ \t]+/g) ?? [];
  if (!words.length || words.length % 2) return null;
  const totals = {};
  for (let at = 0; at < words.length; at += 2) {
    const [side, points] = [words[at], words[at + 1]];
    if (!sides.includes(side) || side in totals || !/^-?[0-9]{1,9}$/.test(points)) return null;
    totals[side] = Number(points);
  }
  return sides.every((side) => side in totals) ? totals : null;
}

class Game {
  constructor(game) {
    this.game = game;
    this.first = []; // the findings of the tags and the rules
    this.deals = [];
    this.result = [];
    this.isOpen = false;
    this.tag = (name) => game.tags.find((tag) => tag.name === name);
  }

  judge() {
    const known = rulesOf(this.game);
    if (!known) {
      const tag = this.tag("Rules");
      const [name = "classic"] = tag.value.match(/[^ \t]+/g) ?? [];
      this.first.push({ line: tag.line, code: rulesOf({ tags: [{ name: "Rules", value: name }] }) ? "rules-option" : "rules-unknown" });
    }
    const rules = known && new Rules(known);
    this.checkTags(rules);
    if (!rules) return null;
    this.rules = rules;
    return this.judgeDeals();
  }

  checkTags(rules) {
    const bad = (name) => this.first.push({ line: this.tag(name).line, code: "tag-value" });
    const check = (name, isRight) => this.tag(name) && !isRight(this.tag(name).value) && bad(name);
    check("Date", isDate);
    check("Target", (text) => /^[1-9][0-9]{0,8}$/.test(text));
    check("Dealer", (text) => (rules?.seats ?? [...SEATS]).includes(text));
    if (!rules) return;
    for (const seat of SEATS) if (this.tag(seat) && !rules.seats.includes(seat)) bad(seat);
    check("Result", (text) => text === "*" || resultOf(text, rules.sides));
    const target = this.tag("Target");
    if (!target || this.first.some(({ line }) => line === target.line)) return;
    const written = /(?:^|[ \t])target=([^ \t]+)/.exec(this.tag("Rules")?.value ?? "");
    if (written && Number(written[1]) !== Number(target.value)) bad("Target");
    else rules.values = { ...rules.values, target: String(Number(target.value)) };
  }

  judgeDeals() {
    const { rules, game } = this;
    const named = this.tag("Dealer")?.value;
    this.totals = Object.fromEntries(rules.sides.map((side) => [side, 0]));
    let dealer = rules.seats.includes(named) ? named : null;
    let number = 1;
    this.counted = 0;
    this.isOver = false;
    const all = [];
    game.deals.forEach((written, at) => {
      const isVoid = written.end?.reason === "void";
      const deal = new Deal(rules, written, { totals: this.totals, place: this.counted + 1 });
      deal.isFollowed = at + 1 < game.deals.length;
      if (written.number !== number) {
        deal.claims.push({ line: written.line, code: "deal-number" });
        this.totals = null;
        dealer = null;
        deal.totals = null;
      }
      if (!deal.turns.length && (written.scores || written.total || written.end || deal.isFollowed) && !deal.countsNothing) throw new Undecided();
      if (written.dealer && !rules.seats.includes(written.dealer)) deal.violations.push({ line: written.line, code: "dealer" });
      else if (written.dealer && dealer && written.dealer !== dealer) deal.violations.push({ line: written.line, code: "dealer" });
      if (this.isOver && !this.saidOver) {
        deal.violations.push({ line: written.line, code: "after-game" });
        this.saidOver = true;
      }
      const deals = rules.seats.includes(written.dealer) ? written.dealer : dealer;
      const first = deal.turns[0]?.seat;
      if (deal.turns.length || written.hands || !deal.countsNothing) deal.judge(deals);
      else deal.penalties();
      all.push(this.score(deal));
      this.deals.push(deal);
      const dealt = deals ?? (rules.seats.includes(first) ? rules.seats.at(rules.seats.indexOf(first) - 1) : null);
      dealer = dealt && (isVoid ? dealt : rules.after(dealt));
      number = written.number + 1;
      if (!isVoid) this.counted += 1;
      this.checkOver(written);
    });
    this.checkResult();
    return all;
  }

  /** What a deal scored, compared with what its lines claim. */
  score(deal) {
    const { rules } = this;
    const { written } = deal;
    const scores = deal.scores();
    const sums = Object.fromEntries((written.scores ?? []).map((line) => [line.side, line]));
    const claimed = Object.fromEntries((written.total?.totals ?? []).map(({ side, total }) => [side, total]));
    for (const line of written.scores ?? []) this.compareScore(deal, line, scores);
    const before = this.totals;
    const totals = {};
    for (const side of rules.sides) {
      const score = scores?.[side].score ?? (deal.isLost || !deal.ended ? (sums[side]?.score ?? null) : null);
      const known = before?.[side] ?? null;
      totals[side] = score !== null && known !== null ? known + score : (claimed[side] ?? null);
      if (side in claimed && totals[side] !== claimed[side]) deal.claim(false, "total", written.total);
    }
    for (const side of Object.keys(claimed)) if (!rules.sides.includes(side)) deal.claim(false, "total", written.total);
    if (scores || written.scores || written.total) this.totals = totals;
    return Object.fromEntries(
      rules.sides.map((side) => [side, { score: scores?.[side].score ?? null, items: scores?.[side].items ?? {}, total: this.totals?.[side] ?? null }]),
    );
  }

  compareScore(deal, line, scores) {
    if (!this.rules.sides.includes(line.side)) return deal.claim(false, "score", line);
    const items = line.items && Object.fromEntries(line.items.map(({ item, points }) => [item, points]));
    const found = scores?.[line.side];
    if (items) {
      const sum = Object.values(items).reduce((one, other) => one + other, 0);
      deal.claim(sum === line.score, "score-sum", line);
    }
    if (!found) return null;
    deal.claim(found.score === line.score, "score", line);
    if (!items) return null;
    const computed = { ...found.items };
    if ("cards" in items) {
      computed.cards = (computed.melds ?? 0) + (computed.hand ?? 0);
      delete computed.melds;
      delete computed.hand;
    }
    const names = new Set([...Object.keys(items), ...Object.keys(computed)]);
    for (const name of names) if ((items[name] ?? 0) !== (computed[name] ?? 0)) deal.claim(false, "score-item", line);
    return null;
  }

  checkOver(written) {
    const { rules, totals } = this;
    if (written.end?.reason === "time") {
      this.isOver = true;
      return;
    }
    if (!totals || written.end?.reason === "void") return;
    const all = Object.values(totals);
    if (all.some((total) => total === null)) return;
    const most = Math.max(...all);
    const isAlone = all.filter((total) => total === most).length === 1;
    const reached = most >= rules.limit("target") || this.counted >= rules.limit("game.deals");
    if (reached && isAlone) this.isOver = true;
  }

  checkResult() {
    const tag = this.tag("Result");
    if (!tag || this.first.some(({ line }) => line === tag.line)) return;
    const { totals, rules } = this;
    const wrong = () => this.result.push({ line: tag.line, code: "result" });
    if (tag.value === "*") {
      if (this.isOver) wrong();
      return;
    }
    const claimed = resultOf(tag.value, rules.sides);
    if (!totals || rules.sides.some((side) => totals[side] !== null && totals[side] !== claimed[side])) wrong();
  }

  findings() {
    const byLine = (found) => [...found].sort((one, other) => one.line - other.line);
    return [...byLine(this.first), ...this.deals.flatMap(({ violations, claims }) => [...byLine(violations), ...byLine(claims)]), ...this.result];
  }
}

/** What the referee says about a record. Throws Undecided if it cannot say it. */
export function referee(text) {
  const { games, errors } = read(text);
  const judged = games.map((each) => new Game(each));
  if (errors.length) return { verdict: "contradicted", first_error: errors[0].line };
  const scores = judged.map((game) => game.judge() ?? game.game.deals.map(() => ({})));
  const found = judged.flatMap((game) => game.findings());
  const open = judged.some(({ deals }) => deals.some(({ isOpen }) => isOpen));
  const warnings = judged.flatMap(({ deals }) => deals.flatMap((deal) => deal.warnings ?? []));
  const pairs = new Map([...found, ...warnings].map(({ line, code }) => [`${line} ${code}`, [line, code]]));
  return {
    verdict: found.length ? "contradicted" : open ? "undetermined" : "verified",
    first_error: found[0]?.line ?? null,
    scores,
    findings: [...pairs.values()].sort(([one], [other]) => one - other),
  };
}

export { Undecided };
