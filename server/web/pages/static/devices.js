// "Another device" in the settings: whether this device has the key of the player's seats, the key as words, words that
// somebody types, a link for who logs in by letters, and another key where none is left.

import { hindrance, keepKey, keyFor, told } from "./locker_keys.js";
import { fragmentOf, fromWords, wordsOf } from "./lockers.js";

/** @typedef {import("./locker_keys.js").Told} Told */

const ADDRESS = new URL("../api/v1/account/lockers", import.meta.url).href;
const part = document.getElementById("devices");
if (part) show().catch(() => undefined);

// Show what can be done here; without the server, or its address over https, nothing.
/** @type {() => Promise<void>} */
async function show() {
  const known = await told();
  if (!known || !crypto.subtle) return;
  const state = await hindrance(known);
  part.hidden = false;
  for (const one of part.querySelectorAll("[data-state]")) one.hidden = one.dataset.state !== (state ? "without" : "with");
  part.querySelector("#words-show").addEventListener("click", () => showWords(known));
  part.querySelector("#words-form").addEventListener("submit", (/** @type {any} */ event) => take(event, known));
  part.querySelector("#device-link")?.addEventListener("click", () => showLink(known));
  part.querySelector("#key-anew").addEventListener("click", beginAnew);
}

/** @type {(known: Told) => Promise<void>} */
async function showWords(known) {
  const key = await keyFor(known);
  if (key) reveal("words", await wordsOf(key, known.player));
}

/** @type {(known: Told) => Promise<void>} */
async function showLink(known) {
  const key = await keyFor(known);
  if (key) reveal("carried", `${new URL("../login", import.meta.url).href}#${fragmentOf(key, known.player)}`);
}

/** @type {(id: string, text: string) => void} */
function reveal(id, text) {
  const field = part.querySelector(`#${id}`);
  field.value = text;
  field.closest("p").hidden = false;
  field.focus();
  field.select?.();
}

/** @type {(event: any, known: Told) => Promise<void>} */
async function take(event, known) {
  event.preventDefault();
  const key = await fromWords(event.target.elements.words.value, known.player);
  if (!key) {
    part.querySelector("#words-wrong").hidden = false;
    return;
  }
  await keepKey(known.player, key);
  location.reload();
}

// No device has the key any more: what is locked with it is given up, and the first device to keep something makes another.
/** @type {() => Promise<void>} */
async function beginAnew() {
  const answer = await fetch(ADDRESS, { method: "DELETE", headers: { Accept: "application/json" } });
  if (answer.ok) location.reload();
}
