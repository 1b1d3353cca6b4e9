// Whether what a player has done beside orders stands in the log as it was sent: joining, leaving, claims, pauses, vacations, lines
// of disputes. As `server/remote/own_acts.py`; of a seat that does not sign, the kind of the event and its line are compared.

import { Fault } from "./proof_lines.js";

/** @type {Record<string, string>} */
const FIXED = { claim: "claim", pause: "pause accept" }; // the clock events whose line is always the same
const ACTS = ["SideJoined", "SideLeft", "ClockFired", "OrderAccepted"];

/**
 * @typedef {object} SentAct an act as it was sent: the `type` of its event and its `line`, "" if the host words it; of a seat that
 *   signs, its `serial` and `signature`. Of whoever joins, the `signer`, `anchor` and phrase that the seat is to have. `accepted`
 *   says that the server took it (1), null that it has not answered; `by` is the event up to which its answer knew the log.
 * @property {string} side
 * @property {string} type
 * @property {string} line
 * @property {{ n: number, hash: string }} seen
 * @property {number} serial
 * @property {string} signature
 * @property {string} signer
 * @property {string} anchor
 * @property {string} phrase
 * @property {number | null} accepted
 * @property {number} by
 */

// Whether an act is there. Throws the fault of one that the server took and that is not, or stands there otherwise.
/** @type {(act: SentAct, events: LogEvent[]) => boolean} */
export function isActThere(act, events) {
  /** @type {Fault | null} */
  let first = null;
  for (const event of events.slice(act.seen.n)) {
    if (!isLike(act, event)) continue;
    const fault = differenceOf(act, event, events);
    if (!fault) return true;
    first ??= fault;
  }
  if (!act.accepted || events.length < act.by) return false; // not yet, or an earlier look
  throw first ?? new Fault(events.length, "own-words-missing");
}

// Whether an event may be the act: the one with its serial; of a seat that does not sign, one of its kind.
/** @type {(act: SentAct, event: LogEvent) => boolean} */
function isLike(act, event) {
  const data = dataOf(event);
  if (data.side !== act.side || !ACTS.includes(event.type)) return false;
  if (act.serial) return data.serial === act.serial;
  if (event.type !== act.type) return false;
  if (act.type === "ClockFired" && !act.line) return data.what === "pause" || data.what === "pause-asked";
  return !act.line || lineOf(event) === act.line;
}

/** @type {(act: SentAct, event: LogEvent, events: LogEvent[]) => Fault | null} */
function differenceOf(act, event, events) {
  const { n, type } = event, data = dataOf(event), found = lineOf(event);
  if (type !== act.type || (act.line && found !== act.line)) return new Fault(n, "own-text-differs", { expected: act.line, found });
  const other = type === "SideJoined" ? seatDifference(act, event, events) : null;
  if (other) return other;
  if (act.serial && !isSameHead(act, data.seen)) return new Fault(n, "own-head-differs");
  return act.serial && data.signature !== act.signature ? new Fault(n, "own-signature-differs") : null;
}

// A seat is the player's as they took it: with their key, their book, their phrase.
/** @type {(act: SentAct, event: LogEvent, events: LogEvent[]) => Fault | null} */
function seatDifference(act, event, events) {
  const { n } = event, data = dataOf(event);
  if ((data.signer ?? "") !== act.signer) return new Fault(n, "own-key-differs");
  if ((data.anchor ?? "") !== act.anchor) return new Fault(n, "own-book-differs");
  const given = act.phrase && events.slice(n).find((one) => one.type === "ContributionGiven" && dataOf(one).side === act.side && isSameHead(act, dataOf(one).seen));
  return given && dataOf(given).phrase !== act.phrase ? new Fault(given.n, "own-phrase-differs") : null;
}

// Whether an event answers the head that a message did.
/** @type {(sent: { seen: { n: number, hash: string } }, seen: any) => boolean} */
export function isSameHead({ seen: { n, hash } }, seen) {
  return seen?.n === n && seen.hash === hash;
}

/** @type {(event: LogEvent) => any} */
function dataOf(event) {
  return event.raw ?? event.data;
}

// The line of an event, as `domain.run.signed_lines.line_of`.
/** @type {(event: LogEvent) => string} */
function lineOf(event) {
  const data = dataOf(event);
  if (event.type === "SideJoined") return `join ${data.name}`;
  if (event.type === "SideLeft") return "leave";
  return (event.type === "ClockFired" && FIXED[data.what]) || (data.text ?? "");
}
