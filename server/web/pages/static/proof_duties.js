// Whether the host has disclosed exactly what it owed at the end of each block, in the one order. As
// `replay/proof/duties.py`; whether what is disclosed is right is said elsewhere.

import { DISCLOSURES, DISPUTES, SETTLEMENTS, STOPPED, endsBattle, factsOf, lastOf } from "./proof_blocks.js";
import { Fault } from "./proof_lines.js";

const AFTER_THE_END = new Set([...DISPUTES, ...SETTLEMENTS]);
for (const type of ["Rewound", "Corrected", "FlagRuled"]) AFTER_THE_END.delete(type);
/** @type {Record<string, string>} */
const ABOUT = { Unsealed: "n", KeyDisclosed: "index", KeysContinued: "generation" };

export class Duties {
  ended = 0; // the last event of the block that ended the battle, 0 while it runs
  #isStopped = false;
  /** @type {LogMoment[]} */
  #before;
  /** @type {LogMoment} */
  #newest;
  /** @type {import("./proof_sealed.js").Sealed} */
  #sealed;
  /** @type {number} */
  #length;
  /** @type {Set<number>} */
  #closed = new Set(); // the sealed events that are not opened yet, in order
  /** @type {Map<number, number>} */
  #orderOf = new Map(); // of each sealed event its block's order, 0 if it is none

  /**
   * @param {LogBlock[]} blocks
   * @param {{ before: LogMoment[], last: LogMoment }} moments
   * @param {import("./proof_sealed.js").Sealed} sealed
   * @param {number} length
   */
  constructor(blocks, moments, sealed, length) {
    this.#before = moments.before;
    this.#newest = moments.last;
    this.#sealed = sealed;
    this.#length = length;
    for (const block of blocks) {
      const order = block[0].type === "OrderAccepted" ? block[0].n : 0;
      for (const { n } of block) if (sealed.isSealed(n)) this.#orderOf.set(n, order);
    }
  }

  // The sealed events that are not opened yet, each with its order.
  soFar() {
    return [...this.#closed].map((n) => [n, this.#orderOf.get(n) ?? 0]);
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    for (const [n, order] of kept) {
      this.#closed.add(n);
      this.#orderOf.set(n, order);
    }
  }

  // The events still sealed.
  get unopened() {
    return [...this.#closed];
  }

  /** @type {(block: LogBlock) => void} */
  check(block) {
    if (this.ended) this.#requireAfterTheEnd(block);
    for (const { n } of block) if (this.#sealed.isSealed(n)) this.#closed.add(n);
    const given = block.filter((event, at) => at && DISCLOSURES.has(event.type));
    requireAtTheEnd(block, given);
    const due = this.#due(block);
    for (const [place, event] of given.entries()) {
      const what = whatOf(event);
      if (due[place] === what) continue;
      if (due.slice(place).includes(what)) throw new Fault(lastOf(block), "disclosure-missing");
      throw new Fault(event.n, "disclosure-not-due");
    }
    if (given.length < due.length) throw new Fault(lastOf(block), "disclosure-missing");
    for (const { type, data } of given) if (type === "Unsealed") this.#closed.delete(data.n);
    if (endsBattle(block)) [this.ended, this.#isStopped] = [lastOf(block), block[0].type === STOPPED];
  }

  // What is due, each as type and what it is about.
  /** @type {(block: LogBlock) => string[]} */
  #due(block) {
    if (endsBattle(block)) return [...[...this.#closed].map((n) => `Unsealed ${n}`), "MasterRevealed 0"];
    const named = factsOf(block).flatMap(namedBy), all = new Set([...named, ...named.map((n) => this.#orderOf.get(n) ?? 0)]);
    const opened = [...all].filter((n) => this.#closed.has(n)).sort((one, other) => one - other).map((n) => `Unsealed ${n}`);
    const first = this.#before[block[0].n - 1].index, newest = (this.#before[lastOf(block)] ?? this.#newest).index;
    const begun = Array.from({ length: newest - first }, (_, at) => first + 1 + at);
    const continued = begun.filter((index) => index % this.#length === this.#length - 1).map((index) => (index + 1) / this.#length);
    return [...opened, ...begun.map((index) => `KeyDisclosed ${index - 1}`), ...continued.map((generation) => `KeysContinued ${generation}`)];
  }

  /** @type {(block: LogBlock) => void} */
  #requireAfterTheEnd(block) {
    for (const event of block) {
      const isFit = event === block[0] ? ["OrderAccepted", "KeyChanged"].includes(event.type) : AFTER_THE_END.has(event.type);
      if (this.#isStopped && event.type !== "KeyChanged") throw new Fault(event.n, "after-the-stop");
      if (!isFit || this.#sealed.isSealed(event.n)) throw new Fault(event.n, "after-the-end");
    }
    if (block[0].type === "OrderAccepted" && block.length === 1) throw new Fault(block[0].n, "after-the-end");
  }
}

// Nothing of the rules stands behind a disclosure, nor behind the end of the battle.
/** @type {(block: LogBlock, given: LogEvent[]) => void} */
function requireAtTheEnd(block, given) {
  const facts = factsOf(block), last = facts.at(-1)?.n ?? 0, over = facts.find((event) => event.type === "BattleEnded")?.n ?? 0;
  if (given.length && last > given[0].n) throw new Fault(given[0].n, "disclosure-early");
  if (over && last > over) throw new Fault(over + 1, "after-the-end");
}

// The events that a fact opens.
/** @type {(event: LogEvent) => number[]} */
function namedBy({ data }) {
  return [data.set_by, ...(Array.isArray(data.opens) ? data.opens : [])].filter((n) => typeof n === "number");
}

/** @type {(event: LogEvent) => string} */
function whatOf({ type, data }) {
  return `${type} ${ABOUT[type] ? data[ABOUT[type]] : 0}`;
}
