// The replay in place: another event is shown without loading the page again. Its part of the page is fetched once and
// kept; the address follows, the history of the browser does not.
import { places, slide } from "./motion.js";
import { tokensOf } from "./targets.js";
import { showLocal } from "./times.js";
import { say } from "./words.js";

const KEPT = 120; // events, of some hundred kilobytes each
const STEP_MS = 1000; // between two events at usual speed
const PACE_MS = 210; // between two fetches while a key or the slider is held
const REGIONS = ["status", "board", "steps", "branching", "text", "sides", "moment"];
const SVG = "http://www.w3.org/2000/svg";
const CURVE = { width: 1000, height: 60, edge: 3 };
const LIT = ["doer", "aimed", "spot", "shown"];
const BUSY = "input:not([type=range]), textarea, select, pre, [contenteditable], #board, #chooser";

const battle = document.getElementById("battle");
const part = document.getElementById("replay");
const startedNow = !new URL(location.href).searchParams.has("n"); // else "now" is another page
/** @type {Map<number, Promise<any>>} */
const events = new Map(); // n → the promise of its part of the page; those asked for last at the end
/** @typedef {{ turns: number[], told: number[], tally: Record<string, [number, number][]>, last: number }} Curve events that begin a turn, those with a sentence, and of each side (n, amount) */
/** @type {Curve | null} */
let curve = null;
/** @type {Promise<Curve> | null} */
let curveAsked = null;
let wanted = 0; // the event that is shown, or fetched to be shown
/** @type {any} */
let playing = 0;
/** @type {any} */
let paused = 0; // the timer that waits between two fetches
let backToNow = () => {};
let isOver = () => {}; // what follows when all has been played

// Whether the page shows another moment than now.
export const looksBack = () => battle.classList.contains("replaying");

/** @type {(goToNow: () => void) => void} */
export function start(goToNow) {
  if (!part) return;
  backToNow = goToNow;
  wanted = Number(new URL(location.href).searchParams.get("n")) || slider().valueAsNumber; // a page that is kept shows now
  battle.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  slider().addEventListener("input", () => { pause(); soon(slider().valueAsNumber); });
  slider().addEventListener("focus", askCurve);
  slider().addEventListener("pointerenter", askCurve);
  document.getElementById("play").addEventListener("click", () => (playing ? pause() : play()));
  if (!startedNow) go(wanted);
}

// The battle has gone on: what is kept says less than there is now.
/** @type {(newest: number) => void} */
export function wentOn(newest) {
  if (!part) return;
  events.clear();
  curve = curveAsked = null;
  slider().max = newest;
  if (!looksBack()) atNow();
}

// What was fetched does not show the board as it lies now.
export function forgetMoments() {
  events.clear();
}

function atNow() {
  wanted = last();
  slider().value = wanted;
}

const slider = () => document.getElementById("slider");
const last = () => Number(slider().max);

// --- what asks for a step

/** @type {(event: any) => void} */
function onClick(event) {
  const link = event.target.closest("#steps a, #story a.n, #status a");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const n = Number(new URL(link.href).searchParams.get("n"));
  const isNow = looksBack() && startedNow && link.closest("#status");
  if (!isNow && (!n || link.classList.contains("turn-board"))) return;
  event.preventDefault();
  pause();
  if (isNow) leave();
  else go(n);
}

/** @type {(event: any) => void} */
function onKey(event) {
  if (event.defaultPrevented || event.target.closest(BUSY) || isChord(event)) return;
  if (event.target === slider() && /Arrow|Home|End/.test(event.key)) return; // the slider itself takes these
  const step = stepOf(event);
  if (!step) return;
  event.preventDefault();
  step(event.repeat);
}

