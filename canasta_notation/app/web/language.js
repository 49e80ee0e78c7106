// The words of the screens in the language that the person chose, or that the browser asks for.
import { local } from "./remembered.js";
import { LANGUAGES, WORDS } from "./words.js";

export { LANGUAGES };
const asked = () => (navigator.languages || []).map((each) => each.slice(0, 2));
let current = [local.language, ...asked(), "en"].find((each) => Object.hasOwn(WORDS, each));

export const language = () => current;

export function use(name) {
  local.language = name;
  current = name;
  document.documentElement.lang = name;
  document.getElementById("back").setAttribute("aria-label", say("back"));
}

// The text of a key, with its values; a text with a singular and a plural is about `n`.
export function say(key, values = {}) {
  const found = WORDS[current][key];
  const text = Array.isArray(found) ? found[values.n === 1 ? 0 : 1] : found;
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
