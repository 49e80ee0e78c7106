// Type size, storage, version, licences, and erasing everything.
import { button, el, remark, show } from "../dom.js";
import { LANGUAGES, language, say, use } from "../language.js";
import { timings } from "../referee.js";
import { local } from "../remembered.js";
import { removeAll } from "../store.js";

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

export function size() {
  document.documentElement.classList.toggle("big", local.size === "big");
}

export async function settings() {
  const big = el("input", { type: "checkbox", checked: local.size === "big",
    onchange: () => { local.size = big.checked ? "big" : "usual"; size(); } });
  const used = el("p", {});
  const tongues = el("div", { className: "row", role: "group", "aria-label": say("language") },
    Object.entries(LANGUAGES).map(([name, called]) => button(called, () => { use(name); settings(); }, {
      lang: name, "aria-pressed": String(name === language()), data: { key: `language ${name}` } })));
  let sure = false;
  const erase = button(say("erase"), async () => {
    if (!sure) {
      sure = true;
      erase.textContent = say("erase_sure");
      return;
    }
    await removeAll();
    remark(say("erased"));
    location.hash = "";
  }, { className: "wide bad" });
  show("settings", say("settings"),
    tongues,
    el("label", { className: "choice" }, big, say("big_type")), used,
    el("p", { textContent: say("kept_where") }),
    el("p", { textContent: say("version", { f: document.documentElement.dataset.version }) }),
    el("p", {}, el("a", { className: "button", href: "NOTICES.txt", textContent: say("licences") })),
    el("details", {}, el("summary", { textContent: say("times") }),
      el("pre", { textContent: JSON.stringify(timings, null, 1) })),
    erase);
  const estimate = await navigator.storage?.estimate?.();
  const safe = await navigator.storage?.persisted?.();
  if (estimate) {
    used.textContent = `${say("used", { f: megabytes(estimate.usage) })} ${say(safe ? "promised" : "may_delete")}`;
  }
  return null;
}
