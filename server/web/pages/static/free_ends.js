// A unit on a table of free measure as a ghost that is dragged, put somewhere by a tap, or led through a list by keys. Where it
// may end, how far that is and which order leads there, the server says: nothing is measured here. This script is fetched when
// somebody first turns to a unit of such a game.
import { giveBack, placeOfFocus } from "./focus.js";
import { read } from "./islands.js";
import { withoutLine } from "./lines.js";
import { layer, made, spotOf, standsAt, tokensOf } from "./targets.js";
import { add, orders, setText, tell, text } from "./tray.js";
import { say } from "./words.js";

/** @typedef {{ at: [number, number], facing: number | null }} Wished a place of the scene, and a facing if one was chosen */

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const PAUSE_MS = 90; // between two questions of a drag
const CIRCLE = 3600;
const HUES = { move: "#1d5fa8", charge: "#b3122a", join: "#00695c", stay: "#1d5fa8", place: "#8a6400", shoot: "#8a3ab0" };
const NARROW_PX = 420; // a board that is drawn narrower than this has its lines and letters larger
const SHARES = [0.75, 0.55, 0.35]; // where along the lines to enemies their lengths stand
const FRONT = 0.55; // how far ahead of the middle the sign of the front begins, in parts of the way to the front

const battle = document.getElementById("battle");
/** @type {{ choose: (unit: string) => void, isDragging: () => boolean }} */
let board = /** @type {any} */ (null); // what the script of the board lets us do
let key = ""; // the unit that is shown, and the event after which
let unit = "";
/** @type {FreeEndsShown | null} */
let told = null; // its reach and its list
/** @type {FreeEndShown | null} */
let end = null; // where the ghost is
/** @type {Wished | null} */
let wished = null; // where it was wished last
/** @type {Wished | null} */
let next = null; // what is to be asked when the answer before is there
let asking = Promise.resolve(); // until nothing more is to be asked
let isAsking = false;
/** @type {Map<string, TargetShown>} */
const taken = new Map(); // what was put into the tray from here, by unit: the board draws it

/** @type {(hooks: typeof board) => void} */
export function start(hooks) {
  board = hooks;
  battle.addEventListener("touchmove", (/** @type {any} */ event) => { if (board.isDragging()) event.preventDefault(); }, { passive: false });
  document.addEventListener("keydown", onKey);
}

/** @type {() => TargetShown[]} */
export const known = () => [...taken.values()];

// Turn to a unit, or with "" to none. A board that was drawn anew is given its ghost again.
/** @type {(name: string) => void} */
export function show(name) {
  const wanted = name ? `${name} ${battle.dataset.n}` : "";
  if (wanted !== key) {
    key = wanted;
    unit = name;
    told = end = wished = next = null;
    close();
    if (name) fetchPart(wanted);
  }
  draw();
}

/** @type {(more: Record<string, string>) => string} */
const address = (more) => `${ROOT}battles/${battle.dataset.id}/ends?${new URLSearchParams({ side: battle.dataset.side, unit, ...more })}`;

/** @type {(wanted: string) => Promise<void>} */
async function fetchPart(wanted) {
  const answer = await fetch(address({}), { headers: { Accept: "text/html" } }).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-ends-of]") : null;
  if (wanted !== key || !page) return;
  open(page);
  told = read("ends", page, /** @type {FreeEndsShown | null} */ (null));
  draw();
  if (end) tellEnd();
}

// --- where it is wished

// The place of the scene under the pointer, on the table at any rate.
/** @type {(event: any) => [number, number]} */
function sceneAt({ clientX, clientY }) {
  const part = document.getElementById("board"), picture = part.querySelector("svg");
  const spot = new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
  const [scale, margin, width, height] = part.dataset.frame.split(" ").map(Number);
  const east = (spot.x - margin) / scale, north = height - (spot.y - margin) / scale;
  const [x, y] = "turned" in part.dataset ? [width - east, height - north] : [east, north];
  return [Math.round(Math.min(width, Math.max(0, x))), Math.round(Math.min(height, Math.max(0, y)))];
}

// Ask for the best end; while an answer is on its way only the newest wish waits.
/** @type {(wish: Wished) => Promise<void>} */
function ask(wish) {
  wished = next = wish;
  if (!isAsking) asking = answerAll();
  return asking;
}

