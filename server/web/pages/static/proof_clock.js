// What a log says of the clocks, and since when a seat has been silent, as far as it can be told without the rules. As
// `replay/proof/clock.py` and `silence.py`. Time is the host's word.

import { factsOf } from "./proof_blocks.js";
import { Fault } from "./proof_lines.js";

export const DEADLINE = "deadline";
const CLAIM = "claim", ON_TIME = "time";
const ASKED = [CLAIM, "vacation", "vacation-over", "pause-asked", "pause", "pause-over"];
const SILENT_MS = 30 * 24 * 60 * 60 * 1000;
const NAMING = ["SubstituteAgreed", "UmpireNamed", "UmpireProposed"];
const SAID = ["OrderAccepted", "ContributionGiven", "ClockFired"];

export class ClockCheck {
  /** @type {string[]} */
  #names;
  /** @type {boolean} */
  #hasPace;
  /** @type {Set<string>} */
  #flagged = new Set(); // whose flag has ever fallen

  /**
   * @param {string[]} names
   * @param {boolean} hasPace
   */
  constructor(names, hasPace) {
    this.#names = names;
    this.#hasPace = hasPace;
  }

  soFar() {
    return new Set(this.#flagged);
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    this.#flagged = new Set(kept);
  }

  /** @type {(n: number, data: any, block: LogBlock) => void} */
  fired(n, { what, side }, block) {
    this.#requireClock(n, side);
    if (what === DEADLINE) this.#flagged.add(side);
    else if (!ASKED.includes(what)) throw new Fault(n, "bad-member");
    const facts = factsOf(block);
    if (what !== CLAIM) {
      if (facts.length) throw new Fault(facts[0].n, "mixed-clock");
      return;
    }
    if (!this.#names.every((name) => name === side || this.#flagged.has(name))) throw new Fault(n, "no-flag");
    if (facts.length !== 1 || facts[0].type !== "BattleEnded") throw new Fault(n, "clock-without-end");
    const { winner, how, shares } = facts[0].data;
    if (winner !== side || how !== ON_TIME || shares !== undefined) throw new Fault(facts[0].n, "mixed-clock");
  }

  // An umpire rules on a flag: it must have fallen.
  /** @type {(n: number, side: string) => void} */
  ruled(n, side) {
    this.#requireClock(n, side);
    if (!this.#flagged.has(side)) throw new Fault(n, "flag-not-fallen");
  }

  /** @type {(n: number, side: string) => void} */
  #requireClock(n, side) {
    if (!this.#hasPace) throw new Fault(n, "no-clock");
    if (!this.#names.includes(side)) throw new Fault(n, "unknown-side");
  }
}

export class Silence {
  /** @type {string[]} */
  #names;
  /** @type {boolean} */
  #hasPace;
  /** @type {Map<string, number>} */
  #fell = new Map();
  /** @type {Map<string, number>} */
  #said = new Map();
  /** @type {Map<string, { n: number, at: string }>} */
  #stirred = new Map();

  /**
   * @param {string[]} names
   * @param {boolean} hasPace
   */
  constructor(names, hasPace) {
    this.#names = names;
    this.#hasPace = hasPace;
  }

  soFar() {
    return structuredClone({ fell: this.#fell, said: this.#said, stirred: this.#stirred });
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    ({ fell: this.#fell, said: this.#said, stirred: this.#stirred } = structuredClone(kept));
  }

  // The event since which a seat has been silent for as long as the rules ask; 0 if it has not.
  /** @type {(seat: string, at: string) => number} */
  since(seat, at) {
    if (!this.#names.includes(seat)) return 0;
    const fell = this.#fell.get(seat) ?? 0, stirred = this.#stirred.get(seat);
    if (this.#hasPace) return fell > (this.#said.get(seat) ?? 0) ? fell : 0;
    return stirred && Date.parse(at) - Date.parse(stirred.at) >= SILENT_MS ? stirred.n : 0;
  }

  /** @type {(block: LogBlock) => void} */
  passed(block) {
    const [first] = block, facts = factsOf(block), isNaming = facts.length > 0 && facts.every((event) => NAMING.includes(event.type));
    for (const seat of this.#names) if (first.by === seat || !isNaming) this.#stirred.set(seat, { n: first.n, at: first.at });
    if (first.type === "ClockFired" && first.data.what === DEADLINE) this.#fell.set(first.data.side, first.n);
    else if (SAID.includes(first.type) && this.#names.includes(first.by)) this.#said.set(first.by, first.n);
  }
}
