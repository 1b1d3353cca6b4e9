// What a player has sent from this browser, kept before it is sent, and compared with what stands in the log: text, phrase or
// seal, head, signature. As `server/remote/own_words.py`.

import { isActThere, isSameHead } from "./acts_there.js";
import { hex, utf8 } from "./bytes.js";
import { allOf, put, remove } from "./database.js";
import { Fault } from "./proof_lines.js";
import { sha256 } from "./sha256.js";

const WORDS = "words";
export const REFUSED = -1;
const MOST_KEPT = 16; // messages of which something may still come

/**
 * @typedef {{ prepares: string[], unresolved: string }} OrdersKnown
 * @typedef {object} SentWords a message as it was sent: `seen` is the head that it answers, `texts` are its lines as the log will
 *   have them, by number, without those that are not compared; `accepted` says how many lines the server took at least, REFUSED
 *   that it took nothing, null that it has not answered.
 * @property {string} battle
 * @property {string} side
 * @property {string} request
 * @property {boolean} isOrder
 * @property {{ n: number, hash: string }} seen
 * @property {Record<number, string>} texts
 * @property {string} phrase
 * @property {string} seal
 * @property {[number, string][]} signatures
 * @property {number | null} accepted
 * @property {number} by the event up to which the answer knew the log, 0 before there is one
 */

// Keep what is about to be sent, a message or an act (acts_there.js); the same again is one.
/** @type {(words: any) => Promise<void>} */
export async function keepWords(words) {
  const known = await allOf(WORDS, words.battle, words.side);
  if (known.some(({ request }) => request === words.request)) return;
  const at = known.reduce((last, one) => Math.max(last, one.at), 0) + 1, oldest = known.sort((one, other) => other.at - one.at).slice(MOST_KEPT - 1);
  for (const { request } of oldest) await remove(WORDS, [words.battle, words.side, request]);
  await put(WORDS, { ...words, at });
}

// What the server has answered, with its log up to event `by`: that it took so many lines at least (0 for a contribution), or
// REFUSED.
/** @type {(battle: string, side: string, request: string, accepted: number, by: number) => Promise<void>} */
export async function answered(battle, side, request, accepted, by) {
  const words = (await allOf(WORDS, battle, side)).find((one) => one.request === request);
  if (words) await put(WORDS, { ...words, accepted, by });
}

/** @type {(battle: string, side: string) => Promise<boolean>} */
export async function hasWords(battle, side) {
  return (await allOf(WORDS, battle, side)).length > 0;
}

// Compare them no more.
/** @type {(battle: string, side: string) => Promise<void>} */
export async function forgetWords(battle, side) {
  for (const { request } of await allOf(WORDS, battle, side)) await remove(WORDS, [battle, side, request]);
}

// The first event in which the words of a side are not those that were sent; null if there is none. What is known to be right,
// or refused, is compared no more. `game`: what the tables know of it; it may name kinds of orders that the server gives first, and a
// pattern of lines whose figures are found by the server: the log has those, not the line.
/** @type {(battle: string, side: string, events: LogEvent[], game: OrdersKnown | undefined) => Promise<Fault | null>} */
export async function ownFault(battle, side, events, game) {
  const known = (await allOf(WORDS, battle, side)).sort((one, other) => one.at - other.at);
  for (const words of known) {
    try {
      if (isThere(words, events, game)) await remove(WORDS, [battle, side, words.request]);
    } catch (fault) {
      if (fault instanceof Fault) return fault;
      throw fault;
    }
  }
  return null;
}

/** @type {(words: any, events: LogEvent[], game?: OrdersKnown) => boolean} */
function isThere(words, events, game) {
  if (words.accepted === REFUSED) return true;
  return words.type ? isActThere(words, events) : isAllThere(words, keysOf(words, events), events, game);
}

// The forms that the key of a request may have in the log: of whoever has held the side.
/** @type {(words: SentWords, events: LogEvent[]) => Set<string>} */
function keysOf(words, events) {
  const players = new Set(events.filter(({ type, data }) => type === "SideJoined" && data.side === words.side).map(({ data }) => data.player));
  return new Set([...players].map((player) => hex(sha256(utf8(`${player}\n${words.request}`))).slice(0, 16)));
}

