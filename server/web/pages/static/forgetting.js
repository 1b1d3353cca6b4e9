// Logging out: what this browser keeps for an account goes with it. Books of seals and keys that sign stay where they could not be had
// again: another device gets them from the lockers of the player, whose key is known to be elsewhere only if a passkey opens it.

import { disown, everything, one, put, remove } from "./database.js";
import { Refused, keyHere, told } from "./locker_keys.js";
import { carry } from "./seat_locker.js";

const LOGS = ["lines", "watched", "words"], SECRETS = ["books", "keys"];
const OF_ALL = ""; // what is kept of no battle
const SMALL = /^phalera:(?:phrase|asked|head):([^:]+)/; // texts of a battle that are kept as such (keeping.js)
const CARRIED = ["", "altered", "older"]; // a locker that was wrong was put right

/** @typedef {{ faults: string[], isStuck: boolean }} LeftHere */

// What would be lost with an account's things: the battles of which this browser alone has what proves a fault; `isStuck` if its keys
// could not be had again. `byPasskey`: a passkey that opens lockers stays good.
/** @type {(player: string, byPasskey: boolean) => Promise<LeftHere>} */
export async function leftBy(player, byPasskey) {
  const proofs = (await everything("watched")).filter((thing) => thing.what === "evidence" && isOf(thing, player));
  return { faults: proofs.map(({ battle }) => battle), isStuck: !(await areElsewhere(player, byPasskey)) };
}

/** @type {(player: string, byPasskey: boolean) => Promise<boolean>} */
async function areElsewhere(player, byPasskey) {
  const own = (await all(SECRETS)).filter((thing) => isOf(thing, player)), known = await told();
  if (!own.length && !((await keyHere(player)) && known?.mark)) return true;
  if (known?.player !== player || !byPasskey || !known.lockers.some(({ kind }) => kind === "passkey")) return false;
  for (const battle of new Set(own.map((thing) => thing.battle))) {
    if (!CARRIED.includes(await carry(battle).catch(whyNot))) return false;
  }
  return true;
}

// A battle that is long over has no locker any more, and needs none.
/** @type {(reason: any) => string} */
function whyNot(reason) {
  return reason instanceof Refused && reason.message === "core.no-such-locker" ? "" : "refused";
}

// Forget what is kept for an account; its keys, too, if so. What is of no battle, as the keys of hosts, goes with the last account.
/** @type {(player: string, withKeys: boolean) => Promise<void>} */
export async function forget(player, withKeys) {
  const others = (await all([...LOGS, ...SECRETS])).filter(({ battle, owners }) => battle && owners?.some((/** @type {string} */ owner) => owner !== player));
  const heirs = [...new Set(others.flatMap(({ owners }) => without(player, owners)))], battles = new Set(others.map(({ battle }) => battle));
  await forgetOrder(battles);
  for (const store of LOGS) await disown(store, ({ battle, owners }) => (battle === OF_ALL ? heirs : without(player, owners ?? [])));
  if (withKeys) await forgetKeys(player);
  forgetTexts(battles);
}

/** @type {(player: string) => Promise<void>} */
async function forgetKeys(player) {
  for (const store of SECRETS) await disown(store, ({ owners }) => owners?.includes(player) ? without(player, owners) : null);
  await remove("lockerKeys", [player]);
  await disown("lockers", (seen) => (seen.player === player ? [] : null));
}

// In which order battles were watched: those of others are left.
/** @type {(others: Set<string>) => Promise<void>} */
async function forgetOrder(others) {
  const order = await one("watched", [OF_ALL, "order"]);
  if (order) await put("watched", { ...order, battles: order.battles.filter((/** @type {string} */ battle) => others.has(battle)) });
}

/** @type {(others: Set<string>) => void} */
function forgetTexts(others) {
  sessionStorage.clear();
  for (const name of Object.keys(localStorage)) {
    const battle = SMALL.exec(name)?.[1];
    if (battle && !others.has(battle)) localStorage.removeItem(name);
  }
}

/** @type {(stores: string[]) => Promise<any[]>} */
async function all(stores) {
  return (await Promise.all(stores.map(everything))).flat();
}

/** @type {(thing: any, player: string) => boolean} */
function isOf({ owners }, player) {
  return !!owners?.includes(player);
}

/** @type {(player: string, owners: string[]) => string[]} */
function without(player, owners) {
  return owners.filter((owner) => owner !== player);
}
