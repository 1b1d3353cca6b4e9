// What each seat gives to the seeds: that it is theirs, in its time, and could not be chosen. As `replay/proof/contributions.py`.

import { hex } from "./bytes.js";
import { plainContribution } from "./fairness.js";
import { isOrdinaryOrder, octets, same } from "./proof_blocks.js";
import { Fault } from "./proof_lines.js";
import { sealBefore } from "./seal_chain.js";

const PLAIN_BYTES = 32;
const SEAL_BYTES = 16;

export class Contributions {
  /** @type {Set<number>} */
  withoutPhrase = new Set(); // the persons that gave nothing of theirs, by the event with which they took their seats
  /** @type {string} */
  #battle;
  /** @type {boolean} */
  #isBranch;
  /** @type {import("./proof_seats.js").ProvenSeats} */
  #proven;
  /** @type {Map<string, SeatGiven>} */
  #seats;
  #drawn = -1; // the newest period from which something was drawn, `open:` scopes aside
  #keepsEntries; // whether an entry that came alone may not be dropped, nor one that is owed be left out

  /**
   * @param {string} battle
   * @param {import("./proof_seats.js").ProvenSeats} seats
   * @param {number} version
   * @param {boolean} isBranch
   */
  constructor(battle, seats, version, isBranch) {
    this.#keepsEntries = version >= 3;
    this.#battle = battle;
    this.#proven = seats;
    this.#seats = new Map(seats.names.map((side) => [side, nothingGiven()]));
    this.#isBranch = isBranch;
  }

