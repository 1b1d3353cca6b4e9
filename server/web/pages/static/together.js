// Several units chosen together: with Shift or in a mode of its own, by a frame, as a whole formation. The server says what
// they may do, and in which words. This script is fetched when somebody first wants it.
import { aimsTogether } from "./aims.js";
import { giveBack, placeOfFocus } from "./focus.js";
import { targets, unitOf } from "./targets.js";
import { add, orders, tell } from "./tray.js";
import { say } from "./words.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const DRAG_PX = 8; // a pointer that goes this far draws a frame
const WAIT_MS = 120; // units that are chosen together are asked about together

const battle = document.getElementById("battle");
/** @type {Set<string>} */
const units = new Set(); // in the order in which they were chosen
/** @type {Map<string, TargetShown>} */
const offered = new Map(); // what several units were offered, by order: the tray may hold it
/** @type {{ chosen: () => string, choose: (unit: string) => void, mark: () => void }} */
let board = /** @type {any} */ (null); // what the script of the board lets us do: `chosen`, `choose`, `mark`
let isMode = false; // whether every click adds a unit or takes it away
/** @type {any} */
let frame = null; // the frame that is being drawn: where it begins, and its element
/** @type {any} */
let wait; // the timer of the next question

/** @type {(hooks: typeof board) => void} */
export function start(hooks) {
  board = hooks;
  document.addEventListener("pointermove", onMove);
  document.addEventListener("pointerup", onUp);
  document.addEventListener("pointercancel", endFrame);
}

export const isOn = () => isMode;
export const isAny = () => units.size > 0;
/** @type {(unit: string) => boolean} */
export const has = (unit) => units.has(unit);
/** @type {() => TargetShown[]} */
export const known = () => [...offered.values()];

// What is lit: everywhere that they come to by an order to all of them.
/** @type {() => TargetShown[]} */
export function lit() {
  return aimsTogether(targets(part()));
}

// --- choosing

/** @type {() => any[]} */
const tokens = () => [...document.querySelectorAll("#board .unit[data-unit]")].filter((token) => token.dataset.side === battle.dataset.side);
/** @type {() => Set<string>} */
const own = () => new Set(tokens().map(unitOf));

// Add own units, or take them away if all of them were chosen.
/** @type {(named: string[]) => void} */
export function pick(named) {
  const mine = own(), wanted = named.filter((unit) => mine.has(unit));
  if (!wanted.length) return;
  begin(mine);
  const areIn = wanted.every((unit) => units.has(unit));
  for (const unit of wanted) if (areIn) units.delete(unit); else units.add(unit);
  changed();
}

// A unit that was chosen alone is the first of several.
/** @type {(mine: Set<string>) => void} */
function begin(mine) {
  const first = board.chosen();
  if (!first) return;
  board.choose("");
  if (mine.has(first)) units.add(first);
}

/** @type {(button: any) => void} */
export function press(button) {
  if ("whole" in button.dataset) {
    const mine = own();
    board.choose("");
    units.clear();
    for (const unit of button.dataset.whole.split(" ")) if (mine.has(unit)) units.add(unit);
    changed();
    return;
  }
  setMode(!isMode);
  if (!isMode) clear();
  else {
    begin(own());
    changed();
  }
}

/** @type {(on: boolean) => void} */
function setMode(on) {
  isMode = on;
  battle.classList.toggle("several", on);
  document.querySelector("[data-several]")?.setAttribute("aria-pressed", String(on));
}

export function clear() {
  if (!units.size) return;
  units.clear();
  changed();
}

// Let go of the units, then of the mode. Gives whether there was anything to let go of.
/** @type {() => boolean} */
export function letGo() {
  if (!units.size && !isMode) return false;
  if (units.size) clear();
  else setMode(false);
  return true;
}

// The board was drawn anew: who is gone is chosen no more, and the others may have other orders.
export function refresh() {
  const mine = own();
  for (const unit of units) if (!mine.has(unit)) units.delete(unit);
  if (units.size) changed();
  else empty();
}

// --- a frame

