// The score pad: figures that are tapped and cards that are counted, live sums, the score on paper,
// earlier rows, and the standings of an evening.
import { button, el, problem, show } from "../dom.js";
import { language, say, today } from "../language.js";
import { ask, look, ready } from "../referee.js";
import { add, all, enter } from "../store.js";
import { history } from "./history.js";
import { relist } from "./home.js";
import { standingsOf } from "./players.js";
import { session } from "./session.js";

// A number with the other sign.
const turned = (value) => {
  const text = String(value ?? "");
  return /^[-−]/.test(text) ? text.slice(1) : `-${text}`;
};

export async function pad(id) {
  const open = await session(id, () => changed());
  let drawn = "";
  let updates = [];
  let sums = {};
  let refused = null;
  let busy = false;
  let toTop = false;
  let paper = {};
  // The figure that the keys write, and whether a key was the last to write one.
  let active = { side: "", part: "cards" };
  let pressed = false;
  const opened = new Set();

  const draft = () => open.game.draft;
  const editing = () => draft().at ?? null;
  const part = ({ at }) => (at === undefined ? "rows" : "edit");
  const rows = () => draft()[part(draft())] || {};

  // --- changes ---------------------------------------------------------------------------------

  // Changes the figures of a side; the screen shows them when they are on the disk.
  const tapped = (work) => open.change((game) => {
    const name = part(game.draft);
    const all = structuredClone(game.draft[name] || {});
    work(all);
    game.draft = { ...game.draft, [name]: all };
    game.updated = Date.now();
  }).then(() => { refused = null; update(); });
  const tap = (side, work) => tapped((all) => {
    const figures = all[side] || {};
    work(figures);
    all[side] = figures;
  });
  // How the deal ended: the player or the side that went out, or an answer if nobody did.
  const ends = (side, seat, end) => (all) => {
    for (const each of open.game.view.sides) {
      if (each.side in all || each.side === side) {
        all[each.side] = { ...all[each.side], out: each.side === side ? seat : "" };
      }
    }
    all.end = end;
  };

  function update() {
    updates.forEach((each) => each());
    live();
  }

  async function live() {
    const { text } = open.game;
    const found = await look("pad_draft", [text, rows(), editing()], "sums");
    if (!found || open.closed || text !== open.game.text) return;
    sums = found.sides;
    updates.forEach((each) => each());
  }

  async function replaced(text, next, what) {
    const before = open.game.text;
    const viewOf = `${language()} ${text}`;
    const view = await ask("pad", [text]);
    await open.change((game) => {
      if (game.text === before) enter(game, text, { view, viewOf, draft: next, what });
    });
    relist(open.game);
    sums = {};
    refused = null;
    paper = {};
  }

  // Runs one action at a time, after every tap before it is stored; nothing can be tapped meanwhile.
  const alone = (action) => async () => {
    if (busy) return;
    busy = true;
    refused = null;
    draw();
    try {
      if (await open.settled()) await action();
      else refused = { message: say("last_unsaved") };
    } catch (error) {
      refused = { message: error.message };
    }
    busy = false;
    draw();
    if (toTop) scrollTo(0, 0);
    else if (refused?.ask) document.querySelector(".ended").focus();
    toTop = false;
  };

  // The scores on paper for a deal: those in the record, and those typed since.
  const saidOf = (at) => ({
    ...Object.fromEntries(Object.entries(open.game.view.deals[at]?.papers || {})
      .map(([side, { score }]) => [side, String(score)])),
    ...(draft().paper?.at === at ? draft().paper.said : {}),
  });

  // The record with the scores that are typed from the paper; null if one of them cannot be kept.
  async function claimed() {
    const { text } = open.game;
    if (!draft().paper) return text;
    const found = await ask("pad_claim", [text, draft().paper.at, draft().paper.said]);
    if (found.text === null) {
      refused = { message: Object.values(found.wrong).join("; "), paper: true };
    }
    return found.text;
  }

  async function enterRows() {
    const at = editing();
    const text = draft().paper?.at === at ? open.game.text : await claimed();
    if (text === null) return;
    const found = await ask("pad_draft", [text, rows(), at]);
    sums = found.sides;
    if (found.text === null || found.ask) {
      refused = found;
      return;
    }
    const place = at ?? open.game.view.deal - 1;
    const next = { paper: { at: place, said: at === null ? {} : saidOf(at) } };
    await replaced(found.text, at === null ? next : { ...next, rows: draft().rows },
      [at === null ? "did_deal" : "did_change", { d: place + 1 }]);
    toTop = true;
  }
  const enterDeal = alone(enterRows);
  const answer = (...end) => alone(async () => {
    await tapped(ends(...end));
    await enterRows();
  });

  // What a draft keeps while another part of it is finished.
  const kept = ({ rows: held, paper: typed }) => ({ rows: held, ...(typed && { paper: typed }) });

  const chooseRow = (text) => alone(() => {
    const at = editing();
    const next = { rows: draft().rows };
    return replaced(text, at === null ? next : { ...next, paper: { at, said: saidOf(at) } },
      [at === null ? "did_deal" : "did_change", { d: (at ?? open.game.view.deal - 1) + 1 }]);
  });
  // The panel stays open while the score of another side differs.
  const choosePaper = (text) => alone(async () => {
    const { at, said } = draft().paper;
    const found = await ask("pad_paper", [text, at, said]);
    const differs = Object.values(found).some((each) => !each.kept);
    await replaced(text, differs ? kept(draft()) : { rows: draft().rows },
      ["did_paper", { d: at + 1 }]);
  });
  const editRow = (at) => alone(async () => {
    const edit = await ask("pad_row", [open.game.text, at]);
    await open.change((game) => {
      game.draft = { ...kept(game.draft), at, edit };
    });
    sums = {};
    toTop = true;
  });
  const stopEditing = alone(() => open.change((game) => {
    game.draft = kept(game.draft);
  }));
  // A score on paper that differs is kept; if it was not shown before the tap, the panel stays open.
  async function settlePaper(shown) {
    const { at, said } = draft().paper;
    const found = await ask("pad_paper", [open.game.text, at, said]);
    const unseen = Object.keys(found).some((side) => shown[side]?.message !== found[side].message);
    const text = await claimed();
    if (text === null) return false;
    const next = unseen ? kept(draft()) : { rows: draft().rows };
    if (text !== open.game.text) await replaced(text, next, ["did_paper", { d: at + 1 }]);
    else await open.change((game) => { game.draft = next; });
    return !unseen;
  }
  const closePaper = () => {
    const shown = paper;
    return alone(() => settlePaper(shown))();
  };
  const leave = () => {
    const shown = paper;
    return alone(async () => {
      const typed = open.held && draft().paper && editing() === null;
      if (!typed || await settlePaper(shown)) location.hash = `game/${id}`;
    })();
  };
  const moved = (work) => alone(async () => {
    await open.change(work);
    sums = {};
    await viewed();
    relist(open.game);
  });

  // --- the screen ------------------------------------------------------------------------------

  const nameOf = (side) => open.game.view.sides.find((each) => each.side === side)?.name ?? side;
  const figure = (side, key) => rows()[side]?.counts?.[key] || 0;
  const setCount = (side, key, next) => tap(side, (figures) => {
    const counts = figures.counts || {};
    figures.counts = { ...counts, [key]: Math.max(0, next(Number(counts[key] || 0))) };
  });

  // A canasta: each tap is one more.
  function stepper(side, { key, label, worth }) {
    const shown = el("b", { className: "count" });
    const keyOf = (sign) => ({ data: { key: `${side} ${key} ${sign}` } });
    const about = `${nameOf(side)}, ${label}`;
    const times = worth ? `${worth} × ` : "× ";
    const more = button("", () => setCount(side, key, (held) => held + 1), {
      ...keyOf("+"), className: "counted" });
    more.append(el("span", { textContent: `${label} ` }),
      el("span", {}, el("small", { textContent: times }), shown));
    updates.push(() => {
      shown.textContent = figure(side, key);
      // What is said contains what is shown.
      more.setAttribute("aria-label", say("one_more", { f: `${about} ${times}${figure(side, key)}` }));
    });
    return el("div", { className: "steps", role: "group", "aria-label": about },
      button("−", () => setCount(side, key, (held) => held - 1), {
        ...keyOf("-"), "aria-label": say("one_less", { f: about }) }), more);
  }

  // Something of which there are only a few: a tap says how many.
  function numbers(side, { key, label, most }) {
    return el("div", { className: "figure", role: "group", "aria-label": `${nameOf(side)}, ${label}` },
      el("span", { className: "label", textContent: label }),
      el("div", { className: "numbers" }, Array.from({ length: most + 1 }, (_, number) => {
        const made = button(String(number), () => setCount(side, key, () => number), {
          data: { key: `${side} ${key} ${number}` },
          "aria-label": `${nameOf(side)}, ${label}: ${number}` });
        updates.push(() => made.setAttribute("aria-pressed", String(figure(side, key) === number)));
        return made;
      })));
  }

  // A field of the draft: what is typed is stored at once, and is not replaced by what was stored
  // before it.
  function field(side, key, label, get, set, more = {}) {
    let storing = 0;
    const input = el("input", {
      autocomplete: "off", autocapitalize: "off", enterKeyHint: "done",
      data: { key: `${side} ${key}` }, "aria-label": `${nameOf(side)}, ${label}`, ...more,
      oninput: async () => {
        const { value } = input;
        pressed = false;
        storing += 1;
        await tap(side, (figures) => set(figures, value));
        storing -= 1;
      },
    });
    updates.push(() => {
      const typing = document.activeElement === input && input.value !== "" && !pressed;
      if (!storing && !typing) input.value = get(rows()[side] || {}) ?? "";
    });
    return input;
  }

  // A number of points, with a key for its sign: number pads of phones have none.
  function points(side, key, label, get, set) {
    const input = field(side, key, label, get, set, { inputMode: "numeric" });
    const sign = button("±", () => tap(side, (figures) => set(figures, turned(get(figures)))), {
      data: { key: `${side} ${key} ±` }, "aria-label": say("change_sign", { f: `${nameOf(side)}, ${label}` }) });
    return el("div", { className: "figure" },
      el("span", { className: "label", textContent: label }),
      el("div", { className: "steps" }, input, sign));
  }

  const countedPoints = (side, { key, label }) => points(side, key, label,
    (figures) => figures.counts?.[key],
    (figures, value) => { figures.counts = { ...figures.counts, [key]: value }; });
  const item = (side, { key, label }) => points(side, key, label,
    (figures) => figures.items?.[key],
    (figures, value) => { figures.items = { ...figures.items, [key]: value }; });

  // --- the points of cards: one number, or melds and hand apart, counted or typed ---------------

  // One number and its two parts exclude each other: what is typed last stays.
  function setCards(figures, part, value) {
    figures[part] = value;
    if (part === "cards") Object.assign(figures, { melds: "", hand: "", counted: {} });
    else figures.cards = "";
  }

  function cardField(side, part, label) {
    const input = field(side, part, label, (figures) => figures[part],
      (figures, value) => setCards(figures, part, value),
      { inputMode: "none", onfocus: () => activate(side, part), onclick: () => activate(side, part) });
    updates.push(() => input.classList.toggle("active", active.side === side && active.part === part));
    return el("label", { className: "figure" }, el("span", { className: "label", textContent: label }), input);
  }

  // The cards counted so far, and what they come to.
  function countedCards(side) {
    const line = el("p", { className: "soft", hidden: true, data: { counted: side } });
    const values = open.game.view.cards;
    updates.push(() => {
      const { counted = {}, ...typed } = rows()[side] || {};
      const parts = ["melds", "hand"].filter((part) => counted[part]?.length).map((part) => {
        const counts = counted[part].map(([number, value]) => `${number}×${value}`);
        const piles = [...counts, ...(typed[part] ? [typed[part]] : [])].join(" + ");
        const sum = sums[side]?.counted?.[part];
        return `${say(part)}: ${piles}${sum === undefined ? "" : ` = ${sum}`}`;
      });
      // Until a deal is entered, the active side says how cards are counted.
      const hint = active.side === side && !open.game.view.deals.length && !parts.length;
      line.hidden = !parts.length && !hint;
      line.textContent = hint ? say("count_hint", { x: values.at(-2) ?? values[0] }) : parts.join("; ");
    });
    return line;
  }

  function activate(side, part = active.side === side ? active.part : "cards") {
    if (active.side === side && active.part === part) return;
    active = { side, part };
    updates.forEach((each) => each());
  }

  const press = (work) => () => {
    const { side, part } = active;
    pressed = true;
    tap(side, (figures) => work(figures, part));
  };
  const digit = (sign) => press((figures, part) => setCards(figures, part, `${figures[part] ?? ""}${sign}`));
  const back = press((figures, part) => {
    const typed = String(figures[part] ?? "");
    const piles = figures.counted?.[part] || [];
    if (typed || !piles.length) setCards(figures, part, typed.slice(0, -1));
    else figures.counted = { ...figures.counted, [part]: piles.slice(0, -1) };
  });
  const sign = press((figures, part) => setCards(figures, part, turned(figures[part])));
  // As many cards of a value as the number that was just typed, or one card.
  const counts = (value) => () => {
    const from = active.part;
    if (from === "cards") active = { ...active, part: "melds" };
    press((figures, part) => {
      const number = String(figures[from] ?? "").replace(/\D/g, "") || "1";
      const counted = figures.counted || {};
      figures.counted = { ...counted, [part]: [...(counted[part] || []), [number, String(value)]] };
      Object.assign(figures, { cards: "", [from]: "" });
    })();
  };

  function keypad() {
    const said = el("p", { className: "label", "aria-live": "polite" });
    updates.push(() => { said.textContent = `${nameOf(active.side)}: ${say(active.part)}`; });
    const one = (text, key, action, label = text) => button(text, action, {
      data: { key }, "aria-label": label });
    return el("div", { className: "keypad", role: "group", "aria-label": say("cards") }, said,
      el("div", { className: "keys" },
        [..."1234567890"].map((each) => one(each, `key ${each}`, digit(each))),
        one("±", "key ±", sign, say("change_sign", { f: say("cards") })),
        one("⌫", "key back", back, say("last_away"))),
      el("div", { className: "values" }, open.game.view.cards.map((value) => one(
        `×${value}`, `key ×${value}`, counts(value), say("cards_of", { x: value })))));
  }

  // --- who went out, and what is rare ----------------------------------------------------------

  function toggle(key, text, pressedNow, work) {
    const made = button(text, () => tapped(work), { data: { key } });
    updates.push(() => made.setAttribute("aria-pressed", String(pressedNow())));
    return made;
  }

  const out = (side, seat, text) => toggle(`${side} out ${seat}`, text,
    () => rows()[side]?.out === seat,
    (all) => ends(side, all[side]?.out === seat ? "" : seat, "")(all));

  function wentOut(shown) {
    const concealed = shown.filter(() => open.game.view.concealed).map(({ side }) => {
      const made = toggle(`${side} concealed`, say("concealed"), () => Boolean(rows()[side]?.concealed),
        (all) => { all[side] = { ...all[side], concealed: !all[side]?.concealed }; });
      updates.push(() => { made.hidden = !rows()[side]?.out; });
      return made;
    });
    return el("div", { className: "figure", role: "group", "aria-label": say("went_out") },
      el("span", { className: "label", textContent: say("went_out") }),
      el("div", { className: "row" },
        shown.flatMap(({ side, players }) => players.map(({ seat, name }) => out(side, seat, name))),
        concealed));
  }

  // How the deal ended if nobody went out, or nobody knows who.
  function otherEnds(shown) {
    const many = shown.filter(({ players }) => players.length > 1);
    const alone = editing() === null;
    const found = open.game.view.ends.filter((each) => alone || !each.alone);
    const box = el("div", { className: "row" }, found.map(({ key, label }) => toggle(
      `end ${key}`, label, () => rows().end === key,
      (all) => ends("", "", all.end === key ? "" : key)(all))));
    updates.push(() => {
      box.hidden = Boolean(refused?.ask) || Object.values(rows()).some((each) => each.out);
    });
    const used = rows().end || many.some(({ side }) => rows()[side]?.out === side);
    const whole = el("details", { open: Boolean(used) || opened.has("ends"),
      ontoggle: () => (whole.open ? opened.add("ends") : opened.delete("ends")) },
      el("summary", { textContent: say("ended_other") }), box,
      el("div", { className: "row" }, many.map(({ side, name }) =>
        out(side, side, say("not_known_who", { f: name })))));
    return whole;
  }

  function special({ side, players }) {
    const select = el("select", {
      "aria-label": `${nameOf(side)}: ${say("who_special")}`, data: { key: `${side} special by` },
      onchange: () => {
        const { value } = select;
        tap(side, (figures) => { figures.special = value; });
      },
    }, el("option", { value: "", textContent: say("who_special") }),
      players.map(({ seat, name }) => el("option", { value: seat, textContent: name })));
    updates.push(() => {
      select.value = rows()[side]?.special || "";
      select.hidden = !rows()[side]?.items?.special;
    });
    return select;
  }

  // The penalties or the bonuses of a side: `kind` is one of them, `many` their name in a draft.
  function rulings(side, kind, many) {
    const box = el("div", {});
    let drawnNow = -1;
    const redraw = () => {
      const held = rows()[side]?.[many] || [];
      if (held.length === drawnNow) return;
      drawnNow = held.length;
      box.replaceChildren(...held.map((_, at) => ruling(side, kind, many, at)));
    };
    redraw();
    updates.push(redraw);
    const more = button(say(`add_${kind}`), () => tap(side, (figures) => {
      figures[many] = [...(figures[many] || []), { points: "", why: "" }];
    }), { data: { key: `${side} ${kind} +` } });
    return el("div", { className: "figure" }, box, more);
  }

  function ruling(side, kind, many, at) {
    const part = (name, label, more) => field(
      side, `${kind} ${at} ${name}`, say(`${kind}_part`, { d: at + 1, f: label }),
      (figures) => figures[many]?.[at]?.[name],
      (figures, value) => {
        const held = figures[many] || [];
        if (held[at]) held[at] = { ...held[at], [name]: value };
      },
      { placeholder: label, ...more });
    const without = (figures) => { figures[many]?.splice(at, 1); };
    return el("div", { className: "steps" },
      part("points", say("points"), { inputMode: "numeric" }), part("why", say("why"), {}),
      button("×", () => tap(side, without), {
        data: { key: `${side} ${kind} ${at} -` },
        "aria-label": say("remove", { f: say(`${kind}_part`, { d: at + 1, f: "" }) }) }));
  }

  function threesAsked(side) {
    const text = el("p", {});
    const melded = (against, key) => toggle(`${side} melded ${key}`, say(key),
      () => Boolean(rows()[side]?.against) === against,
      (all) => { all[side] = { ...all[side], against }; });
    const box = el("div", { className: "asked", hidden: true }, text,
      el("div", { className: "row" }, melded(false, "yes"), melded(true, "no")));
    updates.push(() => {
      box.hidden = !sums[side]?.asks;
      text.textContent = sums[side]?.asks || "";
    });
    return box;
  }

  // The question how the deal ended; an answer enters the deal.
  function endAsked(question, sides) {
    const one = (key, text, ...end) => button(text, answer(...end), { data: { key: `ask ${key}` } });
    const found = open.game.view.ends.filter((each) => !each.alone);
    const box = el("div", { className: "ended panel", role: "group", tabIndex: -1, "aria-label": question },
      problem(question),
      sides.map(({ side, name, players }) => el("div", { className: "row" },
        players.map((each) => one(`out ${each.seat}`, each.name, side, each.seat, "")),
        players.length > 1 ? one(`out ${side}`, say("not_known_who", { f: name }), side, side, "") : null)),
      el("div", { className: "row" },
        found.map(({ key, label }) => one(`end ${key}`, label, "", "", key))));
    updates.push(() => { box.hidden = !refused; });
    return box;
  }

  // --- a side ----------------------------------------------------------------------------------

  function column(sideView, number) {
    const { side, name, total, minimum } = sideView;
    const view = open.game.view;
    const wrong = el("p", { className: "bad", hidden: true });
    // Figures that are still being tapped may be anything: only those that were entered are judged.
    updates.push(() => {
      const found = refused?.sides?.[side];
      const text = found?.error || found?.findings?.map((each) => each.message).join("; ") || "";
      wrong.textContent = text;
      wrong.hidden = !text;
    });
    const before = view.columns.slice(0, -1);
    const taps = before.filter(({ counted, most }) => counted && most === null);
    const others = before.filter((each) => !taps.includes(each));
    const so = editing() === null && minimum !== null
      ? el("small", { textContent: say("total_opens", { x: total ?? "?", y: minimum }) }) : null;
    return el("section", { className: "side", "aria-label": name, onclick: () => activate(side) },
      el("h2", { className: `side${number}` }, name, so),
      el("div", { className: "taps" }, taps.map((each) => stepper(side, each))),
      others.map((each) => (each.counted ? numbers(side, each) : countedPoints(side, each))),
      threesAsked(side),
      el("div", { className: "cards" }, ["cards", "melds", "hand"].map((part) =>
        cardField(side, part, say(part)))),
      countedCards(side), wrong);
  }

  // What few deals have: other items, the score alone, penalties and bonuses.
  function rarely(sideView) {
    const { side, name } = sideView;
    const { view } = open.game;
    const used = rows()[side] || {};
    const rare = used.score || used.penalties?.length
      || used.bonuses?.length || Object.values(used.items || {}).some(Boolean);
    const more = el("details", { open: Boolean(rare) || opened.has(side),
      ontoggle: () => (more.open ? opened.add(side) : opened.delete(side)) },
      el("summary", { textContent: say("more_for", { f: name }) }),
      view.items.map((each) => item(side, each)),
      view.items.some(({ key }) => key === "special") && sideView.players.length > 1
        ? special(sideView) : null,
      points(side, "score", say("score_alone"), (figures) => figures.score,
        (figures, value) => { figures.score = value; }),
      rulings(side, "penalty", "penalties"),
      view.bonuses || used.bonuses?.length ? rulings(side, "bonus", "bonuses") : null);
    return more;
  }

  // What is always in sight: the keys, the sums, and the button that enters the deal.
  function bar(shown) {
    const at = editing();
    return el("div", { className: "bar" }, keypad(),
      el("div", { className: "entering" },
        shown.map(({ side, name }) => {
          const number = open.game.view.sides.findIndex((each) => each.side === side);
          const sum = el("output", { className: "sum", data: { sum: side },
            "aria-label": say("sum_of", { f: name }) });
          updates.push(() => { sum.textContent = sums[side]?.score ?? ""; });
          return el("div", { className: "summed" }, el("span", { className: `label side${number}`, textContent: name }), sum);
        }),
        button(say(at === null ? "enter_deal" : "change_deal"), enterDeal, {
          className: "first", data: { key: "enter" } })));
  }

  function standings() {
    const { sides, deals } = open.game.view;
    if (!deals.length) return null;
    const cell = (value) => el("td", { textContent: value ?? "" });
    // A score as it is on paper, and what its row comes to if that differs.
    const score = (side, { number, scores, papers }) => (papers[side]
      ? el("td", { className: "bad", data: { claim: `${number} ${side}` } }, String(scores[side]),
        el("small", { textContent: say("row_is", { x: papers[side].row }) }))
      : cell(scores[side]));
    const head = el("tr", {}, el("th", { textContent: say("deal") }),
      sides.map(({ name }, at) => el("th", { scope: "col", className: `side${at}`, textContent: name })));
    const dealt = deals.map(({ number, sheet, uncounted, ...deal }) => el("tr", {},
      el("th", { scope: "row" }, sheet && open.held
        ? button(`${number} ✎`, editRow(number - 1), {
          data: { key: `deal ${number}` }, "aria-label": say("change_deal_number", { d: number }) })
        : String(number)),
      uncounted ? el("td", { colSpan: sides.length, textContent: uncounted })
        : sides.map(({ side }) => score(side, { number, ...deal }))));
    const totals = el("tr", { className: "totals" }, el("th", { scope: "row", textContent: say("total") }),
      sides.map(({ side, total }) => el("td", { data: { total: side }, textContent: total ?? "?" })));
    return el("div", {}, el("table", {}, el("caption", { className: "unseen", textContent: say("so_far") }),
      el("thead", {}, head), el("tbody", {}, dealt, totals)),
      el("p", { className: "soft", textContent: say("tap_deal") }));
  }

  // The scores on paper that differ from their rows, and what the differences may be.
  function claims() {
    const { sides, deals } = open.game.view;
    const panel = editing() === null && draft().paper ? draft().paper.at + 1 : 0;
    const others = deals.filter(({ number, papers }) => number !== panel && Object.keys(papers).length);
    const last = others.at(-1);
    return others.flatMap(({ number, papers }) => sides.filter(({ side }) => papers[side])
      .map(({ side, name }) => el("details", { className: "panel", open: number === last.number,
        data: { difference: `${number} ${side}` } },
      el("summary", { className: "bad", textContent: say("deal_differs", {
        d: number, n: name, f: papers[side].message }) }),
      may(papers[side]))));
  }

  const may = ({ may: found = [] }) => (found.length
    ? el("div", {}, el("p", { textContent: say("it_may_be") }),
      el("ul", {}, found.map((text) => el("li", { textContent: text }))))
    : el("p", { textContent: say("unexplained") }));

  function paperPanel() {
    const { at } = draft().paper;
    const deal = open.game.view.deals[at];
    if (!deal || deal.uncounted) return null;
    const compare = async () => {
      const { text } = open.game;
      const found = await look("pad_paper", [text, at, draft().paper?.said || {}], "paper");
      if (!found || open.closed || text !== open.game.text) return;
      paper = found;
      updates.forEach((each) => each());
    };
    const lines = open.game.view.sides.filter(({ side }) => side in deal.scores).map((each) => {
      const { side, name } = each;
      const input = el("input", {
        inputMode: "numeric", data: { key: `${side} paper` }, placeholder: String(deal.scores[side]),
        "aria-label": say("on_paper_of", { f: name }), value: draft().paper.said[side] || "",
        oninput: () => {
          const { value } = input;
          open.change((game) => {
            const said = { ...game.draft.paper?.said, [side]: value };
            game.draft = { ...game.draft, paper: { at, said } };
          }).then(compare);
        },
      });
      const differs = el("div", {});
      let drawnNow = null;
      updates.push(() => {
        if (drawnNow === paper[side]) return;
        drawnNow = paper[side];
        differs.replaceChildren(...(drawnNow ? choices(at, side, drawnNow) : []));
      });
      return el("div", {}, el("p", { className: "steps" },
        el("span", { textContent: say("score_on_paper", { n: name, x: deal.scores[side] }) }), input), differs);
    });
    const done = button("", closePaper, { className: "first", data: { key: "paper done" } });
    updates.push(() => {
      done.textContent = say(Object.keys(paper).length ? "go_on_keep" : "go_on");
    });
    if (!busy) compare();
    return el("fieldset", { className: "panel", disabled: busy, "aria-label": say("on_paper") },
      el("h2", { textContent: say("same_on_paper", { d: at + 1 }) }), lines,
      refused?.paper ? refusal() : null, done);
  }

  function choices(at, side, differs) {
    const { message, ways = [], written = null } = differs;
    return [
      problem(message),
      "score" in differs ? may(differs) : "",
      button(say("correct_row"), editRow(at), { data: { key: `${side} correct` } }),
      ...ways.map(({ about, text }) => button(about, choosePaper(text), {
        className: "wide", data: { way: "" } })),
      written === null ? "" : button(say("as_on_paper"), choosePaper(written), {
        className: "wide", data: { key: `${side} as on paper` } }),
    ];
  }

  // --- the end of a game, and of an evening ----------------------------------------------------

  // How everyone stands after the pads of this evening.
  function evening() {
    const box = el("div", {});
    const { text, listed } = open.game;
    const fill = async () => {
      const others = (await all()).filter((game) => game.pad && !game.deleted && game.id !== id
        && game.listed?.date && game.listed.date === listed?.date && !game.listed.errors);
      const table = await standingsOf([...others.map((game) => game.text), text]);
      if (!open.closed && text === open.game.text) box.replaceChildren(table);
    };
    fill().catch((error) => box.replaceChildren(problem(error.message)));
    return el("div", { className: "panel", data: { evening: "" } },
      el("h2", { textContent: say("standings") }), box,
      listed?.date ? el("a", { className: "button", href: `#players/${listed.date}`, textContent: say("other_tables") }) : null);
  }

  const endEvening = (ended) => alone(async () => {
    await open.change((game) => { game.ended = ended; });
    toTop = true;
  });
  const again = alone(async () => {
    const made = await ask("again", [open.game.text, today()]);
    if (made.finding) throw new Error(made.finding.message);
    const game = await add(made.text, { pad: true });
    await relist(game);
    location.hash = `pad/${game.id}`;
  });

  function ending(over) {
    const { view, ended } = open.game;
    if (!view.deals.length) return null;
    if (!over && !ended) {
      return button(say("end_evening"), endEvening(true), { className: "wide", data: { key: "end evening" } });
    }
    return el("div", { className: "panel" },
      el("p", { className: "outcome", textContent: view.result }),
      el("p", { className: `verdict ${view.sums.kind}`, textContent: view.sums.text }),
      view.sums.note ? el("p", { className: "soft", textContent: view.sums.note }) : null,
      evening(),
      button(say("again"), again, { className: "first wide", data: { key: "again" } }),
      over ? null : button(say("play_on"), endEvening(false), { className: "wide", data: { key: "play on" } }),
      el("p", { className: "soft", textContent: say("send_file") }));
  }

  function refusal(shown) {
    if (!refused) return null;
    if (refused.ask) return endAsked(refused.ask, shown);
    const side = refused.sides?.[refused.wrong];
    const said = refused.message || side?.error
      || side?.findings.map(({ message, help }) => `${message}${help ? `: ${help}` : ""}`).join("; ");
    const ways = (refused.ways || []).map(({ about, text }) =>
      button(about, chooseRow(text), { className: "wide", data: { way: "" } }));
    const box = el("div", {}, problem(said), ways);
    // What follows from other figures is another record.
    updates.push(() => { box.hidden = !refused; });
    return box;
  }

  const seen = () => `${language()} ${open.game.text}`;

  async function viewed() {
    if (open.game.viewOf === seen()) return;
    const { text } = open.game;
    const viewOf = seen();
    const view = await ask("pad", [text]);
    const keep = (game) => { if (game.text === text) Object.assign(game, { view, viewOf }); };
    if (!open.held || !await open.change(keep)) keep(open.game);
  }

  function form() {
    const { view } = open.game;
    const at = editing();
    const shown = at === null
      ? view.sides.filter(({ side }) => view.due.includes(side))
      : view.sides.filter(({ side }) => side in rows());
    if (!shown.some(({ side }) => side === active.side)) active = { side: shown[0].side, part: "cards" };
    const heading = at === null
      ? say("deal_dealer", { d: view.deal, n: view.dealer }) : say("change_deal_number", { d: at + 1 });
    return el("fieldset", { disabled: busy || !open.held, "aria-label": heading },
      el("div", { className: "heading" }, el("h2", { textContent: heading }),
        history(open, (work) => moved(work)())),
      el("div", { className: "sides" }, shown.map((each) =>
        column(each, view.sides.findIndex(({ side }) => side === each.side)))),
      wentOut(shown), otherEnds(shown), shown.map(rarely),
      refused?.paper ? null : refusal(shown),
      at === null ? null : button(say("leave_deal"), stopEditing, { className: "wide", data: { key: "leave" } }),
      bar(shown));
  }

  // What the shape of the screen depends on; everything else is updated in place.
  const shape = () => JSON.stringify([
    open.held, open.game.text, open.game.viewOf, open.game.ended, draft().at, draft().paper?.at,
    Object.values(rows()).map(({ penalties = [], bonuses = [] }) => [penalties.length, bonuses.length]),
  ]);

  // Another tab has changed the game, or has taken it over.
  function changed() {
    if (shape() === drawn) update();
    else viewed().then(draw);
  }

  function draw() {
    if (open.closed) return;
    drawn = shape();
    updates = [];
    const { view, listed, ended } = open.game;
    const title = listed?.title || say("score_pad");
    if (!view || open.game.viewOf !== seen()) {
      show("pad", title, open.banner(), el("p", { textContent: say("wait") }));
      return;
    }
    const over = view.phase === "over" && editing() === null;
    const playing = view.phase === "play";
    const closed = over || playing || (ended && editing() === null);
    const end = playing || editing() !== null ? null : ending(over);
    show("pad", title,
      open.banner(),
      view.problems.map(({ line, message }) => problem(say("line", { d: line, f: message }))),
      closed ? end : null,
      playing ? el("p", { textContent: say("turn_by_turn") }) : null,
      closed ? null : form(),
      closed && !refused?.paper ? refusal() : null,
      closed ? history(open, (work) => moved(work)()) : null,
      draft().paper && editing() === null && open.held ? paperPanel() : null,
      standings(), claims(),
      closed ? null : end,
      button(say("check_share"), leave, { className: "wide", data: { key: "check" } }));
    update();
  }

  draw();
  ready.then(viewed).then(() => {
    if (!open.closed) draw();
  }).catch((error) => {
    if (!open.closed) show("pad", say("score_pad"), problem(error.message));
  });
  return open.close;
}
