// A book of seals (docs/fairness.md 2) and its seals in letters; how they follow from each other is in `seal_chain.js`. The secret
// of a book is made here and stays here: the server gets the anchor first, and later one seal for each turn.

import { bytesOf, hex } from "./bytes.js";

export const SEALS = 400; // in a new book: a turn of one's own takes one
export const MOST_SEALS = 65535; // in a book that somebody loads

const SECRET_BYTES = 32;
const SEAL_CHARACTERS = 26;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"; // base32, RFC 4648

// --- seals, as 32 hex digits; a seat is `north` or `south`

/** @type {() => Uint8Array} */
export function newSecret() {
  return crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
}

// A seal as a book prints it: 26 letters and digits.
/** @type {(seal: string) => string} */
export function sealText(seal) {
  let text = "", bits = 0, held = 0;
  for (const byte of bytesOf(seal)) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += LETTERS[(held >> (bits - 5)) & 31];
    held &= 31;
  }
  return text + LETTERS[(held << (5 - bits)) & 31];
}

// The seal that somebody typed, "" if it is none; case, spaces and hyphens do not matter.
/** @type {(text: string) => string} */
export function sealFromText(text) {
  const letters = text.replace(/[\s-]/g, "").toUpperCase();
  if (letters.length !== SEAL_CHARACTERS || [...letters].some((letter) => !LETTERS.includes(letter))) return "";
  const bytes = [];
  let bits = 0, held = 0;
  for (const letter of letters) {
    held = ((held << 5) | LETTERS.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes.push((held >> (bits -= 8)) & 255);
  }
  const seal = hex(bytes);
  return sealText(seal) === letters ? seal : "";
}
