// The order tray: the lines of the order box as chips, kept on the server while they are written.
import { giveBack, placeOfFocus } from "./focus.js";
import { afterSending, hasOrder, inWay, merged, movedLine, ordersIn, placedLine, wayOf, ways, withOrder, withoutLine } from "./lines.js";
import { say } from "./words.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const KEEP_MS = 700; // what is written is kept when the player pauses this long
const LEAST_ROWS = 4, MOST_ROWS = 12;

let base = ""; // the draft as the server has it
/** @type {any} */
let later; // the timer of the next keeping
let keeping = Promise.resolve(); // the newest keeping, until it is answered
let kept = 0; // counts what was sent to be kept: a page asked for before that has an older draft
let isSending = false; // what is kept meanwhile would come behind the orders that empty the draft
/** @type {() => unknown} */
let changed = () => undefined; // told when the lines change: the board draws what they say

/** @type {(onChange: () => unknown) => void} */
export function start(onChange) {
  changed = onChange;
  if (!box()) return;
  base = box().value;
  document.getElementById("battle").addEventListener("input", (/** @type {any} */ event) => { if (event.target === box()) written(); });
  document.getElementById("tray")?.addEventListener("click", onClick);
  document.getElementById("tray")?.addEventListener("change", onWay);
  document.getElementById("tray")?.addEventListener("pointerdown", onGrip);
  addEventListener("pagehide", () => { if (later) keepNow(); });
  show();
}

/** @type {() => string} */
export function text() {
  return box()?.value ?? "";
}

// Whether there is nothing to send: no order, and no phrase or seal that is typed beside it.
/** @type {(orders: string) => boolean} */
export function isEmpty(orders) {
  return !orders.trim() && ![...document.querySelectorAll("#share input:not([type=hidden])")].some((field) => field.value);
}

/** @type {() => ReturnType<typeof ordersIn>} */
export function orders() {
  return ordersIn(text());
}

// Put an order into the tray. What is there already is not doubled in silence: the player is asked.
/** @type {(order: string) => void} */
export function add(order) {
  if (!box()) return;
  if (hasOrder(text(), order)) {
    tell(say("in-tray-already", { order }), say("add-again"), () => { put(order); });
    return;
  }
  put(order);
}

/** @type {(order: string) => void} */
function put(order) {
  setText(withOrder(text(), order));
  tell(say("in-tray", { order }));
}

/** @type {(words: string) => void} */
export function setText(words) {
  const field = box(), caret = words.length - (field.value.length - field.selectionEnd);
  field.value = words;
  if (document.activeElement === field) field.setSelectionRange(Math.max(0, caret), Math.max(0, caret)); // it stays where somebody writes
  written();
}

// Say something beside the buttons, with a button for what can be done about it.
/** @type {(words: string, label?: string, deed?: (() => void) | null) => void} */
export function tell(words, label = "", deed = null) {
  const told = document.getElementById("told");
  if (!told) return;
  told.replaceChildren(words);
  if (!deed) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = label;
  button.addEventListener("click", () => {
    const focused = placeOfFocus();
    deed();
    giveBack(focused);
  });
  told.append(" ", button);
}

// Orders are about to be sent: nothing is kept until their answer is there.
export async function hold() {
  isSending = true;
  clearTimeout(later);
  later = undefined;
  await keeping;
  document.querySelector("#tray [name=was]").value = base;
}

export function release() {
  isSending = false;
  if (box() && text() !== base) written();
}

// --- what the server says

/** @type {(sent: string, left: string) => void} */
export function takeAnswer(sent, left) {
  base = left;
  if (box()) setText(afterSending(text(), sent, left));
}

// Which drafts a page that is asked for now knows.
/** @type {() => number} */
export function stampNow() {
  return kept;
}

// The draft of a newer page: lines that came back, or that were written on another device.
/** @type {(theirs: string, stamp: number) => void} */
export function takeDraft(theirs, stamp) {
  if (!box() || theirs === base || stamp !== kept || isSending) return;
  const mine = text(), both = merged(mine, base, theirs);
  base = theirs;
  if (both !== mine) setText(both);
}

// --- chips

/** @type {() => any} */
function box() {
  return document.getElementById("orders");
}

function written() {
  show();
  clearTimeout(later);
  later = setTimeout(() => { keeping = keepNow(); }, KEEP_MS);
}

function show() {
  const field = box(), list = document.getElementById("chips"), found = orders();
  field.rows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, field.value.split("\n").length));
  const focused = placeOfFocus();
  list?.replaceChildren(...found.map((order, place) => chip(order, place, found.length)));
  giveBack(focused);
  changed();
}

