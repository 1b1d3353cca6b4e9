// The events of a log met in their order, each by all checks that it concerns, so that the first fault is the earliest. As
// `replay/proof/protocol.py`. What is disclosed late (keys, the master, sealed members) is collected first. A walk begins with
// the first event, or goes on from what an earlier one of the same log has kept (`proof_growing.js`).

import { kidOf } from "./notes.js";
import { Authority } from "./proof_authority.js";
import { blocksOf, lastOf, momentsOf } from "./proof_blocks.js";
import { isBranch, requireBranch, requirePiles } from "./proof_branches.js";
import { ClockCheck, Silence } from "./proof_clock.js";
import { Draws } from "./proof_draws.js";
import { Duties } from "./proof_duties.js";
import { Contributions } from "./proof_given.js";
import { DisclosedKeys } from "./proof_keys.js";
import { Fault } from "./proof_lines.js";
import { Messages, broughtBy } from "./proof_messages.js";
import { Office } from "./proof_office.js";
import { ProvenSeats } from "./proof_seats.js";
import { Sealed } from "./proof_sealed.js";

const AT_ONCE = 256; // events between two words about progress

export class Walk {
  done = 0; // the last event of the newest block that was checked
  /** @type {Draws} */
  draws;
  /** @type {any} */
  branch; // where the battle began, null if at its beginning
  /** @type {import("./proof_log.js").BattleFile} */
  #file;
  #game;
  #blocks;
  #moments;
  #keys;
  #sealed;
  #seats;
  #silence;
  #office;
  #authority;
  #messages;
  #given;
  #clock;
  /** @type {Duties | null} */
  #duties = null;
  /** @type {LogBlock} */
  #block = [];
  #at = 0;
  #first; // of the blocks that are to be checked: with `kept`, behind the last one of before
  #version;
  #signatures;

