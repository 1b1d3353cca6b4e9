// The arithmetic of PBEM-2 (docs/fairness.md 2): what a key, a contribution and a draw must be. As `domain/log/fairness.py`;
// keys and seeds are 32 bytes, a chain is `public` or `hand:SEAT`.

import { bigEndian, joined, utf8 } from "./bytes.js";
import { H, M, hmac } from "./sha256.js";

export const PUBLIC = "public";

const STREAM = utf8("pbem/2 stream");
const WORDS = 1n << 64n;
const IN_A_BLOCK = 4;

// The chain whose keys seed a scope: a hand's own, else the public one.
/** @type {(scope: string) => string} */
export function chainOf(scope) {
  const name = scope.split("/")[0];
  return name.startsWith("hand:") ? name : PUBLIC;
}

// k_(N-1), the last key of a chain.
/** @type {(master: Uint8Array, battle: string, chain: string, generation: number) => Uint8Array} */
export function topKey(master, battle, chain, generation) {
  return M(master, "pbem/2 top", battle, chain, generation);
}

// k_(j-1) of k_j; that of k_0 is the anchor.
/** @type {(battle: string, chain: string, generation: number, key: Uint8Array) => Uint8Array} */
export function keyBefore(battle, chain, generation, key) {
  return H("pbem/2 key", battle, chain, generation, key);
}

// C, which the first event has; `anchors` are bytes by chain.
/** @type {(battle: string, length: number, anchors: Record<string, Uint8Array>) => Uint8Array} */
export function commitmentOf(battle, length, anchors) {
  return H("pbem/2 commitment", battle, length, ...Object.keys(anchors).sort().flatMap((chain) => [chain, anchors[chain]]));
}

// What a plain seat contributes to a player-turn; `order` is "" where none counts.
/** @type {(battle: string, t: number, seat: string, phrase: string, order: string) => Uint8Array} */
export function plainContribution(battle, t, seat, phrase, order) {
  return H("pbem/2 plain", battle, t, seat, phrase, order);
}

// What the log holds instead of hidden content; `content` is its canonical JSON.
/** @type {(salt: Uint8Array, battle: string, t: number, seat: string, content: string | Uint8Array) => Uint8Array} */
export function sealedCommitment(salt, battle, t, seat, content) {
  return M(salt, "pbem/2 sealed", battle, t, seat, content);
}

// The scope as it enters a seed after so many rewinds.
/** @type {(scope: string, rewinds: number) => string} */
export function scopeLabel(scope, rewinds) {
  return rewinds ? `${scope}/r${rewinds}` : scope;
}

/** @type {(key: Uint8Array, battle: string, index: number, scope: string, contributions: (string | Uint8Array)[]) => Uint8Array} */
export function seedOf(key, battle, index, scope, contributions) {
  return M(key, "pbem/2 seed", battle, index, scope, ...contributions);
}

// The draws of one scope in one period, in order.
export class Stream {
  /** @type {Uint8Array} */
  #seed;
  /** @type {bigint[]} */
  #words = [];
  position = 0; // words used, those that were dropped included

  /** @param {Uint8Array} seed */
  constructor(seed) {
    this.#seed = seed;
  }

  // The same stream, as far as it was read.
  copy() {
    const copy = new Stream(this.#seed);
    copy.position = this.position;
    copy.#words = this.#words;
    return copy;
  }

  // A number from 0 to n - 1, as BigInt; n is a number or a BigInt.
  /** @type {(n: number | bigint) => bigint} */
  below(n) {
    const size = BigInt(n), limit = WORDS - (WORDS % size);
    for (;;) {
      const word = this.#word();
      if (word < limit) return word % size;
    }
  }

  #word() {
    const at = this.position % IN_A_BLOCK;
    if (!at) {
      const block = hmac(this.#seed, joined([STREAM, bigEndian(this.position / IN_A_BLOCK, 8)]));
      const view = new DataView(block.buffer);
      this.#words = Array.from({ length: IN_A_BLOCK }, (_, word) => view.getBigUint64(8 * word));
    }
    this.position += 1;
    return this.#words[at];
  }
}
