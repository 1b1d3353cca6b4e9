// The lines of a battle file: each in its one spelling, and within the limits. As `domain/log/canonical.py`, `limits.py` and
// `record.py`; what is wrong is a Fault at the event that the line stands for, 0 for the header or the file as a whole.

import { utf8 } from "./bytes.js";
import { UNASSIGNED } from "./proof_tables.js";

export const LINE_FEED = 10;
export const LINE_LIMIT = 1 << 20;
export const EVENTS_LIMIT = 1 << 20;
const STRING_LIMIT = 1 << 16;
const NESTING_LIMIT = 32;
const VERSIONS = [2, 3];
const EVENT_KEYS = "at by data hash n rule type";
const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const CHECKPOINT = utf8('{"checkpoint":');
const TIME = /^[2-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PLAYER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const BATTLE = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOST = new RegExp(`^(${LABEL}(?:\\.${LABEL})*)(?::([1-9]\\d{0,4}))?$`);
const HOST_LENGTH = 253, LAST_PORT = 65535;
const TEXTS = /"(?:[^"\\]|\\.)*"/g;
const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** @type {RegExp | null} */
let unassigned = null;

// What is wrong with a log, at event `n` (0: the file as a whole, or its header); `what` is a code. `details` say more.
export class Fault extends Error {
  /**
   * @param {number} n
   * @param {string} what
   * @param {Record<string, any>} details
   */
  constructor(n, what, details = {}) {
    super(`${what} at ${n}`);
    this.n = n;
    this.what = what;
    this.details = details;
  }
}

// The one spelling of plain data (RFC 8785). Throws a RangeError for what nests too deep, or a number that is not whole.
/** @type {(value: any, depth?: number) => string} */
export function canonical(value, depth = 1) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError("not a whole number");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (depth > NESTING_LIMIT) throw new RangeError("too deep");
  let text = "";
  if (Array.isArray(value)) {
    for (const one of value) text += `${text && ","}${canonical(one, depth + 1)}`;
    return `[${text}]`;
  }
  for (const key of Object.keys(value).sort()) text += `${text && ","}${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`;
  return `{${text}}`;
}

// Whether plain data is written canonically by `JSON.stringify`, too: members in their order, numbers whole.
/** @type {(value: any, depth?: number) => boolean} */
function isInOrder(value, depth = 1) {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth > NESTING_LIMIT) return false;
  if (Array.isArray(value)) {
    for (const one of value) if (!isInOrder(one, depth + 1)) return false;
    return true;
  }
  let above = "";
  for (const key in value) {
    if (key < above || !isInOrder(value[key], depth + 1)) return false;
    above = key;
  }
  return true;
}

// --- the file as a whole: cut at its line feeds before any line is read

/** @type {(content: Uint8Array) => void} */
export function requireWhole(content) {
  if (!content.length) throw new Fault(0, "empty");
  /** @type {number[]} */
  const starts = [0];
  for (let at = content.indexOf(LINE_FEED); at >= 0; at = content.indexOf(LINE_FEED, at + 1)) {
    starts.push(at + 1);
    if (starts.length > EVENTS_LIMIT + 3) throw new Fault(0, "too-many-events");
  }
  const lines = starts.length - 1, last = /** @type {number} */ (starts.pop());
  if (last < content.length) throw new Fault(lines, "no-final-newline");
  let isClosed = false;
  for (const [at, start] of starts.entries()) {
    if (content[start] === LINE_FEED) throw new Fault(at, "empty-line");
    isClosed = at > 0 && isCheckpoint(content.subarray(start));
    if (isClosed && at < lines - 1) throw new Fault(at, "checkpoint-not-last");
  }
  const events = lines - 1 - (isClosed ? 1 : 0);
  if (events < 1) throw new Fault(0, "no-events");
  if (events > EVENTS_LIMIT) throw new Fault(0, "too-many-events");
}

/** @type {(line: Uint8Array) => boolean} */
export function isCheckpoint(line) {
  return CHECKPOINT.every((byte, at) => line[at] === byte);
}