// AltGr is how some keyboards write brackets.
/** @type {(event: any) => boolean} */
function isChord(event) {
  const writes = event.getModifierState("AltGraph") && "[]".includes(event.key);
  return !writes && (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
}

// The keys that also do something else on a page are ours only while one looks back.
/** @type {(event: any) => ((isHeld: boolean) => unknown) | null} */
function stepOf({ key, target }) {
  const move = (/** @type {() => number} */ to) => (/** @type {boolean} */ isHeld) => { pause(); if (isHeld) soon(to()); else go(to()); };
  if (key === "ArrowLeft") return move(() => wanted - 1);
  if (key === "ArrowRight") return looksBack() ? move(() => wanted + 1) : null;
  if (!looksBack()) return null;
  if (key === "[" || key === "]") return () => { pause(); turn(key === "]" ? 1 : -1); };
  if (key === "Home") return move(() => 1);
  if (key === "End") return move(last);
  if (key === " " && !target.closest("button, a, summary")) return () => (playing ? pause() : play());
  if (key === "Escape" && startedNow) return leave;
  return null;
}

/** @type {(by: number) => Promise<void>} */
async function turn(by) {
  const { turns } = await askCurve();
  const to = by > 0 ? turns.find((n) => n > wanted) : turns.findLast((n) => n < wanted);
  if (to) go(to);
}

// Held keys and a slider under way ask for more than need be fetched.
/** @type {(n: number) => void} */
function soon(n) {
  wanted = Math.min(Math.max(1, n), last());
  slider().value = wanted;
  if (events.has(wanted)) go(wanted);
  else paused ||= setTimeout(() => { paused = 0; go(wanted); }, PACE_MS);
}

// --- playing

// Play from an event to the last; `whenOver` follows if nobody stops it.
/** @type {(n: number, whenOver: () => void) => void} */
export function playFrom(n, whenOver) {
  pause();
  wanted = n - 1;
  isOver = whenOver;
  play();
}

async function play() {
  playing = -1;
  document.getElementById("play").textContent = say("pause");
  const { told } = await askCurve();
  if (wanted >= last()) await go(1);
  const step = async () => {
    const started = performance.now(), next = told.find((n) => n > wanted);
    if (!next) {
      const over = isOver;
      pause();
      return over();
    }
    if (!(await go(next))) return pause();
    const after = told.find((n) => n > wanted);
    if (after) fetched(after);
    const left = STEP_MS / Number(document.getElementById("speed").value) - (performance.now() - started);
    if (playing) playing = setTimeout(step, Math.max(0, left));
  };
  if (playing) playing = setTimeout(step, 0);
}

function pause() {
  clearTimeout(playing);
  playing = 0;
  isOver = () => {};
  document.getElementById("play").textContent = say("play");
}

// --- a step

// Show an event, if it is still the one wanted when it is there. Gives whether it could be shown.
/** @type {(n: number) => Promise<boolean>} */
async function go(n) {
  const before = wanted;
  wanted = Math.min(Math.max(1, n), last());
  const to = wanted, fresh = await fetched(to);
  if (to !== wanted) return true;
  if (!fresh) {
    document.getElementById("replay-told").textContent = say("not-shown", { n: to });
    return false;
  }
  show(fresh, to);
  const ahead = to + (to - before);
  if (!playing && Math.abs(to - before) === 1 && ahead >= 1 && ahead <= last()) fetched(ahead);
  return true;
}

/** @type {(n: number) => Promise<any>} */
function fetched(n) {
  const known = events.get(n) ?? load(n);
  events.delete(n);
  events.set(n, known); // as the one asked for last
  if (events.size > KEPT) events.delete([...events.keys()][0]);
  known.then((fresh) => { if (!fresh && events.get(n) === known) events.delete(n); });
  return known;
}

/** @type {(n: number) => Promise<any>} */
async function load(n) {
  const query = new URL(location.href).searchParams;
  query.set("n", n);
  query.delete("since");
  const answer = await fetch(`${part.dataset.moment}?${query}`, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return null;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  showLocal(fresh);
  return fresh;
}

/** @type {(fresh: any, n: number) => void} */
function show(fresh, n) {
  const links = () => [...document.querySelectorAll("#steps > *")], focused = links().indexOf(document.activeElement);
  battle.classList.add("replaying");
  for (const quiet of document.querySelectorAll(".right > .orders, #tray")) quiet.inert = true;
  putOut();
  const stood = places();
  for (const id of REGIONS) {
    const old = document.getElementById(id), next = fresh.getElementById(id);
    if (old && next) renew(old, next);
  }
  slide(stood);
  document.getElementById("replay-told").textContent = "";
  slider().value = n;
  slider().setAttribute("aria-valuetext", placeOf(n));
  light();
  battle.dispatchEvent(new Event("moment-shown"));
  const here = new URL(location.href);
  here.searchParams.set("n", n);
  here.searchParams.delete("since");
  history.replaceState(history.state, "", here);
  if (focused >= 0) links()[focused].focus?.({ preventScroll: true });
  if (!playing) tellAloud();
  askCurve();
}

// Make a part of the page equal to another, touching only what differs: most of a board stays from event to event.
/** @type {(old: any, next: any) => void} */
function renew(old, next) {
  if (old.isEqualNode(next)) return;
  if (old.id === "board") copyAttributes(old, next); // the event is one of them, and the rest is to stay
  if (old.hasChildNodes() && next.hasChildNodes() && old.cloneNode(false).isEqualNode(next.cloneNode(false))) renewParts(old, next);
  else old.replaceWith(document.importNode(next, true));
}

/** @type {(old: any, next: any) => void} */
function copyAttributes(old, next) {
  for (const name of old.getAttributeNames()) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

// Parts that have an id stay who they are, wherever they stand now; the others are known by what they are.
/** @type {(old: any, next: any) => void} */
function renewParts(old, next) {
  const ids = new Set([...next.children].map(({ id }) => id));
  for (const part of [...old.children]) {
    if (!part.id || ids.has(part.id)) continue;
    if (part.nextSibling?.nodeType === Node.TEXT_NODE) part.nextSibling.remove(); // its line feed
    part.remove();
  }
  const named = new Map([...old.children].filter(({ id }) => id).map((part) => [part.id, part]));
  let at = old.firstChild;
  for (const part of [...next.childNodes]) {
    const known = part.id ? named.get(part.id) : at && keyOf(at) === keyOf(part) ? at : null;
    if (known && known === at) at = at.nextSibling;
    else old.insertBefore(known ?? document.importNode(part, true), at);
    if (known) renew(known, part);
  }
  while (at) {
    const rest = at.nextSibling;
    at.remove();
    at = rest;
  }
}

/** @type {(part: any) => string} */
const keyOf = (part) => (part.id ? `#${part.id}` : `${part.nodeName} ${part.getAttribute?.("class") ?? ""}`);

function putOut() {
  for (const part of document.querySelectorAll(LIT.map((lit) => `#board .${lit}, #story .${lit}`).join())) {
    part.classList.remove(...LIT);
  }
}

// Who does it, to whom, and where; the line of the log.
function light() {
  const { n, doers, aims, spots } = document.getElementById("moment").dataset;
  const words = (/** @type {string} */ text) => text.split(" ").filter(Boolean);
  for (const [names, lit] of [[doers, "doer"], [aims, "aimed"]]) {
    for (const token of words(names).flatMap((name) => tokensOf(name))) token.classList.add(lit);
  }
  for (const spot of words(spots)) {
    document.querySelector(`#board .cell[data-cell="${CSS.escape(spot)}"]`)?.classList.add("spot");
  }
  document.getElementById(`event-${n}`)?.classList.add("shown");
}

function tellAloud() {
  const said = document.createElement("p");
  said.textContent = document.getElementById("moment-said").textContent;
  document.getElementById("news").replaceChildren(said);
}

export function leave() {
  pause();
  if (!looksBack()) return;
  clearTimeout(paused);
  paused = 0;
  const here = new URL(location.href);
  here.searchParams.delete("n");
  history.replaceState(history.state, "", here);
  battle.classList.remove("replaying");
  for (const quiet of document.querySelectorAll("[inert]")) quiet.inert = false;
  const moment = document.getElementById("moment");
  moment.replaceChildren();
  moment.hidden = true;
  putOut();
  atNow();
  slider().removeAttribute("aria-valuetext");
  backToNow();
}

// --- the curve behind the slider

/** @type {() => Promise<Curve>} */
function askCurve() {
  return (curveAsked ??= loadCurve());
}

/** @type {() => Promise<Curve>} */
async function loadCurve() {
  const answer = await fetch(part.dataset.curve).catch(() => null);
  if (!answer?.ok) {
    curveAsked = null;
    return { turns: [], told: [], tally: {}, last: 1 };
  }
  /** @type {Curve} */
  const found = await answer.json();
  curve = found;
  drawCurve(found);
  slider().setAttribute("aria-valuetext", placeOf(wanted));
  return found;
}

/** @type {(n: number) => string} */
function placeOf(n) {
  const amounts = Object.entries(curve?.tally ?? {}).map(([, points]) => points.findLast(([at]) => at <= n)?.[1] ?? 0);
  return say("place", { n, last: last(), tally: amounts.join(" – ") });
}

/** @type {(curve: Curve) => void} */
function drawCurve(curve) {
  const { width, height, edge } = CURVE, lines = Object.entries(curve.tally);
  const most = Math.max(1, ...lines.flatMap(([, points]) => points.map(([, amount]) => amount)));
  const x = (/** @type {number} */ n) => ((n - 1) / Math.max(1, curve.last - 1)) * width;
  const y = (/** @type {number} */ amount) => height - edge - (amount / most) * (height - 2 * edge);
  const turns = curve.turns.map((n) => `M${x(n)} 0V${height}`).join("");
  const steps = (/** @type {[string, [number, number][]]} */ [side, points]) => {
    const path = points.map(([n, amount], at) => (at ? `H${x(n)}V${y(amount)}` : `M${x(n)} ${y(amount)}`)).join("");
    return drawn(side, `${path}H${width}`);
  };
  document.getElementById("curve").replaceChildren(drawn("turns", turns), ...lines.map(steps));
}

/** @type {(name: string, path: string) => any} */
function drawn(name, path) {
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("class", name);
  line.setAttribute("d", path);
  return line;
}
