// What a log seals and opens: only what may be sealed, only whole, and opened as it was sealed. As `replay/proof/sealed.py`;
// what is opened is collected before draws and signatures are checked with it.

import { sealedCommitment } from "./fairness.js";
import { DISCLOSURES, INPUTS, octets, same } from "./proof_blocks.js";
import { Fault, canonical } from "./proof_lines.js";
import { CORE_ROWS } from "./proof_tables.js";

const SECRET_BYTES = 32;
const MAY_SEAL = ["BattleOpened", "OrderAccepted"];
const NEVER = new Set([
  ...[...INPUTS].filter((type) => !MAY_SEAL.includes(type)), ...DISCLOSURES, "DieRolled", "TurnBegan", "TurnEnded", "BattleEnded",
]);

export class Sealed {
  /** @type {Map<number, any>} */
  contents = new Map(); // what the log opens, by n of the sealed event
  /** @type {Map<number, Fault>} */
  faults = new Map(); // by n
  /** @type {string} */
  #battle;
  /** @type {LogEvent[]} */
  #events;
  /** @type {any} */
  #rows; // null for a game that is not known here
  /** @type {Map<number, { value: Uint8Array, t: number, seat: string, type: string }>} */
  #entries = new Map();
  /** @type {Map<number, number>} */
  #openedAt = new Map();

  /**
   * @param {string} battle
   * @param {LogEvent[]} events
   * @param {any} game
   */
  constructor(battle, events, game) {
    this.#battle = battle;
    this.#events = events;
    this.#rows = game && { ...game.rows, ...CORE_ROWS };
  }

  // What a later check has to know of the time up to event `last`: what is sealed and was not opened by then.
  /** @type {(last: number) => any} */
  soFar(last) {
    return new Map([...this.#entries].filter(([n]) => n <= last && (this.#openedAt.get(n) ?? Infinity) > last));
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    this.#entries = new Map(kept);
  }

  // `before[n - 1]` is the moment in which event n happens; behind the last of them nothing is collected, nor before event
  // `first`.
  /** @type {(before: LogMoment[], first: number) => void} */
  collect(before, first) {
    for (const event of this.#events.slice(first - 1, before.length)) {
      try {
        if (event.type === "Unsealed") this.#open(event.n, event.data);
        else if (event.data.sealed !== undefined) this.#seal(event, before[event.n - 1].t);
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        this.faults.set(event.n, fault);
      }
    }
  }

  // Whether event n hides something, opened later or not.
  /** @type {(n: number) => boolean} */
  isSealed(n) {
    return this.#entries.has(n);
  }

  // Whether event n is still sealed, and it is this member that it hides.
  /** @type {(n: number, name: string) => boolean} */
  hides(n, name) {
    const entry = this.#entries.get(n);
    if (!entry || this.contents.has(n)) return false;
    const members = this.#events[n - 1].raw, opening = this.#events[0].raw;
    return this.#rowsOf(entry.type).some((row) => row.members.includes(name) && fits(row, opening, entry.t, members, null));
  }

  // A member of an event, even if it was sealed and the log opens it.
  /** @type {(event: LogEvent, name: string) => any} */
  member({ n, data }, name) {
    return data[name] !== undefined ? data[name] : this.contents.get(n)?.[name];
  }

  /** @type {(event: LogEvent, t: number) => void} */
  #seal(event, t) {
    const { n, type, data } = event, value = octets(n, data.sealed, SECRET_BYTES);
    if (NEVER.has(type) || !this.#fitting(n, type, t, null)) throw new Fault(n, "may-not-be-sealed");
    this.#entries.set(n, { value, t, seat: seatOf(event), type });
  }

  /** @type {(n: number, data: any) => void} */
  #open(n, data) {
    const entry = this.#entries.get(data.n);
    if (!entry || this.contents.has(data.n)) throw new Fault(n, entry ? "opened-twice" : "not-sealed");
    const salt = octets(n, data.salt, SECRET_BYTES);
    const value = sealedCommitment(salt, this.#battle, entry.t, entry.seat, canonical(data.content));
    if (!same(value, entry.value)) throw new Fault(n, "commitment-differs");
    if (!this.#fitting(data.n, entry.type, entry.t, data.content)) throw new Fault(n, "content-differs");
    this.contents.set(data.n, data.content);
    this.#openedAt.set(data.n, n);
  }

  /** @type {(type: string) => any[]} */
  #rowsOf(type) {
    const rows = this.#rows ?? CORE_ROWS;
    return Object.hasOwn(rows, type) ? rows[type] : [];
  }

  // Whether a row of the table allows what event n seals.
  /** @type {(n: number, type: string, t: number, content: any) => boolean} */
  #fitting(n, type, t, content) {
    if (!this.#rows && !Object.hasOwn(CORE_ROWS, type)) return true;
    const members = this.#events[n - 1].raw, opening = this.#events[0].raw;
    return this.#rowsOf(type).some((row) => fits(row, opening, t, members, content));
  }
}

/** @type {(row: any, opening: any, t: number, members: any, content: any) => boolean} */
function fits(row, opening, t, members, content) {
  if (row.members.some((/** @type {string} */ name) => Object.hasOwn(members, name))) return false;
  const names = content && Object.keys(content);
  if (names && !(names.length && row.needed.every((/** @type {string} */ name) => names.includes(name)))) return false;
  if (names && !names.every((/** @type {string} */ name) => row.members.includes(name))) return false;
  const options = typeof opening.options === "object" && opening.options ? opening.options : {};
  /** @type {Record<string, any>} */
  const of = { option: options, t: { "": t }, member: members, ...(content && { content }) };
  const isRight = (/** @type {[string, any[]]} */ [name, values]) => {
    const [kind, ...member] = name.split(" ");
    return !of[kind] || values.includes(of[kind][member.join(" ")]);
  };
  return !row.when.length || row.when.some((/** @type {any} */ one) => Object.entries(one).every(isRight));
}

// Whose secret an event is: its `side`, else the seat that its scope names, else its author.
/** @type {(event: LogEvent) => string} */
function seatOf({ by, data }) {
  if (typeof data.side === "string" && data.side) return data.side;
  const scope = typeof data.scope === "string" ? data.scope : "", colon = scope.indexOf(":");
  return (colon < 0 ? "" : scope.slice(colon + 1).split("/")[0]) || by;
}
