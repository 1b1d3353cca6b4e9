// "Check the proof" on the page of a battle: a worker of this browser checks the file, this part says what it found, and
// marks each card and die of the event that is looked at.

import { kindOf } from "./proof_faults.js";
import { say } from "./words.js";

/** @typedef {{ done: number, of: number, isJudging?: boolean }} Progress bytes read, or events judged */
/** @typedef {{ progress?: Progress, found?: any, lines?: string[], lost?: boolean }} Answer what the worker says (proof_worker.js) */

/** @type {Record<string, string>} */
const SIGNS = { checked: "✓", bound: "…", secret: "…", fails: "✗" };

/** @type {any} */
let worker = null;
/** @type {any} */
let found = null; // what the newest check has found
/** @type {string[]} */
let lines = []; // what the verdict says of it
/** @type {Map<number, string>} */
let states = new Map(); // of each event that shows a draw, by n

document.getElementById("battle").addEventListener("moment-shown", mark);

const place = () => document.getElementById("proof-check");
const buttons = () => document.querySelectorAll("[data-check-proof]");

// Check the proof, unless that is going on.
export function run() {
  if (worker) return;
  if (!window.crypto?.subtle) {
    tell(say("proof-no-crypto"));
    return;
  }
  found = null;
  states = new Map();
  mark();
  place().querySelector("ul").replaceChildren();
  for (const button of buttons()) button.setAttribute("aria-disabled", "true"); // a disabled one would lose the focus
  tell(say("proof-reading"));
  const { file, worker: script } = place().dataset;
  worker = new Worker(script, { type: "module" });
  worker.addEventListener("message", (/** @type {any} */ { data }) => onMessage(data));
  worker.addEventListener("error", () => onMessage({ lost: true }));
  worker.postMessage({ file: new URL(file, location.href).href, lang: document.documentElement.lang });
}

/** @type {(data: Answer) => void} */
function onMessage(data) {
  if (data.progress) {
    showProgress(data.progress);
    return;
  }
  worker?.terminate();
  worker = null;
  place().querySelector("progress").hidden = true;
  for (const button of buttons()) button.removeAttribute("aria-disabled");
  if (!data.found) {
    tell(say("proof-lost"));
    return;
  }
  found = data.found;
  lines = data.lines ?? [];
  states = new Map(found.states);
  if (found.fault) states.set(found.fault.n, "fails");
  tell(verdict());
  if (found.fault?.n) place().querySelector("ul").append(item(say("proof-look"), `?n=${found.fault.n}`));
  if (!found.fault) for (const line of details()) place().querySelector("ul").append(item(line));
  mark();
}

/** @type {(progress: Progress) => void} */
function showProgress({ done, of, isJudging }) {
  const bar = place().querySelector("progress");
  bar.hidden = false;
  if (of) bar.value = (isJudging ? 50 : 0) + (50 * done) / of;
  if (isJudging) tell(say("proof-judging"));
}

function verdict() {
  const { fault, draws, checked, bound, secret } = found;
  if (fault) return say(fault.n ? "proof-fails" : "proof-no-file", { n: fault.n, what: say(`proof-fault-${kindOf(fault.what)}`) });
  if (!draws) return say("proof-no-draws");
  return say(bound + secret ? "proof-so-far" : "proof-holds", { draws, checked });
}

function details() {
  const { bound, secret, events: n, head, signature } = found;
  return [
    bound && say("proof-bound", { bound }),
    secret && say("proof-secret", { secret }),
    say(`proof-signature-${signature}`, { n }),
    say("proof-chain", { n, hash: head.slice(0, 16) }),
    ...lines,
  ].filter(Boolean);
}

// One sentence in both places where the button stands.
/** @type {(sentence: string) => void} */
function tell(sentence) {
  for (const told of document.querySelectorAll("[data-proof-told]")) {
    if (told.textContent !== sentence) told.textContent = sentence;
    told.classList.toggle("failed", !!found?.fault);
  }
}

/** @type {(text: string, address?: string) => any} */
function item(text, address) {
  const line = document.createElement("li"), inner = address ? document.createElement("a") : line;
  inner.textContent = text;
  if (address) {
    inner.href = address;
    line.append(inner);
  }
  return line;
}

// --- the event that is looked at

// Say of each draw of the shown event whether it follows from the keys; nothing before a check.
function mark() {
  const moment = document.getElementById("moment");
  for (const old of moment?.querySelectorAll(".proof-mark") ?? []) old.remove();
  const drawn = (moment?.dataset.drawn ?? "").split(" ").map(Number).filter((/** @type {number} */ n) => states.has(n));
  const shown = [...(moment?.querySelectorAll("h2 .drawn > span") ?? [])];
  for (const [at, card] of shown.entries()) card.dataset.proof = shown.length === drawn.length ? states.get(drawn[at]) : "";
  for (const state of Object.keys(SIGNS)) {
    const these = drawn.filter((/** @type {number} */ n) => states.get(n) === state);
    if (!these.length) continue;
    const line = document.createElement("p");
    line.className = `proof-mark ${state}`;
    line.textContent = `${SIGNS[state]} ${say(`proof-draw-${state}`, { n: these.join(", ") })}`;
    moment.querySelector("h2").after(line);
  }
}