/** @type {(order: { at: number, line: string }, place: number, count: number) => any} */
function chip({ at, line }, place, count) {
  const item = document.createElement("li"), words = document.createElement("code");
  words.textContent = line;
  item.dataset.at = at;
  if (count > 1) item.append(grip());
  item.append(words);
  const { way } = wayOf(line);
  if (way) item.append(wayChoice(line, at, way));
  if (count > 1) {
    item.append(button("‹", say("earlier", { line }), at, -1, place === 0), button("›", say("later", { line }), at, 1, place === count - 1));
  }
  item.append(button("×", say("remove", { line }), at, 0, false));
  return item;
}

/** @type {(line: string, at: number, chosen: string) => any} */
function wayChoice(line, at, chosen) {
  const choice = document.createElement("select");
  choice.dataset.at = at;
  choice.setAttribute("aria-label", say("way", { line }));
  for (const way of ways) choice.append(new Option(say(`way-${way}`), way, way === chosen, way === chosen));
  return choice;
}

/** @type {(event: any) => void} */
function onWay(event) {
  const choice = event.target.closest("#chips select");
  if (!choice) return;
  const at = choice.dataset.at;
  setText(inWay(text(), Number(at), choice.value));
  document.querySelector(`#chips select[data-at="${at}"]`)?.focus({ preventScroll: true }); // its name has changed
}

// --- a chip that is dragged

/** @type {() => any} */
function grip() {
  const held = document.createElement("span");
  held.className = "grip";
  held.textContent = "⠿"; // for pointers; the buttons beside do the same for keys
  held.setAttribute("aria-hidden", "true");
  return held;
}

/** @type {(event: any) => void} */
function onGrip(event) {
  const chip = event.target.closest("#chips .grip")?.closest("li");
  if (!chip || event.button) return;
  event.preventDefault();
  const list = chip.parentElement, listening = new AbortController();
  let next = chip.nextElementSibling;
  const move = (/** @type {any} */ moved) => {
    next = chipBehind([...list.children].filter((one) => one !== chip), moved);
    list.insertBefore(chip, next); // which would let go of a pointer that the chip had captured
  };
  const end = (/** @type {any} */ { type }) => {
    listening.abort();
    chip.classList.remove("dragged");
    if (type === "pointerup") setText(placedLine(text(), Number(chip.dataset.at), next ? Number(next.dataset.at) : -1));
    else show();
  };
  chip.classList.add("dragged");
  document.addEventListener("pointermove", move, listening);
  for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, end, listening);
}

// The first chip whose middle lies behind the pointer, in lines that run to the right.
/** @type {(others: any[], pointer: any) => any} */
function chipBehind(others, { clientX, clientY }) {
  return others.find((one) => {
    const { left, width, top, bottom } = one.getBoundingClientRect();
    return clientY < top || (clientY <= bottom && clientX < left + width / 2);
  }) ?? null;
}

/** @type {(sign: string, label: string, at: number, by: number, isIdle: boolean) => any} */
function button(sign, label, at, by, isIdle) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = sign;
  made.dataset.at = at;
  made.dataset.by = by;
  made.disabled = isIdle;
  made.setAttribute("aria-label", label);
  return made;
}

/** @type {(event: any) => void} */
function onClick(event) {
  const hides = event.target.closest("[data-hides]")?.dataset.hides;
  if (hides === "answer") document.getElementById("answer").replaceChildren();
  if (hides === "result") document.getElementById("result").hidden = true;
  if (hides) document.querySelector("#tray [value=send]").focus({ preventScroll: true });
  const pressed = event.target.closest("#chips button");
  if (!pressed) return;
  const at = Number(pressed.dataset.at), by = Number(pressed.dataset.by), label = pressed.getAttribute("aria-label"), line = wordsOf(pressed);
  setText(by ? movedLine(text(), at, by) : withoutLine(text(), at));
  const usable = [...document.querySelectorAll("#chips button:enabled")];
  const again = usable.find((one) => one.getAttribute("aria-label") === label) ?? usable.find((one) => wordsOf(one) === line) ?? usable[0];
  (again ?? box()).focus({ preventScroll: true });
}

// The line of the chip that a button belongs to.
/** @type {(button: any) => string} */
const wordsOf = (button) => button.closest("li").querySelector("code").textContent;

// --- the draft on the server

async function keepNow() {
  clearTimeout(later);
  later = undefined;
  const { id, side } = document.getElementById("battle").dataset, words = text();
  if (!side || isSending || words === base) return;
  const known = base, body = new URLSearchParams({ side, orders: words, was: known });
  kept += 1;
  const answer = await fetch(`${ROOT}battles/${id}/draft`, { method: "POST", body, keepalive: true }).catch(() => null);
  kept += 1;
  if (answer?.ok) base = words;
  if (answer?.status !== 409) return;
  base = (await answer.json()).orders; // it was changed in another window: both stay
  setText(merged(text(), known, base));
}
