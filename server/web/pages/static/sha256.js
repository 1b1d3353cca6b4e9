// SHA-256 (FIPS 180-4) and HMAC with it (RFC 2104), at once: `crypto.subtle` answers later, and a log has several hashes of a
// few blocks for each event, each of which would wait longer than it takes. Over a tag and its parts they are the two hashes of
// the protocol (docs/fairness.md 2).

import { framed } from "./bytes.js";

/** @typedef {import("./bytes.js").Part} Part */

const BLOCK = 64;
const LENGTH_BYTES = 8;
const FIRST = wordsOf("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19");
const ROUNDS = wordsOf(
  "428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174"
  + "e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967"
  + "27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070"
  + "19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2",
);
const schedule = new Int32Array(ROUNDS.length);

/** @type {(bytes: Uint8Array) => Uint8Array} */
export function sha256(bytes) {
  const state = Int32Array.from(FIRST), whole = bytes.length - (bytes.length % BLOCK), left = bytes.length - whole;
  for (let at = 0; at < whole; at += BLOCK) compress(state, bytes, at);
  const last = new Uint8Array(left < BLOCK - LENGTH_BYTES ? BLOCK : 2 * BLOCK), view = new DataView(last.buffer);
  last.set(bytes.subarray(whole));
  last[left] = 0x80;
  view.setUint32(last.length - LENGTH_BYTES, Math.floor(bytes.length / 2 ** 29)); // the length is in bits
  view.setUint32(last.length - 4, bytes.length << 3);
  for (let at = 0; at < last.length; at += BLOCK) compress(state, last, at);
  const hash = new Uint8Array(4 * state.length), words = new DataView(hash.buffer);
  for (let at = 0; at < state.length; at += 1) words.setInt32(4 * at, state[at]);
  return hash;
}

/** @type {(key: Uint8Array, bytes: Uint8Array) => Uint8Array} */
export function hmac(key, bytes) {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256(key) : key);
  return sha256(behind(padded, 0x5c, sha256(behind(padded, 0x36, bytes))));
}

/** @type {(tag: string, ...parts: Part[]) => Uint8Array} */
export function H(tag, ...parts) {
  return sha256(framed(tag, ...parts));
}

/** @type {(key: Uint8Array, tag: string, ...parts: Part[]) => Uint8Array} */
export function M(key, tag, ...parts) {
  return hmac(key, framed(tag, ...parts));
}

/** @type {(key: Uint8Array, mask: number, bytes: Uint8Array) => Uint8Array} */
function behind(key, mask, bytes) {
  const whole = new Uint8Array(BLOCK + bytes.length);
  for (let at = 0; at < BLOCK; at += 1) whole[at] = key[at] ^ mask;
  whole.set(bytes, BLOCK);
  return whole;
}

/** @type {(digits: string) => Int32Array} */
function wordsOf(digits) {
  return Int32Array.from(digits.match(/.{8}/g) ?? [], (word) => parseInt(word, 16) | 0);
}

/** @type {(word: number, by: number) => number} */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

// One block of 64 bytes enters the state (FIPS 180-4, 6.2.2).
/** @type {(state: Int32Array, bytes: Uint8Array, start: number) => void} */
function compress(state, bytes, start) {
  for (let at = 0, from = start; at < 16; at += 1, from += 4) {
    schedule[at] = (bytes[from] << 24) | (bytes[from + 1] << 16) | (bytes[from + 2] << 8) | bytes[from + 3];
  }
  for (let at = 16; at < ROUNDS.length; at += 1) {
    const early = schedule[at - 15], late = schedule[at - 2];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3), high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    schedule[at] = (schedule[at - 16] + low + schedule[at - 7] + high) | 0;
  }
  let a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (let at = 0; at < ROUNDS.length; at += 1) {
    const chosen = (e & f) ^ (~e & g), one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUNDS[at] + schedule[at]) | 0;
    const other = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}
