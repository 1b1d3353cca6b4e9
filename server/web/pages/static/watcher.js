// A battle's log, checked as it grows (as `server/remote/history.py` and `judging.py`): each look takes in what the server has
// added, checks it all by the protocol, compares the player's own words, and keeps what was right.

import { joined, utf8 } from "./bytes.js";
import { canVerify, hostKey, kidOf } from "./notes.js";
import { PLAYER_KEY, strangeKey, trustKey } from "./known_keys.js";
import { forgetWords, hasWords, ownFault } from "./own_words.js";
import { kindOf } from "./proof_faults.js";
import { GrowingCheck } from "./proof_growing.js";
import { Fault, LINE_FEED, isCheckpoint } from "./proof_lines.js";
import { GAMES } from "./proof_tables.js";
import { forgetText, howFar, keepEvidence, keepFar, keepHosts, keepText, keptText, knownHosts, nowWatched } from "./kept_log.js";

const PAGE = 5000; // events asked for at once
const OTHER_HISTORY = "other-history", HOST_KEY = "host-key-unknown";
const DECODER = new TextDecoder();

/** @typedef {import("./proof_log.js").BattleFile} BattleFile */
/** @typedef {{ n: number, head: string, note: string }} ShownHead what the page shows: the newest event, its hash, and the host's note */

export class Lost extends Error {} // the server would not give what it shows

export class Watcher {
  /** @type {GrowingCheck | null} */
  #log = null; // the copy, in memory, as far as it was checked
  /** @type {Uint8Array[]} */
  #read = []; // what was read of it, as it stands
  /** @type {import("./kept_log.js").HowFar | null} */
  #far = null;
  #note = ""; // the host's, over the newest line that was read
  #signatures = false;
  #isOther = false; // a file of a version that is not judged here
  /** @type {string} */
  #battle;
  /** @type {string} */
  #side;
  /** @type {(path: string) => Promise<Uint8Array | null>} */
  #ask;

  // `ask` gives what the API has of the battle under a path, null if it does not give it.
  /** @param {string} battle @param {string} side @param {(path: string) => Promise<Uint8Array | null>} ask */
  constructor(battle, side, ask) {
    this.#battle = battle;
    this.#side = side;
    this.#ask = ask;
  }

