// Bytes and their spellings, and the frame in which the protocol hashes and signs (docs/fairness.md 2): a tag and its parts.

/** @typedef {Uint8Array | number | string} Part of what is hashed: bytes, a number of 32 bits, a text */

const ENCODER = new TextEncoder();
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

// u16be(length of tag), tag, and for each part u32be(length of part), part; text is UTF-8, a number u32be.
/** @type {(tag: string, ...parts: Part[]) => Uint8Array} */
export function framed(tag, ...parts) {
  return joined([sized(utf8(tag), 2), ...parts.map((part) => sized(bytesIn(part), 4))]);
}

// --- spellings

/** @type {(bytes: ArrayLike<number>) => string} */
export function hex(bytes) {
  let digits = "";
  for (let at = 0; at < bytes.length; at += 1) digits += DIGITS[bytes[at]];
  return digits;
}

/** @type {(digits: string) => Uint8Array} */
export function bytesOf(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @type {(text: string) => Uint8Array} */
export function utf8(text) {
  return ENCODER.encode(text);
}

/** @type {(bytes: Iterable<number>) => string} */
export function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

// The bytes of a base64 text in its one spelling, with padding; null if it is not that.
/** @type {(text: string) => Uint8Array | null} */
export function fromBase64(text) {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return base64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

/** @type {(number: number, size: number) => Uint8Array} */
export function bigEndian(number, size) {
  return Uint8Array.from({ length: size }, (_, at) => Math.floor(number / 256 ** (size - 1 - at)) % 256);
}

/** @type {(pieces: ArrayLike<number>[]) => Uint8Array} */
export function joined(pieces) {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** @type {(part: Part) => Uint8Array} */
function bytesIn(part) {
  if (typeof part === "number") return bigEndian(part, 4);
  return part instanceof Uint8Array ? part : utf8(part);
}

/** @type {(bytes: Uint8Array, size: number) => Uint8Array} */
function sized(bytes, size) {
  return joined([bigEndian(bytes.length, size), bytes]);
}
