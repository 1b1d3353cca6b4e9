// Who takes which seat, and when: the order of set-up, substitutes, players' keys. As `replay/proof/seats.py`.

import { fromBase64 } from "./bytes.js";
import { octets } from "./proof_blocks.js";
import { Fault, isPlayer } from "./proof_lines.js";
import { isStrongKey } from "./weak_keys.js";

const KEY_BYTES = 32;
const SEAL_BYTES = 16;
const MOST = 8;
const NAME = /^[a-z][a-z0-9]{0,23}$/;
const RESERVED = ["all", "common", "dice", "draw", "host", "nobody", "public", "server", "umpire"];

// The seats of a battle, in the order in which their contributions enter a seed: those of its game. Of a game that is not
// known here, those whose hands have chains in the first event.
/** @type {(game: any, opening: any) => string[]} */
export function seatsOf(game, opening) {
  if (game) return game.seats;
  const hands = Object.keys(opening.keys?.anchors ?? {}).filter((chain) => chain.startsWith("hand:")).map((chain) => chain.slice(5));
  const isRight = hands.length >= 2 && hands.length <= MOST && hands.every((seat) => NAME.test(seat) && !RESERVED.includes(seat));
  return isRight ? hands.sort() : ["north", "south"];
}

export class ProvenSeats {
  began = 0; // the event of the start, 0 before
  /** @type {string[]} */
  names;
  /** @type {Map<string, ProvenSeat>} */
  #seats;
  /** @type {ProvenSeat[]} */
  #givenBack = []; // after the start

  /** @param {string[]} names */
  constructor(names) {
    this.names = names;
    this.#seats = new Map(names.map((side) => [side, seatNamed(side)]));
  }

  soFar() {
    return structuredClone({ began: this.began, seats: this.#seats, givenBack: this.#givenBack });
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    ({ began: this.began, seats: this.#seats, givenBack: this.#givenBack } = structuredClone(kept));
  }

  // A seat that the battle has.
  /** @type {(n: number, side: string) => ProvenSeat} */
  of(n, side) {
    const one = this.#seats.get(side);
    if (!one) throw new Fault(n, "unknown-side");
    return one;
  }

  /** @type {() => ProvenSeat[]} */
  all() {
    return [...this.#seats.values()];
  }

  /** @type {(side: string) => ProvenSeat[]} */
  others(side) {
    return this.all().filter((one) => one.side !== side);
  }

  // Everybody who has held a seat in play, by seat and time.
  /** @type {() => ProvenSeat[]} */
  holders() {
    const held = [...this.#givenBack, ...this.all().filter((one) => one.isTaken)];
    return this.names.flatMap((side) => held.filter((one) => one.side === side));
  }

  /** @type {(n: number, side: string) => ProvenSeat} */
  taken(n, side) {
    const one = this.of(n, side);
    if (!one.isTaken) throw new Fault(n, "seat-empty");
    return one;
  }

  /** @type {(n: number, data: any) => ProvenSeat} */
  joined(n, data) {
    const { side, player, name, kind, mode, anchor, operator, program, signer } = data;
    if (this.of(n, side).isTaken) throw new Fault(n, "seat-taken");
    if (!["person", "bot"].includes(kind) || !["plain", "sealed"].includes(mode)) throw new Fault(n, "other-seat");
    if (!isPlayer(player)) throw new Fault(n, "bad-player");
    if (operator !== undefined && operator !== true) throw new Fault(n, "bad-member");
    if (program !== undefined && (program !== true || kind === "bot")) throw new Fault(n, "bad-member");
    const isSealed = mode === "sealed";
    if (isSealed === (anchor === undefined)) throw new Fault(n, "anchor-of-other-seat");
    if (kind === "bot" && signer !== undefined) throw new Fault(n, "bad-member");
    const given = {
      since: n, player, name, kind, mode, isSealed, isTaken: true, isBot: kind === "bot", isOperator: operator === true, isProgram: program === true,
      anchor: isSealed ? octets(n, anchor, SEAL_BYTES) : null,
      signer: signer === undefined ? null : signerOf(n, signer),
    };
    this.#seats.set(side, { ...seatNamed(side), ...given });
    return this.of(n, side);
  }

  /** @type {(n: number, side: string) => void} */
  left(n, side) {
    const one = this.taken(n, side);
    Object.assign(one, { isTaken: false, until: n });
    if (this.began) this.#givenBack.push(one);
  }

  /** @type {(n: number) => void} */
  begin(n) {
    if (this.began) throw new Fault(n, "began-twice");
    if (this.all().some((one) => !one.isTaken)) throw new Fault(n, "began-before-joined");
    this.began = n;
  }
}

// A seat that nobody holds yet.
/** @type {(side: string) => ProvenSeat} */
export function seatNamed(side) {
  return {
    side, since: 0, until: 0, player: "", name: "", kind: "", mode: "", anchor: null, signer: null,
    isSealed: false, isTaken: false, isBot: false, isOperator: false, isProgram: false,
  };
}

// The public key of a player or an umpire in event n.
/** @type {(n: number, text: unknown) => Uint8Array} */
export function signerOf(n, text) {
  const key = typeof text === "string" ? fromBase64(text) : null;
  if (key?.length !== KEY_BYTES) throw new Fault(n, "bad-member");
  if (!isStrongKey(key)) throw new Fault(n, "weak-key");
  return key;
}
