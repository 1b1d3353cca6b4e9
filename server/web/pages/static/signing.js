// A player's own key for one side of a battle (docs/fairness.md 2): Ed25519, made by this browser. Its secret half goes
// to other devices of the player in a locker alone (seat_locker.js); the server gets the public half first, and later one
// signature for each line.

import { base64, bytesOf, framed, utf8 } from "./bytes.js";
import { adopt, allOf, put, requireDatabase } from "./database.js";

export const UMPIRE = "umpire";
/** @type {[string, string]} */
export const OF_UMPIRES = ["", UMPIRE]; // where the key of an umpire is kept: the account has one, for all battles

const KEYS = "keys";
const ED25519 = { name: "Ed25519" };

// Whether this browser can make a key and keep it: that takes a safe address (https), Ed25519 and storage.
/** @type {() => Promise<boolean>} */
export async function canSign() {
  try {
    await newPair(false);
    await requireDatabase();
    return true;
  } catch {
    return false;
  }
}

// A new key, kept before anybody hears of it; gives its public half, base64. Throws if it cannot be kept.
/** @type {(battle: string, side: string) => Promise<string>} */
export async function newKey(battle, side) {
  const pair = await newPair(true);
  const signer = base64(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
  const secret = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  await put(KEYS, { battle, side, signer, key: await importedKey(secret), secret: base64(secret) });
  return signer;
}

// A key that another device of the player has made.
/** @type {(secret: Uint8Array) => Promise<any>} */
export function importedKey(secret) {
  return crypto.subtle.importKey("pkcs8", secret, ED25519, false, ["sign"]);
}

// The key of a seat; null if this browser does not have it.
/** @type {(battle: string, side: string, signer: string) => Promise<any>} */
export async function keyOf(battle, side, signer) {
  const kept = (await allOf(KEYS, battle, side)).find((one) => one.signer === signer);
  if (kept) await adopt(KEYS, kept);
  return kept?.key ?? null;
}

// The signature, base64, of a line, or of a contribution that comes alone (its text is empty). `seen` is the head that
// is answered, as forms have it; `giving` the bytes of the contribution that the line brings.
/** @type {(key: any, battle: string, side: string, serial: number, seen: string, giving: Uint8Array, text: string) => Promise<string>} */
export async function signatureOf(key, battle, side, serial, seen, giving, text) {
  const [n, hash] = seen.split(" ");
  const parts = [battle, side, serial, Number(n), bytesOf(hash), giving, text];
  return base64(new Uint8Array(await crypto.subtle.sign(ED25519, key, framed("pbem/2 signed", ...parts))));
}

// The bytes of a phrase, as the server reads it.
/** @type {(phrase: string) => Uint8Array} */
export function phraseBytes(phrase) {
  return utf8(phrase.trim().normalize("NFC"));
}

/** @type {(isExtractable: boolean) => Promise<any>} */
function newPair(isExtractable) {
  return crypto.subtle.generateKey(ED25519, isExtractable, ["sign", "verify"]);
}
