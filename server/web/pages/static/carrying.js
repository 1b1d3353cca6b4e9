// What a seat needs comes from the player's other devices, and goes to them: once for each state of the seat.

import { once } from "./loading.js";
import { say } from "./words.js";

const UMPIRE = "umpire"; // whose key is their account's, for all battles
const locker = once(() => import("./seat_locker.js"));
/** @type {Map<string, Promise<void>>} */
const carried = new Map();

// Bring the seat on this page up to date with the player's locker; gives when that is done, whatever came of it. Once for
// each state of the seat: the log says when it has another.
/** @type {() => Promise<void>} */
export function carrySeat() {
  const { id, side, anchor, signer } = (document.getElementById("battle") ?? document.getElementById("disputing"))?.dataset ?? {};
  if (!id || !side || !(anchor || signer)) return Promise.resolve();
  const state = `${anchor} ${signer}`, coming = carried.get(state) ?? locker().then(({ carry }) => carry(side === UMPIRE ? "" : id)).then(tell).catch(() => undefined);
  carried.set(state, coming);
  return coming;
}

// What is in the way, in a sentence; without the server the page says so elsewhere.
/** @type {(state: string) => void} */
function tell(state) {
  const told = document.getElementById("seat-told");
  if (!told) return;
  told.hidden = !state || state === "unreachable";
  const [words, link] = [told.querySelector("span"), told.querySelector("a")];
  if (words && !told.hidden) words.textContent = say(`seat-${state}`);
  if (link) link.hidden = !state.endsWith("-key");
}
