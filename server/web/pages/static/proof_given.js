// What each seat gives to the seeds: that it is theirs, in its time, and could not be chosen. As `replay/proof/contributions.py`.

import { hex } from "./bytes.js";
import { SEATS, plainContribution } from "./fairness.js";
import { isOrdinaryOrder, octets, same } from "./proof_blocks.js";
import { Fault } from "./proof_log.js";
import { sealBefore } from "./seals.js";

const PLAIN_BYTES = 32;
const SEAL_BYTES = 16;

export class Contributions {
  began = 0; // the event of the start, 0 before
  #battle;
  #isBranch;
  #seats = new Map(SEATS.map((side) => [side, seat()]));
  #drawn = -1; // the newest period from which something was drawn, `open:` scopes aside

  constructor(battle, isBranch) {
    this.#battle = battle;
    this.#isBranch = isBranch;
  }

  // --- seats

  joined(n, data) {
    const one = this.#seat(n, data.side), isSealed = data.mode === "sealed";
    if (one.isTaken) throw new Fault(n, "seat-taken");
    if (!["plain", "sealed"].includes(data.mode) || isSealed !== "anchor" in data) throw new Fault(n, "other-seat");
    Object.assign(one, { isTaken: true, isSealed, lastSeal: isSealed ? hex(octets(n, data.anchor, SEAL_BYTES)) : "", waitsFor: new Set() });
    if (!this.began) return;
    if (isSealed) this.#newBook(n, data.side);
    else this.rewound();
  }

  left(n, { side }) {
    this.#taken(n, side).isTaken = false;
  }

  begin(n) {
    if (this.began) throw new Fault(n, "began-twice");
    if ([...this.#seats.values()].some((one) => !one.isTaken)) throw new Fault(n, "began-before-joined");
    this.began = n;
  }

  // All seats must contribute again.
  rewound() {
    for (const one of this.#seats.values()) one.isStale = true;
  }

  #newBook(n, side) {
    if ([...this.#seats.values()].some((one) => one.waitsFor.has(side))) throw new Fault(n, "book-too-early");
    const others = SEATS.filter((one) => one !== side);
    for (const other of others) this.#seats.get(other).isStale = true;
    this.#seats.get(side).waitsFor = new Set(others);
  }

  #seat(n, side) {
    const one = this.#seats.get(side);
    if (!one) throw new Fault(n, "unknown-side");
    return one;
  }

  #taken(n, side) {
    const one = this.#seat(n, side);
    if (!one.isTaken) throw new Fault(n, "seat-empty");
    return one;
  }

  // --- contributions; `following` is the block behind their own

  // `order` is the text of the order right behind, "" if it is sealed; null if there is none.
  async contributed(n, data, now, block, following, order) {
    const one = this.#taken(n, data.side);
    if (!this.began) throw new Fault(n, "contribution-before-start");
    if (!(one.isSealed ? ["seal", "reanchor"] : ["plain"]).includes(data.kind)) throw new Fault(n, "contribution-of-other-kind");
    const isAlone = "channel" in data;
    if (!isAlone && order === null) throw new Fault(n, "contribution-without-order");
    if (data.kind === "reanchor") {
      await this.#anotherBook(n, data, now, one);
      return;
    }
    const isEntry = one.isStale;
    if (isEntry) requireTurn(n, isAlone && !one.newest && !this.#isBranch ? 0 : now.t, data);
    else this.#requireInTurn(n, data, now, one, block, isAlone ? null : following);
    one.newest = data.kind === "seal" ? await this.#seal(n, data, one) : await this.#plain(n, data, order ?? "", isEntry);
    one.isStale = false;
    if (data.t === now.t) one.entered = now.index;
    for (const other of this.#seats.values()) other.waitsFor.delete(data.side);
  }

  // The mover's first ordinary order of a turn brings a contribution.
  ordered(n, side, now, block) {
    if (now.begunBy !== "turn" || side !== now.mover || !isOrdinaryOrder(block)) return;
    const one = this.#seats.get(side);
    if (one.ordered !== now.index && one.entered !== now.index) throw new Fault(n, "contribution-missing");
    one.ordered = now.index;
  }

  // The contributions that enter the seed of a scope, first drawn from in event n.
  forDraw(n, now, scope) {
    if (!this.began) throw new Fault(n, "draw-before-start");
    const all = [...this.#seats.values()];
    if (all.some((one) => !one.newest || one.isStale)) throw new Fault(n, "draw-before-contribution");
    if (!scope.startsWith("open:")) {
      this.#drawn = now.index;
      if (now.begunBy === "turn" && this.#seats.get(now.mover).entered !== now.index) throw new Fault(n, "draw-before-contribution");
    }
    return all.map((one) => one.newest);
  }

  // --- one contribution

  async #anotherBook(n, data, now, one) {
    requireTurn(n, now.t, data);
    octets(n, data.value, SEAL_BYTES);
    if ((await sealBefore(this.#battle, data.side, data.value)) === one.lastSeal) throw new Fault(n, "seal-as-book");
    one.lastSeal = data.value;
    this.#newBook(n, data.side);
  }

  // One that is not an entry: the mover's, with their first ordinary order, before any draw.
  #requireInTurn(n, data, now, one, block, following) {
    if (now.begunBy !== "turn" || data.side !== now.mover) throw new Fault(n, "contribution-out-of-turn");
    requireTurn(n, now.t, data);
    if (one.entered === now.index || one.ordered === now.index) throw new Fault(n, "contribution-twice");
    if (!following || !isOrdinaryOrder(following) || block.length > 1) throw new Fault(n, "contribution-without-order");
    if (this.#drawn === now.index) throw new Fault(n, "contribution-after-draw");
  }

  async #seal(n, data, one) {
    const bytes = octets(n, data.value, SEAL_BYTES);
    if (one.waitsFor.size) throw new Fault(n, "seal-too-early");
    if ((await sealBefore(this.#battle, data.side, data.value)) !== one.lastSeal) throw new Fault(n, "seal-not-of-chain");
    one.lastSeal = data.value;
    return bytes;
  }

  async #plain(n, { side, t, phrase, value }, order, isEntry) {
    const bytes = octets(n, value, PLAIN_BYTES);
    if (typeof phrase !== "string") throw new Fault(n, "wrong-data");
    for (const text of new Set(isEntry ? [order, ""] : [order])) {
      if (same(await plainContribution(this.#battle, t, side, phrase, text), bytes)) return bytes;
    }
    throw new Fault(n, "contribution-differs");
  }
}

// What a seat has given: `newest` bytes, null before the first; `entered` and `ordered` the periods of its newest
// contribution to their own turn and of its newest ordinary order as the mover; `waitsFor` who must contribute before a
// seal of its book.
function seat() {
  return { isTaken: false, isSealed: false, isStale: true, newest: null, lastSeal: "", entered: -1, ordered: -1, waitsFor: new Set() };
}

function requireTurn(n, t, data) {
  if (data.t !== t) throw new Fault(n, "other-turn");
}
