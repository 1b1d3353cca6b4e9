// Every message of a player: whose it is, how it came, which head it answers, and its signature. As
// `replay/proof/messages.py`.

import { bytesOf, framed, fromBase64, utf8 } from "./bytes.js";
import { hasItsLine, holder, isBare, isSignedClock, lineOf } from "./proof_acts.js";
import { octets } from "./proof_blocks.js";
import { Fault } from "./proof_lines.js";
import { seatNamed } from "./proof_seats.js";

const CHANNELS = ["api", "page", "mail", "cli", "bot"];
const UMPIRE = "umpire";
const HASH_BYTES = 32;
const SIGNATURE_BYTES = 64;
const NUMBER_LIMIT = 2 ** 32;

export class Messages {
  /** @type {Map<number, { messages: number, n: number, without: number }>} */
  vouched = new Map(); // by the event with which a player took their seat, 0 for umpires
  /** @type {string} */
  #battle;
  /** @type {string[]} */
  #hashes;
  /** @type {import("./proof_seats.js").ProvenSeats} */
  #seats;
  /** @type {import("./proof_sealed.js").Sealed} */
  #sealed;
  /** @type {import("./proof_signatures.js").Signatures} */
  #signatures;
  /** @type {boolean} */
  #signsAll;
  /** @type {Map<string, { n: number, said: string }>} */
  #requests = new Map(); // by the first event of each, with the head that it names
  /** @type {Map<string, number>} */
  #serials = new Map();
  #rulesChanged = 0;

  // `hashes[n]` is that of event n in hex; `signatures` takes what players have signed.
  /**
   * @param {string} battle
   * @param {string[]} hashes
   * @param {import("./proof_seats.js").ProvenSeats} seats
   * @param {import("./proof_sealed.js").Sealed} sealed
   * @param {import("./proof_signatures.js").Signatures} signatures
   * @param {number} version
   */
  constructor(battle, hashes, seats, sealed, signatures, version) {
    this.#signsAll = version >= 3;
    this.#battle = battle;
    this.#hashes = hashes;
    this.#seats = seats;
    this.#sealed = sealed;
    this.#signatures = signatures;
  }

