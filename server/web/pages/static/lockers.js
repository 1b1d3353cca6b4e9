// The arithmetic of lockers (docs/account.md): what a device of a player keeps on the server, AES-256-GCM under a key
// that only their devices have. A locker is bound to its player, kind, place and version: the server cannot give one for
// another.

import { base64, bytesOf, framed, fromBase64, hex, joined, utf8 } from "./bytes.js";
import { M } from "./sha256.js";

/** @typedef {{ player: string, kind: string, place: string, version: number }} LockerName what a locker is bound to */

const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const MARK_BYTES = 8;
const KEY = /^[0-9a-f]{32}$/;
const CONSONANTS = "bdfghjklmnprstvz", VOWELS = "aiou"; // a word of five letters is 16 bits

// --- the key, as 32 hex digits

/** @type {() => string} */
export function newLockerKey() {
  return hex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}

// The name of a key, by which the server tells it from others: nobody finds the key by it.
/** @type {(key: string, player: string) => string} */
export function markOf(key, player) {
  return hex(M(bytesOf(key), "phalera/1 locker mark", player).slice(0, MARK_BYTES));
}

// A key as a link carries it behind its #, with the player whose it is.
/** @type {(key: string, player: string) => string} */
export function fragmentOf(key, player) {
  return `seats=${player}.${key}`;
}

// What a link has carried; null if that is no key.
/** @type {(fragment: string) => { player: string, key: string } | null} */
export function fromFragment(fragment) {
  const [, player, key] = /^#?seats=([\w-]{1,60})\.(\w+)$/.exec(fragment) ?? [];
  return player && KEY.test(key) ? { player, key } : null;
}

// A key as nine words; the last one finds a slip of the pen.
/** @type {(key: string, player: string) => Promise<string>} */
export async function wordsOf(key, player) {
  const bytes = joined([bytesOf(key), bytesOf(await markOf(key, player)).slice(0, 2)]), words = [];
  for (let at = 0; at < bytes.length; at += 2) words.push(wordOf(bytes[at] * 256 + bytes[at + 1]));
  return words.join(" ");
}

// The key in words that somebody typed; "" if they are not those of a key of this player.
/** @type {(text: string, player: string) => Promise<string>} */
export async function fromWords(text, player) {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const numbers = words.map(numberOf);
  if (words.length !== KEY_BYTES / 2 + 1 || numbers.some((number) => number < 0)) return "";
  const key = numbers.slice(0, -1).map((number) => number.toString(16).padStart(4, "0")).join("");
  return (await wordsOf(key, player)) === words.join(" ") ? key : "";
}

/** @type {(number: number) => string} */
function wordOf(number) {
  const letters = [CONSONANTS[number >> 12], VOWELS[(number >> 10) & 3], CONSONANTS[(number >> 6) & 15]];
  return [...letters, VOWELS[(number >> 4) & 3], CONSONANTS[number & 15]].join("");
}

/** @type {(word: string) => number} */
function numberOf(word) {
  if (word.length !== 5) return -1;
  const parts = [...word].map((letter, at) => (at % 2 ? VOWELS : CONSONANTS).indexOf(letter));
  if (parts.some((part) => part < 0)) return -1;
  return parts.reduce((number, part, at) => (number << (at % 2 ? 2 : 4)) | part, 0);
}

// --- lockers, as base64

// A thing as the server keeps it, under a nonce of its own.
/** @type {(key: string, name: LockerName, thing: object) => Promise<string>} */
export async function locked(key, name, thing) {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES)), content = utf8(JSON.stringify(thing));
  const sealed = await crypto.subtle.encrypt(ciphered(name, iv), await aesKey(key, name.player), content);
  return base64(joined([iv, new Uint8Array(sealed)]));
}

// The thing in a locker. Throws if the key is another one, or a byte of it was changed, or it is another locker.
/** @type {(key: string, name: LockerName, text: string) => Promise<any>} */
export async function unlocked(key, name, text) {
  const bytes = fromBase64(text) ?? new Uint8Array(NONCE_BYTES);
  const iv = bytes.slice(0, NONCE_BYTES), content = bytes.slice(NONCE_BYTES);
  const opened = await crypto.subtle.decrypt(ciphered(name, iv), await aesKey(key, name.player), content);
  return JSON.parse(new TextDecoder().decode(opened));
}

/** @type {(name: LockerName, iv: Uint8Array) => any} */
function ciphered({ player, kind, place, version }, iv) {
  return { name: "AES-GCM", iv, additionalData: framed("phalera/1 locker", player, kind, place, version) };
}

/** @type {(key: string, player: string) => Promise<any>} */
async function aesKey(key, player) {
  const bytes = M(bytesOf(key), "phalera/1 locker key", player);
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}
