// What a check has found, in the words of `phalera verify`. As `replay/proof/verdict.py`, less what a browser does not judge.

import { WORDS } from "./proof_words.js";

// The lines of a verdict on a log without a fault, and before the last of them what was not judged; `lang` is the language of the page.
/** @type {(found: any, lang: string) => string[]} */
export function verdictLines(found, lang) {
  const words = WORDS[lang] ?? WORDS.en, say = (/** @type {string} */ name, /** @type {any} */ gaps) => filled(words, words.verdict[name], gaps);
  const { events: n, draws, checked, bound, secret, continuedFrom, fingerprint, kid, seats, listed, ended, signature } = found;
  const hasKeysToCome = found.version >= 3 && !ended, isOpen = hasKeysToCome || bound + secret + continuedFrom > 0 || found.unopened.length > 0;
  return [
    say(ended ? "ended" : "running", { n, signed: signature === "none" ? "" : "yes" }),
    say("own-key", { fingerprint }),
    say("host-kid", { kid }),
    ...branchLines(found.branch, say),
    ...scenarioLines(found.scenario, say),
    checked === draws ? say("draws", { n: draws }) : say("draws-in-part", { n: draws, checked, bound, secret }),
    ...(hasKeysToCome ? [say("keys-to-come", {})] : []),
    ...(continuedFrom ? [say("continued", { n: continuedFrom })] : []),
    ...seats.flatMap((/** @type {any} */ seat) => seatLines(seat, seats, n, say)),
    ...(listed.length ? [say("listed", {})] : []),
    ...listed.map((/** @type {SettledAct} */ act) => `  ${actLine(act, say)}`),
    words.script["proof-moves"],
    ...(found.version >= 3 && seats.some(isBot) ? [words.script["proof-bots"]] : []),
    say(isOpen ? "open" : "holds", {}),
  ];
}

/** @type {(seat: any) => boolean} */
function isBot({ kind }) {
  return kind === "bot";
}

/** @typedef {(name: string, gaps: any) => string} Say */

/** @type {(branch: any, say: Say) => string[]} */
function branchLines(branch, say) {
  if (!branch) return [];
  const { battle, host, n, known } = branch;
  return [say(battle ? "branch" : "branch-of-case", { battle: quoted(battle), host: quoted(host), n, known: quoted(known) }), say("on-trust", { n })];
}

/** @type {(scenario: any, say: Say) => string[]} */
function scenarioLines({ given, name, isKnown }, say) {
  return [
    ...(isKnown ? [say(name ? "scenario-packaged" : "scenario-own", { name: quoted(name) })] : []),
    ...given.map((/** @type {[string, number]} */ [side, n]) => say("given", { side, n })),
  ];
}

/** @type {(seat: any, seats: any[], last: number, say: Say) => string[]} */
function seatLines(seat, seats, last, say) {
  const isOfSpan = !!seat.until || seats.some((other) => other !== seat && other.side === seat.side);
  const who = say(isOfSpan ? "holder" : "seat", { ...seat, until: seat.until || last }), { messages, n, without } = seat.vouched;
  const vouched = seat.kid ? "seat-signed" : "seat-unsigned";
  return [
    say(isBot(seat) ? "seat-bot" : `seat-${seat.mode}`, { who }),
    ...(seat.isOperator ? [say("seat-operator", { who })] : []),
    ...(seat.isProgram ? [say("seat-program", { who })] : []),
    ...(seat.withoutPhrase ? [say("seat-without-phrase", { who })] : []),
    ...(seat.kid ? [say("seat-kid", { who, kid: seat.kid })] : []),
    ...(messages || without ? [say(vouched, { who, messages, n, without })] : []),
  ].map((line) => line.charAt(0).toUpperCase() + line.slice(1));
}

/** @type {(act: SettledAct, say: Say) => string} */
function actLine({ n, what, who, authority, about, isUnsigned, kid }, say) {
  const by = say(`authority-${authority}`, {}) + (isUnsigned ? say("umpire-unsigned", {}) : "") + (kid ? say("umpire-key", { kid }) : "");
  return say(`act-${what}`, { n, who: quoted(who), about: quoted(about), authority: by });
}

// A text from a file: cut, and without what would not be seen.
/** @type {(text: string) => string} */
function quoted(text) {
  return text.slice(0, 80).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`);
}

// A sentence with its gaps filled; a part in brackets stands only where all that it names is there (`replay/telling/words/template.py`).
/** @type {(words: any, text: string, gaps: any) => string} */
function filled(words, text, gaps) {
  const holds = (/** @type {string} */ part) => [...part.matchAll(/{(\w+)(?::(\?)?([^}]*))?}/g)].every(([, name, asks, value]) => (asks && value ? gaps[name] === value : !!gaps[name]));
  const chosen = (text ?? "").replace(/\[([^[\]]*)\]/g, (_, inner) => inner.split("|").find((/** @type {string} */ part) => holds(part)) ?? "");
  return chosen.replace(/{(\w+)(?::([^}]*))?}/g, (_, name, form = "") => (form.startsWith("?") ? "" : words.sides[form]?.[gaps[name]] ?? String(gaps[name] ?? "")));
}
