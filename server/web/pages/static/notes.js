// Signed notes (docs/record-format.md 3): whether the host has signed the head of a log, and a change of its own key. As
// `replay/proof/notes.py`; only the note that must be there is accepted, byte for byte.

import { base64, fromBase64, hex, joined, sha256, utf8 } from "./bytes.js";

const ED25519 = { name: "Ed25519" };
const TYPE = 1; // of an Ed25519 signature in a note
const KEY_BYTES = 32;
const ID_BYTES = 4;

// The host's key from its string `NAME+ID+BASE64`: its name, id and public bytes; null if it is not one.
export async function verifierOf(key) {
  const [name, digits, ...rest] = key.split("+"), material = fromBase64(rest.join("+")); // base64 has plus signs, too
  if (!name || /\s/.test(name) || material?.length !== KEY_BYTES + 1 || material[0] !== TYPE) return null;
  const id = (await sha256(joined([utf8(`${name}\n`), material]))).slice(0, ID_BYTES);
  return hex(id) === digits ? { name, id, public: material.slice(1) } : null;
}

export function originOf(host, battle) {
  return `${host}/phalera/${battle}`;
}

// Whether this browser can check signatures.
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
export async function noteFault(verifier, origin, n, hash, note, signatures) {
  const text = `${origin}\n${n}\n${base64(hash)}\n`, start = `${text}\n\u2014 ${verifier.name} `;
  if (!note.startsWith(start) || !note.endsWith("\n")) return "other-head";
  const signed = fromBase64(note.slice(start.length, -1));
  if (!signed || hex(signed.slice(0, ID_BYTES)) !== hex(verifier.id)) return "other-key";
  if (!signatures || (await verified(verifier, signed.slice(ID_BYTES), utf8(text)))) return "";
  return "bad-signature";
}

// The fault of a change of the host's key, "" if the old one has signed it.
export async function newKeyFault(old, origin, key, signature, signatures) {
  const signed = fromBase64(signature);
  if (!signed) return "bad-signature";
  if (!signatures || (await verified(old, signed, utf8(`${origin}\nkey\n${key}\n`)))) return "";
  return "bad-signature";
}

async function verified(verifier, signature, text) {
  const key = await crypto.subtle.importKey("raw", verifier.public, ED25519, false, ["verify"]);
  return crypto.subtle.verify(ED25519, key, signature, text);
}
