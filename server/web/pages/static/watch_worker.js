// Watches the log of a battle beside its page. `{ begin }` names battle, side, the address of the battle in the API and the player; `{ look }`
// is what the page shows, `{ accept }` that its reader goes on. Each look is answered with `{ n, fault }`, or `{ n, lost: true }`
// if the server would not give its log; several that wait for each other are one.

import { actFor } from "./database.js";
import { Lost, Watcher } from "./watcher.js";

/** @type {Watcher} */
let watcher;
/** @type {any} */
let wanted = null; // what the page shows now
let isAtWork = false;

addEventListener("message", async (/** @type {any} */ { data }) => {
  if (data.begin) {
    const { battle, side, address, player } = data.begin;
    actFor(player);
    watcher = new Watcher(battle, side, (path) => asked(address + path));
    return;
  }
  wanted = { look: data.look, accept: data.accept || wanted?.accept };
  if (isAtWork) return;
  isAtWork = true;
  while (wanted) await answer(wanted);
  isAtWork = false;
});

/** @type {(data: any) => Promise<void>} */
async function answer({ look, accept }) {
  wanted = null;
  try {
    if (accept) await watcher.accept();
    postMessage({ n: look.n, fault: await watcher.look(look) });
  } catch (reason) {
    postMessage({ n: look.n, lost: true });
    if (!(reason instanceof Lost)) console.error(reason); // it would end the work for good
  }
}

/** @type {(address: string) => Promise<Uint8Array | null>} */
async function asked(address) {
  const answer = await fetch(address, { cache: "no-store" }).catch(() => null);
  return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
}
