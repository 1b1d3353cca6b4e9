// Logging out: what this browser keeps for an account goes with it. Books of seals and keys that sign stay where they could not be had
// again: another device gets them from the lockers of the player, whose key is known to be elsewhere only if a passkey opens it. What
// guests have kept before they had an account is of the account that uses it, else of the last one that logs out here.

import { disown, everything, one, put, remove } from "./database.js";
import { Refused, keyHere, told } from "./locker_keys.js";
import { isNobodys, isOf, without } from "./owners.js";
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
  const proofs = (await everything("watched")).filter((thing) => thing.what === "evidence" && isOf(thing, player, false));
  return { faults: proofs.map(({ battle }) => battle), isStuck: !(await areElsewhere(player, byPasskey)) };
}

/** @type {(player: string, byPasskey: boolean) => Promise<boolean>} */
async function areElsewhere(player, byPasskey) {
  const isAlone = !(await othersThan(player)).length, own = (await all(SECRETS)).filter((thing) => isOf(thing, player, isAlone)), known = await told();
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
  const others = await othersThan(player);
  const heirs = [...new Set(others.flatMap(({ owners }) => without(player, owners)))], battles = new Set(others.map(({ battle }) => battle));
  await forgetOrder(battles);
  for (const store of LOGS) await disown(store, (thing) => thing.battle === OF_ALL ? heirs : left(thing, player, !heirs.length));
  if (withKeys) await forgetKeys(player, !heirs.length);
  forgetTexts(battles);
}

// The owners that a thing goes on with; null for one that is not the player's.
/** @type {(thing: any, player: string, isAlone: boolean) => string[] | null} */
function left(thing, player, isAlone) {
  return isOf(thing, player, isAlone) ? without(player, thing.owners) : null;
}

// What is kept of battles for other accounts.
/** @type {(player: string) => Promise<any[]>} */
async function othersThan(player) {
  return (await all([...LOGS, ...SECRETS])).filter((thing) => thing.battle && !isNobodys(thing) && without(player, thing.owners).length);
}

/** @type {(player: string, isAlone: boolean) => Promise<void>} */
async function forgetKeys(player, isAlone) {
  for (const store of SECRETS) await disown(store, (thing) => left(thing, player, isAlone));
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