async function answerAll() {
  isAsking = true;
  while (next) {
    const wish = next, of = key;
    next = null;
    const found = await answered(wish);
    if (of === key && wished && found) take(found); // it may have been given up meanwhile
    if (next) await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  isAsking = false;
}

/** @type {(wish: Wished) => Promise<FreeEndsShown | null>} */
async function answered({ at: [x, y], facing }) {
  const more = { x: String(x), y: String(y), ...(facing === null ? {} : { facing: String(facing) }) };
  const answer = await fetch(address(more), { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer) tell(say("unreachable"));
  return answer?.ok ? answer.json() : null;
}

/** @type {(found: FreeEndsShown) => void} */
function take(found) {
  end = found.choices[0] ?? null;
  choose(-1);
  if (end) tellEnd();
  else tellWords(found.said);
  draw();
}

// --- pointer and touch, as the script of the board passes them on

// What is dragged by any pointer, fingers too: the ghost, or the chosen unit, also under the spot where it stays.
/** @type {(part: any) => any} */
export function holds(part) {
  if (!unit) return null;
  const ghost = part.closest("#end-ghost"), token = part.closest("#board [data-unit]");
  if (ghost) return ghost;
  if (token) return tokensOf(unit).includes(token) ? token : null;
  return part.closest("#aims .stay") ?? null;
}

/** @type {(event: any) => void} */
export function drag(event) {
  if (unit) ask({ at: sceneAt(event), facing: wished?.facing ?? null });
}

// The end of a drag puts the order into the tray, as a lit spot does; one over an enemy is left to its lit spot.
/** @type {(event: any, lit: any) => boolean} */
export function drop(event, lit) {
  if (!unit || lit?.matches(".shoot, .charge")) return false;
  ask({ at: sceneAt(event), facing: wished?.facing ?? null }).then(put);
  return true;
}

// A drag is given up: the ghost is gone.
export function lift() {
  end = wished = next = null;
  draw();
}

// A tap on the table puts the ghost there, one on the ghost puts its order into the tray. Gives whether it was for us. `pointer`
// is what the pointer did last: a browser moves the click of a finger to what lies near it.
/** @type {(event: any, pointer: any) => boolean} */
export function tap(event, pointer) {
  const at = pointer?.pointerType === "touch" ? pointer : event, there = document.elementFromPoint(at.clientX, at.clientY);
  if (!unit || event.shiftKey || battle.classList.contains("several") || !there?.closest("#board svg")) return false;
  if (there.closest("#end-ghost")) {
    put();
    return true;
  }
  if (there.closest("#aims [data-key]") || there.closest("[data-unit]")?.dataset.side === battle.dataset.side) return false;
  ask({ at: sceneAt(at), facing: wished?.facing ?? null });
  return true;
}

// The order of the ghost goes into the tray, in the place of one that was put there from here for the same unit.
function put() {
  if (!end || !unit) return;
  const before = taken.get(unit), line = before ? orders().find((one) => one.line === before.order) : undefined;
  const { order, act, at, facing } = end, target = { act, point: at, facing };
  taken.set(unit, { order, under: unit, target });
  if (line && before?.order !== order) setText(withoutLine(text(), line.at));
  add(order);
  if (tokensOf(unit).length) board.choose("");
  else lift();
}

// --- the part of the tray

/** @type {() => any} */
const part = () => document.getElementById("ends");

/** @type {(page: any) => void} */
function open(page) {
  const section = document.createElement("section");
  section.id = "ends";
  section.append(page);
  section.addEventListener("click", onClick);
  close();
  document.getElementById("answer").before(section);
}

function close() {
  const focused = placeOfFocus();
  part()?.remove();
  giveBack(focused);
}

/** @type {(words: string) => void} */
function tellWords(words) {
  const said = part()?.querySelector(".end-said");
  if (said) said.textContent = words;
}

function tellEnd() {
  if (end) tellWords(`${end.order}: ${end.said}`);
  const button = part()?.querySelector("[data-takes-end]");
  if (button) button.disabled = !end;
}

/** @type {(event: any) => void} */
function onClick(event) {
  const button = event.target.closest("button"), listed = event.target.closest("[role=option]");
  if (listed) choose([...options()].indexOf(listed));
  else if (!button) return;
  else if ("takesEnd" in button.dataset) put();
  else if ("letsEndGo" in button.dataset) board.choose("");
  else if (button.dataset.turns) turn(Number(button.dataset.turns));
}

// Another facing, at the place of the ghost, or on the spot.
/** @type {(by: number) => void} */
function turn(by) {
  const at = wished?.at ?? end?.at ?? told?.at, from = wished?.facing ?? end?.facing ?? told?.facing;
  if (at && typeof from === "number") ask({ at, facing: (from + by + CIRCLE) % CIRCLE });
}

// --- keys: a list that is walked through

const options = () => part()?.querySelectorAll("[role=option]") ?? [];
const list = () => part()?.querySelector("[role=listbox]");

/** @type {(index: number) => void} */
function choose(index) {
  for (const [at, option] of [...options()].entries()) option.setAttribute("aria-selected", String(at === index));
  if (index < 0) {
    list()?.removeAttribute("aria-activedescendant");
    return;
  }
  list()?.setAttribute("aria-activedescendant", `end-${index}`);
  options()[index]?.scrollIntoView({ block: "nearest" });
  end = told?.choices[index] ?? null;
  wished = end && { at: end.at, facing: end.facing };
  const button = part()?.querySelector("[data-takes-end]");
  if (button) button.disabled = !end;
  draw();
}

/** @type {(event: any) => void} */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "g" && unit && list() && event.target.closest?.("#board")) {
    event.preventDefault();
    part().querySelector("details").open = true;
    list().focus();
    choose(0);
    return;
  }
  if (!list() || event.target !== list()) return;
  const count = options().length, here = [...options()].findIndex((option) => option.getAttribute("aria-selected") === "true");
  /** @type {Record<string, number>} */
  const steps = { ArrowDown: here + 1, ArrowRight: here + 1, ArrowUp: here - 1, ArrowLeft: here - 1, Home: 0, End: count - 1 };
  if (event.key === "Enter") put();
  else if (event.key in steps) choose((steps[event.key] + count) % count);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// --- what is drawn

function draw() {
  if (!document.querySelector("#board svg")) return;
  const ground = layer("end-reach", true), above = layer("end-ghost");
  ground.setAttribute("pointer-events", "none");
  if (!unit) return;
  if (told?.reach.length) ground.append(shape(told.reach, { fill: HUES.move, "fill-opacity": 0.1, stroke: HUES.move, "stroke-width": 3 * larger(), "stroke-dasharray": "10 8" }));
  if (end) above.append(...ghost(end));
}

// How much larger lines and letters are drawn where the board is small.
function larger() {
  const width = document.getElementById("board").clientWidth;
  return width && width < NARROW_PX ? 1.8 : 1.2;
}

/** @type {(outline: [number, number][], look: Record<string, string | number>) => any} */
function shape(outline, look) {
  return made("polygon", { points: outline.map(spotOf).map((spot) => spot.join(",")).join(" "), ...look });
}

/** @type {(shown: FreeEndShown) => any[]} */
function ghost({ act, at, outline, nearest }) {
  const [x, y] = spotOf(at), hue = HUES[act], times = larger(), from = standsAt(unit);
  const look = { fill: hue, "fill-opacity": 0.35, stroke: hue, "stroke-width": 4 * times, cursor: "pointer" };
  const base = outline.length ? [shape(outline, look), front(outline, hue, times)] : [made("circle", { cx: x, cy: y, r: 24, ...look })];
  const way = from ? [made("line", { x1: from[0], y1: from[1], x2: x, y2: y, stroke: hue, "stroke-width": 4 * times, "pointer-events": "none" })] : [];
  return [...rulers(nearest, [x, y], times), ...way, ...base];
}

// An arrow-head within the front edge.
/** @type {(outline: [number, number][], hue: string, times: number) => any} */
function front(outline, hue, times) {
  const [left, right, behind, before] = outline.map(spotOf);
  const ahead = halfway(left, right), middle = halfway(ahead, halfway(behind, before));
  const [one, other] = [left, right].map((corner) => partWay(middle, halfway(middle, corner), FRONT));
  return made("polyline", { points: [one, ahead, other].map((spot) => spot.join(",")).join(" "), fill: "none", stroke: hue, "stroke-width": 4 * times, "pointer-events": "none" });
}

/** @type {(one: [number, number], other: [number, number]) => [number, number]} */
const halfway = (one, other) => partWay(one, other, 0.5);
/** @type {(one: [number, number], other: [number, number], share: number) => [number, number]} */
const partWay = ([x, y], [toX, toY], share) => [x + (toX - x) * share, y + (toY - y) * share];

// Lines to enemies, each with the distance of the bases as the server tells it; no figure lies over another.
/** @type {(nearest: NearShown[], from: [number, number], times: number) => any[]} */
function rulers(nearest, from, times) {
  const size = 18 * times, none = { "pointer-events": "none" };
  /** @type {[number, number][]} */
  const places = [];
  const lines = [], words = [];
  for (const [index, { unit: enemy, said }] of nearest.entries()) {
    const to = standsAt(enemy);
    if (!to) continue;
    const place = partWay(from, to, SHARES[index % SHARES.length]);
    while (places.some(([x, y]) => Math.abs(x - place[0]) < said.length * size && Math.abs(y - place[1]) < size)) place[1] -= size / 2;
    places.push(place);
    lines.push(made("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], stroke: "#14202e", "stroke-width": 2 * times, "stroke-dasharray": "4 6", ...none }));
    words.push(made("text", { x: place[0], y: place[1], "text-anchor": "middle", "dominant-baseline": "central", "font-size": size, "font-weight": 700, fill: "#14202e", stroke: "#fffdf7", "stroke-width": 5 * times, "paint-order": "stroke", ...none }, said));
  }
  return [...lines, ...words];
}
