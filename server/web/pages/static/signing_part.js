// Signing on the pages of a battle: what a form sends is signed by the key of the seat, if this browser has it.
// A line is signed only as it stands in the form: the server says how it is written in the log, and if that is more than
// a matter of spaces and capitals, the player sees it first.

import { bytesOf } from "./bytes.js";
import { carrySeat } from "./carrying.js";
import { keep, kept } from "./keeping.js";
import { afterSending } from "./lines.js";
import { sealFromText } from "./seals.js";
import { OF_UMPIRES, UMPIRE, keyOf, phraseBytes, signatureOf } from "./signing.js";
import { say } from "./words.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const NOTHING = new Uint8Array();
const ACT_OF = /\/battles\/([^/]+)/;

const battle = document.getElementById("battle") ?? document.getElementById("disputing");

// Whether nothing is missing to sign for this seat: true, too, if it does not sign.
export async function canSignHere() {
  return !battle?.dataset.signer || !!(await ownKey());
}

// Say if this browser lacks the key of the seat.
export async function showKey() {
  const told = document.getElementById("key-missing");
  if (told) told.hidden = await canSignHere();
}

// Put a signature for each line into a form, of which `orders` are those to be sent; gives them as they are signed. Throws,
// with the reason in words, if the player has to look first; what cannot be signed goes without, and the server says what is
// missing.
/** @type {(form: any, orders?: string) => Promise<string | undefined>} */
export async function signForm(form, orders = form.elements.orders?.value) {
  for (const old of form.querySelectorAll("[name=signature]")) old.remove();
  const key = form.matches("[data-signed]") ? await ownKey() : null;
  const asked = key && (await linesOf(form, orders));
  if (!asked) return orders;
  const { id, side, serial } = battle.dataset, seen = form.elements.seen.value;
  for (const [at, text] of (asked.texts.length ? asked.texts : [""]).entries()) {
    const giving = at === asked.bringing ? givenIn(form) : NOTHING, number = Number(serial) + 1 + at;
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = "signature";
    field.value = `${number} ${await signatureOf(key, id, side, number, seen, giving, text)}`;
    form.append(field);
  }
  return orders === undefined ? undefined : asked.texts.join("\n");
}

// Sign that a side is taken, with the key that was made for it: its first serial. A guest who has written no name gets
// one here, for it is signed.
/** @type {(form: any, signer: string) => Promise<void>} */
export async function signTaking(form, signer) {
  const { battle: id, side, join } = form.dataset, key = await keyOf(id, side, signer), field = form.elements.name;
  if (field && !field.value.trim()) field.value = `${field.placeholder} ${crypto.randomUUID().slice(0, 6)}`;
  const name = (join || field.value).trim().normalize("NFC").replace(/\s+/g, " ");
  put(form, "signature", `1 ${await signatureOf(key, id, side, 1, form.elements.seen.value, NOTHING, `join ${name}`)}`);
}

// Sign what the pressed button does beside orders: its line, with the number of days that stands in the form. What is
// not signed here goes without, and the server says what is missing.
/** @type {(form: any, pressed: any) => Promise<void>} */
export async function signAct(form, pressed) {
  if (pressed?.name) put(form, pressed.name, pressed.value);
  const said = pressed?.dataset.line, key = said && (await ownKey());
  if (!key) return;
  const days = form.elements.days?.value, line = days ? said.replace(/\d+(?=d$)/, String(Number(days))) : said;
  const { id, side, serial } = battle.dataset, number = Number(serial) + 1;
  put(form, "signature", `${number} ${await signatureOf(key, id, side, number, form.elements.seen.value, NOTHING, line)}`);
}

/** @type {(form: any, name: string, value: string) => void} */
function put(form, name, value) {
  for (const old of form.querySelectorAll(`input[type=hidden][name=${name}]`)) old.remove();
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
}

// A line by itself as the log will have it, with its signature, and whether that says no more than what was written; null
// if the key is not here. Throws, with the reason in words, if it cannot be read.
/** @type {(said: string, seen: string) => Promise<{ line: string, signature: string, isSame: boolean } | null>} */
export async function signedLine(said, seen) {
  const key = await ownKey();
  if (!key) return null;
  const answer = await asLogged(said), asked = await answer.json();
  if (!answer.ok) throw new Error(asked.lines?.[0]?.sentence ?? asked.detail);
  const [line] = asked.texts, { id, side, serial } = battle.dataset, number = Number(serial) + 1;
  const signature = `${number} ${await signatureOf(key, id, side, number, seen, NOTHING, line)}`;
  return { line, signature, isSame: plainly(said) === plainly(line) };
}

