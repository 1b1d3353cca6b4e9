// The signatures of players and umpires in a log: checked beside the walk, many at once, and each event's once however often
// the log is walked.

import { verified } from "./notes.js";
import { Fault } from "./proof_lines.js";

const MOST_WAITING = 256;

export class Signatures {
  /** @type {Set<number>} */
  #known = new Set(); // the events whose signatures hold
  /** @type {{ n: number, holds: Promise<boolean> }[]} */
  #waiting = []; // in the order in which they were met
  #canVerify;

  // `canVerify` says whether this browser can check them; if not, all are taken for right.
  /** @param {boolean} canVerify */
  constructor(canVerify) {
    this.#canVerify = canVerify;
  }

  get isFull() {
    return this.#waiting.length >= MOST_WAITING;
  }

  /** @type {(n: number) => boolean} */
  isKnown(n) {
    return !this.#canVerify || this.#known.has(n);
  }

  /** @type {(n: number, key: Uint8Array, signature: Uint8Array, message: Uint8Array) => void} */
  take(n, key, signature, message) {
    this.#waiting.push({ n, holds: verified(key, signature, message) });
  }

  // Event n has none that could hold.
  /** @type {(n: number) => void} */
  refuse(n) {
    this.#waiting.push({ n, holds: Promise.resolve(false) });
  }

  // Wait for all that were taken. Throws the fault of the first that does not hold: whatever else the walk has met since is
  // behind it.
  async settle() {
    const waiting = this.#waiting.splice(0), held = await Promise.all(waiting.map(({ holds }) => holds));
    for (const [at, { n }] of waiting.entries()) {
      if (!held[at]) throw new Fault(n, "player-signature-differs");
      this.#known.add(n);
    }
  }
}
