// Signing on the pages of disputes: each form there is one line, which the key of the seat signs as the log will have it.
// Where that is more than a matter of spaces and capitals (an umpire's name becomes an id) the player sees it first.

import { fillPhrases, fillSeals } from "./chance.js";
import { keepAct, settleAct } from "./own_acts.js";
import { asLogged, showKey, signedEntry, signedLine } from "./signing_part.js";
import { say } from "./words.js";

const place = document.getElementById("disputing");

fillPhrases(document);
for (const form of document.querySelectorAll("[data-line]")) fillSeals(form).catch(() => undefined); // the server says what is missing

if (place?.dataset.signer) showKey();
document.addEventListener("submit", onSubmit);
settleAct().catch(() => undefined);

/** @type {(event: any) => Promise<void>} */
async function onSubmit(event) {
  const form = event.target;
  if (!form.matches("[data-line]")) return;
  event.preventDefault();
  if (form.dataset.sending) return;
  form.dataset.sending = "yes";
  try {
    if (!place?.dataset.signer) {
      await sendPlain(form, event.submitter);
      return;
    }
    const said = lineOf(form, event.submitter), signed = await signedLine(said, form.elements.seen.value);
    if (signed && !signed.isSame && form.dataset.shown !== signed.line) {
      form.dataset.shown = signed.line;
      tell(form, say("signed-line", { line: signed.line }));
      return;
    }
    put(form, "line", signed?.line ?? said);
    put(form, "signature", signed?.signature ?? ""); // without one the server says what is missing
    if (signed && form.querySelector("[data-phrase], [data-seal]")) add(form, "signature", await signedEntry(form));
    if (signed) await keepAct(form, signed.line).catch(() => undefined); // a browser that keeps nothing compares nothing
    form.submit();
  } catch (failure) {
    tell(form, failure instanceof Error && !(failure instanceof TypeError) ? failure.message : say("unreachable"));
  } finally {
    delete form.dataset.sending;
  }
}

// Of a seat that does not sign, the server is asked before how it reads the line.
/** @type {(form: any, pressed: any) => Promise<void>} */
async function sendPlain(form, pressed) {
  const answer = await asLogged(lineOf(form, pressed), form).catch(() => null), texts = answer?.ok ? (await answer.json()).texts : [];
  if (texts.length === 1) await keepAct(form, texts[0]).catch(() => undefined);
  if (pressed?.name) put(form, pressed.name, pressed.value);
  form.submit();
}

// The line that the server would make of the form.
/** @type {(form: any, pressed: any) => string} */
function lineOf(form, pressed) {
  const filled = new FormData(form, pressed), remedy = filled.get("remedy") ?? "";
  const parts = [filled.get("say"), remedy, filled.get("kind"), remedy === "rewind" ? filled.get("to") : "", filled.get("text")];
  return parts.join(" ").trim().replace(/\s+/g, " ");
}

/** @type {(form: any, name: string, value: string) => void} */
function put(form, name, value) {
  for (const old of form.querySelectorAll(`input[name=${name}]`)) old.remove();
  if (value) add(form, name, value);
}

/** @type {(form: any, name: string, value: string) => void} */
function add(form, name, value) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name, value });
  form.append(field);
}

/** @type {(form: any, words: string) => void} */
function tell(form, words) {
  const told = form.querySelector(".notice") ?? document.createElement("p");
  told.className = "notice";
  told.setAttribute("role", "alert");
  told.textContent = words;
  form.append(told);
}
