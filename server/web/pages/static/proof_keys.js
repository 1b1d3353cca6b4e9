// The host's keys that a log binds and discloses: each hashes to the one before it, the first to an anchor of event 1, and the
// master gives every anchor. As `replay/proof/keys.py`.

import { CHAINS, PUBLIC, chainOf, commitmentOf, keyBefore, topKey } from "./fairness.js";
import { octets, same } from "./proof_blocks.js";
import { Fault } from "./proof_log.js";

const KEY_BYTES = 32;
const LONGEST = 65536;

export class DisclosedKeys {
  faults = new Map(); // of the events that bind or disclose wrongly, by n
  length = 0;
  #battle;
  #periods;
  #generations = []; // { n, anchors } by generation, n the event that publishes them
  #public = new Map();
  #chains = new Map(); // all keys of a chain, by its name and generation, once the master is out

  constructor(battle, periods) {
    this.#battle = battle;
    this.#periods = periods;
  }

  // Everything that a log discloses is collected before its draws are checked.
  async collect(events) {
    const readers = { BattleOpened: this.#opened, KeysContinued: this.#continued, KeyDisclosed: this.#disclosed, MasterRevealed: this.#revealed };
    for (const event of events) {
      if (!Object.hasOwn(readers, event.type)) continue;
      try {
        await readers[event.type].call(this, event.n, event.data);
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        this.faults.set(event.n, fault);
      }
    }
  }

  // The key of a period for a scope; null as long as the log has not disclosed it.
  keyOf(scope, index) {
    const chain = chainOf(scope);
    if (this.#chains.size) return this.#chains.get(`${chain} ${Math.floor(index / this.length)}`)?.[index % this.length] ?? null;
    return (chain === PUBLIC && this.#public.get(index)) || null;
  }

  // The event that has bound the keys of a period; Infinity if none has.
  boundAt(index) {
    return this.#generations[this.length ? Math.floor(index / this.length) : 0]?.n ?? Infinity;
  }

  async #opened(n, { commitment, keys }) {
    const length = keys?.length;
    if (!(Number.isInteger(length) && length >= 2 && length <= LONGEST)) throw new Fault(n, "bad-length");
    const anchors = anchorsOf(n, keys.anchors);
    if (!same(await commitmentOf(this.#battle, length, anchors), octets(n, commitment, KEY_BYTES))) throw new Fault(n, "anchors-differ");
    this.length = length;
    this.#generations.push({ n, anchors });
  }

  // No more generations than the log can have reached: each costs as many hashes as it has keys.
  async #continued(n, { generation, anchors }) {
    if (generation !== this.#generations.length || generation > this.#periods / this.length + 1) throw new Fault(n, "generation-differs");
    this.#generations.push({ n, anchors: anchorsOf(n, anchors) });
  }

  async #disclosed(n, { index, key }) {
    const bytes = octets(n, key, KEY_BYTES), place = index % this.length, generation = (index - place) / this.length;
    if (!Number.isInteger(index) || !(generation in this.#generations)) throw new Fault(n, "keys-not-bound");
    const before = place ? this.#public.get(index - 1) : this.#generations[generation].anchors[PUBLIC];
    if (!before || !same(await keyBefore(this.#battle, PUBLIC, generation, bytes), before)) throw new Fault(n, "key-differs");
    if (!this.#public.has(index)) this.#public.set(index, bytes);
  }

  async #revealed(n, data) {
    const master = octets(n, data.master, KEY_BYTES), chains = new Map();
    if (this.#chains.size || !this.#generations.length) throw new Fault(n, "master-out-of-place");
    for (const [generation, { anchors }] of this.#generations.entries()) {
      for (const chain of CHAINS) chains.set(`${chain} ${generation}`, await this.#chain(n, master, chain, generation, anchors[chain]));
    }
    this.#chains = chains;
  }

  // The keys of a chain, k_0 first.
  async #chain(n, master, chain, generation, anchor) {
    const keys = [await topKey(master, this.#battle, chain, generation)];
    while (keys.length <= this.length) keys.push(await keyBefore(this.#battle, chain, generation, keys[keys.length - 1]));
    if (!same(keys.pop(), anchor)) throw new Fault(n, "master-differs");
    return keys.reverse();
  }
}

function anchorsOf(n, given) {
  if (Object.keys(given ?? {}).sort().join() !== CHAINS.join()) throw new Fault(n, "chains-differ");
  return Object.fromEntries(CHAINS.map((chain) => [chain, octets(n, given[chain], KEY_BYTES)]));
}
