// What a form does that leads to another page (joining, leaving, claims, pauses, vacations, an offer of a draw, a resignation, lines
// of disputes) is kept before it is sent, to be compared with the log. Whether the server took it shows in the page that comes next.

import { REFUSED, answered, keepWords } from "./own_words.js";
import { sealFromText } from "./seals.js";

const SENT = "phalera:sent"; // of this tab: the act of which the next page says what came of it
const ACT = /^.*\/battles\/([^/]+)\/(orders|clock|disputes|sides\/([^/]+)(?:\/leave)?)$/;
const UMPIRE = "umpire";
const NO_WORDS = { isOrder: false, texts: {}, phrase: "", seal: "", signatures: [], accepted: null, by: 0 };

/** @typedef {{ battle: string, side: string, what: string }} ActPlace */

// Keep what a form is about to send. `line`: the line of a dispute, as the log will have it.
/** @type {(form: any, line?: string) => Promise<void>} */
export async function keepAct(form, line = "") {
  const place = placeOf(form), sent = place && sentBy(form, place.what, line);
  if (!place || !sent) return;
  const shown = form.elements.seen?.value || document.getElementById("battle")?.dataset.seen || "", [n, hash] = shown.split(" ");
  if (!hash) return;
  const { battle, side } = place, words = { ...NO_WORDS, battle, side, request: crypto.randomUUID(), seen: { n: Number(n), hash }, ...sent };
  await keepWords(words);
  sessionStorage.setItem(SENT, JSON.stringify({ battle, side, request: words.request, isOrder: words.isOrder }));
}

/** @type {(form: any) => ActPlace | null} */
function placeOf(form) {
  const [, battle, what, seat] = ACT.exec(new URL(form.action, location.href).pathname) ?? [];
  const side = seat ?? form.elements.side?.value;
  return side && side !== UMPIRE ? { battle, side, what } : null;
}

// What a form says, by where it goes; null if it is nothing of its player's own.
/** @type {(form: any, what: string, line: string) => any} */
function sentBy(form, what, line) {
  const filled = new FormData(form), text = (/** @type {string} */ name) => String(filled.getAll(name).findLast((/** @type {any} */ value) => value) ?? "");
  const [serial, signature = ""] = text("signature").split(" "), signed = { serial: Number(serial), signature };
  const phrase = text("phrase").trim().normalize("NFC"), seal = text("seal") && sealFromText(text("seal"));
  if (what === "orders") {
    const signatures = signature ? [[signed.serial, signature]] : [];
    return { request: text("key"), isOrder: true, texts: { 1: text("orders") }, signatures, phrase: seal ? "" : phrase, seal };
  }
  if (what === "disputes") return line && { ...signed, type: "OrderAccepted", line };
  if (what === "clock") return clockLine(text("do"), form, signed);
  if (what.endsWith("/leave")) return { ...signed, type: "SideLeft", line: "leave" };
  const anchor = text("anchor");
  return text("bot") ? null : { ...signed, type: "SideJoined", line: "", signer: text("signer"), anchor, phrase: anchor ? "" : phrase };
}

// The line of a deed about the time, with the number of days that stands in its form; "" if the host words it.
/** @type {(deed: string, form: any, signed: object) => any} */
function clockLine(deed, form, signed) {
  if (!["claim", "pause", "vacation"].includes(deed)) return null;
  const said = form.querySelector(`[value=${deed}][data-line]`)?.dataset.line ?? (deed === "claim" ? deed : ""), days = form.elements.days?.value;
  return { ...signed, type: "ClockFired", line: days ? said.replace(/\d+(?=d$)/, String(Number(days))) : said };
}

// The page that an act has led to: where the server led on, it took it; where it says why not, it did not.
/** @type {() => Promise<void>} */
export async function settleAct() {
  const kept = sessionStorage.getItem(SENT);
  sessionStorage.removeItem(SENT);
  if (!kept) return;
  const { battle, side, request, isOrder } = JSON.parse(kept), by = shownHere(), here = location.pathname.split("/battles/")[1]?.split("/")[0];
  const way = /** @type {any} */ (performance.getEntriesByType("navigation")[0]), isWaiting = isOrder && document.querySelector("#kept [data-parked]");
  if (way?.responseStatus >= 400) await answered(battle, side, request, REFUSED, by);
  else if (here === battle && way?.type === "navigate" && way.redirectCount && by) await answered(battle, side, request, isWaiting ? 0 : 1, by);
}

// Up to which event the page shows the battle; 0 if it does not say.
function shownHere() {
  const place = document.getElementById("battle"), field = /** @type {any} */ (document.querySelector("[name=seen]"));
  return Number(place?.dataset.n ?? field?.value.split(" ")[0] ?? 0);
}
