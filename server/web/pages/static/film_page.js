// A battle as one file (`phalera replay FILE --html`): boards, sentences, reasons, luck and the battle file itself are in the page.
// The boards are pieces of pictures and what changes from one to the next (`replay.reports.film.splices`); nothing is
// asked of anybody. `startFilm` gets the script that checks the battle file as a text.

import { places, slide } from "./motion.js";
import { noteItem, notesSaid, verdictSaid } from "./verdict_said.js";

const STEP_MS = 1000; // between two events at usual speed
const CURVE = { width: 1000, height: 60, edge: 3 };
const SVG = "http://www.w3.org/2000/svg";
const [N, SAID, WHY, TALLY, LUCK, BEGINS, VOIDED] = [0, 1, 2, 3, 4, 5, 7]; // the members of a moment that are wanted here

const at = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const slider = at("slider");
/** @type {any[]} */
let moments = [];
/** @type {number[][]} */
let boards = []; // of each moment: its pieces
/** @type {string[]} */
let pieces = [];
let shown = 0;
/** @type {any} */
let playing = 0;

/** @type {(checker: string) => Promise<void>} */
export async function startFilm(checker) {
  const reel = await unpacked("reel").then((packed) => packed.json());
  ({ moments, pieces } = reel);
  boards = boardsOf(reel.splices);
  const last = moments.length - 1;
  slider.max = last;
  slider.addEventListener("input", () => { pause(); show(slider.valueAsNumber); });
  for (const button of document.querySelectorAll("[data-step]")) button.addEventListener("click", () => { pause(); step(button.dataset.step); });
  at("play").addEventListener("click", () => (playing ? pause() : play()));
  at("story").addEventListener("click", onStory);
  at("check").addEventListener("click", () => check(checker));
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", fromAddress);
  drawCurve();
  offerFile();
  for (const part of document.querySelectorAll("[data-script]")) part.hidden = false;
  if (!fromAddress()) show(last);
}

// --- what is in the page

