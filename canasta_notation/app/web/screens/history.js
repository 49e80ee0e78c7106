// What can be taken back and done again, in words.
import { button, el } from "../dom.js";
import { say } from "../language.js";
import { doAgain, takeBack } from "../store.js";

const said = (key, [each]) => {
  const [name, values] = each.what || ["did_text"];
  return say(key, { f: say(name, values) });
};

// The buttons; a tap calls `moved` with the change that it asks for. Null if there are none.
export function history(open, moved) {
  const { history: done, future = [] } = open.game;
  if (!open.held || !(done.length || future.length)) return null;
  return el("div", { className: "row" },
    done.length ? button(said("undo_what", done.slice(-1)), () => moved(takeBack), {
      data: { key: "undo" } }) : null,
    future.length ? button(said("redo_what", future.slice(-1)), () => moved(doAgain), {
      data: { key: "redo" } }) : null);
}
