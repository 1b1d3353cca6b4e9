// Table mode: the board fills the window. Fetched for whoever has sat down before, or does so now; Escape stands up again.
import { keep, kept } from "./keeping.js";
import { zoomAt } from "./zoom.js";

const WANTED = "phalera:table", ASIDE = "phalera:table-aside", LEFT = "phalera:table-left";
const WHEEL = 1.2; // times larger or smaller by one notch
const MOVED_PX = 4; // a press that has moved so far has moved the board, and chooses nothing
const BUSY = "#chooser, #board .chosen, .replaying, :popover-open"; // what Escape ends first

const root = document.documentElement;
const part = document.querySelector(".to-table"), button = document.getElementById("table");
/** @type {(name: string) => any} */
const own = (name) => part.querySelector(`[data-table="${name}"]`);
/** @type {{ x: number, y: number, moved: boolean } | null} */
let held = null; // the mouse holds the larger board here

const style = document.createElement("link");
style.rel = "stylesheet";
style.href = button.dataset.style;
const styled = new Promise((done) => { style.onload = style.onerror = done; });
document.head.append(style);
part.addEventListener("click", onClick);
document.addEventListener("keydown", onKey, true);
const board = document.querySelector(".board-part");
board.addEventListener("wheel", onWheel, { passive: false });
board.addEventListener("pointerdown", onPress);
board.addEventListener("click", onBoardClick, true);
addEventListener("pointermove", onMove);
addEventListener("pointerup", () => setTimeout(() => { held = null; }));
if (kept(WANTED)) styled.then(sit);

// Sit down at the table, or stand up again; this browser remembers it.
export function toggle() {
  const sits = !isSeated();
  keep(WANTED, sits ? "on" : "");
  if (sits) styled.then(sit);
  else stand();
}

const isSeated = () => root.classList.contains("at-table");

function sit() {
  root.classList.add("at-table");
  root.classList.toggle("with-aside", (kept(ASIDE) ?? (innerWidth >= 1200 ? "on" : "")) === "on");
  root.classList.toggle("left-handed", kept(LEFT) === "on");
  show();
}

function stand() {
  root.classList.remove("at-table", "with-aside", "left-handed");
  show();
  button.focus({ preventScroll: true });
}

function show() {
  button.setAttribute("aria-pressed", String(isSeated()));
  for (const name of ["aside", "left"]) own(name).hidden = !isSeated();
  own("aside").setAttribute("aria-expanded", String(root.classList.contains("with-aside")));
  own("left").setAttribute("aria-pressed", String(root.classList.contains("left-handed")));
}

/** @type {(event: any) => void} */
function onClick(event) {
  const name = event.target.closest("[data-table]")?.dataset.table;
  if (name) turn(name);
}

/** @type {(name: string) => void} */
function turn(name) {
  const [word, key] = name === "aside" ? ["with-aside", ASIDE] : ["left-handed", LEFT];
  keep(key, root.classList.toggle(word) ? "on" : "off");
  show();
}

/** @type {(event: any) => void} */
function onKey(event) {
  if (!isSeated() || event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyped = event.target.closest?.("input:not([type=range]), textarea, select");
  if (event.key === "Escape" && isTyped) event.target.blur();
  else if (event.key === "Escape" && !document.querySelector(BUSY)) toggle();
  else if (event.key === "o" && !isTyped) openOrders(event);
}

// The orders that are typed, behind their key.
/** @type {(event: any) => void} */
function openOrders(event) {
  event.preventDefault();
  turn("aside");
  if (root.classList.contains("with-aside")) document.getElementById("orders")?.focus();
}

// --- the wheel makes the board larger, the mouse moves it then

/** @type {(event: any) => void} */
function onWheel(event) {
  if (!isSeated() || event.target.closest("#chooser, #unit-card")) return;
  event.preventDefault();
  zoomAt(event.deltaY < 0 ? WHEEL : 1 / WHEEL, event.clientX, event.clientY);
}

/** @type {(event: any) => void} */
function onPress(event) {
  const isFree = isSeated() && event.pointerType === "mouse" && !event.shiftKey && event.target.closest("#board");
  held = isFree && !event.target.closest(".pickable, [data-key]") ? { x: event.clientX, y: event.clientY, moved: false } : null;
}

/** @type {(event: any) => void} */
function onMove(event) {
  if (!held || !event.buttons) return;
  if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < MOVED_PX && !held.moved) return;
  document.getElementById("board")?.scrollBy(held.x - event.clientX, held.y - event.clientY);
  held = { x: event.clientX, y: event.clientY, moved: true };
}

/** @type {(event: any) => void} */
function onBoardClick(event) {
  if (held?.moved) event.stopPropagation();
}
