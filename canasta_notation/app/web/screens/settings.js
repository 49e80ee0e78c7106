// Type size, storage, version, licences, and erasing everything.
import { button, el, remark, show, undoes } from "../dom.js";
import { timings } from "../referee.js";
import { removeAll } from "../store.js";

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

export function size() {
  document.documentElement.classList.toggle("big", localStorage.size === "big");
}

export async function settings() {
  undoes(null);
  const big = el("input", { type: "checkbox", checked: localStorage.size === "big",
    onchange: () => { localStorage.size = big.checked ? "big" : "usual"; size(); } });
  const used = el("p", {});
  let sure = false;
  const erase = button("erase all games", async () => {
    if (!sure) {
      sure = true;
      erase.textContent = "erase all games: are you sure?";
      return;
    }
    await removeAll();
    remark("all games are erased");
    location.hash = "";
  }, { className: "wide bad" });
  show("settings", "Settings",
    el("label", { className: "choice" }, big, "big type"), used,
    el("p", { textContent: "The games are kept in this browser only. Put the application on the home screen, so that the browser keeps them, and send yourself the file of each game." }),
    el("p", { textContent: `version ${document.documentElement.dataset.version}` }),
    el("p", {}, el("a", { className: "button", href: "NOTICES.txt", textContent: "licences" })),
    el("details", {}, el("summary", { textContent: "times of the last start, in milliseconds" }),
      el("pre", { textContent: JSON.stringify(timings, null, 1) })),
    erase);
  const estimate = await navigator.storage?.estimate?.();
  const safe = await navigator.storage?.persisted?.();
  if (estimate) {
    used.textContent = `${megabytes(estimate.usage)} used`
      + (safe ? "; the browser has promised to keep them" : "; the browser may delete them if it needs room");
  }
  return null;
}
