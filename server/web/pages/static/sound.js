// Short tones for what happens: none until a reader turns them on. They are made here, and nothing is fetched for them.
// Who wants less motion hears none either.
import { keep, kept } from "./keeping.js";

const WANTED = "phalera:sound";
const GAP_S = 0.06, MOST = 8; // between two tones; of what comes at once the newest are heard
const LOUD = 0.12, AHEAD_S = 1; // who steps through a battle faster than this is not followed
/** @type {Record<string, number[][]>} */
const TONES = { // pitch in hertz and length in seconds, one after the other
  passed: [[659, 0.09], [880, 0.16]],
  failed: [[311, 0.1], [233, 0.18]],
  hit: [[147, 0.14]],
  lost: [[247, 0.14], [196, 0.14], [131, 0.3]],
  turn: [[523, 0.1], [659, 0.1], [784, 0.22]],
};

const battle = document.getElementById("battle");
const button = document.getElementById("sound");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {any} */
let context = null;
let free = 0; // when the last tone will be over, by the clock of the context
let wasMine = isMine();

battle.addEventListener("renewed", (/** @type {any} */ { detail }) => follow(detail ?? []));
battle.addEventListener("moment-shown", () => sound(heardIn(document.getElementById("moment"))));
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => context?.resume()); // a browser is silent before
show();

// Turn the tones on or off; this browser remembers it.
export function toggle() {
  keep(WANTED, isOn() ? "" : "on");
  show();
  sound(["passed"]);
}

function isOn() {
  return kept(WANTED) === "on";
}

function isMine() {
  return document.getElementById("status").classList.contains("yours");
}

function show() {
  button.setAttribute("aria-pressed", String(isOn()));
}

// The battle has gone on: `added` are the parts of the log that are new.
/** @type {(added: any[]) => void} */
function follow(added) {
  const lines = added.flatMap((part) => [...part.querySelectorAll("[id^=event-]")]), names = lines.flatMap(heardIn).slice(-MOST);
  if (isMine() && !wasMine) names.push("turn");
  wasMine = isMine();
  sound(names);
}

// What there is to hear of an event: the outcome of its draw, and what it harms.
/** @type {(line: any) => string[]} */
function heardIn(line) {
  const drawn = [...line.querySelectorAll(".drawn > *")], { harm } = line.dataset;
  const outcome = drawn.some((one) => one.matches(".passed")) ? ["passed"] : drawn.some((one) => one.matches(".failed")) ? ["failed"] : [];
  return harm ? [...outcome, harm] : outcome;
}

/** @type {(names: string[]) => void} */
function sound(names) {
  if (!isOn() || calm.matches || !names.length) return;
  context ??= new AudioContext();
  context.resume();
  if (free > context.currentTime + AHEAD_S) return;
  let at = Math.max(free, context.currentTime);
  for (const name of names) {
    for (const [pitch, length] of TONES[name]) at = tone(pitch, at, length);
    at += GAP_S;
  }
  free = at;
}

// A tone that begins at a time and dies away; gives its end.
/** @type {(pitch: number, at: number, length: number) => number} */
function tone(pitch, at, length) {
  const source = context.createOscillator(), volume = context.createGain(), end = at + length;
  source.type = "triangle";
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUD, at);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  source.connect(volume).connect(context.destination);
  source.start(at);
  source.stop(end);
  return end;
}
