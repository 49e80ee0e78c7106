// A record: its verdict, the line of each finding, its scores, its replay, and how to share it.
import { button, el, problem, remark, show, wideTable } from "../dom.js";
import { say } from "../language.js";
import { fits, linkTo, shareFile } from "../links.js";
import { ask, look, ready } from "../referee.js";
import { sharePicture } from "../picture.js";
import { add, enter } from "../store.js";
import { relist } from "./home.js";
import { history } from "./history.js";
import { session } from "./session.js";

const LONG_LINK = 2000;

// The verdict on a text; a tap on a finding calls `goTo` with its line.
function verdictOf(answer, goTo) {
  const { said, remarks, findings } = answer;
  const shown = findings.filter(({ shown: { follows } }) => !follows).map((each) => {
    const { code, severity, message, help, line, text } = each.shown;
    return el("li", { className: severity, data: { finding: code } },
      button(say("line", { d: line, f: message }), () => goTo(line), { className: "finding" }),
      text ? el("pre", { textContent: text }) : null,
      help ? el("p", { textContent: help }) : null);
  });
  return [
    el("p", { className: `verdict ${said.kind}`, textContent: said.text }),
    ...remarks.map((text) => el("p", { className: "soft", textContent: text })),
    el("ul", { className: "findings" }, shown),
  ];
}

// A deal's scores: what each item is, how many canastas earn it, and its points.
function scoreTable({ title, sides, rows }) {
  const cell = (each) => {
    if (!each) return el("td", {});
    const { points, number, right } = each;
    return el("td", { className: right === null ? "" : "bad" },
      number === null ? null : el("small", { className: "times", textContent: `${number} ×` }), String(points ?? "?"),
      right === null ? null : el("small", { textContent: say("adds_up_to", { x: right }) }));
  };
  return el("section", { className: "panel" }, el("h2", { textContent: title }), wideTable(title,
    el("thead", {}, el("tr", {}, el("th", { textContent: say("item") }),
      sides.map((name, at) => el("th", { scope: "col", className: `side${at}`, textContent: name })))),
    el("tbody", {}, rows.map(({ label, sum, cells }) => el("tr", { className: sum ? "totals" : "" },
      el("th", { scope: "row", textContent: label }), cells.map(cell))))));
}

// Puts the cursor of a text box on a line.
export function select(box, line) {
  const lines = box.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  box.focus();
  box.setSelectionRange(start, start + (lines[line - 1] || "").length);
  const height = Number.parseFloat(getComputedStyle(box).lineHeight) || 20;
  box.scrollTop = Math.max(0, (line - 3) * height);
}