  soFar() {
    return structuredClone({ seats: this.#seats, drawn: this.#drawn, withoutPhrase: this.withoutPhrase });
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    ({ seats: this.#seats, drawn: this.#drawn, withoutPhrase: this.withoutPhrase } = structuredClone(kept));
  }

  // --- what makes seats stale

  // A player takes a seat; after the start they are a substitute.
  /** @type {(seat: ProvenSeat) => void} */
  joined({ side, since, isSealed, anchor }) {
    const one = this.#known(side);
    Object.assign(one, { lastSeal: anchor ? hex(anchor) : "", waitsFor: new Set(), alone: 0 });
    if (!this.#proven.began) return;
    if (isSealed) this.#newBook(since, side);
    else this.rewound();
  }

  // All seats must contribute again.
  rewound() {
    for (const one of this.#seats.values()) one.isStale = true;
  }

  /** @type {(n: number, side: string) => void} */
  #newBook(n, side) {
    if ([...this.#seats.values()].some((one) => one.waitsFor.has(side))) throw new Fault(n, "book-too-early");
    const others = [...this.#seats.keys()].filter((one) => one !== side);
    for (const other of others) this.#known(other).isStale = true;
    this.#known(side).waitsFor = new Set(others);
  }

  // A seat that is there; what a log claims of another cannot be read.
  /** @type {(side: string) => SeatGiven} */
  #known(side) {
    return /** @type {SeatGiven} */ (this.#seats.get(side));
  }

  // --- contributions; `following` is the block behind their own

  // `order` is the text of the order right behind, "" if it is sealed; null if there is none.
  /** @type {(n: number, data: any, now: LogMoment, block: LogBlock, following: LogBlock | undefined, order: string | null) => void} */
  contributed(n, data, now, block, following, order) {
    const seat = this.#proven.taken(n, data.side), one = this.#known(data.side);
    if (!this.#proven.began) throw new Fault(n, "contribution-before-start");
    if (!(seat.isSealed ? ["seal", "reanchor"] : ["plain"]).includes(data.kind)) throw new Fault(n, "contribution-of-other-kind");
    const isAlone = "channel" in data;
    if (!isAlone && order === null) throw new Fault(n, "contribution-without-order");
    if (data.kind === "reanchor") {
      this.#anotherBook(n, data, now, one);
      return;
    }
    const isEntry = one.isStale;
    if (isEntry) requireTurn(n, isAlone && !one.newest && !this.#isBranch ? 0 : now.t, data);
    else this.#requireInTurn(n, data, now, one, block, isAlone ? null : following);
    one.newest = data.kind === "seal" ? this.#seal(n, data, one) : this.#plain(n, data, seat, order ?? "", isEntry);
    if (isEntry && isAlone) one.alone = n;
    one.isStale = false;
    if (data.t === now.t) one.entered = now.index;
    for (const other of this.#seats.values()) other.waitsFor.delete(data.side);
  }

  // A signed line names a head that has the entry of its seat, if that came alone: so nobody can drop an entry from which
  // nothing has been drawn (version 3).
  /** @type {(n: number, data: any) => void} */
  sawItsEntry(n, { side, serial, seen }) {
    const one = this.#seats.get(side);
    if (this.#keepsEntries && one && serial !== undefined && seen !== undefined && seen.n < one.alone) throw new Fault(n, "entry-missing");
  }

  // The mover's first ordinary order of a turn brings a contribution, and that of a seat which owes its entry brings that
  // (version 3).
  /** @type {(n: number, side: string, now: LogMoment, block: LogBlock) => void} */
  ordered(n, side, now, block) {
    const owing = this.#seats.get(side);
    if (this.#keepsEntries && owing && (!owing.newest || owing.isStale) && isOrdinaryOrder(block)) throw new Fault(n, "entry-missing");
    if (now.begunBy !== "turn" || side !== now.mover || !isOrdinaryOrder(block)) return;
    const one = this.#known(side);
    if (one.ordered !== now.index && one.entered !== now.index) throw new Fault(n, "contribution-missing");
    one.ordered = now.index;
  }

  // The contributions that enter the seed of a scope, first drawn from in event n.
  /** @type {(n: number, now: LogMoment, scope: string) => Uint8Array[]} */
  forDraw(n, now, scope) {
    if (!this.#proven.began) throw new Fault(n, "draw-before-start");
    const all = [...this.#seats.values()];
    if (all.some((one) => !one.newest || one.isStale)) throw new Fault(n, "draw-before-contribution");
    if (!scope.startsWith("open:")) {
      this.#drawn = now.index;
      if (now.begunBy === "turn" && this.#known(now.mover).entered !== now.index) throw new Fault(n, "draw-before-contribution");
    }
    return all.map((one) => /** @type {Uint8Array} */ (one.newest));
  }

  // --- one contribution

  /** @type {(n: number, data: any, now: LogMoment, one: SeatGiven) => void} */
  #anotherBook(n, data, now, one) {
    requireTurn(n, now.t, data);
    octets(n, data.value, SEAL_BYTES);
    if (sealBefore(this.#battle, data.side, data.value) === one.lastSeal) throw new Fault(n, "seal-as-book");
    one.lastSeal = data.value;
    this.#newBook(n, data.side);
  }

  // One that is not an entry: the mover's, with their first ordinary order, before any draw.
  /** @type {(n: number, data: any, now: LogMoment, one: SeatGiven, block: LogBlock, following: LogBlock | null | undefined) => void} */
  #requireInTurn(n, data, now, one, block, following) {
    if (now.begunBy !== "turn" || data.side !== now.mover) throw new Fault(n, "contribution-out-of-turn");
    requireTurn(n, now.t, data);
    if (one.entered === now.index || one.ordered === now.index) throw new Fault(n, "contribution-twice");
    if (!following || !isOrdinaryOrder(following) || block.length > 1) throw new Fault(n, "contribution-without-order");
    if (this.#drawn === now.index) throw new Fault(n, "contribution-after-draw");
  }

  /** @type {(n: number, data: any, one: SeatGiven) => Uint8Array} */
  #seal(n, data, one) {
    const bytes = octets(n, data.value, SEAL_BYTES);
    if (one.waitsFor.size) throw new Fault(n, "seal-too-early");
    if (sealBefore(this.#battle, data.side, data.value) !== one.lastSeal) throw new Fault(n, "seal-not-of-chain");
    one.lastSeal = data.value;
    return bytes;
  }

  /** @type {(n: number, data: any, seat: ProvenSeat, order: string, isEntry: boolean) => Uint8Array} */
  #plain(n, { side, t, phrase, value }, { since, isBot }, order, isEntry) {
    const bytes = octets(n, value, PLAIN_BYTES), texts = [...new Set(isEntry ? [order, ""] : [order])];
    const values = texts.map((text) => plainContribution(this.#battle, t, side, phrase, text));
    if (!values.some((one) => same(one, bytes))) throw new Fault(n, "contribution-differs");
    if (!phrase && !isBot) this.withoutPhrase.add(since);
    return bytes;
  }
}

// What a seat has given: `newest` bytes, null before the first; `entered` and `ordered` the periods of its newest
// contribution to their own turn and of its newest ordinary order as the mover; `waitsFor` who must contribute before a
// seal of its book; `alone` the event of its newest entry that came alone, since its player took the seat.
/** @type {() => SeatGiven} */
function nothingGiven() {
  return { isStale: true, newest: null, lastSeal: "", entered: -1, ordered: -1, waitsFor: new Set(), alone: 0 };
}

/** @type {(n: number, t: number, data: any) => void} */
function requireTurn(n, t, data) {
  if (data.t !== t) throw new Fault(n, "other-turn");
}
