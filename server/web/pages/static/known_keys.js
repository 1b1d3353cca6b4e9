// The keys of the other players, as this browser knows them: as `replay/proof/pins.py`. A browser makes a key for each battle in
// which its player signs, so the key of a seat is known within its battle; that of an umpire is their account's, for all battles.

import { fromBase64 } from "./bytes.js";
import { keepPlayers, knownPlayers } from "./kept_log.js";
import { kidOf } from "./notes.js";
import { Fault } from "./proof_lines.js";

export const PLAYER_KEY = "player-key-unknown";
const UMPIRES = ""; // where the keys of umpires are kept: of no battle

/** @typedef {{ place: string, player: string, key: string }} BroughtKey */

// Keep the keys that others bring, at first sight; gives the fault of somebody who is known with another one, null if there is none.
// Who gives a seat back before the battle and takes it again has two: of a battle that is seen for the first time all are known.
/** @type {(battle: string, side: string, events: LogEvent[]) => Promise<Fault | null>} */
export async function strangeKey(battle, side, events) {
  const isFirst = !Object.keys(await knownPlayers(battle)).length;
  for (const event of events) {
    const data = event.raw ?? event.data, place = placeOf(event, battle, side), { signer: key, player } = data;
    if (place === null || !key || !player) continue;
    const all = await knownPlayers(place), known = all[player] ?? [];
    if (known.includes(key)) continue;
    if (known.length && !(isFirst && place === battle)) {
      const kids = [...known, key].map((one) => kidOf(fromBase64(one) ?? new Uint8Array()));
      return new Fault(event.n, PLAYER_KEY, { place, player, key, name: data.name || player, kid: kids.pop(), known: kids.join(", ") });
    }
    await keepPlayers(place, { ...all, [player]: [...known, key] });
  }
  return null;
}

// A key is its owner's: it is known from now on.
/** @type {(brought: BroughtKey) => Promise<void>} */
export async function trustKey({ place, player, key }) {
  const all = await knownPlayers(place);
  await keepPlayers(place, { ...all, [player]: [...(all[player] ?? []), key] });
}

// Where the key of an event is kept, null if it brings none of another player. One's own seat is compared with what was sent.
/** @type {(event: LogEvent, battle: string, side: string) => string | null} */
function placeOf({ type, ...event }, battle, side) {
  if (type === "UmpireNamed") return UMPIRES;
  return type === "SideJoined" && (event.raw ?? event.data).side !== side ? battle : null;
}
