// A player's share of the chance, put into forms: a phrase for each turn, or the next seal of their book. The server
// must not know either before.

import { canKeepBooks, newBook, nextSeal } from "./books.js";
import { hex } from "./bytes.js";
import { carrySeat } from "./carrying.js";
import { keep, kept } from "./keeping.js";
import { once } from "./loading.js";
import { leaveBy, oneByOne } from "./one_by_one.js";

const WANTED = "phalera:take"; // the side that was chosen where a battle was opened, until it is taken
const PHRASE_BYTES = 16;

const canSeal = canKeepBooks();
const isPlainUsual = once(() => import("./locker_keys.js").then(({ plainBecause }) => plainBecause()).catch(() => "")); // why, in a word
const sending = new WeakSet();
const signing = () => import("./signing.js"); // few seats sign: what that takes is fetched where it is asked

export function start() {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("change", (/** @type {any} */ { target }) => { if (target.matches("select[data-follows]")) target.dataset.chosen = ""; });
  canSeal.then((can) => { if (can) takeWanted(); });
  offer();
}

// Forms show what this browser can give: those of a page, and those of each newer part of it.
export function offer() {
  fillPhrases(document);
  canSeal.then((can) => {
    if (!can) offerPhrasesAlone();
    else if (document.querySelector("select[data-follows]")) isPlainUsual().then(offerPhrases);
  });
  if (document.querySelector("[data-sign-choice]")) signing().then(({ canSign }) => canSign()).then(offerKeys);
}

// --- phrases

// One for each player-turn of a battle, kept until the next: an order whose answer was lost is sent again with the same
// phrase, so that nobody gets a second throw by losing a message.
function phraseNow() {
  const place = document.getElementById("battle");
  if (!place) return randomPhrase();
  const key = `phalera:phrase:${place.dataset.id}:${place.dataset.side}`;
  const [turn, known] = (kept(key) ?? "").split(" ");
  if (turn === place.dataset.t && known) return known;
  const fresh = randomPhrase();
  keep(key, `${place.dataset.t} ${fresh}`);
  return fresh;
}

function randomPhrase() {
  return hex(crypto.getRandomValues(new Uint8Array(PHRASE_BYTES)));
}

/** @type {(where: any) => void} */
export function fillPhrases(where) {
  for (const field of where.querySelectorAll("[data-phrase]")) field.value = phraseNow();
}

// --- seals

// The next seal goes into the form, unless one is typed there. It follows from the log alone: if the answer was lost, the
// same one is sent again.
/** @type {(form: any) => Promise<void>} */
export async function fillSeals(form) {
  for (const field of form.querySelectorAll("[data-seal]")) {
    const { id, side, anchor } = (document.getElementById("battle") ?? document.getElementById("disputing")).dataset;
    if (field.value && field.value !== field.dataset.filled) continue;
    const seal = (await nextSeal(id, side, anchor)) || (await carrySeat().then(() => nextSeal(id, side, anchor)));
    field.value = field.dataset.filled = seal;
  }
}

// Whether a contribution can be given without a question: a phrase always, a seal if the book is here; in both cases
// only if the key is here with which the seat signs, if it does.
/** @type {(form: any) => Promise<boolean>} */
export async function canGive(form) {
  if (form.matches("[data-signed]") && !(await (await import("./signing_part.js")).canSignHere())) return false;
  if (form.querySelector("[data-phrase]")) return true;
  await fillSeals(form);
  return !!form.querySelector("[data-seal]")?.value;
}

// --- forms that need something made first: a book for a side, a seal for an offer

/** @type {(event: any) => Promise<void>} */
async function onSubmit(event) {
  const form = event.target, isKept = isComparedLater(form);
  if (event.defaultPrevented || !isKept && !form.querySelector("[data-anchor], [data-later], [data-seal]") && !form.matches("[data-signed], [data-act]")) return;
  event.preventDefault();
  if (sending.has(form)) return;
  sending.add(form);
  form.dataset.held = ""; // nothing newer takes its place
  try {
    await oneByOne(async () => {
      const newest = document.getElementById("battle")?.dataset.seen;
      if (form.elements.seen && newest) form.elements.seen.value = newest;
      if (form.matches("[data-act]")) await import("./signing_part.js").then(({ signAct }) => signAct(form, event.submitter));
      if (!(await prepare(form))) return;
      if (isKept) await keepSent(form, event.submitter).catch(() => undefined); // a browser that keeps nothing compares nothing
      await leaveBy(form);
    });
  } finally {
    sending.delete(form);
    delete form.dataset.held;
  }
}

