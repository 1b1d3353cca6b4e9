// Who takes the seat of somebody else after the start, and who loses theirs. As `replay/proof/substitutions.py`.

import { Fault } from "./proof_lines.js";

const UMPIRE = "umpire", AGREED = "agreed", SUBSTITUTE = "substitute";

export class Substitutions {
  /** @type {import("./proof_seats.js").ProvenSeats} */
  #seats;
  /** @type {import("./proof_clock.js").Silence} */
  #silence;
  /** @type {import("./proof_office.js").Office} */
  #office;
  /** @type {{ seat: string, by: string, player: string, n: number, isSilent: boolean }[]} */
  #named = []; // `seat` is "" if none was named
  #leftBy = { side: "", since: 0 }; // who has just left their seat to a substitute, and since when they had been silent
  #isTakenAway = false; // a seat that signs all, by the block before

  /**
   * @param {import("./proof_seats.js").ProvenSeats} seats
   * @param {import("./proof_clock.js").Silence} silence
   * @param {import("./proof_office.js").Office} office
   */
  constructor(seats, silence, office) {
    this.#seats = seats;
    this.#silence = silence;
    this.#office = office;
  }

  soFar() {
    return structuredClone({ named: this.#named, leftBy: this.#leftBy, isTakenAway: this.#isTakenAway });
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    ({ named: this.#named, leftBy: this.#leftBy, isTakenAway: this.#isTakenAway } = structuredClone(kept));
  }

  // Somebody names a substitute; where they say that who sits there is silent, so it was by the log.
  /** @type {(n: number, data: any, at: string) => void} */
  agreed(n, { side, player, seat = "", silent }, at) {
    const isSilent = silent === true;
    if (!seat && this.#office.hasKeys) throw new Fault(n, "bad-member");
    if (isSilent && (seat === side || !this.#silence.since(seat, at))) throw new Fault(n, "seat-not-silent");
    this.#named = this.#named.filter((one) => one.seat !== seat || one.by !== side);
    this.#named.push({ seat, by: side, player, n, isSilent });
  }

  // An umpire with a key has not signed what another one has said.
  umpireNamed() {
    if (this.#office.key) this.#named = this.#named.filter(({ by }) => by !== UMPIRE);
  }

  // What that is, and by what authority; those words are spent with it.
  /** @type {(n: number, data: any) => { what: string, how: string }} */
  joined(n, { side, player }) {
    const { side: left, since } = this.#leftBy, isTakenAway = this.#isTakenAway;
    this.#leftBy = { side: "", since: 0 };
    this.#isTakenAway = false;
    if (!this.#seats.began) return { what: "", how: "" };
    const persons = this.#persons(side);
    const isBacked = (/** @type {string[]} */ words) => words.includes(UMPIRE) || persons.every((one) => words.includes(one));
    const named = this.#named.filter((one) => one.seat === side && one.player === player), all = named.map(({ by }) => by);
    const isAsked = all.includes(side), isLeft = !isAsked && left === side;
    const counted = isLeft ? named.filter((one) => since && one.isSilent && one.n > since).map(({ by }) => by) : all;
    const what = isAsked ? "substitute-asked" : isLeft && named.length ? "substitute-silent" : SUBSTITUTE;
    const words = [...counted, ...this.#named.filter((one) => !one.seat && one.player === player).map(({ by }) => by)];
    const isFree = !isTakenAway || this.#isReleased(side, counted);
    if (!(isFree && isBacked(words))) throw new Fault(n, isBacked(all) ? "seat-present" : "substitute-not-agreed");
    this.#named = this.#named.filter((one) => one.seat !== side && one.player !== player);
    const how = words.includes(UMPIRE) ? UMPIRE : persons.length || isAsked ? AGREED : "host";
    return { what: counted.length ? what : SUBSTITUTE, how };
  }

  // Whether its player has signed that the seat is given back.
  /** @type {(n: number, data: any, at: string) => boolean} */
  left(n, { side, reason, serial }, at) {
    this.#named = this.#named.filter((one) => one.by !== side || one.seat === side);
    const isOwn = serial !== undefined, seat = this.#seats.of(n, side);
    if (!this.#seats.began) return isOwn;
    this.#isTakenAway = this.#office.hasKeys && !!seat.signer && !isOwn;
    if (this.#isTakenAway && !this.#mayBeTaken(side)) throw new Fault(n, "signature-missing");
    const isGiven = reason === SUBSTITUTE && !seat.isBot;
    this.#leftBy = isGiven ? { side, since: this.#silence.since(side, at) } : { side: "", since: 0 };
    return isOwn;
  }

  /** @type {(side: string) => boolean} */
  #mayBeTaken(side) {
    const here = this.#named.filter(({ seat }) => seat === side), players = new Set(here.map(({ player }) => player));
    return [...players].some((player) => this.#isReleased(side, here.filter((one) => one.player === player).map(({ by }) => by)));
  }

  // A signed seat is left without its signature for whom its own player has named, or the umpire and every other person;
  // whoever names them signs.
  /** @type {(side: string, named: string[]) => boolean} */
  #isReleased(side, named) {
    const signing = this.#seats.all().filter(({ signer }) => signer).map((one) => one.side);
    if (this.#office.key) signing.push(UMPIRE);
    if (named.includes(side)) return signing.includes(side);
    return [UMPIRE, ...this.#persons(side)].every((one) => named.includes(one) && signing.includes(one));
  }

  /** @type {(side: string) => string[]} */
  #persons(side) {
    return this.#seats.others(side).filter((one) => one.isTaken && !one.isBot).map((one) => one.side);
  }
}
