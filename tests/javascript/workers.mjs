// Runs one of the web application's two workers with a network and caches that are only maps.
//
//   node workers.mjs FOLDER SCRIPT < GIVEN
//
// GIVEN has `caches` (name -> file -> [body, hash]), `served` (file -> [body, status]), `stale` (what
// the browser's own cache has in an old state), `noStorage`, and `steps`. The folder holds the
// script, and for a worker that begins Python, `core/pyodide.mjs`. The output has what happened, in
// order, and what the caches hold at the end.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, script] = process.argv.slice(2);
const given = JSON.parse(readFileSync(0, "utf-8"));
const happened = [];
const told = (...what) => happened.push(JSON.parse(JSON.stringify(what)));
const SITE = "https://host/app/";
const HASH = "x-canasta-hash";
const address = (request) => new URL(request.url ?? request, SITE).href;
const bytes = (body) => (Array.isArray(body) ? Uint8Array.from(body) : body);

class Kept {
  constructor(files) {
    this.files = new Map();
    for (const [name, [body, hash]] of Object.entries(files)) {
      this.files.set(address(name), new Response(bytes(body), { headers: { [HASH]: hash } }));
    }
  }
  async match(request) { return this.files.get(address(request))?.clone(); }
  async put(request, response) {
    if (given.noRoom) throw new Error("no room");
    this.files.set(address(request), response.clone());
  }
  async keys() { return [...this.files.keys()].map((url) => ({ url })); }
  async delete(request) { return this.files.delete(address(request)); }
}

const kept = new Map(Object.entries(given.caches ?? {}).map(([name, it]) => [name, new Kept(it)]));
globalThis.caches = {
  keys: async () => [...kept.keys()],
  delete: async (name) => kept.delete(name),
  open: async (name) => {
    if (given.noStorage) throw new Error("no storage");
    if (!kept.has(name)) kept.set(name, new Kept({}));
    return kept.get(name);
  },
};

globalThis.fetch = async (request, { integrity, cache } = {}) => {
  const name = address(request);
  told("fetch", name, integrity ?? "", cache ?? "");
  if (cache === "force-cache" && given.stale?.includes(name)) throw new TypeError("integrity");
  const [body, status] = given.served?.[name] ?? ["", 404];
  return new Response(bytes(body), { status, headers: { "content-type": "text/x" } });
};

const listeners = {};
globalThis.self = Object.assign(globalThis, {
  location: new URL(script, SITE),
  registration: { scope: SITE },
  clients: {
    matchAll: async (which) => {
      told("pages", which);
      return [{ postMessage: (message) => told("page", message) }];
    },
    claim: async () => told("claim"),
  },
  skipWaiting: () => told("take over"),
  addEventListener: (name, listener) => { listeners[name] = listener; },
  postMessage: (message) => told("post", message),
});
globalThis.told = told;
globalThis.given = given;

const nothingWaits = () => new Promise((done) => process.once("beforeExit", () => setImmediate(done)));

// A step is [event, data]; what an event waits for or answers with is told after it.
async function dispatch([name, data]) {
  const event = {
    data,
    request: data?.url ? { url: data.url, method: data.method ?? "GET" } : null,
    waitUntil: (work) => { event.work = work; },
    respondWith: (work) => { event.answer = work; },
  };
  if (name === "question") return self.onmessage({ data });
  if (name === "nothing waits") return nothingWaits();
  listeners[name](event);
  try {
    await event.work;
    if (event.answer) told("answer", await (await event.answer).text());
    else if (name === "fetch") told("left alone");
  } catch (error) {
    told("failed", error.message);
  }
}

async function main() {
  await import(pathToFileURL(`${folder}/${script}`));
  for (const step of given.steps) await dispatch(step);
  const held = {};
  for (const [name, cache] of kept) {
    held[name] = {};
    for (const [url, response] of cache.files) {
      const text = given.binary ? (await response.arrayBuffer()).byteLength : await response.text();
      held[name][url] = [text, response.headers.get(HASH), response.headers.get("content-type")];
    }
  }
  process.stdout.write(JSON.stringify({ happened, held }));
}

main();
