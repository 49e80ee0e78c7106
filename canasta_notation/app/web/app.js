// The screens by their addresses, and the first start: the service worker stores every file once,
// then the referee starts from what is stored.
import { $, noState, problem, show, state } from "./dom.js";
import { unpacked } from "./links.js";
import { start } from "./referee.js";
import { home } from "./screens/home.js";
import { newGame } from "./screens/new.js";
import { pad } from "./screens/pad.js";
import { paste, record } from "./screens/record.js";
import { settings, size } from "./screens/settings.js";

const SCREENS = { home, new: newGame, pad, game: record, paste: pasted, settings };
let leave = null;
let turn = 0;

async function pasted(how) {
  const given = how === "look" ? sessionStorage.looked || "" : "";
  return paste(given);
}

async function route() {
  turn += 1;
  const here = turn;
  leave?.();
  leave = null;
  const address = location.hash.slice(1);
  try {
    const left = address.startsWith("g=")
      ? await paste(await unpacked(address.slice(2)))
      : await (SCREENS[address.split("/")[0]] || home)(...address.split("/").slice(1));
    if (here === turn) leave = left;
    else left?.();
  } catch (error) {
    show("paste", "This cannot be shown", problem(error.message || String(error)));
  }
}

$("back").onclick = () => {
  if (leave?.back?.()) return;
  location.hash = "";
};
addEventListener("hashchange", route);
addEventListener("unhandledrejection", ({ reason }) => {
  state("unsaved", `something went wrong: ${reason?.message || reason}`, () => noState("unsaved"), "close");
});

// --- the files, and newer versions of them --------------------------------------------------------

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

function offer(worker) {
  state("update", "a new version is ready", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    worker.postMessage("take over");
  }, "use it");
}

// Settles when the files are stored and the service worker answers for them, or cannot.
async function stored(registration) {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", ({ data }) => {
    if (!data?.total || serviceWorker.controller) return;
    state("loading", `loading ${megabytes(data.done)} of ${megabytes(data.total)} MB`);
  });
  const worker = registration.installing || registration.waiting;
  await new Promise((resolve, reject) => {
    if (!worker) resolve();
    worker?.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("the files could not be stored"));
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
    state("failed", "this address must begin with https: games cannot be kept here");
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
    state("unsaved", `without a store on this phone, each start needs the net: ${why}`, () => noState("unsaved"), "close");
  }
}

size();
navigator.storage?.persist?.();
await route();
await files();
start();