  // The requests are shared: those from behind it are met anew.
  soFar() {
    return { vouched: new Map(this.vouched), serials: new Map(this.#serials), rulesChanged: this.#rulesChanged, requests: this.#requests };
  }

  /** @type {(kept: any) => void} */
  resume({ vouched, serials, rulesChanged, requests }) {
    this.vouched = new Map(vouched);
    this.#serials = new Map(serials);
    [this.#rulesChanged, this.#requests] = [rulesChanged, requests];
  }

  // From here on every order must have seen that other rules judge.
  /** @type {(n: number) => void} */
  rulesChanged(n) {
    this.#rulesChanged = n;
  }

  // `brought` is the contribution that the order brings, null if it brings none.
  /** @type {(event: LogEvent, office: import("./proof_office.js").Office, brought: any) => void} */
  ordered(event, office, brought) {
    const { n, data } = event;
    if (!this.#seats.began) throw new Fault(n, "order-before-start");
    if (!(data.line >= 1 && data.line < NUMBER_LIMIT)) throw new Fault(n, "bad-member");
    const isSealed = this.#sealed.isSealed(n), isOpen = !isSealed || this.#sealed.contents.has(n);
    const text = this.#sealed.member(event, "text"), command = this.#sealed.member(event, "command");
    if (isOpen && (typeof text !== "string" || typeof command !== "object" || command === null || Array.isArray(command))) {
      throw new Fault(n, "bad-member");
    }
    if (data.side === UMPIRE) {
      this.#ofUmpire(n, data, office);
      return;
    }
    const seat = this.#seats.taken(n, data.side);
    if (data.player !== seat.player) throw new Fault(n, "other-player");
    requireChannel(n, data.channel, seat.isBot);
    this.#requireHead(n, data, seat, data.key, !seat.signer || isOpen);
    if (this.#rulesChanged && !seat.isBot) this.#requireConsent(n, data);
    const signature = this.#sealed.member(event, "signature");
    this.#requireSignature(n, data, seat, signature, isSealed);
    if (seat.signer && isOpen) this.#verify(n, data, seat, signature, givingOf(brought), text);
  }

  /** @type {(n: number, data: any) => void} */
  gaveAlone(n, data) {
    const seat = this.#seats.taken(n, data.side);
    requireChannel(n, data.channel, seat.isBot);
    this.#requireHead(n, data, seat, "", true);
    this.#requireSignature(n, data, seat, data.signature, false);
    if (seat.signer) this.#verify(n, data, seat, data.signature, givingOf(data), "");
  }

  /** @type {(n: number, data: any) => void} */
  gaveWithOrder(n, data) {
    if (["seen", "serial", "signature"].some((name) => data[name] !== undefined)) throw new Fault(n, "bad-member");
  }

  // --- what a player does beside orders

  /** @type {(event: LogEvent, seat: ProvenSeat) => void} */
  joined(event, seat) {
    this.#requireLine(event, seat, true);
  }

  // Not signed where others have named who follows: that is the authority's.
  /** @type {(event: LogEvent, isTakenAway: boolean) => void} */
  left(event, isTakenAway) {
    if (!(isTakenAway && this.#signsAll && isBare(event.data))) this.#requireLine(event, this.#seats.taken(event.n, event.data.side), false);
  }

  /** @type {(event: LogEvent) => void} */
  clockFired(event) {
    const { n, data } = event;
    if (!this.#signsAll || !isSignedClock(data.what)) {
      this.#requireBare(event, this.#signsAll ? "" : data.side);
      return;
    }
    const seat = this.#seats.taken(n, data.side);
    this.#requireLine(event, seat, false);
    if (seat.signer && !hasItsLine(data.what, data.text)) throw new Fault(n, "bad-member");
  }

  /** @type {(event: LogEvent, seat: ProvenSeat, isJoin: boolean) => void} */
  #requireLine(event, seat, isJoin) {
    const { n, type, data } = event;
    if (!this.#signsAll || !seat.signer) {
      this.#requireBare(event, seat.side);
      return;
    }
    if (data.serial === undefined || data.signature === undefined) throw new Fault(n, "signature-missing");
    if (data.seen === undefined) throw new Fault(n, "head-missing");
    this.#requireKnown(n, data.seen);
    this.#count(seat.since, data.seen);
    this.#requireSerial(n, data.serial, seat, isJoin);
    this.#verify(n, data, seat, data.signature, new Uint8Array(), lineOf(type, data));
  }

  // The members of a signed line stand only where somebody signs one.
  /** @type {(event: LogEvent, side: string) => void} */
  #requireBare({ n, data }, side) {
    if (isBare(data)) return;
    if (!this.#signsAll) throw new Fault(n, "wrong-data");
    throw new Fault(n, side ? "signature-without-key" : "bad-member");
  }

  // --- the parts of a message

  // A line of the umpire, who signs as the seat `umpire` if they have a key.
  /** @type {(n: number, data: any, office: import("./proof_office.js").Office) => void} */
  #ofUmpire(n, data, { umpire, key }) {
    if (!umpire || data.player !== umpire) throw new Fault(n, "no-umpire");
    requireChannel(n, data.channel, false);
    this.#requireHead(n, data, null, data.key, true);
    if (this.#rulesChanged) this.#requireConsent(n, data);
    const seat = { ...seatNamed(UMPIRE), signer: key };
    this.#requireSignature(n, data, seat, data.signature, false);
    if (key) this.#verify(n, data, seat, data.signature, new Uint8Array(), data.text);
  }

  // The head that a message names; the lines of a request are one message, and one whose signature is still sealed does not
  // count.
  /** @type {(n: number, data: any, seat: ProvenSeat | null, key: string, counts: boolean) => void} */
  #requireHead(n, { seen, channel, side }, seat, key, counts) {
    const isBot = !!seat?.isBot;
    if (seen === undefined) {
      if (!isBot && (channel !== "mail" || seat?.signer)) throw new Fault(n, "head-missing");
    } else if (isBot) throw new Fault(n, "head-of-a-bot");
    else this.#requireKnown(n, seen);
    if (isBot || !counts) return;
    const request = `${side} ${key}`, said = seen === undefined ? "" : `${seen.n} ${seen.hash}`, known = this.#requests.get(request);
    const isNew = !key || !known || known.n >= n;
    if (!isNew && known.said !== said) throw new Fault(n, "request-differs");
    if (!isNew) return;
    if (key) this.#requests.set(request, { n, said });
    this.#count(seat?.since ?? 0, seen);
  }

  /** @type {(n: number, seen: any) => void} */
  #requireKnown(n, seen) {
    octets(n, seen.hash, HASH_BYTES);
    if (!(seen.n >= 0 && seen.n < n) || this.#hashes[seen.n] !== seen.hash) throw new Fault(n, "head-of-another-log");
  }

  /** @type {(since: number, seen: any) => void} */
  #count(since, seen) {
    const before = this.vouched.get(since) ?? { messages: 0, n: 0, without: 0 };
    this.vouched.set(since, seen === undefined
      ? { ...before, without: before.without + 1 }
      : { ...before, messages: before.messages + 1, n: Math.max(before.n, seen.n) });
  }

  /** @type {(n: number, data: any) => void} */
  #requireConsent(n, { seen }) {
    if (seen === undefined || seen.n < this.#rulesChanged) throw new Fault(n, "rules-not-accepted");
  }

  // Signature and serial stand where they must, and nowhere else.
  /** @type {(n: number, data: any, seat: ProvenSeat, signature: unknown, isSealed: boolean) => void} */
  #requireSignature(n, data, seat, signature, isSealed) {
    if (!seat.signer) {
      if (data.serial !== undefined || signature !== undefined) throw new Fault(n, "signature-without-key");
      return;
    }
    const isOpenYet = !isSealed || this.#sealed.contents.has(n);
    if (data.channel === "mail" || data.serial === undefined || (isOpenYet && signature === undefined)) throw new Fault(n, "signature-missing");
    if (isSealed && data.signature !== undefined) throw new Fault(n, "bad-member");
    this.#requireSerial(n, data.serial, seat, false);
  }

  // Up to version 2 a serial goes on with the seat, then with the key at the seat: its first is 1, and joins.
  /** @type {(n: number, serial: number, seat: ProvenSeat, isJoin: boolean) => void} */
  #requireSerial(n, serial, seat, isJoin) {
    const name = this.#signsAll && seat.signer ? holder(seat.side, seat.signer) : seat.side, last = this.#serials.get(name) ?? 0;
    const isNext = !this.#signsAll || seat.side === UMPIRE || last > 0 || (isJoin && serial === 1);
    if (!(isNext && last < serial && serial < NUMBER_LIMIT)) throw new Fault(n, "serial-differs");
    this.#serials.set(name, serial);
  }

  /** @type {(n: number, data: any, seat: ProvenSeat, signature: unknown, giving: Uint8Array, text: string) => void} */
  #verify(n, { serial, seen }, seat, signature, giving, text) {
    if (this.#signatures.isKnown(n)) return;
    const message = framed("pbem/2 signed", this.#battle, seat.side, serial, seen.n, bytesOf(seen.hash), giving, text);
    const signed = typeof signature === "string" ? fromBase64(signature) : null, key = /** @type {Uint8Array} */ (seat.signer);
    if (signed?.length !== SIGNATURE_BYTES) this.#signatures.refuse(n);
    else this.#signatures.take(n, key, signed, message);
  }
}

// The contribution that an order of a side brings: that of the block before it, unless it came alone.
/** @type {(block: LogBlock | undefined, side: string) => any} */
export function broughtBy(block, side) {
  const first = block?.[0];
  return first?.type === "ContributionGiven" && first.data.side === side && first.data.channel === undefined ? first.data : null;
}

/** @type {(n: number, channel: string, isBot: boolean) => void} */
function requireChannel(n, channel, isBot) {
  if (!CHANNELS.includes(channel) || (channel === "bot") !== isBot) throw new Fault(n, "other-channel");
}

/** @type {(brought: any) => Uint8Array} */
function givingOf(brought) {
  if (!brought) return new Uint8Array();
  return brought.kind === "plain" ? utf8(brought.phrase) : bytesOf(brought.value);
}