// The signature of the entry that a form brings behind its one line.
/** @type {(form: any) => Promise<string>} */
export async function signedEntry(form) {
  const { id, side, serial } = battle.dataset, number = Number(serial) + 2;
  return `${number} ${await signatureOf(await ownKey(), id, side, number, form.elements.seen.value, givenIn(form), "")}`;
}

// What the server says of lines: how they stand in the log, or what is wrong with them.
/** @type {(orders: string, form?: any) => any} */
export function asLogged(orders, form = null) {
  const { id, side } = battle?.dataset ?? { id: ACT_OF.exec(form.action)?.[1], side: form.elements.side.value };
  const headers = { Accept: "application/json" };
  return fetch(`${ROOT}battles/${id}/lines`, { method: "POST", headers, body: new URLSearchParams({ side, orders }) });
}

async function ownKey() {
  const { id, side, signer } = battle?.dataset ?? {};
  if (!signer) return null;
  const here = () => (side === UMPIRE ? keyOf(...OF_UMPIRES, signer) : keyOf(id, side, signer));
  return (await here()) ?? carrySeat().then(here);
}

// The orders of a form as they are signed, and which of them brings the contribution; null if they cannot be signed.
/** @type {(form: any, orders?: string) => Promise<{ texts: string[], bringing: number } | null>} */
async function linesOf(form, orders = "") {
  const box = form.elements.orders;
  if (!box) return { texts: [], bringing: 0 };
  const answer = await asLogged(orders);
  if (!answer.ok) return null;
  const asked = await answer.json(), written = asked.texts.join("\n");
  const isSame = plainly(orders) === plainly(written);
  if (!isSame && box.type === "hidden") return null;
  box.value = afterSending(box.value, orders, written);
  if (!isSame) throw new Error(say("signed-shown"));
  return asked;
}

// What lines say, whatever their comments, spaces and capitals.
/** @type {(lines: string) => string} */
function plainly(lines) {
  const said = lines.split("\n").map((line) => line.replace(/#.*/, "").trim().replace(/\s+/g, " "));
  return said.filter((line) => line).join("\n").toLowerCase();
}

/** @type {(form: any) => Uint8Array} */
function givenIn(form) {
  if (form.elements.anchor) return bytesOf(form.elements.anchor.value);
  if (battle.dataset.anchor) return bytesOf(sealFromText(valueIn(form, "seal")));
  return phraseBytes(valueIn(form, "phrase"));
}

// What the server reads of a field: the last value that is not empty. A part that came in an answer has the field for
// browsers without script, too.
/** @type {(form: any, name: string) => string} */
function valueIn(form, name) {
  return new FormData(form).getAll(name).findLast((/** @type {string} */ value) => value) ?? "";
}

// --- a request without an answer: the same lines go as the same bytes, until it is known what became of them

/** @type {(form: any, body: string, orders?: string) => void} */
export function keepAsked(form, body, orders = "") {
  if (!battle.dataset.signer) return;
  const lines = plainly(orders);
  keep(place(form), JSON.stringify({ lines, serial: battle.dataset.serial, body }));
}

// The body of the request that waits for its answer, if it has the lines of the form; "" if there is none. Once the log
// has a later signature of the seat, the request has arrived.
/** @type {(form: any, orders?: string) => string} */
export function askedBefore(form, orders = "") {
  const asked = battle.dataset.signer && JSON.parse(kept(place(form)) || "null");
  const isSame = asked && asked.lines === plainly(orders);
  return isSame && asked.serial === battle.dataset.serial ? asked.body : "";
}

/** @type {(form: any) => void} */
export function forgetAsked(form) {
  if (battle.dataset.signer) keep(place(form), "");
}

/** @type {(form: any) => string} */
function place(form) {
  return `phalera:asked:${battle.dataset.id}:${battle.dataset.side}:${form.id}`;
}
