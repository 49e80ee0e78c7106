// A new game: rules, players, the first dealer, and the rules on which tables differ.
import { button, el, problem, show, undoes } from "../dom.js";
import { ask, ready } from "../referee.js";
import { add } from "../store.js";
import { relist } from "./home.js";

export async function newGame() {
  undoes(null);
  show("new", "New game", el("p", { textContent: "The referee is starting." }));
  await ready;
  const profiles = await ask("profiles");
  let chosen = profiles.find(({ usual }) => usual);
  let dealer = "";
  let differs = new Set();
  let wrong = "";
  const names = {};
  let event = "";
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  let date = local.toISOString().slice(0, 10);

  function rule(profile) {
    const input = el("input", { type: "radio", name: "rules", checked: profile === chosen,
      onchange: () => { chosen = profile; dealer = ""; differs = new Set(); draw(); } });
    return el("label", { className: "choice" }, input,
      el("span", {}, el("b", { textContent: profile.name }), ` ${profile.title}`));
  }

  function player(seat) {
    return el("label", { className: "field" }, `player ${seat}`, el("input", {
      value: names[seat] || "", autocomplete: "off", data: { key: `player ${seat}` },
      oninput: ({ target }) => { names[seat] = target.value; } }));
  }

  function deals(seat) {
    return button(names[seat]?.trim() || seat, () => { dealer = seat; draw(); }, {
      "aria-pressed": String(seat === dealer), data: { key: `dealer ${seat}` } });
  }

  function house({ text, meaning, default: usual, override }) {
    const answer = usual !== differs.has(override);
    const toggle = () => {
      if (!differs.delete(override)) differs.add(override);
      draw();
    };
    return el("div", { className: "figure" }, el("span", { className: "label", textContent: text }),
      el("small", { textContent: meaning }),
      button(answer ? "yes" : "no", toggle, { "aria-label": `${text} ${answer ? "yes" : "no"}`,
        data: { key: override } }));
  }

  const begin = async () => {
    const rules = [chosen.name, ...differs].join(" ");
    const players = Object.fromEntries([...chosen.seats].map((seat) => [seat, names[seat] || ""]));
    const tags = { Rules: rules, ...players, Dealer: dealer, Event: event, Date: date };
    const made = await ask("new", [tags, "sheet"]);
    if (made.finding) {
      wrong = `${made.tag}: ${made.finding.message}${made.finding.help ? ` (${made.finding.help})` : ""}`;
      draw();
      return;
    }
    const game = await add(made.text, { pad: true });
    relist(game);
    location.replace(`#pad/${game.id}`);
  };

  function draw() {
    if (!dealer) dealer = chosen.seats[0];
    const rules = el("details", { className: "panel", data: { rules: "" } },
      el("summary", { textContent: `rules: ${chosen.name}` }), profiles.map(rule));
    show("new", "New game",
      rules,
      el("fieldset", {}, el("legend", { textContent: "Players, as they sit" }),
        [...chosen.seats].map(player)),
      el("fieldset", {}, el("legend", { textContent: "Who deals first?" }),
        el("div", { className: "row" }, [...chosen.seats].map(deals))),
      chosen.questions.length
        ? el("fieldset", {}, el("legend", { textContent: "Your table" }), chosen.questions.map(house)) : null,
      el("label", { className: "field" }, "occasion", el("input", { value: event,
        oninput: ({ target }) => { event = target.value; } })),
      el("label", { className: "field" }, "date", el("input", { value: date, inputMode: "numeric",
        oninput: ({ target }) => { date = target.value; } })),
      wrong && problem(wrong),
      button("start the score pad", begin, { className: "first wide", data: { key: "start" } }));
  }

  draw();
  return null;
}