// `newest` is what the pointer did last: this script may have come when it was under way already.
/** @type {(event: any, newest: any) => void} */
export function stretch(event, newest) {
  if (event.button || event.target.closest("#aims")) return;
  frame = { x: event.clientX, y: event.clientY, drawn: null };
  onMove(newest);
}

/** @type {(event: any) => void} */
function onMove(event) {
  if (!frame) return;
  if (!event.buttons) endFrame();
  else if (frame.drawn || Math.hypot(event.clientX - frame.x, event.clientY - frame.y) >= DRAG_PX) draw(event);
}

/** @type {(pointer: any) => void} */
function draw({ clientX, clientY }) {
  if (!frame.drawn) {
    frame.drawn = document.createElement("div");
    frame.drawn.className = "frame";
    document.body.append(frame.drawn);
  }
  Object.assign(frame.drawn.style, {
    left: `${Math.min(frame.x, clientX)}px`, top: `${Math.min(frame.y, clientY)}px`,
    width: `${Math.abs(clientX - frame.x)}px`, height: `${Math.abs(clientY - frame.y)}px`,
  });
}

function onUp() {
  const box = frame?.drawn?.getBoundingClientRect();
  endFrame();
  if (!box) return;
  const swallowing = new AbortController(); // the click that ends the frame is none
  battle.addEventListener("click", (/** @type {any} */ event) => event.stopPropagation(), { capture: true, signal: swallowing.signal });
  setTimeout(() => swallowing.abort(), 0);
  const inside = tokens().filter((token) => {
    const { x, y, width, height } = token.getBoundingClientRect(), left = x + width / 2, top = y + height / 2;
    return left > box.left && left < box.right && top > box.top && top < box.bottom;
  });
  if (!inside.length) return;
  begin(own());
  for (const token of inside) units.add(unitOf(token));
  changed();
}

function endFrame() {
  frame?.drawn?.remove();
  frame = null;
}

// --- what they may do

/** @type {() => any} */
const part = () => document.getElementById("together");

function changed() {
  clearTimeout(wait);
  if (units.size) wait = setTimeout(ask, WAIT_MS);
  else empty();
  board.mark();
}

function empty() {
  const focused = placeOfFocus();
  part()?.remove();
  giveBack(focused);
}

async function ask() {
  const { id, side } = battle.dataset, asked = [...units].join(" ");
  const answer = await fetch(`${ROOT}battles/${id}/together?${new URLSearchParams({ side, units: asked })}`, { headers: { Accept: "text/html" } }).catch(() => null);
  if (asked !== [...units].join(" ")) return; // somebody was quicker
  const told = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-said]") : null;
  if (asked !== [...units].join(" ")) return;
  if (!told) tell(say("unreachable"));
  else show(told);
  board.mark();
}

/** @type {(told: any) => void} */
function show(told) {
  const focused = placeOfFocus(), there = part() ?? made();
  there.lastElementChild.replaceWith(told);
  for (const one of targets(there)) offered.set(one.order, one);
  there.firstElementChild.textContent = told.dataset.said;
  tell("");
  giveBack(focused);
}

// The part of the tray that tells about them; what it says is said in a place that stays.
/** @type {() => any} */
function made() {
  const section = document.createElement("section"), said = document.createElement("p");
  section.id = "together";
  said.className = "unseen";
  said.setAttribute("role", "status");
  section.append(said, document.createElement("div"));
  section.addEventListener("click", onClick);
  document.getElementById("answer").before(section);
  return section;
}

/** @type {(event: any) => void} */
function onClick(event) {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.without) pick([button.dataset.without]);
  else if ("letsGo" in button.dataset) clear();
  else if ("addsAlone" in button.dataset) addEach(button.closest("p").querySelector("select").value.split("\n"));
  else if (button.name === "pick") {
    event.stopPropagation();
    add(button.value);
    clear();
  }
}

// A line for each unit; those that are in the tray already are not doubled.
/** @type {(lines: string[]) => void} */
function addEach(lines) {
  const there = new Set(orders().map(({ line }) => line)), fresh = lines.filter((line) => !there.has(line));
  for (const line of fresh) add(line);
  const order = lines.join(", ");
  clear();
  tell(say(fresh.length ? "in-tray" : "in-tray-already", { order }));
}
