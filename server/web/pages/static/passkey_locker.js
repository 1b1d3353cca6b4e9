// The key of a player's lockers by their passkey: a device that can gives a secret of the passkey (its PRF extension), and
// that opens a locker with the key.

import { hex } from "./bytes.js";
import { keepKey, keepLocker, keyFor, readLocker, told } from "./locker_keys.js";
import { markOf } from "./lockers.js";

const KIND = "passkey";

// What is asked of the device beside its signature.
export const SECRET_ASKED = { prf: { eval: { first: new TextEncoder().encode("phalera/1 lockers") } } };

// The secret that a passkey gave, as hex; "" if it gave none.
/** @type {(credential: any) => string} */
export function secretOf(credential) {
  const first = credential.getClientExtensionResults().prf?.results?.first;
  return first ? hex(new Uint8Array(first)) : "";
}

// Take the key from the locker of a passkey, or put it there. The player is logged in.
/** @type {(credential: string, secret: string) => Promise<void>} */
export async function join(credential, secret) {
  const known = secret ? await told(credential) : null;
  if (!known) return;
  const { thing, version } = await readLocker(secret, known, KIND, credential), { player, mark } = known;
  if (typeof thing?.key === "string" && (await markOf(thing.key, player)) === mark) {
    await keepKey(player, thing.key);
    return;
  }
  const key = await keyFor(known);
  if (key) await keepLocker(key, { player, kind: KIND, place: credential, version: version + 1 }, { key }, secret);
}
