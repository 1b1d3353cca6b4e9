// Orders by hand: choose a unit on the board, then a lit spot; by pointer, by touch, by dragging or by keyboard.
import { aimsOf, groupOf as unitsOfGroup, keyOf, lineOf } from "./aims.js";
import { wayOf } from "./lines.js";
import { once } from "./loading.js";
import { looksBack } from "./replay.js";
import { cellOf, ghosts, light, targets, tokensOf, unitOf, wordOf } from "./targets.js";
import { add, orders, tell } from "./tray.js";
import { say } from "./words.js";

const ROOT = new URL("..", import.meta.url).pathname; // this script is in `static/` of the server
const NARROW = "(max-width: 60rem)"; // the choice is in the tray there, within reach of a thumb
const DRAG_PX = 8; // a pointer that goes this far with a unit drags it
/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const battle = document.getElementById("battle");
let chosen = ""; // the group of the list whose targets are lit
/** @typedef {{ unit: string, x: number, y: number, moving: boolean, done?: boolean, isGivenUp?: boolean }} Drag a unit that a pointer holds, from where */
/** @type {Drag | null} */
let dragged = null;
/** @type {any} */
let pointer = null; // what it did last on the board
let focusAt = ""; // the cell or unit that the keyboard is at
const dossiers = once(() => import("./dossiers.js"));
/** @type {typeof import("./together.js") | null} */
let lot = null; // the script of several units, once somebody wants to choose them
/** @type {typeof import("./free_ends.js") | null} */
let ends = null; // that of units that are dragged anywhere, once somebody turns to one

export function start() {
  battle.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  battle.addEventListener("pointerdown", onDown);
  battle.addEventListener("pointermove", onMove);
  document.addEventListener("pointerup", onUp);
  document.addEventListener("pointercancel", () => { dragged = null; });
  battle.addEventListener("toggle", onToggle, true);
  document.addEventListener("click", (/** @type {any} */ event) => { if (!event.target.closest("#chooser, #board")) closeChooser(); });
  prepare();
}

// Make a board that has just been drawn one that can be played on.
export function prepare() {
  const picture = document.querySelector("#board svg");
  if (!picture || looksBack()) return;
  const openNow = openGroup();
  chosen = openNow ? openNow.dataset.unitPicks : "";
  const listed = new Set(Array.from(groups(), (group) => group.dataset.unitPicks));
  for (const aim of targets()) for (const unit of unitsOfGroup(aim).keys()) listed.add(unit);
  const mine = battle.dataset.side, acts = [...listed].some((unit) => tokensOf(unit).length);
  for (const token of picture.querySelectorAll("[data-unit]")) {
    const unit = unitOf(token), isMine = token.dataset.side === mine;
    token.classList.toggle("pickable", listed.has(unit));
    token.classList.toggle("idle", acts && isMine && token.classList.contains("unit") && !listed.has(unit));
  }
  if (mine && document.getElementById("tray")) nameStops(picture);
  lot?.refresh();
  mark();
}

// --- choosing

const groups = () => document.querySelectorAll("#picks details[data-unit-picks]");
/** @type {(unit: string) => any} */
const groupOf = (unit) => [...groups()].find((group) => group.dataset.unitPicks === unit);

function openGroup() {
  const aimed = new Set(targets().map(({ under }) => under ?? ""));
  const open = [...groups()].filter((group) => group.open && aimed.has(group.dataset.unitPicks));
  return open.length === 1 ? open[0] : null;
}

/** @type {(event: any) => void} */
function onToggle(event) {
  if (!event.target.matches?.("#picks details")) return;
  const open = openGroup();
  if ((open?.dataset.unitPicks ?? "") === chosen) return;
  chosen = open?.dataset.unitPicks ?? "";
  closeChooser();
  mark();
}

/** @type {(unit: string) => void} */
function choose(unit) {
  const before = chosen;
  if (unit) lot?.clear();
  chosen = unit;
  for (const group of groups()) {
    const id = group.dataset.unitPicks;
    if (unit || id === before) group.open = id === unit;
  }
  closeChooser();
  mark();
  const there = unit ? mineLit() : [];
  if (unit) tell(there.length ? say("may", { unit, what: summary(there) }) : say("in-list", { unit }));
}

function mineLit() {
  if (looksBack()) return [];
  return lot?.isAny() ? lot.lit() : openGroup() || chosen ? aimsOf(chosen, targets()) : [];
}

