// What a battle that branches from another says of its beginning: that it hangs together. As `replay/proof/branches.py`;
// whether the position is a state of the game, and that of its source, `phalera verify` says.

import { octets } from "./proof_blocks.js";
import { Fault, isBattle, isHost } from "./proof_lines.js";

const HEAD_BYTES = 32;
const EVERYBODY = ["all", "stranger"];
const TEN_CARDS = Array.from({ length: 10 }, (_, at) => `${at + 1}x0`).join();

// Whether a battle is a branch; `opening` is the data of its first event.
/** @type {(opening: any) => boolean} */
export function isBranch({ branch, position }) {
  if ((branch === undefined) !== (position === undefined)) throw new Fault(1, "bad-branch");
  return branch !== undefined;
}

/** @type {(opening: any, names: string[]) => void} */
export function requireBranch({ branch, position }, names) {
  const { battle, host, head, n, known } = branch, { t, mover } = position, isOfCase = !battle && !host;
  octets(1, head, HEAD_BYTES);
  const isRight = (isOfCase || (isBattle(battle) && isHost(host))) && n >= 1 && [...EVERYBODY, ...names].includes(known)
    && t >= 0 && (t ? names : ["", ...names]).includes(mover);
  if (!isRight) throw new Fault(1, "bad-branch");
}

// Decks of a position must be left of the whole ones.
/** @type {(decks: Record<string, string[]>, given: Record<string, any>) => void} */
export function requirePiles(decks, given) {
  for (const [deck, { cards, kept = [], epoch, drawn }] of Object.entries(given)) {
    if (!Object.hasOwn(decks, deck)) throw new Fault(1, "unknown-deck");
    const whole = decks[deck], isOnce = new Set([...cards, ...kept]).size === cards.length + kept.length;
    const isInOrder = whole.filter((card) => cards.includes(card)).join() === cards.join();
    const isEndless = whole.join() !== TEN_CARDS || (cards.join() === TEN_CARDS && !kept.length);
    const isThere = [...cards, ...kept].every((card) => whole.includes(card));
    if (!(isInOrder && isOnce && isEndless && isThere && epoch >= 1 && drawn >= 0)) throw new Fault(1, "bad-branch");
  }
}