// --- one line

// The object in a line and its text, spelled exactly as we would write it.
/** @type {(line: Uint8Array, n: number) => { value: any, text: string }} */
export function readLine(line, n) {
  if (line.length > LINE_LIMIT) throw new Fault(n, "line-too-long");
  if (isDeeper(line)) throw new Fault(n, "too-deep");
  const text = decoded(line, n);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault(n, "not-json");
  }
  if (/\\u[dD]/.test(text) && !isWellFormed(value)) throw new Fault(n, "not-json");
  const isSure = isInOrder(value) && JSON.stringify(value) === text; // the usual line, whose spelling need not be made anew
  const isOdd = !isSure && hasOddNumbers(value), isRight = isSure || (!isOdd && canonical(value) === text);
  const numbers = isRight ? [] : text.replace(TEXTS, "").match(NUMBERS) ?? [];
  if (numbers.some((number) => /[.eE]/.test(number))) throw new Fault(n, "float");
  if (!isRight && !(isOdd && isCanonicalBut(text, numbers))) throw new Fault(n, "not-canonical");
  const unfit = line.length > text.length || line.length > STRING_LIMIT || numbers.length ? unfitIn(value) : "";
  if (unfit) throw new Fault(n, unfit);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Fault(n, "not-canonical");
  return { value, text };
}

// Whether no text has half of a character.
/** @type {(value: any) => boolean} */
function isWellFormed(value) {
  if (typeof value === "string") return !/[\ud800-\udfff]/u.test(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, one]) => isWellFormed(key) && isWellFormed(one));
}

/** @type {(value: any) => boolean} */
function hasOddNumbers(value) {
  if (typeof value === "number") return !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasOddNumbers);
}

// Whether a text is canonical, its large whole numbers aside, which a script cannot hold.
/** @type {(text: string, numbers: string[]) => boolean} */
function isCanonicalBut(text, numbers) {
  if (numbers.some((number) => String(BigInt(number)) !== number)) return false;
  const parts = text.split(/("(?:[^"\\]|\\.)*")/), small = parts.map((part, at) => (at % 2 ? part : part.replace(NUMBERS, "0"))).join("");
  return canonical(JSON.parse(small)) === small;
}

/** @type {(line: Uint8Array, n: number) => string} */
function decoded(line, n) {
  try {
    return DECODER.decode(line);
  } catch {
    throw new Fault(n, isWithinText(new TextDecoder().decode(line)) ? "not-utf-8" : "not-json");
  }
}

// Whether the first character that is none stands in a text of the JSON.
/** @type {(line: string) => boolean} */
function isWithinText(line) {
  const before = line.slice(0, line.indexOf("\ufffd")).replace(/\\./g, "");
  return before.split('"').length % 2 === 0 && line.includes('"', before.length);
}

// Whether the JSON of a line nests too deep; the line may be anything.
/** @type {(line: Uint8Array) => boolean} */
function isDeeper(line) {
  let depth = 0, isText = false, opened = 0;
  for (const byte of line) if (byte === 0x5b || byte === 0x7b) opened += 1;
  if (opened <= NESTING_LIMIT) return false;
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at];
    if (byte === 0x5c && (line[at + 1] === 0x5c || line[at + 1] === 0x22)) at += 1;
    else if (byte === 0x22) isText = !isText;
    else if (!isText && (byte === 0x5b || byte === 0x7b) && (depth += 1) > NESTING_LIMIT) return true;
    else if (!isText && (byte === 0x5d || byte === 0x7d)) depth -= 1;
  }
  return false;
}

