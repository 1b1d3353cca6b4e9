// How the seals of a book follow from each other (docs/fairness.md 2), as 32 hex digits; a seat is `north` or `south`. Apart from
// `seals.js`, since a page hashes only once somebody gives a seal.

import { bytesOf, hex } from "./bytes.js";
import { H, M } from "./sha256.js";

const SEAL_BYTES = 16;

// s_N, the last seal of a book, from which all others follow.
/** @type {(secret: Uint8Array, battle: string, seat: string) => string} */
export function tipOf(secret, battle, seat) {
  return hex(M(secret, "pbem/2 seal tip", battle, seat).slice(0, SEAL_BYTES));
}

// s_(i-1) of s_i.
/** @type {(battle: string, seat: string, seal: string) => string} */
export function sealBefore(battle, seat, seal) {
  return hex(H("pbem/2 seal", battle, seat, bytesOf(seal)).slice(0, SEAL_BYTES));
}

// The seals s_0 … s_length, the anchor first.
/** @type {(battle: string, seat: string, tip: string, length: number) => string[]} */
export function sealsOf(battle, seat, tip, length) {
  const seals = [tip];
  while (seals.length <= length) seals.push(sealBefore(battle, seat, seals[seals.length - 1]));
  return seals.reverse();
}
