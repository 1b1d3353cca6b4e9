// Signed notes (docs/record-format.md 3): whether the host has signed the head of a log, and a change of its own key. As
// `replay/proof/notes.py`; only the note that must be there is accepted, byte for byte.

import { base64, fromBase64, hex, joined, utf8 } from "./bytes.js";
import { sha256 } from "./sha256.js";
import { isStrongKey } from "./weak_keys.js";

const ED25519 = { name: "Ed25519" };
const TYPE = 1; // of an Ed25519 signature in a note
const KEY_BYTES = 32;
const ID_BYTES = 4;
const DASH = "\u2014 ";
const NAME = /^[^\s+\p{C}\p{Z}]+$/u;
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f]/;
const HEAD = /^(.*)\n(0|[1-9]\d*)\n([A-Za-z0-9+/]{43}=)\n$/;

// The host's key from its string `NAME+ID+BASE64`: its name, id and public bytes; the code of its fault if it is not one.
/** @type {(key: any) => HostKey | string} */
export function hostKey(key) {
  const [name, digits, ...rest] = typeof key === "string" ? key.split("+") : "", material = fromBase64(rest.join("+")); // base64 has plus signs, too
  if (!NAME.test(name) || material?.length !== KEY_BYTES + 1 || material[0] !== TYPE) return "bad-key";
  const id = sha256(joined([utf8(`${name}\n`), material])).slice(0, ID_BYTES), bytes = material.slice(1);
  if (hex(id) !== digits) return "bad-key";
  return isStrongKey(bytes) ? { name, id, public: bytes } : "weak-key";
}

// The same, null if it is not one.
/** @type {(key: any) => HostKey | null} */
export function verifierOf(key) {
  const found = hostKey(key);
  return typeof found === "string" ? null : found;
}

// SHA-256 of a key string: its first 32 hex digits in groups of four, to be read aloud.
/** @type {(key: string) => string} */
export function fingerprintOf(key) {
  return (hex(sha256(utf8(key))).slice(0, 32).match(/.{4}/g) ?? []).join(" ");
}

// The kid of a public key, to be compared by eye: the first 16 hex digits of its SHA-256.
/** @type {(key: Uint8Array) => string} */
export function kidOf(key) {
  return (hex(sha256(key)).slice(0, 16).match(/.{4}/g) ?? []).join(" ");
}

/** @type {(host: string, battle: string) => string} */
export function originOf(host, battle) {
  return `${host}/phalera/${battle}`;
}

// Whether this browser can check signatures.
/** @type {() => Promise<boolean>} */
export async function canVerify() {
  try {
    await crypto.subtle.importKey("raw", new Uint8Array(KEY_BYTES), ED25519, false, ["verify"]);
    return true;
  } catch {
    return false;
  }
}

// The fault of a note that must be the host's over a head (`hash` are bytes), "" if there is none. Without signatures
// only the rest is checked.
/** @type {(verifier: HostKey, origin: string, n: number, hash: Uint8Array, note: string, signatures: boolean) => Promise<string>} */
export async function noteFault(verifier, origin, n, hash, note, signatures) {
  const parts = takenApart(note);
  if (!parts) return "not-a-note";
  const { text, name, id, signature } = parts;
  if (name !== verifier.name || hex(id) !== hex(verifier.id)) return "other-key";
  if (signatures && !(await verified(verifier.public, signature, utf8(text)))) return "bad-signature";
  if (text === `${origin}\n${n}\n${base64(hash)}\n`) return "";
  const head = HEAD.exec(text);
  return head && Number.isSafeInteger(Number(head[2])) && fromBase64(head[3]) ? "other-head" : "not-a-head";
}

// The fault of a change of the host's key, "" if the old one has signed it.
/** @type {(old: HostKey, origin: string, key: string, signature: string, signatures: boolean) => Promise<string>} */
export async function newKeyFault(old, origin, key, signature, signatures) {
  const signed = fromBase64(signature);
  if (!signed) return "bad-signature";
  if (!signatures || (await verified(old.public, signed, utf8(`${origin}\nkey\n${key}\n`)))) return "";
  return "bad-signature";
}

// Text, name, key id and signature of a note with one signature line, in our spelling; null if it is none.
/** @type {(note: string) => { text: string, name: string, id: Uint8Array, signature: Uint8Array } | null} */
function takenApart(note) {
  const gap = note.lastIndexOf("\n\n"), text = note.slice(0, Math.max(gap, 0) + 1), line = note.slice(gap + 2);
  const inner = line.slice(line.startsWith(DASH) ? DASH.length : 0, line.endsWith("\n") ? -1 : undefined), space = inner.lastIndexOf(" ");
  const name = inner.slice(0, Math.max(space, 0)), signed = fromBase64(inner.slice(space + 1));
  if (gap < 0 || space < 0 || !NAME.test(name) || !signed || signed.length <= ID_BYTES || CONTROL.test(text)) return null;
  if (`${text}\n${DASH}${name} ${base64(signed)}\n` !== note) return null;
  return { text, name, id: signed.slice(0, ID_BYTES), signature: signed.slice(ID_BYTES) };
}

/** @type {Map<string, Promise<any>>} */
const imported = new Map(); // public keys as this browser wants them

// Whether a public key (bytes) has signed some bytes.
/** @type {(key: Uint8Array, signature: Uint8Array, text: Uint8Array) => Promise<boolean>} */
export async function verified(key, signature, text) {
  const name = hex(key);
  if (!imported.has(name)) imported.set(name, crypto.subtle.importKey("raw", key, ED25519, false, ["verify"]).catch(() => null));
  const taken = await imported.get(name);
  return !!taken && crypto.subtle.verify(ED25519, taken, signature, text);
}