/** @type {(there: TargetShown[]) => string} */
function summary(there) {
  const words = [...new Set(there.map(({ target }) => wordOf(target.act)))];
  return new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" }).format(words);
}

function mark() {
  for (const token of document.querySelectorAll("#board [data-unit]")) {
    token.classList.toggle("chosen", (!!chosen && unitOf(token) === chosen) || !!lot?.has(unitOf(token)));
  }
  light(mineLit());
  drawGhosts();
  if (ends || (chosen && isFree())) dragging().then((them) => them.show(looksBack() ? "" : chosen)).catch(() => {});
}

export function drawGhosts() {
  if (document.querySelector("#board svg") && !looksBack()) ghosts(orders().map(({ line }) => wayOf(line).order), [...targets(), ...(lot?.known() ?? []), ...(ends?.known() ?? [])]);
}

// --- a table of free measure

const isFree = () => "free" in document.getElementById("board").dataset && !!document.getElementById("tray");

const dragging = once(async () => {
  const them = await import("./free_ends.js");
  them.start({ choose, isDragging: () => !!dragged?.moving });
  return (ends = them);
});

// --- several units

// Whether what is pointed at is added to others, or taken from them.
/** @type {(event: any) => boolean} */
const isSeveral = (event) => event.shiftKey || !!lot?.isOn();

// Whether another unit to be chosen stands in a lit place.
/** @type {(spot: any) => boolean} */
const joins = (spot) => unitsIn(spot.dataset.key).some((unit) => !lot?.has(unit) && isListed(unit));

const several = once(async () => {
  const them = await import("./together.js");
  them.start({ chosen: () => chosen, choose, mark });
  lot = them;
  return them;
});

// --- taking a spot

/** @type {(key: string) => void} */
function take(key) {
  const there = mineLit().filter((one) => keyOf(one) === key);
  const others = lot?.isAny() ? [] : unitsIn(key).filter((unit) => unit !== chosen && groupOf(unit));
  if (there.length === 1 && !others.length) addTarget(there[0]);
  else openChooser(key, there, others);
}

/** @type {(box: string) => string[]} */
function unitsIn(box) {
  const found = document.querySelectorAll(`#board [data-unit][data-cell="${CSS.escape(box)}"]`);
  return [...new Set(Array.from(found, unitOf))];
}

/** @type {(aim: TargetShown) => void} */
function addTarget(aim) {
  closeChooser();
  add(lineOf(aim));
  lot?.clear();
  if (tokensOf(chosen).length) choose(""); // pieces that wait beside the board go on being placed
  tellAdded(aim);
}

/** @type {(aim: TargetShown) => void} */
function tellAdded(aim) {
  const said = document.getElementById("told")?.textContent ?? "";
  const isAdded = said === say("in-tray", { order: lineOf(aim) });
  if (aim.chance && isAdded) tell(`${said} ${say("passes", { chance: aim.chance })}`);
}

/** @type {(key: string, there: TargetShown[], others: string[]) => void} */
function openChooser(key, there, others) {
  closeChooser();
  const panel = document.createElement("div");
  panel.id = "chooser";
  panel.setAttribute("role", "dialog");
  panel.setAttribute("aria-label", there[0]?.target.box ? say("orders-for", { box: there[0].target.box }) : say("orders"));
  for (const aim of there) {
    const line = lineOf(aim), words = line === aim.order ? line : `${line} – ${aim.order}`;
    panel.append(choice(words, aim.chance, aim.target.act, () => addTarget(aim)));
  }
  for (const unit of others) panel.append(choice(say("instead", { unit }), "", "", () => { choose(unit); dossiers().then(({ open }) => open(unit)); }));
  if (matchMedia(NARROW).matches) document.getElementById("tray").prepend(panel);
  else {
    document.querySelector(".board-part").append(panel);
    place(panel, key);
  }
  panel.querySelector("button")?.focus({ preventScroll: true });
}

/** @type {(words: string, chance: string | undefined, act: string, deed: () => void) => any} */
function choice(words, chance, act, deed) {
  const button = document.createElement("button"), share = document.createElement("small");
  button.type = "button";
  button.className = act;
  button.append(words);
  if (chance) {
    share.textContent = chance;
    button.append(" ", share);
  }
  button.addEventListener("click", (/** @type {any} */ event) => { event.stopPropagation(); deed(); back(); });
  return button;
}

