// A battle file checked by the protocol alone (docs/fairness.md): bytes, chain and signature, the host's keys, what players
// gave, what was sealed and opened, and every card and die. It needs no rules of the game and asks no server; whether moves
// were right, and who agreed to what, `phalera verify` says.

import { sealedCommitment } from "./fairness.js";
import { canVerify } from "./notes.js";
import { blocksOf, endsBattle, lastOf, momentsOf, octets, same } from "./proof_blocks.js";
import { Draws } from "./proof_draws.js";
import { Contributions } from "./proof_given.js";
import { DisclosedKeys } from "./proof_keys.js";
import { BattleFile, Fault, canonical } from "./proof_log.js";

const HASH_BYTES = 32;
const AT_ONCE = 256; // events between two words about progress

// Check a file whose bytes come in pieces (an async iterable). `table` is that of the game: its decks, the faces of its dice,
// and the type of the event that looks at coming cards. `progress` hears how much is read (bytes), then how many of all
// events are judged.
//
// Gives what was found: `fault` { n, what } is the first that is wrong, null if nothing is; nothing after it was judged.
// `states` has [n, state] of every event that shows a draw; `signature` is `checked`, `unchecked` (this browser has no
// Ed25519) or `none`.
/**
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} pieces
 * @param {{ decks: Record<string, string[]>, faces: Record<string, number[][]>, looks: string }} table
 * @param {(told: { read?: number, judged?: number, of?: number }) => void} progress
 */
export async function check(pieces, table, progress = () => {}) {
  const signatures = await canVerify(), file = new BattleFile(signatures);
  const found = { fault: null, events: 0, ended: 0, draws: 0, checked: 0, bound: 0, secret: 0, states: [], signature: "none", head: "" };
  let walk = null, read = 0;
  try {
    for await (const piece of pieces) {
      await file.take(piece);
      progress({ read: (read += piece.length) });
    }
    file.end();
    walk = new Walk(file, table);
    await walk.all((judged) => progress({ judged, of: file.events.length }));
  } catch (reason) {
    found.fault = faultOf(reason, walk);
  }
  const { draws } = walk ?? {};
  const closed = { events: file.events.length, head: file.head, signature: !file.isSigned ? "none" : signatures ? "checked" : "unchecked" };
  return draws ? { ...found, ...closed, ended: walk.ended, draws: draws.count, ...draws.counts, states: [...draws.states] } : { ...found, ...closed };
}

// A log may claim anything; what cannot even be read is at fault where it stands.
function faultOf(reason, walk) {
  if (reason instanceof Fault) return { n: reason.n, what: reason.what };
  if (walk && (reason instanceof TypeError || reason instanceof RangeError)) return { n: walk.n, what: "not-readable" };
  throw reason;
}

class Walk {
  n = 1; // the event that is met
  ended = 0; // the last event of the block that ends the battle, 0 while it runs
  draws;
  #file;
  #table;
  #blocks;
  #moments;
  #keys;
  #given;
  #sealed = new Map(); // the sealed events, by n
  #contents = new Map(); // what the log opens of them
  #faults = new Map();

