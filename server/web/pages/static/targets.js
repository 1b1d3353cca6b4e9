// Where the listed orders lead, and how that is drawn on the board: lit boxes or spots, and arrows of what is in the tray.
import { aimOf, bySpot, groupOf, inBox, isOfGroup, signOf } from "./aims.js";
import { read } from "./islands.js";
import { say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const SIGNS = { // strokes in a square of 20 about the middle
  charge: "M-8 -8 L8 8 M-8 8 L8 -8",
  shoot: "M-9 0 H9 M0 -9 V9 M-6 0 A6 6 0 1 0 6 0 A6 6 0 1 0 -6 0",
  move: "M-8 4 L0 -5 L8 4",
  place: "M-7 -7 H7 V7 H-7 Z",
  join: "M0 -8 V8 M-8 0 H8",
  stay: "M-7 0 A7 7 0 1 1 0 7 M-4 3 L0 7 L-4 11",
};
const RADIUS = 22; // of a lit spot on a table without boxes

// --- what the list says

// All targets of a part of the page, the list of orders if no other is named.
/** @type {(part?: any) => TargetShown[]} */
export function targets(part = document.getElementById("picks")) {
  return read("targets", part, []);
}

/** @type {(act: string) => string} */
export function wordOf(act) {
  return say(`act-${act}`);
}

/** @type {(words: string) => number[]} */
function numbers(words) {
  return words.split(" ").filter(Boolean).map(Number);
}

// --- spots of the board

const drawing = () => document.querySelector("#board svg");
/** @type {(box: string) => any} */
export const cellOf = (box) => document.querySelector(`#board .cell[data-cell="${CSS.escape(box)}"]`);
/** @type {(cell: any) => any} */
const outlineOf = (cell) => cell?.querySelector("path, polygon, rect") ?? null;

/** @type {(shape: any) => [number, number]} */
function middleOf(shape) {
  const { x, y, width, height } = shape.getBBox();
  return [x + width / 2, y + height / 2];
}

// A spot of the scene on the drawing; the board tells its scale, its margin and the size of the table.
/** @type {(point: [number, number]) => [number, number]} */
export function spotOf([x, y]) {
  const board = document.getElementById("board"), [scale, margin, width, height] = numbers(board.dataset.frame);
  const [east, north] = "turned" in board.dataset ? [width - x, height - y] : [x, y];
  return [margin + east * scale, margin + (height - north) * scale];
}

/** @type {(aim: TargetShown) => [number, number] | null} */
function placeOf({ target }) {
  return target.point ? spotOf(target.point) : placeOfBox(target.box ?? "");
}

/** @type {(box: string) => [number, number] | null} */
function placeOfBox(box) {
  const outline = outlineOf(cellOf(box));
  return outline ? middleOf(outline) : null;
}

// Where a unit stands: the middle of its token, or of the first of several that count as one.
/** @type {(unit: string) => [number, number] | null} */
export function standsAt(unit) {
  const token = tokensOf(unit)[0], moved = token?.transform.baseVal.consolidate()?.matrix;
  return moved ? [moved.e, moved.f] : token ? middleOf(token) : null;
}

/** @type {(unit: string) => any[]} */
export function tokensOf(unit) {
  return [...document.querySelectorAll("#board [data-unit]")].filter((token) => unitOf(token) === unit);
}

// The unit that a token belongs to: on some boards several tokens count as one.
/** @type {(token: any) => string} */
export function unitOf(token) {
  const members = JSON.parse(document.getElementById("board").dataset.members || "{}");
  return members[token.dataset.unit] ?? token.dataset.unit;
}

// --- drawing

/** @type {(name: string, attributes: Record<string, string | number>, ...parts: any[]) => any} */
export function made(name, attributes, ...parts) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...parts);
  return element;
}

