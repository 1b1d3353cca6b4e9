// A seat on all devices of its player: its books of seals and its keys that sign are in a locker on the server, and each
// device that has the key of the lockers takes them from there, and puts there what it alone has. The keys with which a player
// judges are of no battle, and in a locker of their own.

import { fromBase64 } from "./bytes.js";
import { allIn, put } from "./database.js";
import { keepLocker, keyFor, hindrance, readLocker, told } from "./locker_keys.js";
import { importedKey } from "./signing.js";

/** @typedef {{ side: string, anchor: string, length: number, tip: string }} BookKept */
/** @typedef {{ side: string, signer: string, secret: string }} KeyKept of which `secret` is PKCS #8, base64 */
/** @typedef {{ books: BookKept[], keys: KeyKept[] }} SeatKept what a locker has of a battle */

const KIND = "seat", OF_UMPIRE = "umpire key";
const MOST = 12; // books, and keys, of one battle
const TRIES = 4; // where several devices keep something at once
const HEX_SEAL = /^[0-9a-f]{32}$/;

// Bring this device and the server to the same; "" for the battle: the keys of an umpire. Gives what is in the way, "" for nothing: "no-key", "other-key", "altered",
// "older", "unreachable".
/** @type {(battle: string) => Promise<string>} */
export async function carry(battle) {
  for (let tried = 0; tried < TRIES; tried++) {
    const state = await carriedOnce(battle);
    if (state !== "again") return state;
  }
  return "unreachable";
}

/** @type {(battle: string) => Promise<string>} */
async function carriedOnce(battle) {
  const place = battle || OF_UMPIRE, known = await told(place);
  if (!known) return "unreachable";
  const own = await ownOf(battle, known.player), hindered = await hindrance(known);
  if (hindered || (!known.mark && isEmpty(own))) return hindered;
  const key = await keyFor(known), { thing, version, fault } = await readLocker(key, known, KIND, place);
  const theirs = shaped(thing), both = { books: union(theirs.books, own.books, "anchor"), keys: union(theirs.keys, own.keys, "signer") };
  await takeOver(battle, both, own);
  if (isEmpty(own) || (!fault && same(both, theirs))) return fault;
  const name = { player: known.player, kind: KIND, place, version: version + 1 };
  return (await keepLocker(key, name, both)) ? fault : "again";
}

// What this browser has for the player: not what it keeps for another account that has been here, too.
/** @type {(battle: string, player: string) => Promise<SeatKept>} */
async function ownOf(battle, player) {
  const isOwn = (/** @type {any} */ { owners }) => !owners || owners.includes("") || owners.includes(player); // "": before there was an account
  const books = (await allIn("books", battle)).filter(isOwn), keys = (await allIn("keys", battle)).filter(isOwn);
  return {
    books: books.map(({ side, anchor, length, tip }) => ({ side, anchor, length, tip })),
    keys: keys.filter(({ secret }) => secret).map(({ side, signer, secret }) => ({ side, signer, secret })),
  };
}

// Keep here what only the locker had.
/** @type {(battle: string, both: SeatKept, own: SeatKept) => Promise<void>} */
async function takeOver(battle, both, own) {
  const anchors = own.books.map(({ anchor }) => anchor), signers = own.keys.map(({ signer }) => signer);
  for (const book of both.books) if (!anchors.includes(book.anchor)) await put("books", { battle, ...book });
  for (const kept of both.keys) {
    if (signers.includes(kept.signer)) continue;
    const key = await importedKey(fromBase64(kept.secret) ?? new Uint8Array());
    await put("keys", { battle, ...kept, key });
  }
}

// What is well formed of a thing from a locker.
/** @type {(thing: any) => SeatKept} */
function shaped(thing) {
  return { books: listed(thing?.books).filter(isBook), keys: listed(thing?.keys).filter(isKey) };
}

/** @type {(things: any) => any[]} */
function listed(things) {
  return Array.isArray(things) ? things.slice(-MOST) : [];
}

/** @type {(book: any) => boolean} */
function isBook(book) {
  return HEX_SEAL.test(book?.anchor) && HEX_SEAL.test(book.tip) && Number.isInteger(book.length) && book.length > 0;
}

/** @type {(kept: any) => boolean} */
function isKey(kept) {
  return isBase64(kept?.signer) && isBase64(kept.secret);
}

/** @type {(text: any) => boolean} */
function isBase64(text) {
  return typeof text === "string" && !!fromBase64(text);
}

/** @type {<T extends Record<string, any>>(theirs: T[], own: T[], name: string) => T[]} */
function union(theirs, own, name) {
  const known = theirs.map((thing) => thing[name]);
  return [...theirs, ...own.filter((thing) => !known.includes(thing[name]))].slice(-MOST);
}

/** @type {(seat: SeatKept) => boolean} */
function isEmpty({ books, keys }) {
  return !books.length && !keys.length;
}

/** @type {(one: SeatKept, other: SeatKept) => boolean} */
function same(one, other) {
  return one.books.length === other.books.length && one.keys.length === other.keys.length;
}
