// Passkeys: one is made in the settings, and one logs in. The device asks its owner; the server checks what it says.
// Loaded by those two pages alone; each form has the words for what may come of it.
import { base64 } from "./bytes.js";
import { SECRET_ASKED, join, secretOf } from "./passkey_locker.js";

/** @typedef {(address: string, form: any) => Promise<{ to: string }>} Deed it gives where to go */

start(document.getElementById("passkey-new"), make);
start(document.getElementById("passkey-login"), logIn);

/** @type {(form: any, deed: Deed) => void} */
function start(form, deed) {
  if (!form) return;
  const { origin, elsewhere, unsupported } = form.dataset;
  if (location.origin !== origin) return tell(elsewhere, "nothing");
  if (!window.isSecureContext || !window.PublicKeyCredential) return tell(unsupported, "nothing");
  form.hidden = false;
  form.addEventListener("submit", (/** @type {any} */ event) => {
    event.preventDefault();
    if (!form.dataset.asking) ask(form, deed);
  });
}

/** @type {(form: any, deed: Deed) => Promise<void>} */
async function ask(form, deed) {
  const button = form.querySelector("button");
  form.dataset.asking = "yes";
  button.setAttribute("aria-disabled", "true"); // a disabled one would lose the focus
  tell(form.dataset.waiting, "notice");
  try {
    location.href = (await deed(form.action, form)).to;
  } catch (failure) {
    tell(wordsFor(failure, form.dataset), "notice");
  }
  button.removeAttribute("aria-disabled");
  delete form.dataset.asking;
}

// What the server has refused it says itself; what the device has, and a server that is not there, the page says.
/** @type {(failure: any, words: Record<string, string>) => string} */
function wordsFor(failure, { unreachable, nothing, known, failed }) {
  if (failure instanceof Refused) return failure.message;
  if (failure instanceof TypeError) return unreachable;
  /** @type {Record<string, string>} */
  const words = { NotAllowedError: nothing, AbortError: nothing, InvalidStateError: known };
  return words[failure.name] ?? failed;
}

/** @type {(words: string, kind: string) => void} */
function tell(words, kind) {
  const told = document.getElementById("passkey-told");
  told.className = kind;
  told.textContent = words;
}

// --- the two deeds: each gives where to go

/** @type {Deed} */
async function make(address, form) {
  const name = form.elements.name.value, options = await asked(`${address}/new`, { name });
  options.challenge = bytesOf(options.challenge);
  options.user.id = bytesOf(options.user.id);
  for (const held of options.excludeCredentials ?? []) held.id = bytesOf(held.id);
  options.extensions = SECRET_ASKED;
  const made = await navigator.credentials.create({ publicKey: options }), { id, response } = made;
  const { clientDataJSON, attestationObject } = response;
  const answer = await asked(address, { id, name, response: spelled({ clientDataJSON, attestationObject }) });
  await join(id, secretOf(made)).catch(() => undefined); // without it the passkey logs in as before
  return answer;
}

/** @type {(address: string) => Promise<{ to: string }>} */
async function logIn(address) {
  const options = await asked(address.replace(/login$/, "challenge"), {});
  options.challenge = bytesOf(options.challenge);
  options.extensions = SECRET_ASKED;
  const held = await navigator.credentials.get({ publicKey: options }), { id, response } = held;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const answer = await asked(address, { id, response: spelled({ clientDataJSON, authenticatorData, signature, userHandle }) });
  await join(id, secretOf(held)).catch(() => undefined);
  return answer;
}

class Refused extends Error {}

// Raises: Refused, with the words of the server; TypeError where it is not reached
/** @type {(address: string, message: object) => Promise<any>} */
async function asked(address, message) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const lang = document.documentElement.lang, body = JSON.stringify(message);
  const answer = await fetch(`${address}?lang=${lang}`, { method: "POST", headers, body });
  const said = await answer.json().catch(() => { throw new TypeError(); }); // something else answers in its place
  if (!answer.ok) throw new Refused(said.detail.replace(` [${said.rule}]`, ""));
  return said;
}

// --- spellings: base64url without padding

/** @type {(text: string) => Uint8Array} */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** @type {(parts: Record<string, ArrayBuffer | null>) => Record<string, string>} */
function spelled(parts) {
  return Object.fromEntries(Object.entries(parts).flatMap(([name, part]) => (part ? [[name, textOf(part)]] : [])));
}

/** @type {(part: ArrayBuffer) => string} */
function textOf(part) {
  return base64(new Uint8Array(part)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
