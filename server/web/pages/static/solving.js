// The work that a puzzle asks of a newcomer (server/web/puzzles.py): the smallest number that makes the SHA-256 of "TICKET NUMBER"
// begin with enough zero bits.

import { utf8 } from "./bytes.js";
import { sha256 } from "./sha256.js";

// The first solution among the numbers `from` ≤ number < `to`, -1 if there is none.
/** @type {(ticket: string, bits: number, from: number, to: number) => number} */
export function solution(ticket, bits, from, to) {
  for (let number = from; number < to; number += 1) if (zeros(`${ticket} ${number}`) >= bits) return number;
  return -1;
}

// The zero bits at the beginning of the digest of a text, of which the first 32 are looked at.
/** @type {(text: string) => number} */
export function zeros(text) {
  return Math.clz32(new DataView(sha256(utf8(text)).buffer).getUint32(0));
}
