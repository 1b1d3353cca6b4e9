// The host's keys that a log binds and discloses: each hashes to the one before it, the first to an anchor of event 1, and the
// master gives every anchor. As `replay/proof/keys.py`.

import { PUBLIC, chainOf, commitmentOf, keyBefore, topKey } from "./fairness.js";
import { octets, same } from "./proof_blocks.js";
import { Fault } from "./proof_lines.js";

const KEY_BYTES = 32;
const LONGEST = 65536;

export class DisclosedKeys {
  /** @type {Map<number, Fault>} */
  faults = new Map(); // of the events that bind or disclose wrongly, by n
  length = 0;
  newest = -1; // the newest period whose key is disclosed, by itself
  /** @type {string} */
  #battle;
  /** @type {string[]} */
  #names; // of the chains, sorted
  /** @type {number} */
  #periods;
  /** @type {{ n: number, anchors: Record<string, Uint8Array> }[]} */
  #generations = []; // { n, anchors } by generation, n the event that publishes them
  /** @type {Map<number, Uint8Array>} */
  #public = new Map();
  /** @type {Map<string, Uint8Array[]>} */
  #chains = new Map(); // all keys of a chain, by its name and generation, once the master is out

  /**
   * @param {string} battle
   * @param {string[]} seats
   * @param {number} periods
   */
  constructor(battle, seats, periods) {
    this.#battle = battle;
    this.#names = [...seats.map((seat) => `hand:${seat}`), PUBLIC];
    this.#periods = periods;
  }

  // What a later check has to know of the time up to event `n`, behind which the period is `index`.
  /** @type {(n: number, index: number) => any} */
  soFar(n, index) {
    const known = new Map([...this.#public].filter(([of]) => of >= index - 1));
    return { length: this.length, generations: this.#generations.filter((one) => one.n <= n), known };
  }

  /** @type {(kept: any) => void} */
  resume({ length, generations, known }) {
    this.length = length;
    this.#generations = [...generations];
    this.#public = new Map(known);
    this.newest = Math.max(-1, ...known.keys());
  }

  // Whether the master is out.
  get areRevealed() {
    return this.#chains.size > 0;
  }

  // Everything that a log discloses is collected before its draws are checked.
  /** @type {(events: LogEvent[]) => void} */
  collect(events) {
    /** @type {Record<string, (n: number, data: any) => void>} */
    const readers = { BattleOpened: this.#opened, KeysContinued: this.#continued, KeyDisclosed: this.#disclosed, MasterRevealed: this.#revealed };
    for (const event of events) {
      if (!Object.hasOwn(readers, event.type)) continue;
      try {
        readers[event.type].call(this, event.n, event.data);
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        this.faults.set(event.n, fault);
      }
    }
  }

  // The key of a period for a scope; null as long as the log has not disclosed it.
  /** @type {(scope: string, index: number) => Uint8Array | null} */
  keyOf(scope, index) {
    const chain = chainOf(scope);
    if (this.#chains.size) return this.#chains.get(`${chain} ${Math.floor(index / this.length)}`)?.[index % this.length] ?? null;
    return (chain === PUBLIC && this.#public.get(index)) || null;
  }

  // The event that has bound the keys of a period; Infinity if none has.
  /** @type {(index: number) => number} */
  boundAt(index) {
    return this.#generations[this.length ? Math.floor(index / this.length) : 0]?.n ?? Infinity;
  }

  // The first index whose keys are not bound by the first event, but by a later one; 0 if there is none.
  get continuedFrom() {
    return this.#generations.length > 1 ? this.length : 0;
  }

  /** @type {(n: number, data: any) => void} */
  #opened(n, { commitment, keys }) {
    if (this.#generations.length) throw new Fault(n, "opened-late");
    const bound = octets(n, commitment, KEY_BYTES), length = keys?.length;
    if (!(Number.isInteger(length) && length >= 2 && length <= LONGEST)) throw new Fault(n, "bad-length");
    const anchors = this.#named(n, keys.anchors);
    if (!same(commitmentOf(this.#battle, length, anchors), bound)) throw new Fault(n, "anchors-differ");
    this.length = length;
    this.#generations.push({ n, anchors });
  }

  // No more generations than the log can have reached: each costs as many hashes as it has keys.
  /** @type {(n: number, data: any) => void} */
  #continued(n, { generation, anchors }) {
    if (generation !== this.#generations.length || generation > this.#periods / this.length + 1) throw new Fault(n, "generation-differs");
    this.#generations.push({ n, anchors: this.#named(n, anchors) });
  }

  /** @type {(n: number, data: any) => void} */
  #disclosed(n, { index, key }) {
    const bytes = octets(n, key, KEY_BYTES), place = index % this.length, generation = (index - place) / this.length;
    if (!Number.isInteger(index) || index < 0 || !(generation in this.#generations)) throw new Fault(n, "keys-not-bound");
    const before = place ? this.#public.get(index - 1) : this.#generations[generation].anchors[PUBLIC];
    if (!before || !same(keyBefore(this.#battle, PUBLIC, generation, bytes), before)) throw new Fault(n, "key-differs");
    if (!this.#public.has(index)) this.#public.set(index, bytes);
    this.newest = Math.max(this.newest, index);
  }

  /** @type {(n: number, data: any) => void} */
  #revealed(n, data) {
    const master = octets(n, data.master, KEY_BYTES), chains = new Map();
    if (this.#chains.size || !this.#generations.length) throw new Fault(n, "master-out-of-place");
    for (const [generation, { anchors }] of this.#generations.entries()) {
      for (const chain of this.#names) chains.set(`${chain} ${generation}`, this.#chain(n, master, chain, generation, anchors[chain]));
    }
    this.#chains = chains;
  }

  // The keys of a chain, k_0 first.
  /** @type {(n: number, master: Uint8Array, chain: string, generation: number, anchor: Uint8Array) => Uint8Array[]} */
  #chain(n, master, chain, generation, anchor) {
    const keys = [topKey(master, this.#battle, chain, generation)];
    while (keys.length <= this.length) keys.push(keyBefore(this.#battle, chain, generation, keys[keys.length - 1]));
    const first = /** @type {Uint8Array} */ (keys.pop());
    if (!same(first, anchor)) throw new Fault(n, "master-differs");
    return keys.reverse();
  }

  // The anchors of a generation, one for each chain.
  /** @type {(n: number, given: any) => Record<string, Uint8Array>} */
  #named(n, given) {
    if (Object.keys(given ?? {}).sort().join() !== this.#names.join()) throw new Fault(n, "chains-differ");
    return Object.fromEntries(this.#names.map((chain) => [chain, octets(n, given[chain], KEY_BYTES)]));
  }
}