// Whether a form does something that is to stand in the log; its script is fetched when it is sent.
/** @type {(form: any) => boolean} */
function isComparedLater(form) {
  return form.method === "post" && /\/battles\/[^/]+\/(orders|clock|sides\/[^/]+(\/leave)?)$/.test(new URL(form.action).pathname);
}

/** @type {(form: any, pressed: any) => Promise<void>} */
async function keepSent(form, pressed) {
  form.querySelector("[data-pressed]")?.remove();
  if (pressed?.name) {
    const { name, value } = pressed, field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    field.dataset.pressed = "";
    form.append(field);
  }
  await import("./own_acts.js").then(({ keepAct }) => keepAct(form));
}

// Gives false if the form cannot go like this: the player is told, and chooses anew.
/** @type {(form: any) => Promise<boolean>} */
async function prepare(form) {
  const anchor = form.querySelector("[data-anchor]"), later = form.querySelector("[data-later]");
  const choice = form.elements.chance, isUsual = (later && !choice) || (choice && "follows" in choice.dataset);
  const isPlain = isUsual ? await isPlainUsual() : ""; // what is usual stands in the choice then
  const isSealed = (choice ? choice.value !== "plain" : !isPlain) && (await canSeal);
  if (anchor) {
    const book = isSealed ? await newBook(form.dataset.battle, form.dataset.side).catch(() => null) : null;
    anchor.value = book?.anchor ?? "";
    if (isSealed && !book) {
      offerPhrasesAlone();
      return false;
    }
  }
  const isSigned = !!form.elements.sign?.checked;
  if (later) {
    later.value = isSealed || isSigned ? "yes" : "";
    if (later.value) sessionStorage.setItem(WANTED, [form.elements.side.value, form.elements.chance?.value ?? "sealed", isSigned].join(" "));
  }
  if (form.elements.signer) {
    const signer = isSigned ? await signing().then(({ newKey }) => newKey(form.dataset.battle, form.dataset.side)).catch(() => "") : "";
    if (isSigned && !signer) {
      offerKeys(false);
      return false;
    }
    form.elements.signer.value = signer;
    if (signer && "join" in form.dataset) await import("./signing_part.js").then(({ signTaking }) => signTaking(form, signer));
  }
  await fillSeals(form);
  if (form.matches("[data-signed]")) await import("./signing_part.js").then(({ signForm }) => signForm(form)).catch(() => undefined); // without a signature the server says what is missing
  return true;
}

// A battle that was opened a moment ago, with a side chosen for it: the book and the key needed its id.
function takeWanted() {
  const place = document.getElementById("battle");
  if (!place) return;
  const [side, chance, isSigned] = (sessionStorage.getItem(WANTED) ?? "").split(" "), asked = new URLSearchParams(location.search).get("take");
  sessionStorage.removeItem(WANTED);
  if (!side || side !== asked) return;
  const form = document.querySelector(`form[data-take][data-side="${CSS.escape(side)}"]`);
  if (!form) return;
  delete form.elements.chance.dataset.follows; // it was chosen
  form.elements.chance.value = chance;
  form.elements.sign.checked = isSigned === "true";
  form.requestSubmit();
}

/** @type {(can: boolean) => void} */
function offerKeys(can) {
  for (const choice of document.querySelectorAll("[data-sign-choice]")) {
    choice.hidden = !can;
    if (!can) choice.querySelector("input").checked = false;
  }
}

// Without a key that follows to other devices a phrase is offered first; a seal can still be chosen.
/** @type {(why: string) => void} */
function offerPhrases(why) {
  if (!why) return;
  for (const choice of document.querySelectorAll("select[data-follows]")) if (!("chosen" in choice.dataset)) choice.value = "plain";
  for (const told of document.querySelectorAll(`[data-plain="${why}"]`)) told.hidden = false;
}

function offerPhrasesAlone() {
  for (const choice of document.querySelectorAll("select[name=chance]")) {
    if ("operator" in choice.dataset) continue; // who runs the server says so themselves
    choice.value = "plain";
    choice.querySelector("[value=sealed]").disabled = true;
  }
  for (const told of document.querySelectorAll("[data-no-books]")) told.hidden = false;
}
