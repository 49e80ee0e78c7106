// How the players stand: after an evening, or after all the games on this phone.
import { button, el, problem, remark, show, wideTable } from "../dom.js";
import { say } from "../language.js";
import { textOf, textOfLink } from "../links.js";
import { ask, ready } from "../referee.js";
import { add, all } from "../store.js";
import { relist } from "./home.js";

const COLUMNS = ["name", "played", "won", "points", "average", "best"];

// The players of some games as a table, and what is left out.
export async function standingsOf(texts) {
  const { rows, left_out: left } = await ask("standings", [texts]);
  return el("div", {},
    rows.length ? wideTable(say("standings"),
      el("caption", { className: "unseen", textContent: say("standings") }),
      el("thead", {}, el("tr", {}, COLUMNS.map((key) =>
        el("th", { scope: "col", textContent: say(key) })))),
      el("tbody", {}, rows.map((row) => el("tr", {}, COLUMNS.map((key) => el(key === "name" ? "th" : "td",
        key === "name" ? { scope: "row", textContent: row[key] } : { textContent: String(row[key] ?? "–") }))))))
      : el("p", { textContent: say("no_players") }),
    left ? el("p", { className: "soft", textContent: say("left_out", { n: left }) }) : null);
}

export async function players(date = "") {
  let closed = false;

  // Keeps the games of other tables that are not on this phone yet.
  async function keep(texts) {
    const held = new Set((await all()).filter(({ deleted }) => !deleted).map(({ text }) => text));
    const fresh = [...new Set(texts)].filter((text) => !held.has(text));
    for (const text of fresh) await relist(await add(text));
    remark(say("games_added", { n: fresh.length }));
    await draw();
  }

  function others() {
    const said = el("div", { "aria-live": "polite" });
    const tried = (read) => async () => {
      try {
        await keep(await read());
      } catch (error) {
        said.replaceChildren(problem(error.message));
      }
    };
    const files = el("input", { type: "file", multiple: true, "aria-label": say("other_tables"),
      data: { key: "files" }, onchange: tried(() => Promise.all([...files.files].map(textOf))) });
    const links = el("textarea", { rows: 3, spellcheck: false, data: { key: "links" }, "aria-label": say("links") });
    const lines = () => links.value.split("\n").map((line) => line.trim()).filter(Boolean);
    return el("details", { className: "panel" },
      el("summary", { textContent: say("other_tables") }), files,
      el("label", { className: "field" }, el("span", { className: "label", textContent: say("links") }), links),
      button(say("add_games"), tried(() => Promise.all(lines().map(textOfLink))), {
        className: "wide", data: { key: "add" } }), said);
  }

  async function draw() {
    await ready;
    const kept = (await all()).filter(({ deleted }) => !deleted);
    const games = [];
    for (const game of kept) games.push((game.listed ? game : await relist(game)) || game);
    const dates = [...new Set(games.map(({ listed }) => listed?.date).filter(Boolean))].sort().reverse();
    const shown = games.filter(({ listed }) => !date || listed?.date === date);
    const table = await standingsOf(shown.map(({ text }) => text));
    if (closed) return;
    const evening = el("select", { data: { key: "evening" }, "aria-label": say("evening"),
      onchange: () => { location.hash = `players/${evening.value}`; } },
    ["", ...dates].map((each) => el("option", {
      value: each, selected: each === date, textContent: each || say("all_evenings") })));
    show("players", say("players"), evening, el("div", { className: "panel", data: { standings: "" } }, table),
      others());
  }

  show("players", say("players"), el("p", { textContent: say("wait") }));
  await draw();
  return () => { closed = true; };
}
