// The screens by their addresses, and the first start: the service worker stores every file once,
// then the referee starts from what is stored.
import { $, noState, notice, problem, show, state } from "./dom.js";
import { language, say, use } from "./language.js";
import { unpacked } from "./links.js";
import { start } from "./referee.js";
import { visit } from "./remembered.js";
import { home } from "./screens/home.js";
import { newGame } from "./screens/new.js";
import { pad } from "./screens/pad.js";
import { players } from "./screens/players.js";
import { paste, record } from "./screens/record.js";
import { settings, size } from "./screens/settings.js";
import { keeps } from "./store.js";

const SCREENS = { home, new: newGame, pad, game: record, paste: pasted, players, settings };
let leave = null;
let turn = 0;

async function pasted(how) {
  const given = how === "look" ? visit.looked || "" : "";
  return paste(given);
}

async function route() {
  turn += 1;
  const here = turn;
  leave?.();
  leave = null;
  const address = location.hash.slice(1);
  try {
    const [name, ...more] = address.split("/");
    const screen = Object.hasOwn(SCREENS, name) ? SCREENS[name] : home;
    const left = address.startsWith("g=")
      ? await paste(await unpacked(address.slice(2))) : await screen(...more);
    if (here === turn) leave = left;
    else left?.();
  } catch (error) {
    if (here === turn) show("paste", say("not_shown"), problem(error.message || String(error)));
  }
}

$("back").onclick = () => {
  if (leave?.back?.()) return;
  location.hash = "";
};
addEventListener("hashchange", route);
addEventListener("unhandledrejection", ({ reason }) => {
  state("unsaved", `${say("went_wrong")}: ${reason?.message || reason}`, () => noState("unsaved"), say("close"));
});

// --- the files, and newer versions of them --------------------------------------------------------

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

function offer(worker) {
  state("update", say("new_version"), () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    worker.postMessage("take over");
  }, say("use_it"));
}

// Settles when the files are stored and the service worker answers for them, or cannot.
async function stored(registration) {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", ({ data }) => {
    if (!data?.total || serviceWorker.controller) return;
    state("loading", say("loading", { x: megabytes(data.done), y: megabytes(data.total) }));
  });
  const worker = registration.installing || registration.waiting;
  await new Promise((resolve, reject) => {
    if (!worker) resolve();
    worker?.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error(say("not_stored")));
    });
  });
  if (!serviceWorker.controller) {
    await new Promise((resolve) => {
      serviceWorker.addEventListener("controllerchange", resolve, { once: true });
      if (registration.active) setTimeout(resolve, 2000);
    });
  }
}

async function files() {
  if (!isSecureContext) {
    state("failed", say("needs_https"));
    return;
  }
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    const first = !serviceWorker.controller;
    const registration = await serviceWorker.register("sw.js", { updateViaCache: "none" });
    if (first) await stored(registration);
    if (registration.waiting && serviceWorker.controller) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker.addEventListener("statechange", () => {
        if (worker.state === "installed" && serviceWorker.controller) offer(worker);
      });
    });
    if (!first) registration.update().catch(() => {});
  } catch (error) {
    const why = error.message || error;
    state("unsaved", `${say("needs_net")}: ${why}`, () => noState("unsaved"), say("close"));
  }
}

use(language());
size();
keeps.then((kept) => { if (!kept) notice(say("no_store")); });
navigator.storage?.persist?.();
// The screen may wait for the referee, so the referee does not wait for the screen.
route();
await files();
start();
