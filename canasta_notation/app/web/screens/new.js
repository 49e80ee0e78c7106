// A new game: rules, who plays with whom, the first dealer, and the rules on which tables differ.
import { button, el, problem, show } from "../dom.js";
import { say, today } from "../language.js";
import { ask, ready } from "../referee.js";
import { add } from "../store.js";
import { relist } from "./home.js";

export async function newGame() {
  show("new", say("new_game"), el("p", { textContent: say("wait") }));
  let closed = false;
  let profiles = [];
  let chosen = null;
  let dealer = "";
  let differs = new Set();
  let wrong = "";
  let event = "";
  let date = today();
  const names = {};
  const updates = [];

  function rule(profile) {
    const input = el("input", { type: "radio", name: "rules", checked: profile === chosen,
      data: { key: `rules ${profile.name}` },
      onchange: () => { chosen = profile; dealer = ""; differs = new Set(); draw(); } });
    return el("label", { className: "choice" }, input, profile.title);
  }

  const called = ({ seat, name }) => names[seat]?.trim() || name;

  function player(each, at) {
    return el("label", { className: "field" }, say("player_number", { d: at + 1 }), el("input", {
      value: names[each.seat] || "", autocomplete: "off", placeholder: each.name,
      data: { key: `player ${each.seat}` },
      oninput: ({ target }) => {
        names[each.seat] = target.value;
        updates.forEach((update) => update());
      } }));
  }

  const together = (players, number) => el("fieldset", {},
    el("legend", { className: `side${number}`, textContent: say(
      players.length > 1 ? "play_together" : "plays_alone", { d: number + 1 }) }),
    players.map(player));

  // The table as the players sit at it: who plays together sits apart. A tap says who deals first.
  function table() {
    const players = Object.fromEntries(chosen.sides.flatMap((side, number) =>
      side.map((each) => [each.seat, { ...each, number }])));
    return el("div", { className: `round round${chosen.seats.length}` }, [...chosen.seats].map((seat, at) => {
      const each = players[seat];
      const made = button("", () => { dealer = seat; draw(); }, {
        className: `seat${at} side${each.number}`, "aria-pressed": String(seat === dealer),
        data: { key: `dealer ${seat}` } });
      updates.push(() => { made.textContent = called(each); });
      return made;
    }));
  }

  function partners() {
    const lines = chosen.sides.filter(({ length }) => length > 1).map((side) => {
      const line = el("p", { className: "soft" });
      updates.push(() => {
        line.textContent = say(side.length === 2 ? "opposite" : "together", {
          n: called(side[0]), f: side.slice(1).map(called).join(", ") });
      });
      return line;
    });
    return el("div", {}, lines);
  }

  // A question about the rules of this table; the answer is marked.
  function house({ text, meaning, default: usual, override }) {
    const answer = (yes) => button(say(yes ? "yes" : "no"), () => {
      if (yes === usual) differs.delete(override);
      else differs.add(override);
      draw();
    }, { data: { key: `${override} ${yes ? "yes" : "no"}` },
      "aria-pressed": String(yes === (usual !== differs.has(override))) });
    return el("div", { className: "figure", role: "group", "aria-label": text },
      el("b", { textContent: text }), el("small", { textContent: meaning }),
      el("div", { className: "numbers" }, answer(true), answer(false)));
  }

  const begin = async () => {
    const rules = [chosen.name, ...differs].join(" ");
    const players = Object.fromEntries([...chosen.seats].map((seat) => [seat, names[seat] || ""]));
    const tags = { Rules: rules, ...players, Dealer: dealer, Event: event, Date: date };
    const made = await ask("new", [tags, "sheet"]);
    if (made.finding) {
      const { message, help } = made.finding;
      const players = chosen.sides.flat().find(({ seat }) => seat === made.tag);
      wrong = `${players ? called(players) : made.tag}: ${message}${help ? ` (${help})` : ""}`;
      draw();
      return;
    }
    const game = await add(made.text, { pad: true });
    relist(game);
    if (!closed) location.replace(`#pad/${game.id}`);
  };

  function draw() {
    if (closed) return;
    if (!dealer) dealer = chosen.seats[0];
    updates.length = 0;
    const rules = el("details", { className: "panel", data: { rules: "" } },
      el("summary", { textContent: say("rules", { f: chosen.title }) }), profiles.map(rule));
    show("new", say("new_game"),
      rules,
      chosen.sides.map(together),
      el("fieldset", {}, el("legend", { textContent: say("deals_first") }), table(), partners()),
      chosen.questions.length
        ? el("fieldset", {}, el("legend", { textContent: say("your_table") }), chosen.questions.map(house)) : null,
      el("label", { className: "field" }, say("occasion"), el("input", { value: event,
        oninput: ({ target }) => { event = target.value; } })),
      el("label", { className: "field" }, say("date"), el("input", { value: date, inputMode: "numeric",
        oninput: ({ target }) => { date = target.value; } })),
      wrong && problem(wrong),
      button(say("start_pad"), begin, { className: "first wide", data: { key: "start" } }));
    updates.forEach((update) => update());
  }

  ready.then(() => ask("profiles")).then((found) => {
    profiles = found;
    chosen = found.find(({ usual }) => usual);
    draw();
  });
  return () => { closed = true; };
}