// Beside the spot, inside the picture.
/** @type {(panel: any, key: string) => void} */
function place(panel, key) {
  const part = document.querySelector(".board-part").getBoundingClientRect();
  const lit = document.querySelector(`#aims [data-key="${CSS.escape(key)}"]`)?.getBoundingClientRect();
  if (!lit) return;
  const left = Math.min(Math.max(0, lit.right - part.left + 4), Math.max(0, part.width - panel.offsetWidth));
  const top = Math.min(Math.max(0, lit.top - part.top), Math.max(0, part.height - panel.offsetHeight));
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
}

function closeChooser() {
  document.getElementById("chooser")?.remove();
}

// Give the keyboard its place on the board back.
function back() {
  stopAt(focusAt)?.focus({ preventScroll: true });
}

// --- pointer and touch

/** @type {(event: any) => void} */
function onClick(event) {
  const wanted = event.target.closest("[data-several], [data-whole]");
  if (wanted) several().then((them) => them.press(wanted));
  if (!event.target.closest("#board") || !document.getElementById("tray") || looksBack()) return;
  if (dragged?.done) {
    dragged = null;
    return;
  }
  const lit = event.target.closest("[data-key]"), token = event.target.closest("[data-unit]");
  closeChooser();
  if (chosen && ends?.tap(event, pointer)) return;
  if (isSeveral(event) && (event.shiftKey || !lit || joins(lit))) several().then((them) => them.pick(token ? [unitOf(token)] : unitsIn(lit?.dataset.key ?? "")));
  else if (lit) take(lit.dataset.key);
  else if (token && isListed(unitOf(token)) && unitOf(token) !== chosen) choose(unitOf(token));
  else act(token, event.target.closest("[data-cell]"));
}

/** @type {(unit: string) => boolean} */
const isListed = (unit) => !!groupOf(unit) || targets().some((aim) => unitsOfGroup(aim).has(unit));

/** @type {(token: any, cell: any) => void} */
function act(token, cell) {
  const unit = token ? unitOf(token) : "", isMine = token?.dataset.side === battle.dataset.side;
  const own = token || !cell ? [] : unitsIn(cell.dataset.cell).filter((one) => one !== chosen && isListed(one));
  if (chosen && unit === chosen) choose("");
  else if (own.length === 1) choose(own[0]);
  else if (own.length) openChooser(cell.dataset.cell, [], own);
  else if (isMine && !isListed(unit)) why(unit, "");
  else if (chosen && cell && tokensOf(chosen).length) why(chosen, cell.dataset.cell);
  else if (chosen) choose("");
}

// The reason why a unit has no order, or none to this box: the sentence with which the order would be refused.
/** @type {(unit: string, box: string) => Promise<void>} */
async function why(unit, box) {
  const { id, side } = battle.dataset, query = new URLSearchParams({ side, unit, box });
  const answer = await fetch(`${ROOT}battles/${id}/reason?${query}`).catch(() => null);
  const { said = "", first = "" } = answer?.ok ? await answer.json() : {};
  const words = said || say(box ? "no-order-to" : "no-order", { unit, box });
  if (first) tell(words, say("first", { order: first }), () => { add(first); });
  else tell(words);
}

/** @type {(event: any) => void} */
function onDown(event) {
  const held = ends?.holds(event.target), token = held ?? event.target.closest("#board .pickable"), isStretch = isSeveral(event) && event.target.closest("#board") && !looksBack();
  if (isStretch && document.getElementById("tray")) several().then((them) => them.stretch(event, pointer));
  pointer = event;
  dragged = token && !isStretch && (held || (event.pointerType !== "touch" && !event.target.closest("[data-key]")))
    ? { unit: held ? chosen : unitOf(token), x: event.clientX, y: event.clientY, moving: false } : null;
}

/** @type {(event: any) => void} */
function onMove(event) {
  pointer = event;
  if (!dragged || dragged.done || dragged.isGivenUp) return;
  if (!dragged.moving && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < DRAG_PX) return;
  if (!dragged.moving && chosen !== dragged.unit) choose(dragged.unit);
  dragged.moving = true;
  ends?.drag(event);
  event.preventDefault();
}

