// A battle file, read in pieces: each line chained to the line above, closed by the host's note. As
// `replay/proof/chain.py`. The first fault ends the reading.

import { hex, joined, utf8 } from "./bytes.js";
import { hostKey, newKeyFault, noteFault, originOf } from "./notes.js";
import { EVENTS_LIMIT, Fault, LINE_FEED, LINE_LIMIT, isCheckpoint, readEvent, readHeader, readLine } from "./proof_lines.js";
import { sha256 } from "./sha256.js";

export { Fault, canonical } from "./proof_lines.js";

const HASH_MEMBER = ',"hash":""'.length + 64;

// The bytes of an event line before and behind its hash, which ends at character `end`.
/** @type {(bytes: Uint8Array, text: string, end: number) => Uint8Array[]} */
function withoutHash(bytes, text, end) {
  if (bytes.length === text.length) return [bytes.subarray(0, end - HASH_MEMBER), bytes.subarray(end)]; // a byte for each character
  return [utf8(text.slice(0, end - HASH_MEMBER)), utf8(text.slice(end))];
}

export class BattleFile {
  /** @type {LogHeader | null} */
  header = null;
  other = 0; // the version of a file that this script does not judge
  /** @type {LogEvent[]} */
  events = []; // { n, at, by, rule, type, data }
  /** @type {string[]} */
  hashes = []; // hash_n in hex, that of the header first
  isSigned = false; // a note of the host closes the file; whether its signature was checked, says who asked for it
  /** @type {boolean} */
  #signatures;
  /** @type {Uint8Array} */
  #rest = new Uint8Array();
  /** @type {Uint8Array} */
  #head = new Uint8Array();
  /** @type {HostKey | null} */
  #verifier = null;
  #above = "";

  // `signatures` says whether this browser can check them.
  /** @param {boolean} signatures */
  constructor(signatures) {
    this.#signatures = signatures;
  }

  // The host's first key (bytes), null before the header was read.
  /** @type {Uint8Array | null} */
  firstKey = null;

  get head() {
    return hex(this.#head);
  }

  // The next bytes of the file, cut anywhere.
  /** @type {(piece: Uint8Array) => Promise<void>} */
  async take(piece) {
    const bytes = this.#rest.length ? joined([this.#rest, piece]) : piece;
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0 && !this.other; end = bytes.indexOf(LINE_FEED, start)) {
      await this.#line(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#rest = bytes.slice(start);
    if (this.#rest.length > LINE_LIMIT) throw new Fault(this.#next, "line-too-long");
  }

  // The file is over.
  end() {
    if (this.#rest.length) throw new Fault(this.#next, "no-final-newline");
    if (!this.events.length) throw new Fault(0, "no-events");
  }

  // The host's note over the newest line, which came beside the file.
  /** @type {(note: string) => Promise<void>} */
  async requireNote(note) {
    const n = this.events.length, fault = await noteFault(this.#host, this.#origin, n, this.#head, note, this.#signatures);
    if (fault) throw new Fault(n, fault);
  }

  get #next() {
    return this.header ? this.events.length + 1 : 0;
  }

  /** @type {(bytes: Uint8Array) => Promise<void>} */
  async #line(bytes) {
    const n = this.#next;
    if (this.isSigned) throw new Fault(n - 1, "checkpoint-not-last");
    if (!n) await this.#opening(bytes);
    else if (isCheckpoint(bytes)) await this.#checkpoint(bytes, n);
    else if (n > EVENTS_LIMIT) throw new Fault(0, "too-many-events");
    else await this.#event(bytes, n);
  }

  /** @type {(bytes: Uint8Array) => Promise<void>} */
  async #opening(bytes) {
    const { header, other } = readHeader(bytes);
    this.other = other;
    if (!header) return;
    const verifier = hostKey(header.key);
    if (typeof verifier === "string") throw new Fault(0, verifier);
    this.#verifier = verifier;
    this.firstKey = verifier.public;
    this.header = header;
    this.#head = sha256(bytes);
    this.hashes.push(this.head);
    this.#above = header.created;
  }

  /** @type {(bytes: Uint8Array, n: number) => Promise<void>} */
  async #event(bytes, n) {
    const { event, text } = readEvent(bytes, n, this.#above), end = text.lastIndexOf(',"n":');
    this.#above = event.at;
    if (text.slice(end - HASH_MEMBER, end - HASH_MEMBER + 9) !== ',"hash":"') throw new Fault(n, "no-hash");
    this.#head = sha256(joined([this.#head, ...withoutHash(bytes, text, end)]));
    if (text.slice(end - HASH_MEMBER, end) !== `,"hash":"${this.head}"`) throw new Fault(n, "wrong-hash");
    delete event.hash;
    this.events.push(event);
    this.hashes.push(this.head);
    if (event.type === "KeyChanged") await this.#newKey(n, event.data);
  }

  /** @type {(n: number, data: any) => Promise<void>} */
  async #newKey(n, { key, signature }) {
    if (key === undefined || typeof signature !== "string") throw new Fault(n, "wrong-data");
    const fault = await newKeyFault(this.#host, this.#origin, key, signature, this.#signatures), next = hostKey(key);
    if (fault) throw new Fault(n, fault);
    if (typeof next === "string") throw new Fault(n, next);
    if (next.name !== this.#host.name) throw new Fault(n, "other-name");
    this.#verifier = next;
  }

  /** @type {(bytes: Uint8Array, n: number) => Promise<void>} */
  async #checkpoint(bytes, n) {
    const { value } = readLine(bytes, n);
    if (Object.keys(value).join() !== "checkpoint" || typeof value.checkpoint !== "string") throw new Fault(n, "not-a-checkpoint");
    await this.requireNote(value.checkpoint);
    this.isSigned = true;
  }

  // Whoever signs the log; its header has said so.
  get #host() {
    return /** @type {HostKey} */ (this.#verifier);
  }

  get #origin() {
    const { host, battle } = /** @type {LogHeader} */ (this.header);
    return originOf(host, battle);
  }
}
