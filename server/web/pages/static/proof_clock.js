// What a log says of the clocks, and since when a seat has been silent, as far as it can be told without the rules. As
// `replay/proof/clock.py` and `silence.py`. Time is the host's word.

import { factsOf } from "./proof_blocks.js";
import { Fault } from "./proof_lines.js";

export const DEADLINE = "deadline", CAMPAIGN = "campaign";
const ADJUDICATE = "adjudicate", AWARD = "award ";
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
  /** @type {{ id: string, board: string } | undefined} */
  #board;

  /**
   * @param {string[]} names
   * @param {boolean} hasPace
   * @param {{ id: string, board: string } | undefined} board
   */
  constructor(names, hasPace, board) {
    this.#names = names;
    this.#hasPace = hasPace;
    this.#board = board;
  }

  soFar() {
    return new Set(this.#flagged);
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    this.#flagged = new Set(kept);
  }

  /** @type {(n: number, data: any, block: LogBlock) => void} */
  fired(n, { what, side, text }, block) {
    if (what === CAMPAIGN) {
      if (side || text !== undefined) throw new Fault(n, "bad-member");
      this.#calledOff(n, factsOf(block));
      return;
    }
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

  // A campaign ends a battle that names it, by one ruling.
  /** @type {(n: number, facts: LogEvent[]) => void} */
  #calledOff(n, facts) {
    if (!this.#board) throw new Fault(n, "no-authority");
    if (facts.map((event) => event.type).join() !== "RulingGiven,BattleEnded") throw new Fault(n, "clock-without-end");
    const [ruling, end] = facts, { docket, ruling: about, effect } = ruling.data, { winner, how, shares } = end.data;
    const awarded = effect.startsWith(AWARD) ? effect.slice(AWARD.length) : null, { id, board } = this.#board;
    const isEffect = effect === ADJUDICATE || (awarded !== null && this.#names.includes(awarded));
    if (docket || about !== `${id} ${board}` || !isEffect) throw new Fault(ruling.n, "no-authority");
    const isWinner = awarded === null ? ["", ...this.#names].includes(winner) : winner === awarded;
    if (!isWinner || how !== (awarded === null ? "adjudicated" : "default") || shares !== undefined) throw new Fault(end.n, "mixed-clock");
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