export async function record(id) {
  const open = await session(id, () => draw());
  let part = "";
  let typed = null;
  let address = "";

  const moved = async (work) => {
    await open.change(work);
    typed = null;
    relist(open.game);
    draw();
  };

  async function keep() {
    const text = typed;
    await open.change((game) => enter(game, text, { what: ["did_text"] }));
    typed = null;
    part = "";
    await relist(open.game);
    draw();
  }

  function editor(line) {
    part = "text";
    const result = el("div", { "aria-live": "polite" });
    const box = el("textarea", { rows: 14, spellcheck: false, value: typed ?? open.game.text,
      "aria-label": say("the_record"), readOnly: !open.held,
      oninput: async () => {
        typed = box.value;
        const answer = await look("verdict", [box.value], "typing").catch((error) => error);
        if (answer && box.isConnected) result.replaceChildren(...judged(answer, (at) => select(box, at)));
      } });
    show("game", say("the_record"), open.banner(), box, result,
      open.held ? button(say("keep_text"), keep, { className: "first wide" }) : null,
      button(say("back_verdict"), () => { typed = null; draw(); }, { className: "wide" }));
    select(box, line);
  }

  async function replay() {
    part = "replay";
    show("game", say("replay"), el("p", { textContent: say("page_made") }));
    try {
      const html = await ask("page", [open.game.text]);
      if (open.closed || part !== "replay") return;
      address = URL.createObjectURL(new Blob([html], { type: "text/html" }));
      show("game", say("replay"), el("iframe", { src: address, title: say("replay"), className: "replay" }));
    } catch (error) {
      if (!open.closed && part === "replay") show("game", say("replay"), problem(error.message));
    }
  }

  async function scores() {
    part = "scores";
    const { tables } = await ask("audit", [open.game.text]);
    if (open.closed || part !== "scores") return;
    show("game", say("how_scores"), tables.map(scoreTable));
  }

  function share() {
    part = "share";
    const nameless = el("input", { type: "checkbox" });
    const text = () => (nameless.checked ? ask("anonymous", [open.game.text]) : open.game.text);
    const said = el("p", { role: "status" });
    const tried = (action) => async () => {
      try {
        await action(await text());
      } catch (error) {
        said.textContent = error.message;
      }
    };
    const copyLink = tried(async (held) => {
      if (!fits(held)) throw new Error(say("too_long"));
      const link = await linkTo(held);
      await navigator.clipboard.writeText(link);
      said.textContent = say(link.length > LONG_LINK ? "copied_long" : "copied_link", { n: link.length });
    });
    const picture = tried(async (held) => {
      const { title, date, state } = await ask("listing", [held]);
      const { tables } = await ask("audit", [held]);
      const sums = tables.map(({ title: deal, rows }) => [deal, rows.filter(({ sum }) => sum).map(
        ({ cells }) => cells.map((cell) => cell?.points ?? "?"))]);
      const [total] = (sums.at(-1)?.[1] || []).slice(-1);
      await sharePicture({ title, outcome: state, sides: tables[0]?.sides || [],
        rows: [...sums.map(([deal, [score]]) => [deal, ...score]), ...(total ? [[say("total"), ...total]] : [])],
      }, date || "game");
    });
    show("share", say("share"),
      el("label", { className: "choice" }, nameless, say("nameless")),
      button(say("share_file"), tried((held) => shareFile(held, open.game.listed?.date || "game")), { className: "first wide" }),
      button(say("picture"), picture, { className: "wide", data: { key: "picture" } }),
      button(say("copy_link"), copyLink, { className: "wide" }),
      button(say("copy_text"), tried(async (held) => {
        await navigator.clipboard.writeText(held);
        said.textContent = say("copied_text");
      }), { className: "wide" }),
      said,
      el("p", { textContent: say("whole_record") }));
  }

  const judged = (answer, goTo) =>
    (answer instanceof Error ? [problem(answer.message)] : verdictOf(answer, goTo));

  async function draw() {
    if (open.closed) return;
    part = "";
    const title = open.game.listed?.title || say("the_record");
    const result = el("div", { "aria-live": "polite" }, el("p", { textContent: say("wait") }));
    show("game", title, open.banner(), result, history(open, moved),
      button(say("replay"), replay, { className: "wide" }),
      button(say("how_scores"), scores, { className: "wide" }),
      button(say("share"), share, { className: "wide" }),
      button(say("the_text"), () => editor(1), { className: "wide" }));
    await ready;
    const answer = await ask("verdict", [open.game.text]).catch((error) => error);
    if (!open.closed && result.isConnected) result.replaceChildren(...judged(answer, editor));
  }

  draw();
  return Object.assign(() => {
    open.close();
    if (address) URL.revokeObjectURL(address);
  }, {
    // Back leads from a part of this screen to the verdict.
    back: () => {
      if (!part) return false;
      typed = null;
      draw();
      return true;
    },
  });
}

// A text that is only viewed: a link, a file or something pasted. It is kept on request.
export async function paste(given) {
  let closed = false;
  const result = el("div", { "aria-live": "polite" });
  const judge = async () => {
    if (!box.value.trim()) return result.replaceChildren();
    await ready;
    const answer = await look("verdict", [box.value], "typing").catch((error) => error);
    if (!answer) return undefined;
    return result.replaceChildren(...(answer instanceof Error
      ? [problem(answer.message)] : verdictOf(answer, (line) => select(box, line))));
  };
  const box = el("textarea", { rows: 14, spellcheck: false, value: given, oninput: judge,
    "aria-label": say("a_record") });
  const keep = async () => {
    if (!box.value.trim()) return;
    const game = await add(box.value.endsWith("\n") ? box.value : `${box.value}\n`);
    await ready;
    const kept = await relist(game);
    remark(say("kept"));
    if (!closed) location.replace(`#${kept?.listed.mode === "sheet" ? "pad" : "game"}/${game.id}`);
  };
  show("paste", say(given ? "look" : "paste_record"),
    given ? el("p", { textContent: say("not_kept") }) : null,
    box, button(say("keep"), keep, { className: "first wide", data: { key: "keep" } }), result);
  if (given) judge();
  return () => { closed = true; };
}