  // `game` is the table of the game, null if it is not known here; `names` are the seats.
  /**
   * @param {import("./proof_log.js").BattleFile} file
   * @param {any} game
   * @param {string[]} names
   * @param {import("./proof_signatures.js").Signatures} signatures
   * @param {import("./proof_growing.js").WalkSoFar | null} kept
   */
  constructor(file, game, names, signatures, kept = null) {
    const { events, hashes } = file, { battle, rules, version } = /** @type {LogHeader} */ (file.header), opening = events[0].data;
    this.#file = file;
    this.#version = version;
    this.#game = game;
    this.#signatures = signatures;
    this.#blocks = blocksOf(kept ? events.slice(kept.block - 1) : events);
    this.#first = kept ? 1 : 0;
    this.#moments = momentsOf(this.#blocks.slice(this.#first), names, kept);
    this.#keys = new DisclosedKeys(battle, names, this.#moments.last.index);
    this.#sealed = new Sealed(battle, events, game);
    this.#seats = new ProvenSeats(names);
    this.#silence = new Silence(names, "pace" in events[0].raw);
    this.#office = new Office(this.#seats, version, events[0].raw.unsigned_umpire);
    this.#authority = new Authority(this.#seats, rules, this.#silence, this.#office);
    this.#messages = new Messages(battle, hashes, this.#seats, this.#sealed, signatures, version);
    const branches = isBranch(opening), { position } = opening;
    this.branch = branches ? opening.branch : null;
    if (branches) requireBranch(opening, names);
    this.#given = new Contributions(battle, this.#seats, version, branches);
    this.#clock = new ClockCheck(names, "pace" in events[0].raw, opening.campaign);
    const decks = game ? decksOf(game, events[0].raw) : null, left = decks && branches ? position.decks : {};
    requirePiles(decks ?? {}, left);
    this.draws = new Draws({ battle, version }, { seats: names, decks, faces: game?.faces ?? {} }, this.#keys, this.#given, left);
    if (kept) this.#resume(kept);
  }

  get ended() {
    return this.#duties?.ended ?? 0;
  }

  // Check all events before `limit`, where something else is wrong; gives what later checks may go on from, the nearest to the
  // newest event first: the last block may have to grow, and the one before it was judged with its beginning.
  /** @type {(progress: (judged: number) => void, limit: number) => Promise<import("./proof_growing.js").WalkSoFar[]>} */
  async all(progress, limit) {
    try {
      return await this.#all(progress, limit);
    } finally {
      await this.#signatures.settle(); // a signature that fails was met before any other fault
    }
  }

  /** @type {(progress: (judged: number) => void, limit: number) => Promise<import("./proof_growing.js").WalkSoFar[]>} */
  async #all(progress, limit) {
    const duties = this.#duties ?? this.#collected(), kept = [], last = this.#blocks.length - 3, settled = this.#settled(last);
    for (let at = this.#first; at < this.#blocks.length; at += 1) {
      const block = this.#blocks[at];
      if (block[0].n > limit) return [];
      this.#at = at;
      this.#block = block;
      this.#check(block, duties);
      this.done = lastOf(block);
      if (Math.floor(this.done / AT_ONCE) > Math.floor((block[0].n - 1) / AT_ONCE)) progress(this.done);
      if (this.#signatures.isFull) await this.#signatures.settle();
      if (at === last || at === settled) kept.unshift(this.#soFar(duties, at === settled));
    }
    return duties.ended || this.#keys.areRevealed ? [] : kept;
  }

  // What is disclosed behind the first block that is to be checked.
  #collected() {
    const { events } = this.#file, first = this.#blocks[this.#first]?.[0].n ?? events.length + 1;
    this.#keys.collect(events.slice(first - 1));
    this.#sealed.collect(this.#moments.before, first);
    return (this.#duties = new Duties(this.#blocks, this.#moments, this.#sealed, this.#keys.length));
  }

  // The newest block up to `last` behind which the period is one whose key is disclosed: all draws before it were checked, those of
  // hands apart; -1 if there is none.
  /** @type {(last: number) => number} */
  #settled(last) {
    const { before } = this.#moments;
    for (let at = last; at >= this.#first; at -= 1) if (before[lastOf(this.#blocks[at])]?.index <= this.#keys.newest) return at;
    return -1;
  }

  // What is known right behind the present block.
  /** @type {(duties: Duties, isSettled: boolean) => import("./proof_growing.js").WalkSoFar} */
  #soFar(duties, isSettled) {
    const n = lastOf(this.#block), now = this.#moments.before[n];
    return {
      n, isSettled, now, block: this.#block[0].n, checked: this.#file.events.length,
      keys: this.#keys.soFar(n, now.index), sealed: this.#sealed.soFar(n), seats: this.#seats.soFar(), silence: this.#silence.soFar(),
      office: this.#office.soFar(), authority: this.#authority.soFar(), messages: this.#messages.soFar(), given: this.#given.soFar(),
      clock: this.#clock.soFar(), draws: this.draws.soFar(), duties: duties.soFar(),
    };
  }

  /** @type {(kept: import("./proof_growing.js").WalkSoFar) => void} */
  #resume(kept) {
    this.done = kept.n;
    this.#keys.resume(kept.keys);
    this.#sealed.resume(kept.sealed);
    this.#seats.resume(kept.seats);
    this.#silence.resume(kept.silence);
    this.#office.resume(kept.office);
    this.#authority.resume(kept.authority);
    this.#messages.resume(kept.messages);
    this.#given.resume(kept.given);
    this.#clock.resume(kept.clock);
    this.draws.resume(kept.draws);
    this.#collected().resume(kept.duties);
  }

  /** @type {(block: LogBlock, duties: Duties) => void} */
  #check(block, duties) {
    const isOver = duties.ended > 0;
    this.#authority.blockBegan(block);
    for (const event of block) {
      const moment = this.#moments.fault?.n === event.n ? this.#moments.fault : null;
      const fault = this.#keys.faults.get(event.n) ?? this.#sealed.faults.get(event.n) ?? moment;
      if (fault) throw fault;
      if (!isOver) this.#meet(event); // what follows the end is the duties' to judge, but for authority
      this.#authority.check(event);
    }
    if (isOver && ["OrderAccepted", "KeyChanged"].includes(block[0].type)) this.#meet(block[0]);
    duties.check(block);
    this.draws.piles.blockEnded(lastOf(block));
    this.#silence.passed(block);
  }

  // What is to be said of a log without a fault.
  told() {
    const seats = this.#seats.holders(), { listed } = this.#authority;
    const kids = kidsOf(seats), umpires = kidsOf(listed);
    return {
      seats: seats.map(({ side, player, name, since, until, kind, mode, isOperator, isProgram }, at) => ({
        side, player, name, since, until, kind, mode, isOperator, isProgram,
        kid: kids[at],
        withoutPhrase: this.#given.withoutPhrase.has(since),
        vouched: this.#messages.vouched.get(since) ?? { messages: 0, n: 0, without: 0 },
      })),
      listed: listed.map(({ n, what, who, authority, about, isUnsigned }, at) => ({ n, what, who, authority, about, isUnsigned, kid: umpires[at] })),
      unopened: this.#duties?.unopened ?? [],
      continuedFrom: this.ended ? 0 : this.#keys.continuedFrom,
    };
  }

  // --- by type

