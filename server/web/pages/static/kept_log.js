// The log of a battle as this browser has checked it: the player's own copy, to which lines are only added (as the file of
// `phalera remote`), how far it is known to be right, and what a fault is proven by. A browser that keeps nothing checks anew.

import { allIn, one, put, remove } from "./database.js";

const LINES = "lines";
const WATCHED = "watched";
const MOST_BATTLES = 30;

/** @typedef {{ n: number, what: string, kind: string, details: Record<string, any> }} ShownFault */
/** @typedef {{ n: number, head: string, note: string, accepted: string[], fault: ShownFault | null, isOpaque: boolean }} HowFar */
/** @typedef {{ name: string, text: string }} EvidenceFile */

// How far a battle was checked: up to event `n`, whose hash is `head`, signed with `note`; `fault` is what was found behind it,
// `accepted` are the faults with which the player goes on, `isOpaque`: behind a fault with which the protocol is not checked.
/** @type {(battle: string) => Promise<HowFar>} */
export async function howFar(battle) {
  const nothing = { n: 0, head: "", note: "", accepted: [], fault: null, isOpaque: false };
  return { ...nothing, ...(await one(WATCHED, [battle, "how far"])) };
}

/** @type {(battle: string, far: HowFar) => Promise<void>} */
export async function keepFar(battle, far) {
  await quietly(put(WATCHED, { battle, what: "how far", ...far }));
}

// The lines of the copy from the header on, each with its line feed; "" if there is none.
/** @type {(battle: string) => Promise<string>} */
export async function keptText(battle) {
  const rows = await allIn(LINES, battle);
  return rows.sort((one, other) => one.after - other.after).map(({ text }) => text).join("");
}

// Add lines behind event `after`, -1 with the header.
/** @type {(battle: string, after: number, text: string) => Promise<void>} */
export async function keepText(battle, after, text) {
  await quietly(put(LINES, { battle, after, text }));
}

/** @type {(battle: string) => Promise<void>} */
export async function forgetText(battle) {
  for (const { after } of await allIn(LINES, battle)) await quietly(remove(LINES, [battle, after]));
}

// What a fault is proven by, a file each; it stays as it was found first.
/** @type {(battle: string, files: EvidenceFile[]) => Promise<void>} */
export async function keepEvidence(battle, files) {
  await quietly(put(WATCHED, { battle, what: "evidence", files }));
}

/** @type {(battle: string) => Promise<EvidenceFile[]>} */
export async function evidenceOf(battle) {
  return (await one(WATCHED, [battle, "evidence"]))?.files ?? [];
}

// The keys of hosts that this browser was shown and, where there was another, its player has accepted.
/** @type {() => Promise<Set<string>>} */
export async function knownHosts() {
  return new Set(await one(WATCHED, ["", "hosts"]).then((found) => found?.keys ?? []));
}

/** @type {(keys: Set<string>) => Promise<void>} */
export async function keepHosts(keys) {
  await quietly(put(WATCHED, { battle: "", what: "hosts", keys: [...keys] }));
}

// The keys that players have shown in a battle, by player; those of umpires, which are their account's, under "".
/** @type {(battle: string) => Promise<Record<string, string[]>>} */
export async function knownPlayers(battle) {
  return (await one(WATCHED, [battle, "keys"]))?.keys ?? {};
}

/** @type {(battle: string, keys: Record<string, string[]>) => Promise<void>} */
export async function keepPlayers(battle, keys) {
  await quietly(put(WATCHED, { battle, what: "keys", keys }));
}

// A battle is watched: of those that were watched longest ago, more than this browser keeps, the lines are forgotten. Their
// newest head stays, and what a fault is proven by.
/** @type {(battle: string) => Promise<void>} */
export async function nowWatched(battle) {
  const before = (await one(WATCHED, ["", "order"]))?.battles ?? [], battles = [battle, ...before.filter((/** @type {string} */ other) => other !== battle)];
  for (const old of battles.splice(MOST_BATTLES)) await forgetText(old);
  await quietly(put(WATCHED, { battle: "", what: "order", battles }));
}

// A browser that keeps nothing goes on with what it has in memory.
/** @type {(deed: Promise<void>) => Promise<void>} */
async function quietly(deed) {
  await deed.catch(() => undefined);
}