// Why a value cannot stand in a log; "" if it can.
/** @type {(value: any) => string} */
function unfitIn(value) {
  if (typeof value === "string") return unfitText(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? "" : "integer-too-large";
  if (typeof value !== "object" || value === null) return "";
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  for (const key of keys) {
    if (/[^\0-\x7f]/.test(key)) return "key-not-ascii";
    if (key.length > STRING_LIMIT) return "string-too-long";
  }
  for (const inner of Object.values(value)) {
    const unfit = unfitIn(inner);
    if (unfit) return unfit;
  }
  return "";
}

/** @type {(text: string) => string} */
function unfitText(text) {
  if (!/[^\0-\x7f]/.test(text)) return text.length > STRING_LIMIT ? "string-too-long" : "";
  if (utf8(text).length > STRING_LIMIT) return "string-too-long";
  unassigned ??= new RegExp(`[${UNASSIGNED.split(/\s+/).filter(Boolean).map(run).join("")}]`, "u");
  if (unassigned.test(text)) return "unassigned";
  return text.normalize("NFC") === text ? "" : "string-not-nfc";
}

/** @type {(points: string) => string} */
function run(points) {
  return points.split("-").map((point) => `\\u{${point}}`).join("-");
}

// --- header and events

// The header of a file; `other` is the version of one that is not judged here.
/** @type {(line: Uint8Array) => { header: LogHeader | null, other: number }} */
export function readHeader(line) {
  const { value } = readLine(line, 0), { format, version } = value;
  if (format === "phalera-battle" && Number.isInteger(version) && version >= 1 && !VERSIONS.includes(version)) return { header: null, other: version };
  const texts = ["battle", "created", "format", "host", "key", "rules", "ruleset"];
  if (Object.keys(value).join(" ") !== [...texts, "version"].join(" ")) throw new Fault(0, "not-a-header");
  if (texts.some((name) => typeof value[name] !== "string") || !Number.isInteger(version)) throw new Fault(0, "not-a-header");
  if (format !== "phalera-battle" || !VERSIONS.includes(version)) throw new Fault(0, "other-format");
  if (!isTime(value.created)) throw new Fault(0, "bad-time");
  if (!isBattle(value.battle)) throw new Fault(0, "bad-battle");
  if (!isHost(value.host)) throw new Fault(0, "bad-host");
  if (value.key.split("+")[0] !== value.host) throw new Fault(0, "key-of-another");
  return { header: value, other: 0 };
}

// An event line: whole, in its place and within the limits; `above` is the time before it.
/** @type {(line: Uint8Array, n: number, above: string) => { event: any, text: string }} */
export function readEvent(line, n, above) {
  const { value: event, text } = readLine(line, n), { at, by, data, rule, type } = event;
  if (Object.keys(event).join(" ") !== EVENT_KEYS) throw new Fault(n, "wrong-keys");
  const isWhole = [at, by, event.hash, rule, type].every((one) => typeof one === "string") && Number.isInteger(event.n);
  if (!isWhole || typeof data !== "object" || data === null || Array.isArray(data)) throw new Fault(n, "not-an-event");
  if (event.n !== n) throw new Fault(n, "wrong-number");
  if (at !== above && !isTime(at)) throw new Fault(n, "bad-time");
  if (at < above) throw new Fault(n, "time-goes-back");
  if (Object.hasOwn(data, "player") && !isPlayer(data.player)) throw new Fault(n, "bad-player");
  return { event, text };
}

// Both have one form, so that their order is that of time.
/** @type {(at: unknown) => boolean} */
function isTime(at) {
  if (typeof at !== "string" || !TIME.test(at)) return false;
  const moment = Date.parse(at);
  return !Number.isNaN(moment) && new Date(moment).toISOString() === at;
}

/** @type {(name: unknown) => boolean} */
export function isPlayer(name) {
  return typeof name === "string" && PLAYER.test(name);
}

/** @type {(name: unknown) => boolean} */
export function isBattle(name) {
  return typeof name === "string" && BATTLE.test(name);
}

/** @type {(name: unknown) => boolean} */
export function isHost(name) {
  const found = typeof name === "string" ? HOST.exec(name) : null;
  return !!found && found[1].length <= HOST_LENGTH && Number(found[2] ?? 1) <= LAST_PORT;
}