  // Check up to what the page shows; gives the fault that waits for the player, null if there is none.
  /** @type {(shown: ShownHead) => Promise<import("./kept_log.js").ShownFault | null>} */
  async look(shown) {
    const far = await this.#begun();
    if (far.fault || this.#isOther) return far.fault;
    try {
      if (shown.n === far.n && shown.head === far.head) await this.#compare(far);
      else if (shown.n > far.n) await this.#grow(shown, far);
      else await this.#requireKnown(shown, far);
    } catch (reason) {
      // a log may claim anything: what cannot even be read is a fault
      const fault = reason instanceof Fault ? reason : reason instanceof Lost ? null : new Fault(shown.n, "not-readable");
      if (fault && !far.accepted.includes(nameOf(fault))) await this.#found(fault, far);
      this.#forget(); // it is read again from what was right
      if (!fault) throw reason;
    }
    return far.fault;
  }

  // Go on although there is a fault. Another key of a host is known from now on, another history is the one that is followed, own
  // words that differ are compared no more; behind any other fault the protocol is not checked.
  async accept() {
    const far = await this.#begun();
    if (!far.fault) return;
    const { what, details } = far.fault;
    if (what === HOST_KEY) await keepHosts((await knownHosts()).add(details.key));
    else if (what === PLAYER_KEY) await trustKey(/** @type {import("./known_keys.js").BroughtKey} */ (details));
    else if (what === OTHER_HISTORY) Object.assign(far, { n: 0, head: "", note: "" });
    else if (ofOwn(what)) await forgetWords(this.#battle, this.#side);
    else Object.assign(far, { accepted: [...far.accepted, nameOf(far.fault)], isOpaque: true });
    if (what === OTHER_HISTORY) await forgetText(this.#battle);
    far.fault = null;
    await keepFar(this.#battle, far);
  }

  async #begun() {
    if (this.#far) return this.#far;
    this.#signatures = await canVerify();
    await nowWatched(this.#battle);
    return (this.#far = await howFar(this.#battle));
  }

  #forget() {
    this.#log = null;
    this.#read = [];
    this.#note = "";
  }

  // --- taking in

  /** @type {(shown: ShownHead, far: import("./kept_log.js").HowFar) => Promise<void>} */
  async #grow(shown, far) {
    const log = await this.#copy(far), { file } = log, before = file.events.length, already = this.#read.length;
    const own = before ? await this.#added(file, shown.n) : await this.#whole(file);
    if (this.#isOther) return;
    if (file.hashes[shown.n] !== shown.head) throw new Fault(shown.n, OTHER_HISTORY);
    const note = own || (shown.n === file.events.length ? shown.note : "");
    if (note) await file.requireNote(note);
    this.#note = note;
    await this.#requireHosts(file);
    const strange = await strangeKey(this.#battle, this.#side, file.events.slice(before));
    if (strange) throw strange;
    if (!far.isOpaque) await requireRight(log);
    await this.#requireOwn(file);
    if (!before) await forgetText(this.#battle);
    await keepText(this.#battle, before || -1, DECODER.decode(joined(this.#read.slice(already))));
    Object.assign(far, { n: file.events.length, head: file.head, note });
    await keepFar(this.#battle, far);
  }

  // The copy that this browser keeps, read again if it is not in memory, to which another page may have added; an empty one if it
  // keeps none, or one that is damaged.
  /** @type {(far: import("./kept_log.js").HowFar) => Promise<GrowingCheck>} */
  async #copy(far) {
    if (this.#log) return this.#log;
    this.#forget();
    Object.assign(far, await howFar(this.#battle));
    const text = await keptText(this.#battle), log = new GrowingCheck(this.#signatures);
    if (text) await this.#take(log.file, utf8(text)).catch(() => undefined);
    if (log.file.events.length === far.n && log.file.head === far.head) return (this.#log = log);
    this.#forget();
    return (this.#log = new GrowingCheck(this.#signatures));
  }

  /** @type {(file: BattleFile, bytes: Uint8Array) => Promise<void>} */
  async #take(file, bytes) {
    this.#read.push(bytes);
    await file.take(bytes);
  }

  // The whole file, at first sight; gives its note.
  /** @type {(file: BattleFile) => Promise<string>} */
  async #whole(file) {
    const content = await this.#asked("/export"), cut = lastLine(content), isClosed = isCheckpoint(content.subarray(cut));
    await this.#take(file, isClosed ? content.subarray(0, cut) : content);
    this.#isOther = file.other > 0;
    if (this.#isOther) return "";
    file.end();
    if (file.header?.battle !== this.#battle) throw new Fault(0, OTHER_HISTORY);
    await this.#requireContinued(file);
    const note = isClosed ? JSON.parse(DECODER.decode(content.subarray(cut))).checkpoint : "";
    return typeof note === "string" ? note : "";
  }

  // A head that was checked must still stand in a log of which the lines are kept no more.
  /** @type {(file: BattleFile) => Promise<void>} */
  async #requireContinued(file) {
    const { n, head } = await howFar(this.#battle);
    if (n && file.hashes[n] !== head) throw new Fault(n, OTHER_HISTORY);
  }

  // What was added up to event `last`: from the newest line of the copy on, which must be there as it was.
  /** @type {(file: BattleFile, last: number) => Promise<string>} */
  async #added(file, last) {
    await this.#requireNewest(file);
    while (file.events.length < last) {
      const n = file.events.length, bytes = await this.#asked(`/events?after=${n}&limit=${Math.min(PAGE, last - n)}`);
      if (!bytes.length) throw new Lost();
      await this.#take(file, bytes);
      if (file.events.length === n) throw new Lost();
    }
    return "";
  }

  /** @type {(file: BattleFile) => Promise<void>} */
  async #requireNewest(file) {
    const n = file.events.length, bytes = await this.#asked(`/events?after=${n - 1}&limit=1`);
    const read = this.#read[this.#read.length - 1], own = read.subarray(lastLine(read));
    if (DECODER.decode(bytes) !== DECODER.decode(own)) throw new Fault(n, OTHER_HISTORY);
  }

  // A page of an earlier event than the copy's: of the same log, which still goes as far as the copy.
  /** @type {(shown: ShownHead, far: import("./kept_log.js").HowFar) => Promise<void>} */
  async #requireKnown(shown, far) {
    const { file } = await this.#copy(far);
    if (!file.events.length) return this.#grow(shown, far);
    if (file.hashes[shown.n] !== shown.head) throw new Fault(shown.n, OTHER_HISTORY);
    await this.#requireNewest(file);
  }

  /** @type {(path: string) => Promise<Uint8Array>} */
  async #asked(path) {
    const found = await this.#ask(path);
    if (!found) throw new Lost();
    return found;
  }

  // --- what is compared beside the protocol

  // Nothing was added; but an answer may have come, to a message that is not there.
  /** @type {(far: import("./kept_log.js").HowFar) => Promise<void>} */
  async #compare(far) {
    if (await hasWords(this.#battle, this.#side)) await this.#requireOwn((await this.#copy(far)).file);
  }

  /** @type {(file: BattleFile) => Promise<void>} */
  async #requireOwn(file) {
    const game = GAMES[file.header?.ruleset ?? ""];
    const fault = await ownFault(this.#battle, this.#side, file.events, game);
    if (fault) throw fault;
  }

  // The keys of the host at first sight are kept; one that the log has signed with a known key follows from it.
  /** @type {(file: BattleFile) => Promise<void>} */
  async #requireHosts(file) {
    const { key } = /** @type {LogHeader} */ (file.header), known = await knownHosts();
    const later = file.events.filter(({ type }) => type === "KeyChanged").map((event) => (event.raw ?? event.data).key);
    const all = [key, ...later], isKnown = !known.size || all.some((one) => known.has(one));
    if (!isKnown) {
      const found = /** @type {HostKey} */ (hostKey(key));
      throw new Fault(0, HOST_KEY, { key, name: found.name, kid: kidOf(found.public) });
    }
    if (all.every((one) => known.has(one))) return;
    for (const one of all) known.add(one);
    await keepHosts(known);
  }

  // --- a fault

  /** @type {(fault: Fault, far: import("./kept_log.js").HowFar) => Promise<void>} */
  async #found({ n, what, details }, far) {
    far.fault = { n, what, kind: ofOwn(what) ? what : `proof-fault-${kindOf(what)}`, details };
    await keepFar(this.#battle, far);
    const own = what === OTHER_HISTORY ? await keptText(this.#battle) : "";
    const shown = own ? await this.#ask("/export") : joined([...this.#read, utf8(closing(this.#note))]);
    const files = [
      { name: `${this.#battle}.battle`, text: own && own + closing(far.note) },
      { name: `${this.#battle}.fault.battle`, text: shown ? DECODER.decode(shown) : "" },
    ];
    await keepEvidence(this.#battle, files.filter(({ text }) => text));
  }
}

/** @type {(log: GrowingCheck) => Promise<void>} */
async function requireRight(log) {
  const fault = await log.judge(false);
  if (fault) throw fault;
}

// What no reader of the file alone could know.
/** @type {(what: string) => boolean} */
function ofOwn(what) {
  return what.startsWith("own-") || [OTHER_HISTORY, HOST_KEY, PLAYER_KEY].includes(what);
}

/** @type {(fault: { n: number, what: string }) => string} */
function nameOf({ n, what }) {
  return `${n} ${what}`;
}

// Where the last line of a text begins.
/** @type {(bytes: Uint8Array) => number} */
function lastLine(bytes) {
  return bytes.lastIndexOf(LINE_FEED, bytes.length - 2) + 1;
}

/** @type {(note: string) => string} */
function closing(note) {
  return note && `${JSON.stringify({ checkpoint: note })}\n`;
}
