// What the order box and a contribution send: with a seal, signatures, and the same bytes again after a lost answer.

import { fillSeals } from "./chance.js";
import { add, text } from "./tray.js";

const signs = () => !!document.getElementById("battle").dataset.signer;
const signing = () => import("./signing_part.js"); // few seats sign: it is fetched for those

// The orders that a form is to send are those of the moment when its button is pressed, however long it waits.
/** @type {(form: any) => void} */
export function keepOrders(form) {
  if (form.id === "order-form") form.dataset.orders = text();
}

/** @type {(form: any) => string} */
export function takeOrders(form) {
  if (!("orders" in form.dataset)) keepOrders(form);
  const { orders } = form.dataset;
  delete form.dataset.orders;
  return orders;
}

// The button that sends a form. To end the turn is an order like others: it goes behind those of the tray, and all are sent.
/** @type {(form: any, pressed: any) => any} */
export function buttonOf(form, pressed) {
  if (form.id !== "order-form" || pressed?.name !== "end") return pressed;
  add(pressed.value);
  return document.querySelector("#tray [value=send]");
}

// The body of a form; `pressed` is its button, `orders` are those it is to send. Throws, with the reason in words, if the
// player has to look first.
/** @type {(form: any, pressed: any, orders: string) => Promise<any>} */
export async function bodyOf(form, pressed, orders) {
  const isTried = sendsNothing(pressed), before = isTried || !signs() ? "" : (await signing()).askedBefore(form, orders);
  if (before) return new URLSearchParams(before);
  await fillSeals(form).catch(() => undefined); // without a seal the server says what is missing
  const said = !isTried && signs() ? await (await signing()).signForm(form, orders) : orders, filled = new FormData(form);
  if (said !== undefined) filled.set("orders", said);
  if (pressed?.name) filled.append(pressed.name, pressed.value);
  if (isTried) for (const name of ["seal", "signature"]) filled.delete(name); // seen with their order, not before
  const body = new URLSearchParams(filled);
  if (!isTried && signs()) (await signing()).keepAsked(form, body.toString(), said);
  return body;
}

// Something has become of what was asked.
/** @type {(form: any) => Promise<void>} */
export async function forgetAsked(form) {
  if (signs()) (await signing()).forgetAsked(form);
}

// Say if this browser lacks the key of a seat that signs.
export async function showKey() {
  if (signs()) (await signing()).showKey();
}

// A preview, or a proposal.
/** @type {(pressed: any) => boolean} */
export function sendsNothing(pressed) {
  return isPreview(pressed) || isProposal(pressed);
}

/** @type {(pressed: any) => boolean} */
export function isProposal(pressed) {
  return ["plan", "repeat"].includes(pressed?.value);
}

/** @type {(pressed: any) => boolean} */
export function isPreview(pressed) {
  return pressed?.value === "preview";
}
