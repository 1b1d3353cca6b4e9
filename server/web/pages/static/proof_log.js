// A battle file, read in pieces: each line spelled in the one way, chained to the line above, closed by the host's note.
// As `domain/log/record.py` and `replay/proof/chain.py`. The first fault ends the reading.

import { hex, joined, sha256, utf8 } from "./bytes.js";
import { newKeyFault, noteFault, originOf, verifierOf } from "./notes.js";

const LINE_FEED = 10;
const LINE_LIMIT = 1 << 20;
const EVENTS_LIMIT = 1 << 20;
const NESTING_LIMIT = 32;
const EVENT_KEYS = "at by data hash n rule type";
const HEADER_KEYS = "battle created format host key rules ruleset version";
const CHECKPOINT = '{"checkpoint":';
const HASH_MEMBER = ',"hash":""'.length + 64;
const TIME = /^[2-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const BATTLE = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;
const HOST = /^[a-z0-9][a-z0-9.:-]*$/;

// What is wrong with a log, at event `n` (0: the file as a whole, or its header); `what` is a code.
export class Fault extends Error {
  constructor(n, what) {
    super(`${what} at ${n}`);
    this.n = n;
    this.what = what;
  }
}

// The one spelling of plain data (RFC 8785). Throws a RangeError for what nests too deep, or a number that is not whole.
export function canonical(value, depth = 1) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError("not a whole number");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (depth > NESTING_LIMIT) throw new RangeError("too deep");
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, depth + 1)).join()}]`;
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`).join()}}`;
}

export class BattleFile {
  header = null;
  events = []; // { n, at, by, rule, type, data }
  isSigned = false; // a note of the host closes the file; whether its signature was checked, says who asked for it
  #signatures;
  #rest = new Uint8Array();
  #head = new Uint8Array();
  #verifier = null;
  #above = "";
  #isClosed = false;

  // `signatures` says whether this browser can check them.
  constructor(signatures) {
    this.#signatures = signatures;
  }

  get head() {
    return hex(this.#head);
  }

  // The next bytes of the file, cut anywhere.
  async take(piece) {
    const bytes = this.#rest.length ? joined([this.#rest, piece]) : piece;
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
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

  get #next() {
    return this.header ? this.events.length + 1 : 0;
  }

  async #line(bytes) {
    const n = this.#next;
    if (bytes.length > LINE_LIMIT) throw new Fault(n, "line-too-long");
    if (this.#isClosed) throw new Fault(this.events.length, "checkpoint-not-last");
    if (n > EVENTS_LIMIT + 1) throw new Fault(0, "too-many-events");
    const text = decoded(bytes, n);
    const isNote = n && text.startsWith(CHECKPOINT), value = read(text, isNote ? n - 1 : n);
    if (!n) await this.#opening(value, bytes);
    else if (isNote) await this.#checkpoint(value, n - 1);
    else await this.#event(value, text, n);
  }

  async #opening(header, bytes) {
    const { battle, created, format, host, key, version } = header;
    if (keysOf(header) !== HEADER_KEYS || typeof key !== "string") throw new Fault(0, "not-a-header");
    if (format !== "phalera-battle" || version !== 2) throw new Fault(0, "other-format");
    if (!isTime(created)) throw new Fault(0, "bad-time");
    if (!BATTLE.test(battle) || !HOST.test(host)) throw new Fault(0, "not-a-header");
    this.#verifier = await verifierOf(key);
    if (!this.#verifier) throw new Fault(0, "bad-key");
    if (this.#verifier.name !== host) throw new Fault(0, "key-of-another");
    this.header = header;
    this.#head = await sha256(bytes);
    this.#above = created;
  }

  async #event(event, text, n) {
    if (keysOf(event) !== EVENT_KEYS || [event.at, event.by, event.rule, event.type].some((one) => typeof one !== "string")) {
      throw new Fault(n, "not-an-event");
    }
    if (typeof event.data !== "object" || event.data === null || Array.isArray(event.data)) throw new Fault(n, "not-an-event");
    if (event.n !== n) throw new Fault(n, "wrong-number");
    if (!isTime(event.at)) throw new Fault(n, "bad-time");
    if (event.at < this.#above) throw new Fault(n, "time-goes-back");
    this.#above = event.at;
    const end = text.lastIndexOf(',"n":'), line = utf8(text.slice(0, Math.max(0, end - HASH_MEMBER)) + text.slice(end));
    this.#head = await sha256(joined([this.#head, line]));
    if (text.slice(end - HASH_MEMBER, end) !== `,"hash":"${this.head}"`) throw new Fault(n, "wrong-hash");
    delete event.hash;
    this.events.push(event);
    if (event.type === "KeyChanged") await this.#newKey(n, event.data);
  }

  async #newKey(n, { key, signature }) {
    if (typeof key !== "string" || typeof signature !== "string") throw new Fault(n, "wrong-data");
    const fault = await newKeyFault(this.#verifier, this.#origin, key, signature, this.#signatures), next = await verifierOf(key);
    if (fault) throw new Fault(n, fault);
    if (!next) throw new Fault(n, "bad-key");
    if (next.name !== this.#verifier.name) throw new Fault(n, "other-name");
    this.#verifier = next;
  }

  async #checkpoint(value, n) {
    if (keysOf(value) !== "checkpoint" || typeof value.checkpoint !== "string") throw new Fault(n, "not-a-note");
    const fault = await noteFault(this.#verifier, this.#origin, n, this.#head, value.checkpoint, this.#signatures);
    if (fault) throw new Fault(n, fault);
    this.isSigned = this.#isClosed = true;
  }

  get #origin() {
    return originOf(this.header.host, this.header.battle);
  }
}

function decoded(bytes, n) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault(n, "not-utf-8");
  }
}

function read(text, n) {
  let value, again;
  try {
    value = JSON.parse(text);
    again = canonical(value);
  } catch (reason) {
    throw new Fault(n, reason instanceof RangeError ? "not-canonical" : "not-json");
  }
  if (again !== text) throw new Fault(n, "not-canonical");
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Fault(n, "not-canonical");
  return value;
}

function keysOf(value) {
  return Object.keys(value).join(" ");
}

// Both have one form, so that their order is that of time.
function isTime(at) {
  return typeof at === "string" && TIME.test(at) && !Number.isNaN(Date.parse(at)) && new Date(at).toISOString() === at;
}
