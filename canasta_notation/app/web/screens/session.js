// A game that a screen has open: held by this tab, or only read while another tab has it.
import { el, button, noState, state } from "../dom.js";
import { say } from "../language.js";
import { Taken, change, hold, load, watch } from "../store.js";

export async function session(id, draw) {
  const open = { game: await load(id), held: false, closed: false };
  if (!open.game) throw new Error(say("not_here"));
  let claim = null;
  let last = Promise.resolve(true);

  const reread = async () => {
    const game = await load(id);
    if (open.closed) return;
    open.game = game || open.game;
    draw();
  };

  async function take(steal) {
    claim = await hold(id, steal);
    if (open.closed) return claim.release();
    open.held = claim.held;
    claim.lost.then(() => { open.held = false; return reread(); });
    open.game = await load(id);
    return steal ? draw() : undefined;
  }

  async function attempt(work) {
    try {
      open.game = await change(id, work);
      noState("unsaved");
      return true;
    } catch (error) {
      if (error instanceof Taken) {
        open.held = false;
        await reread();
      } else state("unsaved", `${say("not_saved")}: ${error.message || error}`);
      return false;
    }
  }

  // Changes the game; what could not be saved is reported, and is not shown as saved.
  open.change = (work) => {
    last = attempt(work);
    return last;
  };
  // Settles when every change so far is stored, with whether the last one could be.
  open.settled = () => {
    const before = last;
    last = Promise.resolve(true);
    return before;
  };

  open.banner = () => (open.held ? null : el(
    "p",
    { className: "bad" },
    `${say("only_read")} `,
    button(say("take_over"), () => take(true)),
  ));

  const unwatch = watch((changed) => { if (changed === id && !open.held) reread(); });
  open.close = () => {
    open.closed = true;
    unwatch();
    claim?.release();
  };
  await take(false);
  return open;
}
