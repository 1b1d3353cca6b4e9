// The card of a unit of either side below the board, what its units control, reach and command, and the legend.
// All of it stands on a page of its own (`/battles/ID/units`); this script shows its parts where they are asked for.
import { cellOf, unitOf } from "./targets.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<string, string>} */
const KEYS = { z: "control", f: "shoot", c: "command" }; // on the board

const battle = document.getElementById("battle");
const part = battle.querySelector(".board-part");
const card = document.getElementById("unit-card");
/** @type {{ key: string, page: Promise<any> }} */
let asked = { key: "", page: Promise.resolve(null) }; // the page of units that was fetched last
let shown = ""; // the unit whose card is open
/** @type {Set<string>} */
const fields = new Set(); // the kinds of fields that are drawn

const board = () => document.getElementById("board");
const NEWER = { attributeFilter: ["data-n"] }; // or it shows another event
const watch = new MutationObserver(refresh);
watch.observe(part, { childList: true }); // the board was drawn anew
watch.observe(board(), NEWER);

/** @type {Record<string, (event: any) => unknown>} */
const DEEDS = { click: onClick, focusin: onFocus, keydown: onKey, toggle: showLegend };

// Somebody turns to a unit, a kind of field or the legend.
/** @type {(event: any) => void} */
export function look(event) {
  DEEDS[event.type](event);
}

// The units as they are on the board that is shown.
function units() {
  const { id, side } = battle.dataset, query = new URLSearchParams({ n: board().dataset.n, ...(side && { side }) });
  const key = `${id}?${query}`;
  if (asked.key !== key) asked = { key, page: fetched(`${ROOT}battles/${id}/units?${query}`) };
  return asked.page;
}

/** @type {(address: string) => Promise<any>} */
async function fetched(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

// --- the card

/** @type {(event: any) => void} */
function onClick(event) {
  const layer = event.target.closest("[data-layer]"), token = event.target.closest("#board [data-unit]");
  if (layer) toggle(layer.dataset.layer);
  else if (event.target.closest("[data-closes]")) close();
  else if (token && !event.target.closest("#aims")) open(unitOf(token));
}

/** @type {(event: any) => void} */
function onFocus(event) {
  const stop = event.target.closest?.("#board [data-stop]");
  if (!stop?.matches(":focus-visible")) return;
  const there = stop.dataset.unit ? [stop] : battle.querySelectorAll(`#board .unit[data-cell="${CSS.escape(stop.dataset.cell)}"]`);
  if (there.length) open(unitOf([...there].at(-1))); // the front unit is drawn last
}

/** @type {(event: any) => void} */
function onKey(event) {
  if (!event.target.closest?.("#board") || event.ctrlKey || event.altKey || event.metaKey) return;
  if (KEYS[event.key]) toggle(KEYS[event.key]);
}

// Show the card of a unit.
/** @type {(unit: string) => Promise<void>} */
export async function open(unit) {
  shown = unit;
  const page = await units(), found = page?.querySelector(`[data-dossier="${CSS.escape(unit)}"]`);
  if (shown !== unit) return;
  card.hidden = !found;
  if (found) document.getElementById("unit-told").replaceChildren(...told(found));
  drawFields();
}

/** @type {(dossier: any) => any[]} */
function told(dossier) {
  const parts = [...dossier.cloneNode(true).childNodes], name = document.createElement("h2");
  name.textContent = dossier.querySelector("h3").textContent;
  return parts.map((one) => (one.nodeName === "H3" ? name : one));
}

function close() {
  shown = "";
  card.hidden = true;
  drawFields();
  (board().querySelector('[data-stop][tabindex="0"]') ?? battle.querySelector("[data-layer]"))?.focus({ preventScroll: true });
}

/** @type {(changes: any[]) => void} */
function refresh(changes) {
  const isNew = changes.some((change) => [...change.addedNodes].some((node) => node.id === "board"));
  if (isNew) watch.observe(board(), NEWER);
  else if (!changes.some((change) => change.type === "attributes")) return;
  if (shown) open(shown);
  else drawFields();
}

// --- fields

/** @type {(kind: string) => void} */
function toggle(kind) {
  if (!fields.delete(kind)) fields.add(kind);
  for (const button of battle.querySelectorAll("[data-layer]")) button.setAttribute("aria-pressed", String(fields.has(button.dataset.layer)));
  drawFields();
}

// Those of the open card; without one, of all units.
async function drawFields() {
  const picture = board().querySelector("svg"), page = fields.size ? await units() : null;
  if (!picture?.isConnected) return;
  picture.querySelector("#fields")?.remove();
  if (!page) return;
  const layer = document.createElementNS(SVG, "g");
  layer.id = "fields";
  layer.setAttribute("aria-hidden", "true");
  /** @type {Set<string>} */
  const drawn = new Set(); // a box that several units of a side reach is tinted once
  for (const dossier of page.querySelectorAll("[data-dossier]")) {
    if (shown && dossier.dataset.dossier !== shown) continue;
    for (const field of dossier.querySelectorAll("[data-field]")) if (fields.has(field.dataset.field)) layer.append(...outlines(field, dossier, drawn));
  }
  picture.insertBefore(layer, picture.querySelector(":scope > .tokens"));
}

/** @type {(field: any, dossier: any, drawn: Set<string>) => any[]} */
function outlines(field, dossier, drawn) {
  const { cells, paths, turned } = field.dataset, side = ["south", "north"].find((one) => dossier.classList.contains(one)) ?? "";
  const fresh = cells.split(" ").filter((/** @type {string} */ cell) => cell && !drawn.has(`${field.dataset.field} ${side} ${cell}`));
  for (const cell of fresh) drawn.add(`${field.dataset.field} ${side} ${cell}`);
  const shapes = fresh.map((/** @type {string} */ cell) => cellOf(cell)?.querySelector("path")?.cloneNode());
  const path = "turned" in board().dataset ? turned : paths;
  if (path) {
    const shape = document.createElementNS(SVG, "path");
    shape.setAttribute("d", path);
    shapes.push(shape);
  }
  for (const shape of shapes) {
    for (const name of ["fill", "stroke", "opacity", "id"]) shape?.removeAttribute(name);
    shape?.setAttribute("class", `field-shape ${field.dataset.field} ${side}`);
  }
  return shapes.filter(Boolean);
}

// --- the legend

/** @type {(event: any) => Promise<void>} */
async function showLegend(event) {
  const here = document.getElementById("legend-here");
  if (!event.target.open || here.querySelector("ul")) return;
  const page = await units(), list = page?.getElementById("legend-list");
  if (!list) return;
  list.removeAttribute("id");
  here.prepend(list);
}