  constructor(file, table) {
    this.#file = file;
    this.#table = table;
    this.#blocks = blocksOf(file.events);
    this.#moments = momentsOf(this.#blocks);
    const { battle } = file.header, { position } = file.events[0].data;
    this.#keys = new DisclosedKeys(battle, this.#moments.last.index);
    this.#given = new Contributions(battle, !!position);
    this.draws = new Draws(battle, table, this.#keys, this.#given, position?.decks ?? {});
  }

  /** @param {(judged: number) => void} progress */
  async all(progress) {
    await this.#keys.collect(this.#file.events);
    await this.#collectSealed();
    for (const [at, block] of this.#blocks.entries()) {
      for (const event of block) {
        this.n = event.n;
        const fault = this.#keys.faults.get(event.n) ?? this.#faults.get(event.n) ?? (this.#moments.fault?.n === event.n && this.#moments.fault);
        if (fault) throw fault;
        if (!this.ended) await this.#meet(event, block, at);
        if (event.n % AT_ONCE === 0) progress(event.n);
      }
      this.#requireDisclosed(block);
      this.draws.piles.blockEnded(lastOf(block));
    }
    if (this.ended && !this.#file.isSigned) throw new Fault(this.#file.events.length, "unsigned");
  }

  #before(n) {
    return this.#moments.before[n - 1];
  }

  async #meet(event, block, at) {
    const { n, type, data } = event, now = this.#before(n), first = block[0].n;
    if (type === "SideJoined") this.#given.joined(n, data);
    else if (type === "SideLeft") this.#given.left(n, data);
    else if (type === "BattleBegan") this.#given.begin(n);
    else if (type === "ContributionGiven") await this.#contributed(n, data, now, block, this.#blocks[at + 1]);
    else if (type === "OrderAccepted") this.#ordered(n, data, now, block);
    else if (type === "DeckShuffled") this.draws.piles.shuffled(n, data);
    else if (type === "CardDrawn") await this.draws.card(n, data, this.#member(event, "card"), now, first);
    else if (type === "DieRolled") await this.draws.die(n, data, now, first);
    else if (type === "TurnEnded") this.draws.piles.turnEnded(data.side);
    else if (type === "Rewound") {
      this.draws.piles.rewound(data.to);
      this.#given.rewound();
    } else if (type === this.#table.looks) await this.#looked(event, now, first);
  }

  async #contributed(n, data, now, block, following) {
    const order = following?.[0].type === "OrderAccepted" && following[0].data.side === data.side ? following[0] : null;
    const text = order && (typeof order.data.text === "string" ? order.data.text : "");
    await this.#given.contributed(n, data, now, block, following, text);
  }

  #ordered(n, data, now, block) {
    if (data.t !== now.t) throw new Fault(n, "other-turn");
    this.#given.ordered(n, data.side, now, block);
  }

  async #looked(event, now, first) {
    const shown = this.#member(event, "shown"), isSealed = "sealed" in event.data && !this.#contents.has(event.n);
    if (shown !== undefined || isSealed) await this.draws.looked(event.n, event.data.side, shown, now, first);
  }

  // --- what is sealed

  // A member of an event, even if it was sealed and the log opens it.
  #member({ n, data }, name) {
    return name in data ? data[name] : this.#contents.get(n)?.[name];
  }

  async #collectSealed() {
    for (const event of this.#file.events.slice(0, this.#moments.before.length)) {
      try {
        if (event.type === "Unsealed") await this.#open(event);
        else if ("sealed" in event.data) this.#sealed.set(event.n, { ...event, value: octets(event.n, event.data.sealed, HASH_BYTES) });
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        this.#faults.set(event.n, fault);
      }
    }
  }

  async #open({ n, data }) {
    const sealed = this.#sealed.get(data.n);
    if (!sealed || this.#contents.has(data.n)) throw new Fault(n, sealed ? "opened-twice" : "not-sealed");
    const { t } = this.#before(data.n), salt = octets(n, data.salt, HASH_BYTES);
    const value = await sealedCommitment(salt, this.#file.header.battle, t, seatOf(sealed), canonical(data.content));
    if (!same(value, sealed.value)) throw new Fault(n, "commitment-differs");
    if (Object.keys(data.content).some((name) => name in sealed.data)) throw new Fault(n, "content-differs");
    this.#contents.set(data.n, data.content);
  }

  // --- what the host owes at the end of a block

  // The key of each period that is over, and no other; with the end of the battle the master, and all that is sealed.
  #requireDisclosed(block) {
    const last = lastOf(block), newest = (this.#moments.before[last] ?? this.#moments.last).index;
    const given = block.filter((event) => event.type === "KeyDisclosed"), isOver = !this.ended && endsBattle(block);
    const due = [];
    for (let index = this.#before(block[0].n).index; index < newest && !isOver && !this.ended; index += 1) due.push(index);
    const early = given.find((event) => !due.includes(event.data.index)) ?? block.find((event) => event.type === "MasterRevealed" && !isOver);
    if (early) throw new Fault(early.n, "disclosure-not-due");
    if (given.length !== due.length) throw new Fault(last, "disclosure-missing");
    if (!isOver) return;
    const isAllOpen = [...this.#sealed.keys()].every((n) => this.#contents.has(n));
    if (!isAllOpen || !block.some((event) => event.type === "MasterRevealed")) throw new Fault(last, "disclosure-missing");
    this.ended = last;
  }
}

// Whose secret an event is: its `side`, else the seat that its scope names, else its author.
function seatOf({ by, data }) {
  if (typeof data.side === "string" && data.side) return data.side;
  const named = typeof data.scope === "string" ? data.scope.split("/")[0].split(":").slice(1).join(":") : "";
  return named || by;
}