/** @type {(id: string) => Promise<Response>} */
async function unpacked(id) {
  const packed = Uint8Array.from(atob(at(id).textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")));
}

/** @type {(splices: [number, number, number[]][]) => number[][]} */
function boardsOf(splices) {
  const board = /** @type {number[]} */ ([]);
  return splices.map(([start, gone, come]) => {
    board.splice(start, gone, ...come);
    return [...board];
  });
}

async function offerFile() {
  const bytes = await unpacked("battle").then((packed) => packed.blob());
  at("file").href = URL.createObjectURL(bytes);
}

// --- where it stands

// The moment of an event, or of the last one before it.
/** @type {(n: number) => number} */
function momentOf(n) {
  const found = moments.findLastIndex((moment) => moment[N] <= n);
  return Math.max(0, found);
}

function fromAddress() {
  const n = Number(/^#n=(\d+)$/.exec(location.hash)?.[1] ?? 0);
  if (n) show(momentOf(n));
  return n > 0;
}

/** @type {(to: number) => void} */
function show(to) {
  shown = Math.min(Math.max(0, to), moments.length - 1);
  const moment = moments[shown], stood = places();
  at("board").innerHTML = boards[shown].map((piece) => pieces[piece]).join(""); // our own drawing, escaped
  slide(stood);
  slider.value = shown;
  slider.setAttribute("aria-valuetext", `${moment[N]}: ${moment[SAID]}`);
  at("said").textContent = moment[SAID];
  at("said").classList.toggle("voided", moment[VOIDED]);
  at("number").textContent = moment[N];
  at("reasons").replaceChildren(...moment[WHY].split("\n").filter(Boolean).map(paragraph));
  at("why").hidden = !moment[WHY];
  for (const [seat, one] of document.querySelectorAll("[data-luck]").entries()) one.textContent = moment[LUCK][seat];
  mark(moment[N]);
  if (!playing) history.replaceState(null, "", `#n=${moment[N]}`);
}

/** @type {(text: string) => any} */
function paragraph(text) {
  return Object.assign(document.createElement("p"), { textContent: text.trim() });
}

// The line of the story; its box is moved, never the page.
/** @type {(n: number) => void} */
function mark(n) {
  const box = at("story"), line = at(`e${n}`);
  box.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (!line) return;
  line.setAttribute("aria-current", "true");
  const { top, bottom } = line.getBoundingClientRect(), frame = box.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) box.scrollTop += top - frame.top - frame.height / 3;
}

/** @type {(event: any) => void} */
function onStory(event) {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  pause();
  show(momentOf(Number(link.hash.slice("#n=".length))));
}

/** @type {(way: string) => void} */
function step(way) {
  const turns = moments.flatMap((moment, index) => (moment[BEGINS] ? [index] : []));
  const goals = {
    first: 0, back: shown - 1, on: shown + 1, last: moments.length - 1,
    "turn-back": turns.findLast((index) => index < shown) ?? 0, "turn-on": turns.find((index) => index > shown) ?? moments.length - 1,
  };
  show(goals[/** @type {keyof typeof goals} */ (way)]);
}

/** @type {(event: any) => void} */
function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, summary, a, button")) return;
  const keys = /** @type {Record<string, string>} */ ({ ArrowLeft: "back", ArrowRight: "on", "[": "turn-back", "]": "turn-on", Home: "first", End: "last" });
  const way = keys[event.key];
  if (!way && event.key !== " ") return;
  event.preventDefault();
  if (!way) return playing ? pause() : play();
  pause();
  step(way);
}

// --- playing

function play() {
  at("play").textContent = at("play").dataset.pause;
  if (shown >= moments.length - 1) show(0);
  const next = () => {
    if (shown >= moments.length - 1) return pause();
    show(shown + 1);
    playing = setTimeout(next, STEP_MS / Number(at("speed").value));
  };
  playing = setTimeout(next, STEP_MS / Number(at("speed").value));
}

function pause() {
  clearTimeout(playing);
  playing = 0;
  at("play").textContent = at("play").dataset.play;
}

// --- the curve behind the slider

function drawCurve() {
  const { width, height, edge } = CURVE, seats = moments[0][TALLY].length, last = Math.max(1, moments.length - 1);
  const most = Math.max(1, ...moments.flatMap((moment) => moment[TALLY]));
  const x = (/** @type {number} */ index) => ((index / last) * width).toFixed(1);
  const y = (/** @type {number} */ amount) => (height - edge - (amount / most) * (height - 2 * edge)).toFixed(1);
  const turns = moments.map((moment, index) => (moment[BEGINS] ? `M${x(index)} 0V${height}` : "")).join("");
  const paths = Array.from({ length: seats }, (_, seat) => moments.map((moment, index) => `${index ? "L" : "M"}${x(index)} ${y(moment[TALLY][seat])}`).join(""));
  at("curve").replaceChildren(drawn("turns", turns), ...paths.map((path, seat) => drawn(`seat-${seat}`, path)));
}

/** @type {(name: string, path: string) => any} */
function drawn(name, path) {
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("class", name);
  line.setAttribute("d", path);
  return line;
}

// --- the proof

/** @type {(checker: string) => Promise<void>} */
async function check(checker) {
  const { lang } = document.documentElement, told = at("told"), bar = at("progress");
  at("check").disabled = true;
  bar.hidden = false;
  const worker = new Worker(URL.createObjectURL(new Blob([checker], { type: "text/javascript" })));
  worker.addEventListener("message", (/** @type {any} */ { data }) => {
    if (data.progress) {
      bar.value = data.progress;
      return;
    }
    bar.hidden = true;
    told.textContent = verdictSaid(lang, data.found);
    told.className = data.found.other ? "" : data.found.fault ? "fails" : "holds";
    at("lines").replaceChildren(...notesSaid(lang, data).map(noteItem));
    worker.terminate();
  });
  const bytes = await unpacked("battle").then((packed) => packed.arrayBuffer());
  worker.postMessage(bytes, [bytes]);
}