// A layer of its own, above all else or below what moves.
/** @type {(name: string, isBelow?: boolean) => any} */
export function layer(name, isBelow = false) {
  const old = document.getElementById(name), fresh = made("g", { id: name, "aria-hidden": "true" });
  if (old) old.replaceWith(fresh);
  else if (isBelow) drawing()?.insertBefore(fresh, drawing().querySelector(":scope > .tokens"));
  else drawing()?.append(fresh);
  return fresh;
}

// Light up the spots of some targets, each with the best chance of its orders.
/** @type {(chosen: TargetShown[]) => void} */
export function light(chosen) {
  const ground = layer("aims-ground", true), lit = layer("aims");
  for (const [key, there] of bySpot(chosen)) {
    const place = placeOf(there[0]);
    if (!place) continue;
    const drawn = spot(key, place, there), below = drawn.firstChild.cloneNode();
    below.setAttribute("class", drawn.getAttribute("class"));
    ground.append(below);
    lit.append(drawn);
  }
}

/** @type {(key: string, place: [number, number], there: TargetShown[]) => any} */
function spot(key, [x, y], there) {
  const { act, best } = signOf(there), { point, box } = there[0].target;
  const outline = point ? null : outlineOf(cellOf(box ?? ""));
  const shape = outline ? outline.cloneNode() : made("circle", { cx: x, cy: y, r: RADIUS });
  for (const name of ["fill", "stroke", "class", "opacity", "id"]) shape.removeAttribute(name);
  const size = outline ? outline.getBBox().height : 2 * RADIUS;
  const sign = made("path", { d: SIGNS[act], class: "sign", transform: `translate(${x} ${y - size * 0.28})` });
  const words = best ? [made("text", { x, y: y + size * 0.42, class: "chance" }, `${best}%`)] : [];
  return made("g", { class: `aim ${act}`, "data-key": key }, shape, sign, ...words);
}

// Arrows of the orders in the tray, as far as the list knows them.
/** @type {(lines: string[], all?: TargetShown[]) => void} */
export function ghosts(lines, all = targets()) {
  const drawn = layer("ghosts");
  for (const line of lines) {
    const aim = aimOf(line, all);
    if (!aim) continue;
    if (isOfGroup(aim)) for (const [unit, box] of groupOf(aim)) drawn.append(...arrow(unit, straight(inBox(aim, box))));
    else drawn.append(...arrow(aim.under ?? "", aim));
  }
}

// An aim without the places on the way: those of a group are of one of its units.
/** @type {(aim: TargetShown) => TargetShown} */
function straight(aim) {
  return { ...aim, target: { ...aim.target, path: [], way: [] } };
}

/** @type {(unit: string, aim: TargetShown) => any[]} */
function arrow(unit, aim) {
  const from = standsAt(unit), to = placeOf(aim), { act, path = [], way = [] } = aim.target;
  if (!to) return [];
  if (!from) {
    const [x, y] = to;
    return [made("circle", { cx: x, cy: y, r: 2 * RADIUS, class: `ghost ${act}` }), made("text", { x, y, class: "ghost-name" }, unit)];
  }
  if (Math.hypot(to[0] - from[0], to[1] - from[1]) < RADIUS) {
    return [made("circle", { cx: from[0], cy: from[1], r: 2 * RADIUS, class: `ghost ${act}` })];
  }
  const between = [...path.map(placeOfBox), ...way.map(spotOf)].filter((place) => place !== null);
  const points = [from, ...between, to].filter(([x, y], at, all) => !at || x !== all[at - 1][0] || y !== all[at - 1][1]);
  const [[x0, y0], [x1, y1]] = points.slice(-2), turn = Math.atan2(y1 - y0, x1 - x0) * 180 / Math.PI;
  return [
    made("polyline", { points: points.map((point) => point.join(",")).join(" "), class: `ghost ${act}` }),
    made("path", { d: "M4 0 L-14 -9 L-14 9 Z", transform: `translate(${x1} ${y1}) rotate(${turn})`, class: `ghost head ${act}` }),
  ];
}
