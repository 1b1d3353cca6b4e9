// Where the listed orders lead, and how that is drawn on the board: lit boxes or spots, and arrows of what is in the tray.
import { say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const ACTS = ["charge", "shoot", "move", "place", "join", "stay"]; // the first of several names a spot
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

// All targets of the list: order, what it does, where, and the unit under which it stands.
export function targets(list = document.getElementById("picks")) {
  return Array.from(list?.querySelectorAll("[data-act]") ?? [], (pick) => {
    const { act, box, edge, point, at, facing, path, way, group, said, chance } = pick.dataset;
    return {
      order: pick.value, act, box: box ?? "", edge: edge ?? "", point: point ? numbers(point) : null, at: at ?? "",
      facing: facing === undefined ? null : Number(facing), path: path ? path.split(" ") : [], way: pairs(numbers(way ?? "")),
      group: new Map(pairs((group ?? "").split(" ").filter(Boolean))), said: said ?? "", chance: chance ?? "",
      unit: pick.closest("[data-unit-picks]")?.dataset.unitPicks ?? "",
    };
  });
}

// The targets of a unit: its own, and where it goes with a group.
export function targetsOf(unit, all = targets()) {
  const alone = all.filter((one) => one.unit === unit && !one.group.size), together = all.filter((one) => one.group.has(unit));
  return [...alone, ...together.map((one) => (one.act === "move" ? { ...one, box: one.group.get(unit) } : one))];
}

export function keyOf(target) {
  return target.point ? target.point.join(" ") : target.box;
}

export function wordOf(act) {
  return say(`act-${act}`);
}

function numbers(words) {
  return words.split(" ").filter(Boolean).map(Number);
}

function pairs(values) {
  return values.flatMap((value, at) => (at % 2 ? [] : [[value, values[at + 1]]]));
}

// --- spots of the board

const drawing = () => document.querySelector("#board svg");
export const cellOf = (box) => document.querySelector(`#board .cell[data-cell="${CSS.escape(box)}"]`);
const outlineOf = (cell) => cell?.querySelector("path, polygon, rect") ?? null;

/** @returns {[number, number]} */
function middleOf(shape) {
  const { x, y, width, height } = shape.getBBox();
  return [x + width / 2, y + height / 2];
}

// A spot of the scene on the drawing; the board tells its scale, its margin and the size of the table.
/** @returns {[number, number]} */
function spotOf([x, y]) {
  const board = document.getElementById("board"), [scale, margin, width, height] = numbers(board.dataset.frame);
  const [east, north] = "turned" in board.dataset ? [width - x, height - y] : [x, y];
  return [margin + east * scale, margin + (height - north) * scale];
}

function placeOf(target) {
  if (target.point) return spotOf(target.point);
  const outline = outlineOf(cellOf(target.box));
  return outline ? middleOf(outline) : null;
}

// Where a unit stands: the middle of its token, or of the first of several that count as one.
export function standsAt(unit) {
  const token = tokensOf(unit)[0], moved = token?.transform.baseVal.consolidate()?.matrix;
  return moved ? [moved.e, moved.f] : token ? middleOf(token) : null;
}

export function tokensOf(unit) {
  return [...document.querySelectorAll("#board [data-unit]")].filter((token) => unitOf(token) === unit);
}

// The unit that a token belongs to: on some boards several tokens count as one.
export function unitOf(token) {
  const members = JSON.parse(document.getElementById("board").dataset.members || "{}");
  return members[token.dataset.unit] ?? token.dataset.unit;
}

// --- drawing

function made(name, attributes, ...parts) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...parts);
  return element;
}

// A layer of its own, above all else or below what moves.
function layer(name, isBelow = false) {
  const old = document.getElementById(name), fresh = made("g", { id: name, "aria-hidden": "true" });
  if (old) old.replaceWith(fresh);
  else if (isBelow) drawing()?.insertBefore(fresh, drawing().querySelector(":scope > .tokens"));
  else drawing()?.append(fresh);
  return fresh;
}

// Light up the spots of some targets, each with the best chance of its orders.
export function light(chosen) {
  const spots = new Map();
  for (const target of chosen) spots.set(keyOf(target), [...(spots.get(keyOf(target)) ?? []), target]);
  const ground = layer("aims-ground", true), lit = layer("aims");
  for (const [key, there] of spots) {
    const place = placeOf(there[0]);
    if (!place) continue;
    const drawn = spot(key, place, there), below = drawn.firstChild.cloneNode();
    below.setAttribute("class", drawn.getAttribute("class"));
    ground.append(below);
    lit.append(drawn);
  }
}

function spot(key, [x, y], there) {
  const act = ACTS.find((one) => there.some((target) => target.act === one)) ?? "stay";
  const outline = there[0].point ? null : outlineOf(cellOf(there[0].box));
  const shape = outline ? outline.cloneNode() : made("circle", { cx: x, cy: y, r: RADIUS });
  for (const name of ["fill", "stroke", "class", "opacity", "id"]) shape.removeAttribute(name);
  const best = Math.max(...there.map((target) => Number.parseInt(target.chance, 10) || 0));
  const size = outline ? outline.getBBox().height : 2 * RADIUS;
  const sign = made("path", { d: SIGNS[act], class: "sign", transform: `translate(${x} ${y - size * 0.28})` });
  const words = best ? [made("text", { x, y: y + size * 0.42, class: "chance" }, `${best}%`)] : [];
  return made("g", { class: `aim ${act}`, "data-key": key }, shape, sign, ...words);
}

// Arrows of the orders in the tray, as far as the list knows them.
export function ghosts(lines, all = targets()) {
  const drawn = layer("ghosts");
  for (const line of lines) {
    const found = all.find((one) => same(one.order, line) || (one.said && same(one.said, line)));
    if (!found) continue;
    if (found.group.size) for (const [unit, box] of found.group) drawn.append(...arrow(unit, { ...found, path: [], way: [], box }));
    else drawn.append(...arrow(found.unit, found));
  }
}

function arrow(unit, target) {
  const from = standsAt(unit), to = placeOf(target);
  if (!to) return [];
  if (!from) {
    const [x, y] = to;
    return [made("circle", { cx: x, cy: y, r: 2 * RADIUS, class: `ghost ${target.act}` }), made("text", { x, y, class: "ghost-name" }, unit)];
  }
  if (Math.hypot(to[0] - from[0], to[1] - from[1]) < RADIUS) {
    return [made("circle", { cx: from[0], cy: from[1], r: 2 * RADIUS, class: `ghost ${target.act}` })];
  }
  const between = [...target.path.map((box) => placeOf({ box })), ...target.way.map(spotOf)].filter(Boolean);
  const points = [from, ...between, to].filter(([x, y], at, all) => !at || x !== all[at - 1][0] || y !== all[at - 1][1]);
  const [[x0, y0], [x1, y1]] = points.slice(-2), turn = Math.atan2(y1 - y0, x1 - x0) * 180 / Math.PI;
  return [
    made("polyline", { points: points.map((point) => point.join(",")).join(" "), class: `ghost ${target.act}` }),
    made("path", { d: "M4 0 L-14 -9 L-14 9 Z", transform: `translate(${x1} ${y1}) rotate(${turn})`, class: `ghost head ${target.act}` }),
  ];
}

function same(one, other) {
  return one.toLowerCase() === other.toLowerCase();
}
