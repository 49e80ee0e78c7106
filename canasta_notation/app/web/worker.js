// Python in a worker. A question is [number, function, arguments, language]; an answer is [number, JSON], or
// [number, null, error] for a mistake of the program. A start from a snapshot needs no files.
import { loadPyodide } from "./core/pyodide.mjs";

const SNAPSHOTS = "canasta-snapshots";
const KEY = new URL("snapshot-@PYTHON@", self.location).href;
const SITE = "/lib/site";
const begun = performance.now();
const timings = {};
const mark = (name) => { timings[name] = Math.round(performance.now() - begun); };
const waiting = [];
let call = null;
let files = null;

self.onmessage = ({ data }) => { if (call) answer(data); else waiting.push(data); };

async function answer([number, name, args, language]) {
  try {
    postMessage([number, call(name, JSON.stringify(args), language)]);
  } catch (error) {
    if (files && /ModuleNotFoundError|ImportError|FileNotFoundError/.test(String(error))) {
      await files; // after a start from a snapshot, the files come back a little later
      files = null;
      await answer([number, name, args, language]);
    } else if (error.constructor.name === "PythonError") {
      postMessage([number, null, String(error).slice(-1500)]);
    } else postMessage(["failed", String(error)]); // out of memory, or a broken program
  }
}

// This build of Pyodide begins with a memory smaller than a snapshot: it is grown before Pyodide
// sees it.
let needed = 0;
for (const name of ["instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name].bind(WebAssembly);
  WebAssembly[name] = async (...args) => {
    const result = await original(...args);
    const memory = (result.instance || result).exports?.memory;
    const missing = memory ? needed - memory.buffer.byteLength : 0;
    if (missing > 0) memory.grow(Math.ceil(missing / 65536));
    return result;
  };
}

async function store() {
  try {
    return await caches.open(SNAPSHOTS);
  } catch {
    return null; // no secure context, or no storage: each start builds everything
  }
}

async function fromSnapshot(kept) {
  const found = await kept?.match(KEY);
  if (!found) return null;
  try {
    const opened = found.body.pipeThrough(new DecompressionStream("gzip"));
    const snapshot = new Uint8Array(await new Response(opened).arrayBuffer());
    needed = snapshot.length;
    const python = await loadPyodide({ indexURL: "./core/", _loadSnapshot: snapshot });
    mark("restored");
    return python;
  } catch (error) {
    timings.damaged = String(error);
    await kept.delete(KEY);
    return null;
  } finally {
    needed = 0;
  }
}

async function unpack(python) {
  const response = await fetch("site.zip");
  if (!response.ok) throw new Error(`site.zip: ${response.status}`);
  python.unpackArchive(await response.arrayBuffer(), "zip", { extractDir: SITE });
}

async function built() {
  const python = await loadPyodide({ indexURL: "./core/", _makeSnapshot: true });
  mark("loaded");
  await unpack(python);
  python.runPython(`
import sys
sys.path.insert(0, "${SITE}")
sys.dont_write_bytecode = True
from canasta_notation.app.warm import warm
warm()`);
  mark("warmed");
  return python;
}

async function keep(kept, snapshot) {
  try {
    const packed = new Blob([snapshot]).stream().pipeThrough(new CompressionStream("gzip"));
    await kept.put(KEY, new Response(await new Response(packed).arrayBuffer()));
    for (const old of await kept.keys()) if (old.url !== KEY) await kept.delete(old);
    mark("kept");
  } catch (error) {
    timings.unkept = String(error); // no room: the next start builds everything again
  }
}

async function begin() {
  const kept = await store();
  const restored = await fromSnapshot(kept);
  const python = restored || await built();
  const snapshot = restored || !kept ? null : python.makeMemorySnapshot();
  python.runPython("from canasta_notation.app.bridge import begin; begin()");
  call = python.runPython("from canasta_notation.app.bridge import call; call");
  timings.heap = python._module.HEAP8.length;
  mark("ready");
  postMessage(["ready", timings]);
  if (restored) {
    files = unpack(python).then(() => {
      python.runPython("import importlib; importlib.invalidate_caches()");
      mark("files");
      postMessage(["timings", timings]);
    });
    files.catch(() => {});
  }
  for (const question of waiting.splice(0)) await answer(question);
  if (snapshot) {
    await keep(kept, snapshot);
    postMessage(["timings", timings]);
  }
}

begin().catch((error) => postMessage(["failed", String(error?.message || error)]));
