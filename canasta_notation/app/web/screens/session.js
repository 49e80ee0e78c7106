// A game that a screen has open: held by this tab, or only read while another tab has it.
import { el, button, noState, state } from "../dom.js";
import { Taken, change, hold, load, watch } from "../store.js";

export async function session(id, draw) {
  const open = { game: await load(id), held: false, closed: false };
  if (!open.game) return null;
  let claim = null;

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

  // Changes the game; what could not be saved is reported, and is not shown as saved.
  open.change = async (work) => {
    try {
      open.game = await change(id, work);
      noState("unsaved");
      return true;
    } catch (error) {
      if (error instanceof Taken) {
        open.held = false;
        await reread();
      } else state("unsaved", `NOT SAVED: ${error.message || error}`);
      return false;
    }
  };

  open.banner = () => (open.held ? null : el(
    "p",
    { className: "bad" },
    "Another tab has this game. Here it can only be read. ",
    button("take over", () => take(true)),
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
