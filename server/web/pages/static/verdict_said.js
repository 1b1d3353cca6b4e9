// What a check has found, in words: for the pages that are one file alone.

import { kindOf } from "./proof_faults.js";
import { WORDS } from "./proof_words.js";

/** @type {(lang: string, part: string, name: string, gaps?: any) => string} */
export function sayIn(lang, part, name, gaps = {}) {
  return (WORDS[lang][part][name] ?? name).replace(/{(\w+)}/g, (/** @type {string} */ _, /** @type {string} */ gap) => String(gaps[gap] ?? ""));
}

/** @type {(lang: string, found: any) => string} */
export function verdictSaid(lang, { fault, other, draws, checked, bound, secret }) {
  if (other) return sayIn(lang, "verifier", "other-version", { version: other });
  if (fault) return `${sayIn(lang, "script", fault.n ? "proof-fails" : "proof-no-file", { n: fault.n, what: sayIn(lang, "script", `proof-fault-${kindOf(fault.what)}`) })} [${fault.what}]`;
  if (!draws) return sayIn(lang, "script", "proof-no-draws");
  return sayIn(lang, "script", bound + secret ? "proof-so-far" : "proof-holds", { draws, checked });
}

/** @type {(lang: string, answer: any) => string[]} */
export function notesSaid(lang, { found, lines, isKnown }) {
  const { fault, other, signature, events: n, head, game } = found;
  if (fault || other) return [];
  return [
    ...(isKnown ? [] : [sayIn(lang, "verifier", "unknown-game", { game })]),
    sayIn(lang, "script", `proof-signature-${signature}`, { n }),
    sayIn(lang, "script", "proof-chain", { n, hash: head }),
    ...lines[lang],
  ];
}

/** @type {(text: string) => any} */
export function noteItem(text) {
  const line = document.createElement("li");
  line.textContent = text.trim();
  if (text.startsWith(" ")) line.className = "act";
  return line;
}
