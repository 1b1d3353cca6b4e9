// What the order box and a contribution send: with a seal, signatures, and the same bytes again after a lost answer.

import { fillSeals } from "./chance.js";

const signs = () => !!document.getElementById("battle").dataset.signer;
const signing = () => import("./signing_part.js"); // few seats sign: it is fetched for those

// The body of a form; `pressed` is its button. Throws, with the reason in words, if the player has to look first.
export async function bodyOf(form, pressed) {
  const isTried = sendsNothing(pressed), before = isTried || !signs() ? "" : (await signing()).askedBefore(form);
  if (before) return new URLSearchParams(before);
  await fillSeals(form).catch(() => undefined); // without a seal the server says what is missing
  if (!isTried && signs()) await (await signing()).signForm(form);
  const filled = new FormData(form);
  if (pressed?.name) filled.append(pressed.name, pressed.value);
  if (isTried) for (const name of ["seal", "signature"]) filled.delete(name); // seen with their order, not before
  const body = new URLSearchParams(filled);
  if (!isTried && signs()) (await signing()).keepAsked(form, body.toString());
  return body;
}

// Something has become of what was asked.
export async function forgetAsked(form) {
  if (signs()) (await signing()).forgetAsked(form);
}

// Say if this browser lacks the key of a seat that signs.
export async function showKey() {
  if (signs()) (await signing()).showKey();
}

// A preview, or a proposal.
export function sendsNothing(pressed) {
  return isPreview(pressed) || isProposal(pressed);
}

export function isProposal(pressed) {
  return ["plan", "repeat"].includes(pressed?.value);
}

export function isPreview(pressed) {
  return pressed?.value === "preview";
}