/** @type {(event: any) => void} */
function onUp(event) {
  pointer = event;
  if (!dragged?.moving) {
    dragged = null;
    return;
  }
  dragged.done = true; // the click that ends the drag is none
  setTimeout(() => { dragged = null; }, 0);
  if (dragged.isGivenUp) return;
  const lit = document.elementFromPoint(event.clientX, event.clientY)?.closest("#aims [data-key]");
  if (ends?.drop(event, lit)) return;
  if (lit) take(lit.dataset.key);
}

// --- keyboard: one stop in the tab order, arrows from there

const stops = () => [...document.querySelectorAll("#board [data-stop]")];
/** @type {(name: string) => any} */
const stopAt = (name) => stops().find((stop) => stop.dataset.stop === name);

/** @type {(picture: any) => void} */
function nameStops(picture) {
  picture.setAttribute("role", "group");
  const cells = [...picture.querySelectorAll(".cell")], units = [...picture.querySelectorAll(".unit[data-unit]")];
  const isBoxed = cells.length > 1 && (!units.length || units.some((token) => token.dataset.cell)); // else its cells are only ground
  const parts = isBoxed ? cells : units;
  for (const part of parts) {
    const name = part.dataset.cell && isBoxed ? part.dataset.cell : part.dataset.unit;
    part.dataset.stop = name;
    part.setAttribute("tabindex", "-1");
    part.setAttribute("role", "button");
    part.setAttribute("aria-label", isBoxed ? boxWords(name) : part.querySelector("title")?.textContent ?? name);
  }
  (stopAt(focusAt) ?? parts[0])?.setAttribute("tabindex", "0");
}

/** @type {(box: string) => string} */
function boxWords(box) {
  const there = document.querySelectorAll(`#board [data-unit][data-cell="${CSS.escape(box)}"] > title`);
  const ground = cellOf(box)?.querySelector("title")?.textContent ?? box;
  return [ground, ...Array.from(there, (title) => title.textContent)].join("; ");
}

/** @type {(event: any) => void} */
function onKey(event) {
  if (event.key === "Escape") {
    if (document.getElementById("chooser")) closeChooser();
    else if (lot?.letGo()) return;
    else if (dragged) {
      ends?.lift();
      dragged.isGivenUp = true; // until its button is up
    }
    else if (chosen) choose("");
    else return;
    back();
    return;
  }
  const stop = event.target.closest?.("#board [data-stop]");
  if (!stop || event.ctrlKey || event.metaKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    press(stop, event);
  } else if (STEPS[event.key]) {
    event.preventDefault();
    event.stopPropagation();
    go(nearest(stop, STEPS[event.key]));
  }
}

/** @type {(stop: any) => void} */
function go(stop) {
  if (!stop) return;
  for (const other of stops()) other.setAttribute("tabindex", other === stop ? "0" : "-1");
  focusAt = stop.dataset.stop;
  stop.focus({ preventScroll: true });
  const here = mineLit().filter(({ target }) => target.box === focusAt);
  if (here.length) tell(`${focusAt}: ${here.map((one) => `${one.order}${one.chance ? ` ${one.chance}` : ""}`).join("; ")}`);
}

// The nearest stop in a direction, what lies aside counting double.
/** @type {(from: any, direction: [number, number]) => any} */
function nearest(from, [dx, dy]) {
  const middle = (/** @type {any} */ part) => { const box = part.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(from);
  const rated = stops().filter((stop) => stop !== from).map((stop) => {
    const [toX, toY] = middle(stop), along = (toX - x) * dx + (toY - y) * dy, aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
    return { stop, along, cost: along + 2 * aside };
  }).filter(({ along, cost }) => along > 1 && cost < 4 * along);
  return rated.sort((one, other) => one.cost - other.cost)[0]?.stop;
}

/** @type {(stop: any, event: any) => void} */
function press(stop, event) {
  focusAt = stop.dataset.stop;
  const isBox = stop.classList.contains("cell"), units = isBox ? unitsIn(focusAt) : [unitOf(stop)];
  const key = isBox ? focusAt : mineLit().find(({ target, under }) => target.unit === units[0] || under === units[0])?.target.point?.join(" ");
  if (!event.shiftKey && key && mineLit().some((one) => keyOf(one) === key)) take(key);
  else if (isSeveral(event)) several().then((them) => them.pick(units));
  else {
    const own = units.filter(isListed);
    if (own.length > 1) openChooser(focusAt, [], own);
    else if (own.length) choose(own[0]);
    else act(isBox ? tokensOf(units[0])[0] : stop, isBox ? stop : null);
  }
}
