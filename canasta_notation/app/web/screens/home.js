// The games on this phone.
import { button, el, problem, remark, show } from "../dom.js";
import { language, say } from "../language.js";
import { textOf } from "../links.js";
import { look, ready } from "../referee.js";
import { visit } from "../remembered.js";
import { add, all, change, remove, watch } from "../store.js";

const A_DAY = 86_400_000;
const isOld = (game) => game.stale || game.listed?.language !== language();

// Asks how a list shows a game whose text has changed, and keeps it with the game.
export async function relist(game) {
  const { id, text } = game;
  const listed = await look("listing", [text], `listing ${id}`).catch((error) => ({
    title: say("a_text"), players: "", date: "", state: error.message, mode: "", errors: 1,
  }));
  if (!listed) return null;
  return change(id, (stored) => {
    if (stored.text === text) {
      Object.assign(stored, { listed: { ...listed, language: language() }, stale: false });
    }
  }, { owned: false }).catch(() => null);
}

const screenOf = ({ listed, pad }) => (listed?.mode === "sheet" || pad ? "pad" : "game");

export async function home() {
  let closed = false;

  async function erase(game) {
    await change(game.id, (stored) => { stored.deleted = Date.now(); }, { owned: false });
    await draw();
    remark(say("deleted"), async () => {
      await change(game.id, (stored) => { delete stored.deleted; }, { owned: false });
      draw();
    }, say("undo"));
  }

  async function copy({ text, listed, pad }) {
    await add(text, { listed, pad });
    draw();
  }

  function entry(game) {
    const { title = say("a_game"), players = "", date = "", state = "", errors = 0 } = game.listed || {};
    const about = [date, state, title === players ? "" : players].filter(Boolean).join(" · ");
    const menu = el("details", { className: "menu" },
      el("summary", { "aria-label": say("more_about", { f: title }), textContent: "⋯" }),
      button(say("copy"), () => copy(game)),
      button(say("delete"), () => erase(game)));
    const link = el("a", { className: "game", href: `#${screenOf(game)}/${game.id}`,
      oncontextmenu: (event) => { event.preventDefault(); menu.open = true; } },
      el("b", { textContent: title }),
      errors ? el("span", { className: "dot", role: "img", "aria-label": say("has_errors") }) : null,
      el("small", { textContent: about }));
    return el("li", {}, link, menu);
  }

  async function open(file) {
    try {
      visit.looked = await textOf(file);
      location.hash = "paste/look";
    } catch (error) {
      draw(error.message);
    }
  }

  async function draw(wrong = "") {
    const games = (await all()).sort((a, b) => b.updated - a.updated);
    if (closed) return games;
    for (const game of games) {
      if (game.deleted && Date.now() - game.deleted > A_DAY) remove(game.id);
    }
    const shown = games.filter((game) => !game.deleted);
    const file = el("input", { type: "file", hidden: true, "aria-label": say("a_file"),
      onchange: () => file.files[0] && open(file.files[0]) });
    show("home", "Canasta",
      wrong && problem(wrong),
      el("div", { className: "row" },
        button(say("new_game"), () => { location.hash = "new"; }, { className: "first" }),
        button(say("open"), () => file.click()),
        button(say("paste"), () => { location.hash = "paste"; }), file),
      shown.length
        ? el("ul", { className: "games" }, shown.map(entry))
        : el("p", { textContent: say("no_games") }),
      el("p", { className: "row" }, [...(shown.length ? ["players"] : []), "settings"].map((name) =>
        el("a", { className: "button", href: `#${name}`, textContent: say(name) }))));
    return shown;
  }

  const unwatch = watch(() => draw());
  const shown = await draw();
  ready.then(async () => {
    for (const game of shown) if (isOld(game)) await relist(game);
    if (!closed && shown.some(isOld)) draw();
  });
  return () => { closed = true; unwatch(); };
}
