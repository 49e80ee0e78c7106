// Runs the script of a page in the small browser: reads JSON from stdin, writes JSON to stdout.
//
// What comes in: `html`, the `script`, the `address`, `options` of the browser, and `steps`: a step
// is code that is run in the page, or one of these, with its values:
//   ["go", fragment] ["press", key, selector] ["fire", selector, type, more] ["pass", milliseconds]
//   ["size", width, height] ["table", size]
// What goes out: the value of each step.
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { browser } from "./small_browser.mjs";

const { html, script, address, options = {}, steps } = JSON.parse(readFileSync(0, "utf-8"));
let size = { width: 640, height: 120 };
// What a table needs to be drawn, as [height of a pixel of hands, of melds, of its ways].
let needs = null;

const files = [];
const page = browser(html, address, {
  ...options,
  URL: { createObjectURL: (blob) => { files.push(blob); return `blob:${files.length}`; }, revokeObjectURL: () => {} },
});
const { document, location, globals } = page;
document.size = (element) => {
  if (!needs || !element.classList.contains("felt")) return size;
  return { width: size.width, height: needs.room };
};
const felt = Object.getPrototypeOf(document.createElement("div"));
Object.defineProperty(felt, "scrollHeight", {
  get() {
    if (!needs || !this.classList.contains("felt")) return this.clientHeight;
    const [hands, melds] = [parseInt(this.styles["--size"]), parseInt(this.styles["--melds"])];
    const ways = this.className.split(" ").filter((each) => each in needs.ways);
    return needs.hands * hands + needs.melds * melds - ways.reduce((sum, each) => sum + needs.ways[each], 0);
  },
});
const context = vm.createContext(globals);
vm.runInContext(script, context);
page.settle();

const doing = {
  go: (fragment) => { location.hash = fragment; },
  press: (key, selector = "body") => { document.querySelector(selector).fire("keydown", { key }); },
  fire: (selector, type, more = {}) => { document.querySelector(selector).fire(type, more); },
  pass: (by) => page.pass(by),
  size: (width, height) => {
    size = { width, height };
    document.window.handle({ type: "resize" });
  },
  table: (given) => { needs = given; },
};
const found = [];
for (const step of steps) {
  if (typeof step === "string") found.push(vm.runInContext(step, context) ?? null);
  else {
    const [name, ...values] = step;
    found.push(doing[name](...values) ?? null);
  }
  page.settle();
}
const kept = await Promise.all(files.map((each) => each.text()));
process.stdout.write(JSON.stringify({ found, saved: document.window.saved, files: kept }));
