// Runs the web application in the small browser; the test that started it is the referee.
//
//   node app_steps.mjs FOLDER ADDRESS [denied]
//
// With `denied`, the browser lets nobody keep anything.
// Lines of JSON: `{"do": code}` comes in, and `{"done": value}` goes out when the code has run and
// nothing waits. In between, `{"ask": [number, name, arguments, language]}` goes out for each question to the
// worker, and `{"answer": [number, text]}` comes in. Code can use `tap`, `type`, `screen`, `module`,
// `pass` and `worker`.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { browser } from "./small_browser.mjs";

const [folder, address, denied] = process.argv.slice(2);
const refuse = () => { throw new Error("denied"); };
const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
let waiting = 0;

// --- what a phone keeps ---------------------------------------------------------------------------

const kept = new Map();
let full = false;
let last = Promise.resolve();

function transaction() {
  const running = { work: [], error: null, aborted: false };
  const changed = new Map(kept);
  const request = (answer) => {
    const asked = { result: undefined };
    running.work.push(() => {
      asked.result = answer();
      asked.onsuccess?.();
    });
    return asked;
  };
  const store = {
    get: (id) => request(() => structuredClone(changed.get(id))),
    getAll: () => request(() => structuredClone([...changed.values()])),
    put: (value) => {
      if (full) throw new Error("no room");
      return request(() => { changed.set(value.id, structuredClone(value)); });
    },
    delete: (id) => request(() => { changed.delete(id); }),
    clear: () => request(() => changed.clear()),
  };
  running.objectStore = () => store;
  running.abort = () => { running.aborted = true; };
  last = last.then(async () => {
    await new Promise(setImmediate);
    changed.clear();
    for (const [id, value] of kept) changed.set(id, value);
    while (running.work.length && !running.aborted) running.work.shift()();
    if (running.aborted) return running.onabort?.();
    kept.clear();
    for (const [id, value] of changed) kept.set(id, value);
    return running.oncomplete?.();
  });
  return running;
}

const indexedDB = {
  open: () => {
    if (denied) refuse();
    const request = { result: { createObjectStore: () => {}, transaction } };
    setImmediate(() => { request.onupgradeneeded?.(); request.onsuccess(); });
    return request;
  },
};

const held = new Map();
const locks = {
  request: async (name, { steal = false }, work) => {
    const owner = held.get(name);
    if (owner && !steal) return work(null);
    owner?.lost();
    let lost;
    const gone = new Promise((_, reject) => { lost = () => reject(new Error("stolen")); });
    const mine = { lost };
    held.set(name, mine);
    try {
      return await Promise.race([work({ name }), gone]);
    } finally {
      if (held.get(name) === mine) held.delete(name);
    }
  },
};

const channels = new Set();
class BroadcastChannel {
  constructor() { channels.add(this); }
  postMessage(data) {
    for (const each of channels) if (each !== this) setImmediate(() => each.onmessage?.({ data }));
  }
}

// --- the worker -----------------------------------------------------------------------------------

const workers = [];
const asked = new Map();
class Worker {
  constructor() {
    workers.push(this);
    setImmediate(() => this.onmessage?.({ data: ["ready", {}] }));
  }
  postMessage([number, name, args, language]) {
    waiting += 1;
    asked.set(number, this);
    write({ ask: [number, name, args, language] });
  }
  terminate() { this.onmessage = null; }
}

// --- the screens ----------------------------------------------------------------------------------

const html = readFileSync(`${folder}/index.html`, "utf-8");
const storage = () => ({});
const page = browser(html, address, {
  indexedDB, BroadcastChannel, Worker, isSecureContext: true, innerWidth: 400,
  localStorage: storage(), sessionStorage: storage(), CSS: { escape: (text) => text },
  getComputedStyle: () => ({ lineHeight: "20px" }),
});
const { document, location } = page;
Object.assign(page.globals.navigator, { locks });
const later = { setTimeout, setInterval };
const { window: _, console: __, Blob: ___, ...globals } = page.globals;
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
if (denied) {
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(globalThis, name, { get: refuse });
  }
}

const visible = (each) => !each.closest("[hidden]");
// What a person sees of a screen: texts, and the keys of what can be tapped, with its state.
function lines(element, found = []) {
  for (const each of element.childNodes) {
    if (each.nodeType === 3) {
      if (each.textContent.trim()) found.push(each.textContent.trim());
    } else if (visible(each)) {
      const { key } = each.dataset;
      if (each.localName === "button") {
        const state = each.getAttribute("aria-pressed") === "true" ? " pressed" : "";
        found.push(`[${each.textContent}]${key ? ` ${key}` : ""}${state}`);
      } else if (/^(input|textarea|select)$/.test(each.localName)) {
        const name = key || each["aria-label"] || each.getAttribute("aria-label") || each.type;
        found.push(`<${name}: ${each.type === "checkbox" || each.type === "radio" ? each.checked : each.value}>`);
      } else lines(each, found);
    }
  }
  return found;
}

const named = (key) => {
  const all = document.querySelectorAll("button, input, textarea, select, a");
  const found = all.filter((each) => visible(each) && (each.dataset.key === key || each.textContent === key
    || each.getAttribute("aria-label") === key));
  if (!found.length) throw new Error(`nothing to tap is called ${key}`);
  return found[0];
};
Object.assign(globalThis, {
  tap: (key) => named(key).click(),
  type: (key, text) => {
    const input = named(key);
    input.value = text;
    input.fire(input.localName === "select" ? "change" : "input");
  },
  screen: () => lines(document.getElementById("main")),
  footer: () => lines(document.getElementById("state")),
  module: (name) => import(pathToFileURL(`${folder}/${name}`).href),
  pass: (by) => page.pass(by),
  games: () => structuredClone([...kept.values()]),
  // Another tab changes a game, or takes it.
  other: (id, work) => {
    const game = kept.get(id);
    work(game);
    for (const each of channels) each.onmessage?.({ data: id });
  },
  fill: (now) => { full = now; },
  workers,
});

const settled = async () => {
  for (let quiet = 0; quiet < 8;) {
    await new Promise(setImmediate);
    page.settle();
    quiet = waiting ? 0 : quiet + 1;
    if (waiting) await new Promise((resolve) => { later.setTimeout(resolve, 1); });
  }
};
process.on("unhandledRejection", (error) => write({ wrong: String(error.stack || error) }));

const started = import(pathToFileURL(`${folder}/app.js`).href);
const Code = Object.getPrototypeOf(async () => {}).constructor;
createInterface({ input: process.stdin }).on("line", async (text) => {
  const { do: code, answer } = JSON.parse(text);
  if (answer) {
    const [number, ...rest] = answer;
    waiting -= 1;
    asked.get(number)?.onmessage?.({ data: [number, ...rest] });
    return;
  }
  try {
    await started;
    const value = await new Code(code)();
    await settled();
    write({ done: value ?? null });
  } catch (error) {
    write({ wrong: String(error.stack || error) });
  }
});
