// A log checked as it grows, as `replay/proof/growing.py`: what a check has found is kept, and the next goes on from there, through
// what is new. Where that is not enough (a rewind, an opened order or card of before, the end), or anything is wrong, the log is
// checked from its first event on: only that says what a fault is. The check of a whole file is the first check of one.

import { INPUTS } from "./proof_blocks.js";
import { wrongClaim } from "./proof_claims.js";
import { Fault } from "./proof_lines.js";
import { BattleFile } from "./proof_log.js";
import { scenarioTold } from "./proof_scenario.js";
import { seatsOf } from "./proof_seats.js";
import { shapeEvents } from "./proof_shapes.js";
import { Signatures } from "./proof_signatures.js";
import { GAMES } from "./proof_tables.js";
import { Walk } from "./proof_walk.js";

const FROM_THE_START = ["Rewound", "MasterRevealed"]; // they go back to before what is kept: piles, the draws of hands
const NOTHING = { given: [], name: "", isKnown: false };

/**
 * @typedef {object} WalkSoFar all that a walk has to know to go on behind event `n`, the last of the block that begins with event
 *   `block`, in the moment `now`. What the log disclosed up to event `checked` is in it. Where it `isSettled`, every draw up to
 *   there was checked with its key, but for those of hands; else the next key is of a draw before it. The others are of one part
 *   of the walk each.
 * @property {number} n
 * @property {number} block
 * @property {number} checked
 * @property {boolean} isSettled
 * @property {LogMoment} now
 * @property {any} keys
 * @property {Map<number, { type: string }>} sealed
 * @property {any} seats
 * @property {any} silence
 * @property {any} office
 * @property {any} authority
 * @property {any} messages
 * @property {any} given
 * @property {any} clock
 * @property {any} draws
 * @property {any} duties
 */

/** @typedef {(told: { judged: number, of: number }) => void} Progress */

export class GrowingCheck {
  /** @type {BattleFile} */
  file; // which takes the bytes
  /** @type {Walk | null} */
  walk = null; // the newest; null where nothing could be walked
  /** @type {import("./proof_scenario.js").ScenarioTold} */
  scenario = NOTHING;
  walked = 0; // the events that the newest check had to walk
  #games;
  #signatures;
  #shaped = { count: 0, rules: "" }; // the events that have their shapes, and the version of the rules behind them
  #claimed = 0; // the events whose claims were read
  /** @type {Fault | null} */
  #wrongClaim = null;
  /** @type {WalkSoFar[]} */
  #kept = []; // the nearest to the newest event first: at most one more, which is settled

  // `signatures` says whether this browser can check them; `games` are the tables of the games.
  /**
   * @param {boolean} signatures
   * @param {Record<string, any>} games
   */
  constructor(signatures, games = GAMES) {
    this.file = new BattleFile(signatures);
    this.#signatures = new Signatures(signatures);
    this.#games = games;
  }

  // Check what the file has taken: its bytes, its chain and its notes hold. Gives the first fault, null if there is none;
  // `isClosed` says whether the file of a battle that is over must be signed.
  /** @type {(isClosed?: boolean, progress?: Progress) => Promise<Fault | null>} */
  async judge(isClosed = true, progress = () => {}) {
    const { ruleset } = /** @type {LogHeader} */ (this.file.header), game = Object.hasOwn(this.#games, ruleset) ? this.#games[ruleset] : null;
    this.walk = null;
    this.walked = 0;
    try {
      this.#readShapes(game);
    } catch (reason) {
      this.scenario = NOTHING;
      return faultOf(reason, this.file.events, 0);
    }
    const kept = this.#kept.find((one) => isEnough(one, this.file.events, game));
    if (kept && !(await this.#judged(game, kept, isClosed, progress))) return null;
    return this.#judged(game, null, isClosed, progress);
  }

  /** @type {(game: any) => void} */
  #readShapes(game) {
    const { events, header } = this.file, { count, rules } = this.#shaped;
    this.#shaped = { rules: shapeEvents(events.slice(count), rules || /** @type {LogHeader} */ (header).rules, game), count: events.length };
  }

  // The first fault of a walk that goes on from `kept`, or begins with the first event.
  /** @type {(game: any, kept: WalkSoFar | null, isClosed: boolean, progress: Progress) => Promise<Fault | null>} */
  async #judged(game, kept, isClosed, progress) {
    const { file } = this, { events } = file, header = /** @type {LogHeader} */ (file.header);
    /** @type {Fault | null} */
    let first = null;
    this.walk = null;
    try {
      const names = seatsOf(game, events[0].data);
      first = this.#wrongClaim ??= wrongClaim(events.slice(this.#claimed), header.ruleset, game, names);
      this.#claimed = events.length;
      if (!kept) this.scenario = scenarioTold(header, events[0].raw, game);
      this.walked += events.length - (kept?.n ?? 0);
      this.walk = new Walk(file, game, names, this.#signatures, kept);
      const found = await this.walk.all((judged) => progress({ judged, of: events.length }), first?.n ?? Infinity);
      if (this.walk.ended && isClosed && !file.isSigned) throw new Fault(events.length, "unsigned");
      if (!first) this.#keep(found, kept ? this.#kept : []);
    } catch (reason) {
      const fault = faultOf(reason, events, this.walk?.done ?? 0);
      if (!first || fault.n < first.n) first = fault;
    }
    return first;
  }

  /** @type {(found: WalkSoFar[], before: WalkSoFar[]) => void} */
  #keep(found, before) {
    const all = [...found, ...before], settled = all.find(({ isSettled }) => isSettled);
    this.#kept = all.filter((one, at) => !at || one === settled);
  }
}

// Whether nothing behind what is kept reaches back to before it.
/** @type {(kept: WalkSoFar, events: LogEvent[], game: any) => boolean} */
function isEnough(kept, events, game) {
  const judged = ["OrderAccepted", "CardDrawn", game?.looks]; // sealed, they are judged anew when they are opened
  return events.slice(kept.n).every(({ n, type, data }) => {
    if (FROM_THE_START.includes(type)) return false;
    if (n <= kept.checked) return true;
    return type === "Unsealed" ? !judged.includes(kept.sealed.get(data.n)?.type) : type !== "KeyDisclosed" || kept.isSettled;
  });
}

// A log may claim anything; what cannot even be read is at fault in the block behind event `done`.
/** @type {(reason: unknown, events: LogEvent[], done: number) => Fault} */
function faultOf(reason, events, done) {
  if (reason instanceof Fault) return reason;
  if (reason instanceof TypeError || reason instanceof RangeError) return new Fault(blockEnd(events, done), "not-readable");
  throw reason;
}

// The last event of the block behind event `done`.
/** @type {(events: LogEvent[], done: number) => number} */
function blockEnd(events, done) {
  const next = events.findIndex(({ n, type }) => n > done + 1 && INPUTS.has(type));
  return next < 0 ? events.length : next;
}
