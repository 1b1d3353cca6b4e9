// What the player of a seat with a key signs beside orders, from version 3 on. As `domain/run/signed_lines.py`.

import { hex } from "./bytes.js";

const SIGNED_CLOCKS = ["claim", "vacation", "pause-asked", "pause"];
const WORDED_CLOCKS = ["vacation", "pause-asked"];
const FIXED = { claim: "claim", pause: "pause accept" };
const TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";
const PAUSE = /^pause [1-9][0-9]?d$/, VACATION = new RegExp(`^vacation (${TIME}) (${TIME})$`);
const MOST_VACATION_MS = 14 * 86400000;
const UMPIRE = "umpire";

// The line of an input; "" if nobody signs it.
/** @type {(type: string, data: any) => string} */
export function lineOf(type, { name, what, text }) {
  if (type === "SideJoined") return `join ${name}`;
  if (type === "SideLeft") return "leave";
  return FIXED[/** @type {"claim" | "pause"} */ (what)] ?? text ?? "";
}

/** @type {(what: string) => boolean} */
export const isSignedClock = (what) => SIGNED_CLOCKS.includes(what);

// Whether the text of a clock event is what it must be.
/** @type {(what: string, text: unknown) => boolean} */
export function hasItsLine(what, text) {
  if (!WORDED_CLOCKS.includes(what)) return text === undefined;
  if (typeof text !== "string") return false;
  if (what === "pause-asked") return PAUSE.test(text);
  const found = VACATION.exec(text), [begins, ends] = found ? found.slice(1).map(momentOf) : [NaN, NaN];
  return begins < ends && ends <= begins + MOST_VACATION_MS;
}

// NaN if there is no such day, or hour.
/** @type {(at: string) => number} */
function momentOf(at) {
  const moment = Date.parse(at);
  return at >= "2000" && moment === moment && new Date(moment).toISOString() === at ? moment : NaN;
}

/** @type {(data: any) => boolean} */
export const isBare = (data) => ["seen", "serial", "signature", "text"].every((name) => data[name] === undefined);

// A key at a seat, as serials are counted from version 3 on.
/** @type {(side: string, signer: Uint8Array) => string} */
export const holder = (side, signer) => (side === UMPIRE ? side : `${side} ${hex(signer)}`);
