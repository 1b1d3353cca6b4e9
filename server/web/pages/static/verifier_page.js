// The page of the one file that verifies (`verifier.html`): a battle file is chosen or dropped, a worker checks it, and what
// it found is said. Nothing is asked of anybody; `startVerifier` gets the worker's script as a text.

import { WORDS } from "./proof_words.js";
import { noteItem, notesSaid, sayIn, verdictSaid } from "./verdict_said.js";

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

function show() {
  const say = (/** @type {string} */ name) => sayIn(lang, "verifier", name);
  document.documentElement.lang = lang;
  document.title = at("title").textContent = say("title");
  at("what").textContent = say("what");
  at("choose").textContent = say("choose");
  at("hash").textContent = say("own-hash");
  at("progress").setAttribute("aria-label", say("progress"));
  at("languages").setAttribute("aria-label", say("lang"));
  if (answer) at("progress").hidden = true;
  at("told").textContent = answer ? verdictSaid(lang, answer.found) : "";
  at("told").className = !answer || answer.found.other ? "" : answer.found.fault ? "fails" : "holds";
  at("lines").replaceChildren(...(answer ? notesSaid(lang, answer) : []).map(noteItem));
}
