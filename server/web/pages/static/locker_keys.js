// The key of a player's lockers on this device, and the lockers themselves on the server.

import { add, one, put, remove } from "./database.js";
import { locked, markOf, newLockerKey, unlocked } from "./lockers.js";

/** @typedef {import("./lockers.js").LockerName} LockerName */
/** @typedef {{ kind: string, place: string, version: number, size: number, at: string, content: string }} LockerView */
/** @typedef {{ player: string, mark: string, by_letter: boolean, lockers: LockerView[] }} Told what the server keeps for a player */

const ADDRESS = new URL("../api/v1/account/lockers", import.meta.url).href; // this script is in `static/` of the server
const KEYS = "lockerKeys", SEEN = "lockers";
const NEWER = "core.locker-newer";

export class Refused extends Error {}

// What the server keeps: a place whole, or all without contents; null for somebody who is not logged in, or without the
// server.
/** @type {(place?: string) => Promise<Told | null>} */
export async function told(place = "") {
  const answer = await fetch(place ? `${ADDRESS}?place=${encodeURIComponent(place)}` : ADDRESS).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

// The key that this device has, "" for none.
/** @type {(player: string) => Promise<string>} */
export async function keyHere(player) {
  return (await one(KEYS, [player]))?.key ?? "";
}

// Keep a key that a link, words or a passkey has brought.
/** @type {(player: string, key: string) => Promise<void>} */
export function keepKey(player, key) {
  return put(KEYS, { player, key });
}

// Whether this device can open what the server keeps: "" if so, else "no-key" or "other-key". The first device of a player
// has nothing to open yet.
/** @type {(known: Told) => Promise<string>} */
export async function hindrance({ player, mark }) {
  const key = await keyHere(player);
  if (!mark || (key && (await markOf(key, player)) === mark)) return "";
  return key ? "other-key" : "no-key";
}

// Why a new seat on this device is plain unless its player chooses otherwise: "no-key", "other-key", "by-letter"; "" for a
// sealed one.
/** @type {() => Promise<string>} */
export async function plainBecause() {
  const known = await told();
  if (!known) return "";
  return (await hindrance(known)) || (known.by_letter && !(await keyHere(known.player)) ? "by-letter" : "");
}

// The key of a player on this device: a new one, if they have none anywhere. "" if another device has it.
/** @type {(known: Told) => Promise<string>} */
export async function keyFor(known) {
  if (await hindrance(known)) return "";
  const key = await keyHere(known.player);
  if (key) return key;
  await add(KEYS, { player: known.player, key: newLockerKey() }).catch(() => undefined); // another tab was faster
  return keyHere(known.player);
}

// Keep the next version of a locker, under the key of all lockers or a secret of its own; false where another device was
// faster. Throws what else the server says.
/** @type {(key: string, name: LockerName, thing: object, secret?: string) => Promise<boolean>} */
export async function keepLocker(key, name, thing, secret = key) {
  const { player, kind, place, version } = name;
  const message = { mark: await markOf(key, player), version, content: await locked(secret, name, thing) };
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const address = `${ADDRESS}/${kind}/${encodeURIComponent(place)}`;
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(message) });
  if (answer.ok) {
    await put(SEEN, { player, kind, place, version });
    return true;
  }
  const { code } = await answer.json();
  if (code === NEWER) return false;
  if (code === "core.locker-other-key") await forgetUnused(player, key);
  throw new Refused(code);
}

// What a locker has, and its version; `fault` says what is wrong with it: "altered", or "older" than this device has seen.
/** @type {(key: string, known: Told, kind: string, place: string) => Promise<{ thing: any, version: number, fault: string }>} */
export async function readLocker(key, known, kind, place) {
  const { player } = known, found = known.lockers.find((locker) => locker.kind === kind && locker.place === place);
  const version = found?.version ?? 0, seen = (await one(SEEN, [player, kind, place]))?.version ?? 0;
  let thing = null, fault = version < seen ? "older" : "";
  if (found) thing = await unlocked(key, { player, kind, place, version }, found.content).catch(() => null);
  if (found && !thing) fault = "altered";
  if (thing && !fault) await put(SEEN, { player, kind, place, version });
  return { thing, version, fault };
}

// Two first devices have made a key each, and the other one was faster: this one was never used.
/** @type {(player: string, key: string) => Promise<void>} */
async function forgetUnused(player, key) {
  if ((await keyHere(player)) === key) await remove(KEYS, [player]);
}
