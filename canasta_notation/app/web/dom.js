// Elements, and the footer that says how the application is. All text is text, never HTML.
export const $ = (id) => document.getElementById(id);

export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") Object.assign(element.dataset, value);
    else if (name.startsWith("aria-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const button = (text, onclick, more = {}) =>
  el("button", { type: "button", textContent: text, onclick, ...more });

// A table that scrolls by itself if it is wider than the screen.
export const wideTable = (label, ...children) =>
  el("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": label }, el("table", {}, ...children));

// A sentence that stands above every screen from now on.
let note = null;
export function notice(text) {
  note = el("p", { className: "bad notice", role: "note", textContent: text });
  const main = $("main");
  if (main.dataset.screen) main.prepend(note);
}

// Shows a screen; what the person had in focus keeps it if it is there again.
export function show(screen, title, ...children) {
  const main = $("main");
  const focused = document.activeElement?.dataset.key;
  const same = main.dataset.screen === screen;
  main.dataset.screen = screen;
  $("title").textContent = title;
  document.title = title === "Canasta" ? title : `${title} · Canasta`;
  $("back").hidden = screen === "home";
  main.replaceChildren(...[note, ...children.flat()].filter(Boolean));
  const again = focused && main.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again) again.focus({ preventScroll: true });
  else if (!same) {
    scrollTo(0, 0);
    $("title").focus({ preventScroll: true });
  }
}

// A state of the footer; the higher ones stay until they are taken back.
const ORDER = ["ready", "loading", "starting", "update", "failed", "unsaved"];
const held = new Map();

export function state(name, text, action = null, label = "") {
  if (["ready", "loading", "starting", "failed"].includes(name)) {
    for (const other of ["ready", "loading", "starting", "failed"]) held.delete(other);
  }
  held.set(name, { text, action, label });
  refresh();
}

export function noState(name) {
  held.delete(name);
  refresh();
}

function refresh() {
  const name = ORDER.findLast((each) => held.has(each)) || "ready";
  const { text = "", action, label } = held.get(name) || {};
  $("state").dataset.state = name;
  if ($("said").textContent !== text) $("said").textContent = text;
  $("act").hidden = !action;
  $("act").textContent = label;
  $("act").onclick = action;
}

// A remark that goes away by itself, or with its button.
export function remark(text, action = null, label = "") {
  document.querySelector(".remark")?.remove();
  const box = el("p", { className: "remark", role: "status" }, el("span", { textContent: text }));
  if (action) box.append(button(label, () => { box.remove(); action(); }));
  document.body.append(box);
  setTimeout(() => box.remove(), action ? 8000 : 3000);
}

export const problem = (text) => el("p", { className: "bad", role: "alert", textContent: text });
