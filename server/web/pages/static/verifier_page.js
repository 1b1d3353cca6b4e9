// The page of the one file that verifies (`verifier.html`): a battle file is chosen or dropped, a worker checks it, and what
// it found is said. Nothing is asked of anybody; `startVerifier` gets the worker's script as a text.

import { kindOf } from "./proof_faults.js";
import { WORDS } from "./proof_words.js";

/** @type {any} */
let answer = null; // of the newest check
/** @type {string} */
let lang = "en";
/** @type {any} */
let worker = null;
const at = (/** @type {string} */ id) => document.getElementById(id);

/** @type {(script: string) => void} */
export function startVerifier(script) {
  const wanted = navigator.language.slice(0, 2);
  lang = wanted in WORDS ? wanted : "en";
  at("languages").replaceChildren(...Object.keys(WORDS).map(languageButton));
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" })), input = at("file"), drop = at("drop");
  input.addEventListener("change", () => input.files[0] && judge(address, input.files[0]));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (/** @type {any} */ event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files[0]) judge(address, event.dataTransfer.files[0]);
    });
  }
  show();
}

/** @type {(name: string) => any} */
function languageButton(name) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", lang: name, textContent: name });
  button.addEventListener("click", () => {
    lang = name;
    show();
  });
  return button;
}

/** @type {(address: string, file: any) => Promise<void>} */
async function judge(address, file) {
  worker?.terminate();
  answer = null;
  show();
  at("progress").hidden = false;
  at("progress").removeAttribute("value");
  worker = new Worker(address);
  worker.addEventListener("message", (/** @type {any} */ { data }) => {
    if (data.progress) at("progress").value = data.progress;
    else {
      answer = data;
      show();
    }
  });
  const bytes = await file.arrayBuffer();
  worker.postMessage(bytes, [bytes]);
}

// --- what is said

/** @type {(part: string, name: string, gaps?: any) => string} */
function say(part, name, gaps = {}) {
  return (WORDS[lang][part][name] ?? name).replace(/{(\w+)}/g, (/** @type {string} */ _, /** @type {string} */ gap) => String(gaps[gap] ?? ""));
}

function show() {
  document.documentElement.lang = lang;
  document.title = at("title").textContent = say("verifier", "title");
  at("what").textContent = say("verifier", "what");
  at("choose").textContent = say("verifier", "choose");
  at("hash").textContent = say("verifier", "own-hash");
  at("progress").setAttribute("aria-label", say("verifier", "progress"));
  at("languages").setAttribute("aria-label", say("verifier", "lang"));
  if (answer) at("progress").hidden = true;
  at("told").textContent = answer ? verdict(answer.found) : "";
  at("told").className = !answer || answer.found.other ? "" : answer.found.fault ? "fails" : "holds";
  at("lines").replaceChildren(...(answer ? notes(answer.found) : []).map(item));
}

/** @type {(found: any) => string} */
function verdict({ fault, other, draws, checked, bound, secret }) {
  if (other) return say("verifier", "other-version", { version: other });
  if (fault) return `${say("script", fault.n ? "proof-fails" : "proof-no-file", { n: fault.n, what: say("script", `proof-fault-${kindOf(fault.what)}`) })} [${fault.what}]`;
  if (!draws) return say("script", "proof-no-draws");
  return say("script", bound + secret ? "proof-so-far" : "proof-holds", { draws, checked });
}

/** @type {(found: any) => string[]} */
function notes({ fault, other, signature, events: n, head, game }) {
  if (fault || other) return [];
  return [
    ...(answer.isKnown ? [] : [say("verifier", "unknown-game", { game })]),
    say("script", `proof-signature-${signature}`, { n }),
    say("script", "proof-chain", { n, hash: head }),
    ...answer.lines[lang],
  ];
}

/** @type {(text: string) => any} */
function item(text) {
  const line = document.createElement("li");
  line.textContent = text.trim();
  if (text.startsWith(" ")) line.className = "act";
  return line;
}
