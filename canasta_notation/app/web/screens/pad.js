// The score pad: figures that are tapped, live sums, the score on paper, and earlier rows.
import { button, el, problem, show, undoes } from "../dom.js";
import { ask, look, ready } from "../referee.js";
import { enter, takeBack } from "../store.js";
import { relist } from "./home.js";
import { session } from "./session.js";

export async function pad(id) {
  const open = await session(id, () => changed());
  if (!open) return null;
  let drawn = "";
  let updates = [];
  let sums = {};
  let refused = null;
  let busy = false;
  let toTop = false;
  let paper = {};

  const draft = () => open.game.draft;
  const editing = () => draft().at ?? null;
  const rows = () => (editing() === null ? draft().rows : draft().edit) || {};

  // --- changes ---------------------------------------------------------------------------------

  // Changes the figures of a side; the screen shows them when they are on the disk.
  const tap = (side, work) => open.change((game) => {
    const name = game.draft.at === undefined ? "rows" : "edit";
    const figures = structuredClone(game.draft[name]?.[side] || {});
    work(figures, game.draft[name] || {});
    game.draft = { ...game.draft, [name]: { ...game.draft[name], [side]: figures } };
    game.updated = Date.now();
  }).then(() => { refused = null; update(); });

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

  async function replaced(text, next) {
    const before = open.game.text;
    const view = await ask("pad", [text]);
    await open.change((game) => {
      if (game.text === before) enter(game, text, { view, viewOf: text, draft: next });
    });
    relist(open.game);
    sums = {};
    refused = null;
    paper = {};
  }

  // Runs one action at a time; nothing can be tapped meanwhile.
  const alone = (action) => async () => {
    if (busy) return;
    busy = true;
    draw();
    try {
      await action();
    } catch (error) {
      refused = { message: error.message };
    }
    busy = false;
    draw();
    if (toTop) scrollTo(0, 0);
    toTop = false;
  };

  const enterDeal = alone(async () => {
    const at = editing();
    const found = await ask("pad_draft", [open.game.text, rows(), at]);
    sums = found.sides;
    if (found.text === null) {
      refused = found;
      return;
    }
    const place = at ?? open.game.view.deal - 1;
    const next = { paper: { at: place, said: {} } };
    await replaced(found.text, at === null ? next : { ...next, rows: draft().rows });
    toTop = true;
  });

  const choose = (text) => alone(() => replaced(text, { rows: draft().rows }));
  const editRow = (at) => alone(async () => {
    const edit = await ask("pad_row", [open.game.text, at]);
    await open.change((game) => {
      game.draft = { rows: game.draft.rows, at, edit };
    });
    sums = {};
    toTop = true;
  });
  const stopEditing = alone(() => open.change((game) => {
    game.draft = { rows: game.draft.rows };
  }));
  const closePaper = alone(() => open.change((game) => {
    game.draft = { rows: game.draft.rows };
  }));
  const undo = alone(async () => {
    await open.change(takeBack);
    sums = {};
    refused = null;
    await viewed();
    relist(open.game);
  });

  // --- the screen ------------------------------------------------------------------------------

  const figure = (side, key) => rows()[side]?.counts?.[key] || 0;

  function stepper(side, { key, label, most }) {
    const shown = el("b", { className: "count" });
    updates.push(() => { shown.textContent = figure(side, key); });
    const step = (by) => () => tap(side, (figures) => {
      const counts = figures.counts || {};
      const next = Math.max(0, Number(counts[key] || 0) + by);
      figures.counts = { ...counts, [key]: most === null ? next : Math.min(most, next) };
    });
    const keyOf = (sign) => ({ data: { key: `${side} ${key} ${sign}` } });
    return el("div", { className: "figure", role: "group", "aria-label": `${side} ${label}` },
      el("span", { className: "label", textContent: label }),
      el("div", { className: "steps" },
        button("−", step(-1), { ...keyOf("-"), "aria-label": `${side} ${label}: one less` }),
        shown,
        button("+", step(1), { ...keyOf("+"), "aria-label": `${side} ${label}: one more` })));
  }

  // A field of the draft: what is typed is stored at once, and is not replaced by what was stored
  // before it.
  function field(side, key, label, get, set, more = {}) {
    let storing = 0;
    const input = el("input", {
      autocomplete: "off", autocapitalize: "off", enterKeyHint: "done",
      data: { key: `${side} ${key}` }, "aria-label": `${side} ${label}`, ...more,
      oninput: async () => {
        const { value } = input;
        storing += 1;
        await tap(side, (figures) => set(figures, value));
        storing -= 1;
      },
    });
    updates.push(() => {
      const busyHere = storing || (document.activeElement === input && input.value !== "");
      if (!busyHere) input.value = get(rows()[side] || {}) ?? "";
    });
    return input;
  }

  // A number of points, with a key for its sign: number pads of phones have none.
  function points(side, key, label, get, set) {
    const input = field(side, key, label, get, set, { inputMode: "numeric" });
    const sign = button("±", () => tap(side, (figures) => {
      const value = String(get(figures) ?? "");
      set(figures, /^[-−]/.test(value) ? value.slice(1) : `-${value}`);
    }), { data: { key: `${side} ${key} ±` }, "aria-label": `${side} ${label}: change the sign` });
    return el("div", { className: "figure" },
      el("span", { className: "label", textContent: label }),
      el("div", { className: "steps" }, input, sign));
  }

  const plain = (side, key, label) => points(
    side, key, label, (figures) => figures[key], (figures, value) => { figures[key] = value; });
  const countedPoints = (side, { key, label }) => points(side, key, label,
    (figures) => figures.counts?.[key],
    (figures, value) => { figures.counts = { ...figures.counts, [key]: value }; });
  const item = (side, { key, label }) => points(side, key, label,
    (figures) => figures.items?.[key],
    (figures, value) => { figures.items = { ...figures.items, [key]: value }; });

  function toggle(side, key, text, pressed, work) {
    const made = button(text, () => tap(side, work), { data: { key: `${side} ${key}` } });
    updates.push(() => made.setAttribute("aria-pressed", String(pressed())));
    return made;
  }

  function wentOut({ side, players }) {
    const out = (seat, text) => toggle(side, `out ${seat}`, text,
      () => rows()[side]?.out === seat,
      (figures, all) => {
        const was = figures.out === seat;
        for (const other of Object.keys(all)) all[other] = { ...all[other], out: "" };
        figures.out = was ? "" : seat;
      });
    const buttons = players.map(({ seat, name }) => out(seat, name));
    if (players.length > 1) buttons.push(out(side, "not known who"));
    const concealed = open.game.view.concealed
      ? toggle(side, "concealed", "concealed", () => Boolean(rows()[side]?.concealed),
        (figures) => { figures.concealed = !figures.concealed; })
      : null;
    if (concealed) updates.push(() => { concealed.hidden = !rows()[side]?.out; });
    return el("div", { className: "figure", role: "group", "aria-label": `${side} went out` },
      el("span", { className: "label", textContent: "went out" }),
      el("div", { className: "row" }, buttons, concealed));
  }

  function special({ side, players }) {
    const select = el("select", {
      "aria-label": `${side}: who laid the special hand`, data: { key: `${side} special by` },
      onchange: () => {
        const { value } = select;
        tap(side, (figures) => { figures.special = value; });
      },
    }, el("option", { value: "", textContent: "who laid it?" }),
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
    let drawn = -1;
    const redraw = () => {
      const held = rows()[side]?.[many] || [];
      if (held.length === drawn) return;
      drawn = held.length;
      box.replaceChildren(...held.map((_, at) => ruling(side, kind, many, at)));
    };
    redraw();
    updates.push(redraw);
    const more = button(`add a ${kind}`, () => tap(side, (figures) => {
      figures[many] = [...(figures[many] || []), { points: "", why: "" }];
    }), { data: { key: `${side} ${kind} +` } });
    return el("div", { className: "figure" }, box, more);
  }

  function ruling(side, kind, many, at) {
    const part = (name, label, more) => field(
      side, `${kind} ${at} ${name}`, `${kind} ${at + 1}: ${label}`,
      (figures) => figures[many]?.[at]?.[name],
      (figures, value) => {
        const held = figures[many] || [];
        if (held[at]) held[at] = { ...held[at], [name]: value };
      },
      { placeholder: label, ...more });
    const without = (figures) => { figures[many]?.splice(at, 1); };
    return el("div", { className: "steps" },
      part("points", "points", { inputMode: "numeric" }), part("why", "why", {}),
      button("×", () => tap(side, without), {
        data: { key: `${side} ${kind} ${at} -` }, "aria-label": `remove ${kind} ${at + 1}` }));
  }

  function threesAsked(side) {
    const text = el("p", {});
    const answer = (against, label) => toggle(side, `melded ${label}`, label,
      () => Boolean(rows()[side]?.against) === against,
      (figures) => { figures.against = against; });
    const box = el("div", { className: "asked", hidden: true }, text,
      el("div", { className: "row" }, answer(false, "yes"), answer(true, "no")));
    updates.push(() => {
      box.hidden = !sums[side]?.asks;
      text.textContent = sums[side]?.asks || "";
    });
    return box;
  }

  function column(sideView, number) {
    const { side, name } = sideView;
    const view = open.game.view;
    const sum = el("output", { className: "sum", data: { sum: side }, "aria-label": `${side} sum` });
    const wrong = el("p", { className: "bad", hidden: true });
    updates.push(() => {
      const found = sums[side];
      sum.textContent = found?.score ?? "";
      const text = found?.error || found?.findings?.map((each) => each.message).join("; ") || "";
      wrong.textContent = text;
      wrong.hidden = !text;
    });
    const counted = view.columns.slice(0, -1);
    const cards = view.columns.at(-1);
    const used = rows()[side] || {};
    const rare = used.melds || used.hand || used.score || used.penalties?.length
      || used.bonuses?.length || Object.values(used.items || {}).some(Boolean);
    const more = el("details", { open: Boolean(rare) },
      el("summary", { textContent: "more" }),
      view.items.map((each) => item(side, each)),
      view.items.some(({ key }) => key === "special") && sideView.players.length > 1
        ? special(sideView) : null,
      plain(side, "melds", "melds, instead of cards"),
      plain(side, "hand", "left in the hands"),
      plain(side, "score", "the score alone"),
      rulings(side, "penalty", "penalties"),
      view.bonuses || used.bonuses?.length ? rulings(side, "bonus", "bonuses") : null);
    return el("section", { className: "side", "aria-label": name },
      el("h2", { className: `side${number}` }, name),
      counted.map((each) => (each.counted ? stepper(side, each) : countedPoints(side, each))),
      threesAsked(side),
      plain(side, cards.key, cards.label),
      wentOut(sideView),
      more, wrong,
      el("p", { className: "total" }, "this deal ", sum));
  }

  function standings() {
    const { sides, deals, due } = open.game.view;
    const cell = (value) => el("td", { textContent: value ?? "" });
    const head = el("tr", {}, el("th", { textContent: "deal" }),
      sides.map(({ name }, at) => el("th", { scope: "col", className: `side${at}`, textContent: name })));
    const dealt = deals.map(({ number, scores, sheet }) => el("tr", {},
      el("th", { scope: "row" }, sheet && open.held
        ? button(String(number), editRow(number - 1), {
          data: { key: `deal ${number}` }, "aria-label": `change deal ${number}` })
        : String(number)),
      sides.map(({ side }) => cell(scores[side]))));
    const totals = el("tr", { className: "totals" }, el("th", { scope: "row", textContent: "total" }),
      sides.map(({ side, total }) => el("td", { data: { total: side }, textContent: total ?? "?" })));
    const opens = due.length === 0 ? null : el("tr", {}, el("th", { scope: "row", textContent: "to open" }),
      sides.map(({ minimum }) => cell(minimum)));
    return el("table", {}, el("caption", { className: "unseen", textContent: "scores so far" }),
      el("thead", {}, head), el("tbody", {}, dealt, totals, opens));
  }

  function paperPanel() {
    const { at } = draft().paper;
    const deal = open.game.view.deals[at];
    if (!deal) return null;
    const compare = async () => {
      const found = await look("pad_paper", [open.game.text, at, draft().paper.said], "paper");
      if (found) paper = found;
      updates.forEach((each) => each());
    };
    const lines = open.game.view.sides.filter(({ side }) => side in deal.scores).map((each) => {
      const { side, name } = each;
      const input = el("input", {
        inputMode: "numeric", data: { key: `${side} paper` }, placeholder: String(deal.scores[side]),
        "aria-label": `${name} on paper`, value: draft().paper.said[side] || "",
        oninput: () => {
          const { value } = input;
          open.change((game) => {
            const said = { ...game.draft.paper?.said, [side]: value };
            game.draft = { ...game.draft, paper: { at, said } };
          }).then(compare);
        },
      });
      const differs = el("div", {});
      let drawn = null;
      updates.push(() => {
        if (drawn === paper[side]) return;
        drawn = paper[side];
        differs.replaceChildren(...(drawn ? choices(at, side, drawn) : []));
      });
      return el("div", {}, el("p", { className: "steps" },
        el("span", { textContent: `${name}: ${deal.scores[side]}, on paper` }), input), differs);
    });
    compare();
    return el("section", { className: "panel", "aria-label": "on paper" },
      el("h2", { textContent: `Deal ${at + 1}: the same on paper?` }), lines,
      button("go on", closePaper, { className: "first", data: { key: "paper done" } }));
  }

  function choices(at, side, { message, ways = [], written = null }) {
    return [
      problem(message),
      button("correct the row", editRow(at), { data: { key: `${side} correct` } }),
      ...ways.map(({ about, text }) => button(about, choose(text), { className: "wide" })),
      written === null ? "" : button("write it as it is on paper", choose(written), {
        className: "wide", data: { key: `${side} as on paper` } }),
    ];
  }

  function refusal() {
    if (!refused) return null;
    const side = refused.sides?.[refused.wrong];
    const said = refused.message || side?.error
      || side?.findings.map(({ message, help }) => `${message}${help ? `: ${help}` : ""}`).join("; ");
    const ways = (refused.ways || []).map(({ about, text }) =>
      button(about, choose(text), { className: "wide" }));
    return el("div", {}, problem(said), ways);
  }

  async function viewed() {
    if (open.game.viewOf === open.game.text) return;
    const { text } = open.game;
    const view = await ask("pad", [text]);
    const keep = (game) => { if (game.text === text) Object.assign(game, { view, viewOf: text }); };
    if (!open.held || !await open.change(keep)) keep(open.game);
  }

  function form() {
    const { view } = open.game;
    const at = editing();
    const shown = at === null
      ? view.sides.filter(({ side }) => view.due.includes(side))
      : view.sides.filter(({ side }) => side in rows());
    const heading = at === null ? `Deal ${view.deal}, ${view.dealer} deals` : `Change deal ${at + 1}`;
    return el("fieldset", { disabled: busy || !open.held },
      el("legend", { textContent: heading }),
      el("div", { className: "sides" }, shown.map((each) =>
        column(each, view.sides.findIndex(({ side }) => side === each.side)))),
      refusal(),
      button(at === null ? "enter this deal" : "change this deal", enterDeal, {
        className: "first wide", data: { key: "enter" } }),
      at === null ? null : button("leave it as it was", stopEditing, { className: "wide" }));
  }

  // What the shape of the screen depends on; everything else is updated in place.
  const shape = () => JSON.stringify([
    open.held, open.game.text, open.game.viewOf, draft().at, draft().paper?.at,
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
    const { view } = open.game;
    if (!view || open.game.viewOf !== open.game.text) {
      show("pad", "Score pad", open.banner(), el("p", { textContent: "The referee is starting." }));
      return;
    }
    const over = view.phase === "over" && editing() === null;
    const playing = view.phase === "play";
    undoes(open.held && open.game.history.length ? undo : null);
    show("pad", "Score pad",
      open.banner(),
      standings(),
      view.problems.map(({ line, message }) => problem(`line ${line}: ${message}`)),
      draft().paper && open.held ? paperPanel() : null,
      over ? el("p", { className: "outcome", textContent: view.outcome }) : null,
      over ? el("p", { textContent: "Send yourself the file: a browser may forget what it keeps." }) : null,
      playing ? el("p", { textContent: "This deal is recorded turn by turn: use the program to continue it." }) : null,
      over || playing ? null : form(),
      button("check, replay, share", () => { location.hash = `game/${id}`; }, { className: "wide" }));
    update();
  }

  draw();
  ready.then(viewed).then(() => {
    if (!open.closed) draw();
  }).catch((error) => {
    if (!open.closed) show("pad", "Score pad", problem(error.message));
  });
  return open.close;
}
