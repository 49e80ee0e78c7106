// A record: its verdict, the line of each finding, its scores, its replay, and how to share it.
import { button, el, problem, remark, show, undoes } from "../dom.js";
import { fits, linkTo, shareFile } from "../links.js";
import { ask, look, ready } from "../referee.js";
import { add, enter, takeBack } from "../store.js";
import { relist } from "./home.js";
import { session } from "./session.js";

const LONG_LINK = 2000;
// The width of a character of a score card, in pixels.
const CELL = 7;

// The verdict on a text; a tap on a finding calls `goTo` with its line.
function verdictOf(answer, goTo) {
  const { verdict, remarks, findings } = answer;
  const shown = findings.filter(({ shown: { follows } }) => !follows).map((each) => {
    const { code, severity, message, help, line, text } = each.shown;
    return el("li", { className: severity, data: { finding: code } },
      button(`line ${line}: ${message}`, () => goTo(line), { className: "finding" }),
      text ? el("pre", { textContent: text }) : null,
      help ? el("p", { textContent: help }) : null);
  });
  return [
    el("p", { className: `verdict ${verdict}`, textContent: verdict }),
    ...remarks.map((text) => el("p", { textContent: text })),
    el("ul", { className: "findings" }, shown),
  ];
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
  if (!open) return null;
  let part = "";
  let typed = null;
  let address = "";

  const undo = async () => {
    await open.change(takeBack);
    typed = null;
    relist(open.game);
    draw();
  };

  async function keep() {
    const text = typed;
    await open.change((game) => enter(game, text));
    typed = null;
    part = "";
    await relist(open.game);
    draw();
  }

  function editor(line) {
    part = "text";
    const result = el("div", { "aria-live": "polite" });
    const box = el("textarea", { rows: 14, spellcheck: false, value: typed ?? open.game.text,
      "aria-label": "the record", readOnly: !open.held,
      oninput: async () => {
        typed = box.value;
        const answer = await look("verdict", [box.value], "typing").catch((error) => error);
        if (answer && box.isConnected) result.replaceChildren(...judged(answer, (at) => select(box, at)));
      } });
    show("game", "The record", open.banner(), box, result,
      open.held ? button("keep this text", keep, { className: "first wide" }) : null,
      button("back to the verdict", () => { typed = null; draw(); }, { className: "wide" }));
    select(box, line);
  }

  async function replay() {
    part = "replay";
    show("game", "Replay", el("p", { textContent: "The page is being made." }));
    try {
      const html = await ask("page", [open.game.text]);
      address = URL.createObjectURL(new Blob([html], { type: "text/html" }));
      show("game", "Replay", el("iframe", { src: address, title: "replay", className: "replay" }));
    } catch (error) {
      show("game", "Replay", problem(error.message));
    }
  }

  async function scores() {
    part = "scores";
    const width = Math.max(40, Math.floor((innerWidth - 40) / CELL));
    const { cards } = await ask("audit", [open.game.text, width]);
    show("game", "Scores", cards.flat().map((text) => el("pre", { className: "card", textContent: text })));
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
      if (!fits(held)) throw new Error("this record is too long for a link: share the file");
      const link = await linkTo(held);
      await navigator.clipboard.writeText(link);
      said.textContent = `the link is copied (${link.length} characters)`
        + (link.length > LONG_LINK ? ": some programs cut off links as long as this one" : "");
    });
    show("share", "Share",
      el("label", { className: "choice" }, nameless, "without the names of the players"),
      button("share the file", tried((held) => shareFile(held, open.game.listed?.date || "game")), { className: "first wide" }),
      button("copy a link", copyLink, { className: "wide" }),
      button("copy the text", tried(async (held) => {
        await navigator.clipboard.writeText(held);
        said.textContent = "the text is copied";
      }), { className: "wide" }),
      said,
      el("p", { textContent: "The link holds the whole record. No server keeps it." }));
  }

  const judged = (answer, goTo) =>
    (answer instanceof Error ? [problem(answer.message)] : verdictOf(answer, goTo));

  async function draw() {
    if (open.closed) return;
    part = "";
    const title = open.game.listed?.title || "The record";
    const result = el("div", { "aria-live": "polite" }, el("p", { textContent: "The referee is starting." }));
    undoes(open.held && open.game.history.length ? undo : null);
    show("game", title, open.banner(), result,
      button("replay", replay, { className: "wide" }),
      button("how the scores come about", scores, { className: "wide" }),
      button("share", share, { className: "wide" }),
      button("the text", () => editor(1), { className: "wide" }));
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
    "aria-label": "a record" });
  const keep = async () => {
    if (!box.value.trim()) return;
    const game = await add(box.value.endsWith("\n") ? box.value : `${box.value}\n`);
    await ready;
    const kept = await relist(game);
    remark("kept on this phone");
    location.replace(`#${kept?.listed.mode === "sheet" ? "pad" : "game"}/${game.id}`);
  };
  undoes(null);
  show("paste", given ? "Look at it" : "Paste a record",
    given ? el("p", { textContent: "This record is not kept yet." }) : null,
    box, button("keep it", keep, { className: "first wide", data: { key: "keep" } }), result);
  if (given) judge();
  return null;
}
