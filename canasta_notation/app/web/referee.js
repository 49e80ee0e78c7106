// The referee: questions to the worker, one at a time. A question with a key replaces one with the
// same key that still waits; a question that enters something has no key, and always runs.
import { state } from "./dom.js";
import { language, say } from "./language.js";

const PATIENCE = 10_000;
const waiting = [];
let worker = null;
let current = null;
let number = 0;
let restarted = false;
let settled;
export const ready = new Promise((resolve) => { settled = resolve; });
export const timings = {};

class Superseded extends Error {}
class Impossible extends Error {}

export function ask(name, args = [], { key = null } = {}) {
  return new Promise((resolve, reject) => {
    if (key) {
      const at = waiting.findIndex((each) => each.key === key);
      if (at >= 0) waiting.splice(at, 1)[0].reject(new Superseded());
    }
    waiting.push({ name, args, key, resolve, reject });
    next();
  });
}

// Like ask, but a replaced question gives undefined.
export const look = (name, args, key) =>
  ask(name, args, { key }).catch((error) => {
    if (error instanceof Superseded) return undefined;
    throw error;
  });

function next() {
  if (current || !waiting.length || !worker?.ready) return;
  current = waiting.shift();
  post();
}

function post() {
  number += 1;
  current.number = number;
  current.timer = setTimeout(() => {
    state("starting", say("working"), stop, say("stop"));
  }, PATIENCE);
  worker.postMessage([number, current.name, current.args, language()]);
}

function finish(settle) {
  const done = current;
  clearTimeout(done.timer);
  current = null;
  if (worker?.ready) state("ready", say("ready"));
  settle(done);
  next();
}

function stop() {
  const stopped = current;
  current = null;
  worker.terminate();
  start();
  stopped?.reject(new Impossible(say("stopped")));
}

export function start() {
  state("starting", say("starting"));
  const started = new Worker("worker.js", { type: "module" });
  worker = started;
  started.onmessage = ({ data }) => { if (worker === started) receive(data); };
  started.onerror = (event) => { if (worker === started) died(event.message || "unknown"); };
}

function receive([what, value, more]) {
  if (what === "ready") {
    worker.ready = true;
    Object.assign(timings, value);
    state("ready", say("ready"));
    settled();
    if (current) post();
    else next();
  } else if (what === "timings") Object.assign(timings, value);
  else if (what === "failed") died(value);
  else if (current && what === current.number) {
    restarted = false;
    const answer = value === null ? null : JSON.parse(value);
    finish((done) => {
      if (answer === null) done.reject(new Error(more));
      else if ("problem" in answer) done.reject(new Impossible(answer.problem));
      else done.resolve(answer.answer);
    });
  }
}

// A worker that dies is started once more, and asked the same again.
function died(why) {
  worker?.terminate();
  worker = null;
  if (current) clearTimeout(current.timer);
  if (!restarted) {
    restarted = true;
    start();
    return;
  }
  const copy = () => navigator.clipboard?.writeText(String(why));
  state("failed", `${say("cannot_start")}: ${why}`, copy, say("copy"));
  current?.reject(new Impossible(say("cannot_start")));
  current = null;
}