  /** @type {(event: LogEvent) => void} */
  #meet(event) {
    const { n, type, data } = event, now = this.#moments.before[n - 1], first = this.#block[0].n;
    switch (type) {
      case "BattleOpened": return this.#office.opened();
      case "SideJoined": return this.#joined(event);
      case "SideLeft": return this.#left(event);
      case "BattleBegan": return this.#seats.begin(n);
      case "ContributionGiven": return this.#contributed(n, data, now);
      case "OrderAccepted": return this.#ordered(event, now);
      case "ClockFired": return this.#clockFired(event);
      case "FlagRuled": return this.#clock.ruled(n, data.side);
      case "RulesChanged": return this.#rulesChanged(n, data);
      case "BattleStopped": return this.#authority.stopped(n, data);
      case "KeyChanged": return this.#authority.keyChanged(n);
      case "DeckShuffled": return this.draws.shuffled(n, data);
      case "CardDrawn": return this.draws.card(n, data, this.#sealed.member(event, "card"), now, first);
      case "DieRolled": return this.draws.die(n, data, now, first);
      case "TurnEnded": return this.draws.piles.turnEnded(data.side);
      case "Rewound": return this.#rewound(n, data);
      case this.#game?.looks || null: return this.#looked(event, now, first);
    }
  }

  /** @type {(event: LogEvent) => void} */
  #joined(event) {
    const { n, data } = event;
    this.#authority.joined(n, data);
    const seat = this.#seats.joined(n, data);
    this.#messages.joined(event, seat);
    this.#given.joined(seat);
  }

  /** @type {(event: LogEvent) => void} */
  #left(event) {
    const { n, at, data } = event;
    this.#messages.left(event, !!this.#seats.began && data.reason === "substitute");
    this.#seats.left(n, data.side);
    this.#authority.left(n, data, at);
  }

  /** @type {(n: number, data: any, now: LogMoment) => void} */
  #contributed(n, data, now) {
    const following = this.#blocks[this.#at + 1], order = following?.[0].type === "OrderAccepted" && following[0].data.side === data.side ? following[0] : null;
    const text = order && (typeof order.data.text === "string" ? order.data.text : "");
    this.#given.contributed(n, data, now, this.#block, following, text);
    if (data.channel === undefined) this.#messages.gaveWithOrder(n, data);
    else this.#messages.gaveAlone(n, data);
    if (data.kind === "reanchor") this.#authority.newBook(n, data.side);
  }

  /** @type {(event: LogEvent, now: LogMoment) => void} */
  #ordered(event, now) {
    const { n, data } = event;
    this.#messages.ordered(event, this.#office, broughtBy(this.#blocks[this.#at - 1], data.side));
    if (data.t !== now.t) throw new Fault(n, "other-turn");
    this.#given.sawItsEntry(n, data);
    if (!this.ended) this.#given.ordered(n, data.side, now, this.#block);
  }

  /** @type {(event: LogEvent) => void} */
  #clockFired(event) {
    const { n, data } = event;
    this.#clock.fired(n, data, this.#block);
    this.#messages.clockFired(event);
    this.#authority.clockFired(n, data);
  }

  /** @type {(n: number, data: any) => void} */
  #rulesChanged(n, data) {
    this.#authority.rulesChanged(n, data);
    this.#messages.rulesChanged(n);
  }

  /** @type {(n: number, data: any) => void} */
  #rewound(n, { to }) {
    if (this.#version >= 3) this.#requireEntryBehind(n);
    this.draws.piles.rewound(to);
    this.#given.rewound();
  }

  // The entry of the side whose line takes play back is the next block, alone: nobody waits for it.
  /** @type {(n: number) => void} */
  #requireEntryBehind(n) {
    const [order] = this.#block, given = this.#blocks[this.#at + 1]?.[0], { side } = order.data;
    if (order.type !== "OrderAccepted" || !this.#seats.names.includes(side)) return;
    if (given?.type !== "ContributionGiven" || given.data.side !== side || given.data.channel === undefined) throw new Fault(n, "entry-missing");
  }

  /** @type {(event: LogEvent, now: LogMoment, first: number) => void} */
  #looked(event, now, first) {
    const shown = this.#sealed.member(event, "shown");
    if (shown !== undefined || this.#sealed.hides(event.n, "shown")) this.draws.looked(event.n, event.data.side, shown, now, first);
  }
}

// Every deck, whole, by the options of event 1.
/** @type {(game: any, opening: any) => Record<string, string[]>} */
function decksOf(game, { options }) {
  const isSo = (/** @type {[string, any]} */ [name, value]) => options?.[name] === value;
  return game.decks.findLast((/** @type {[any, any]} */ [when]) => Object.entries(when).every(isSo))[1];
}

/** @type {(keyed: { signer?: Uint8Array | null }[]) => string[]} */
function kidsOf(keyed) {
  return keyed.map(({ signer }) => (signer ? kidOf(signer) : ""));
}