// Whether nothing of a message is still to come. Throws the fault of the first event that says otherwise than what was sent, or
// of the last one if something of it is missing.
/** @type {(words: SentWords, keys: Set<string>, events: LogEvent[], game?: OrdersKnown) => boolean} */
export function isAllThere(words, keys, events, game) {
  if (words.seen.n > events.length) return false;
  let lines = 0, isGiven = false;
  /** @type {LogEvent | null} */
  let before = null;
  for (const event of events.slice(words.seen.n)) {
    const { n, type } = event, data = event.raw ?? event.data;
    if (data.side !== words.side || data.kind === "reanchor") continue;
    if (type === "OrderAccepted") {
      if (words.isOrder && keys.has(data.key)) {
        if (isPrepared(words, data, game?.prepares ?? [])) continue;
        lines += 1;
        requireLine(n, words, data, game?.unresolved ?? "");
        if (before) requireGiven(before.n, words, before.raw ?? before.data);
      }
      before = null;
    } else if (type === "ContributionGiven" && data.channel === undefined) before = event;
    else if (type === "ContributionGiven" && !words.isOrder) isGiven = requireAlone(n, words, data) || isGiven;
  }
  if (words.accepted === null) return isGiven;
  if (events.length < words.by) return false; // an earlier look
  if (words.isOrder ? lines < words.accepted : !isGiven) throw new Fault(events.length, "own-words-missing");
  return true;
}

// The server has given an order first that the player's own needs, under the same line: of the kinds that the game `prepares`, and
// for nobody who signs.
/** @type {(words: SentWords, data: any, prepares: string[]) => boolean} */
function isPrepared(words, data, prepares) {
  const text = words.texts[data.line ?? 0];
  return !words.signatures.length && text !== undefined && plainly(data.text ?? "") !== plainly(text) && prepares.includes(data.command?.order);
}

// A contribution alone is ours where it answers the head that we did: one from another device may stand there, too.
/** @type {(n: number, words: SentWords, data: any) => boolean} */
function requireAlone(n, words, data) {
  if (!isSameHead(words, data.seen)) return true;
  requireGiven(n, words, data);
  requireSigned(n, words, data, 0);
  return true;
}

/** @type {(n: number, words: SentWords, data: any, unresolved: string) => void} */
function requireLine(n, words, data, unresolved) {
  const line = data.line ?? 0, text = words.texts[line];
  const isFinal = text !== undefined && !(unresolved && !words.signatures.length && new RegExp(unresolved, "i").test(plainly(text)));
  if (isFinal && data.text !== undefined && plainly(data.text) !== plainly(text)) {
    throw new Fault(n, "own-text-differs", { expected: text, found: data.text });
  }
  if (!isSameHead(words, data.seen)) throw new Fault(n, "own-head-differs", { expected: words.seen.n, found: data.seen?.n ?? 0 });
  requireSigned(n, words, data, line - 1);
}

// The signature of a private line is sealed with it.
/** @type {(n: number, words: SentWords, data: any, at: number) => void} */
function requireSigned(n, words, data, at) {
  if (!words.signatures.length) return;
  const [serial, signature] = words.signatures[at] ?? [0, ""];
  if (data.serial !== serial || (data.signature ?? signature) !== signature) throw new Fault(n, "own-signature-differs");
}

/** @type {(n: number, words: SentWords, data: any) => void} */
function requireGiven(n, words, data) {
  if (words.seal && data.value !== words.seal) throw new Fault(n, "own-seal-differs");
  if (!words.seal && words.phrase && data.phrase !== words.phrase) throw new Fault(n, "own-phrase-differs");
}

// What a line says, whatever its spaces and capitals.
/** @type {(line: string) => string} */
export function plainly(line) {
  return line.replace(/#.*/, "").trim().replace(/\s+/g, " ").toLowerCase();
}
