// The key with which a player signs as umpire: made by this browser on the page of settings, for all battles to come. The form
// brings its public half to the account; the secret half goes to other devices of the player in a locker alone (seat_locker.js).

import { carry } from "./seat_locker.js";
import { OF_UMPIRES, canSign, keyOf, newKey } from "./signing.js";

/** @type {any} */
const form = document.getElementById("umpire-key");
if (form) begin(form).catch(() => undefined);

/** @type {(form: any) => Promise<void>} */
async function begin(form) {
  const { signer } = form.dataset;
  form.hidden = !(await canSign());
  if (form.hidden) return show("umpire-key-unable");
  form.addEventListener("submit", (/** @type {any} */ event) => void send(event, form));
  if (!signer) return;
  await carry("").catch(() => undefined);
  if (!(await keyOf(...OF_UMPIRES, signer))) show("umpire-key-elsewhere");
}

/** @type {(event: any, form: any) => Promise<void>} */
async function send(event, form) {
  event.preventDefault();
  try {
    form.elements.signer.value = await newKey(...OF_UMPIRES);
  } catch {
    return show("umpire-key-unable");
  }
  form.submit();
}

/** @type {(id: string) => void} */
function show(id) {
  const told = document.getElementById(id);
  if (told) told.hidden = false;
}
