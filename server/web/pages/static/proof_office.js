// Who is umpire of a battle, with which key, and whom the sides want. As `replay/proof/office.py`: from version 3 on an umpire
// may bring a key, and then signs each line.

import { Fault } from "./proof_lines.js";
import { signerOf } from "./proof_seats.js";

export class Office {
  umpire = "";
  /** @type {Uint8Array | null} */
  key = null;
  hasKeys;
  /** @type {import("./proof_seats.js").ProvenSeats} */
  #seats;
  #unsigned;
  /** @type {Map<string, { player: string, signer: string, n: number }>} */
  #proposed = new Map(); // by seat
  /** @type {Set<string>} */
  #former = new Set(); // all that ever were

  // `unsigned` is what the opening says of an umpire without a key.
  /**
   * @param {import("./proof_seats.js").ProvenSeats} seats
   * @param {number} version
   * @param {unknown} unsigned
   */
  constructor(seats, version, unsigned) {
    this.#seats = seats;
    this.hasKeys = version >= 3;
    this.#unsigned = unsigned;
  }

  soFar() {
    return structuredClone({ umpire: this.umpire, key: this.key, proposed: this.#proposed, former: this.#former });
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    ({ umpire: this.umpire, key: this.key, proposed: this.#proposed, former: this.#former } = structuredClone(kept));
  }

  opened() {
    if (this.#unsigned !== undefined && (this.#unsigned !== true || !this.hasKeys)) throw new Fault(1, "bad-member");
  }

  /** @type {(player: string) => boolean} */
  was(player) {
    return this.#former.has(player);
  }

  /** @type {(n: number, data: any) => void} */
  proposes(n, { side, player, signer }) {
    this.#read(n, signer);
    this.#proposed.set(side, { player, signer: signer ?? "", n });
  }

  // Whether all sides want this player with this key.
  /** @type {(player: string, signer: string) => boolean} */
  isAgreed(player, signer) {
    return this.#seats.names.every((side) => isOf(this.#proposed.get(side), player, signer));
  }

  // Whether this is whom the sides but one have proposed last, where that one could see it.
  /** @type {(player: string, signer: string, side: string, seen: number | null) => boolean} */
  isNewest(player, signer, side, seen) {
    const others = [...this.#proposed].filter(([of]) => of !== side).map(([, one]) => one).sort((one, other) => other.n - one.n);
    return isOf(others[0], player, signer) && (seen === null || others[0].n <= seen);
  }

  /** @type {(n: number, data: any) => void} */
  named(n, { player, how, signer }) {
    if (!player || this.#seats.all().some((seat) => seat.player === player)) throw new Fault(n, "umpire-plays");
    const key = this.#read(n, signer), isOpenedSo = this.#unsigned === true, isEarly = how === "opening" && !isOpenedSo;
    const persons = this.#seats.all().filter((seat) => seat.isTaken && !seat.isBot);
    const needsKey = persons.length > 0 && persons.every((seat) => seat.signer) && !isOpenedSo;
    if (this.hasKeys && !key && (isEarly || needsKey)) throw new Fault(n, "umpire-unsigned");
    this.umpire = player;
    this.key = key;
    this.#former.add(player);
  }

  /** @type {(n: number, signer: unknown) => Uint8Array | null} */
  #read(n, signer) {
    if (signer === undefined) return null;
    if (!this.hasKeys) throw new Fault(n, "bad-member");
    return signerOf(n, signer);
  }
}

/** @type {(proposed: { player: string, signer: string } | undefined, player: string, signer: string) => boolean} */
function isOf(proposed, player, signer) {
  return proposed?.player === player && proposed.signer === signer;
}
