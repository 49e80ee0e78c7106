// The games on this phone. A change reads the stored game and writes it in one transaction, so two
// tabs never overwrite each other, and what has been shown as saved is on the disk.
import { say } from "./language.js";

const KEPT = 50;
const unique = () => Array.from(
  crypto.getRandomValues(new Uint8Array(12)),
  (byte) => byte.toString(16).padStart(2, "0"),
).join("");
const TAB = unique();
const opened = new Promise((resolve) => {
  try {
    const request = indexedDB.open("canasta", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("games", { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  } catch {
    resolve(null);
  }
});
// Whether games are kept when the page is closed. Where the browser refuses, they are only held.
export const keeps = opened.then(Boolean);

const memory = new Map();
const asked = (result) => {
  const request = { result };
  queueMicrotask(() => request.onsuccess?.());
  return request;
};
const inMemory = {
  get: (id) => asked(structuredClone(memory.get(id))),
  getAll: () => asked(structuredClone([...memory.values()])),
  put: (game) => asked(memory.set(game.id, structuredClone(game))),
  delete: (id) => asked(memory.delete(id)),
  clear: () => asked(memory.clear()),
};
const held = (work) => new Promise((resolve, reject) => {
  let result;
  work(inMemory, (value) => { result = value; }, reject);
  queueMicrotask(() => resolve(result));
});

function tabs() {
  try {
    return new BroadcastChannel("canasta");
  } catch {
    return { postMessage: () => {} };
  }
}
const channel = tabs();
const listeners = new Set();
channel.onmessage = ({ data }) => listeners.forEach((listener) => listener(data));

// Calls a listener with the id of each game that another tab changes; returns a function that stops.
export function watch(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export class Taken extends Error {}

async function transaction(mode, work) {
  const db = await opened;
  if (!db) return held(work);
  return new Promise((resolve, reject) => {
    const running = db.transaction("games", mode, { durability: "strict" });
    let result;
    let why = null;
    running.oncomplete = () => resolve(result);
    running.onerror = running.onabort = () => reject(why || running.error);
    const finish = (value) => { result = value; };
    const refuse = (error) => { why = error; running.abort(); };
    work(running.objectStore("games"), finish, refuse);
  });
}

const read = (ask) => transaction("readonly", (games, finish) => {
  const request = ask(games);
  request.onsuccess = () => finish(request.result);
});
export const load = (id) => read((games) => games.get(id));
export const all = () => read((games) => games.getAll());

// Changes a game in place and returns it as it is stored. Only the tab that holds a game may
// change its text and its draft: others get Taken, and nothing is written.
export async function change(id, work, { owned = true } = {}) {
  const game = await transaction("readwrite", (games, finish, refuse) => {
    const request = games.get(id);
    request.onsuccess = () => {
      const stored = request.result;
      if (!stored) return refuse(new Taken(say("deleted_game")));
      if (owned && stored.owner !== TAB) return refuse(new Taken(say("other_tab")));
      try {
        work(stored);
        games.put(stored);
      } catch (error) {
        return refuse(error); // no room, for example
      }
      return finish(stored);
    };
  });
  channel.postMessage(id);
  return game;
}

export async function add(text, fields = {}) {
  const id = unique();
  const game = { id, text, history: [], draft: {}, owner: "", updated: Date.now(), ...fields };
  await transaction("readwrite", (games) => games.put(game));
  channel.postMessage(id);
  return game;
}

// Replaces the text of a game, inside a change. `what` is the key and the values of the words for
// it; undo brings back the text and the draft before it, and redo those after it.
export function enter(game, text, { what = null, ...more } = {}) {
  game.history = [...game.history, { text: game.text, draft: game.draft, what }].slice(-KEPT);
  Object.assign(game, { text, draft: {}, future: [], stale: true, updated: Date.now() }, more);
}

function move(game, from, to) {
  const next = from.pop();
  if (!next) return;
  to.push({ text: game.text, draft: game.draft, what: next.what });
  Object.assign(game, { text: next.text, draft: next.draft, stale: true, updated: Date.now() });
}

export function takeBack(game) {
  game.future ||= [];
  move(game, game.history, game.future);
}

export function doAgain(game) {
  game.future ||= [];
  move(game, game.future, game.history);
}

export const remove = (id) => transaction("readwrite", (games) => games.delete(id));
export const removeAll = () => transaction("readwrite", (games) => games.clear());

// Holds a game for this tab until `release` is called. `held` says whether this tab has it; `lost`
// settles when another tab takes it over.
export async function hold(id, steal = false) {
  const kept = await keeps;
  let release = () => {};
  const until = new Promise((resolve) => { release = resolve; });
  let lost = new Promise(() => {});
  const got = await new Promise((resolve) => {
    if (!navigator.locks || !kept) return resolve(true);
    const asked = navigator.locks.request(
      `game ${id}`,
      steal ? { steal: true } : { ifAvailable: true },
      (lock) => { resolve(Boolean(lock)); return lock ? until : undefined; },
    );
    lost = asked.then(() => new Promise(() => {}), () => {});
    return undefined;
  });
  if (got) await change(id, (game) => { game.owner = TAB; }, { owned: false });
  return { held: got, lost, release };
}
