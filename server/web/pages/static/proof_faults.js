// Which sentence says what a fault is. As `replay/proof/verdict.py`.

// The sentence of a fault, by its code; any other is `log`: what stands there cannot have happened there.
/** @type {Record<string, string[]>} */
const FAULTS = {
  line: [
    "wrong-hash", "no-hash", "not-canonical", "not-utf-8", "not-json", "empty", "empty-line", "no-events", "no-final-newline", "checkpoint-not-last",
    "wrong-keys", "wrong-number", "float", "integer-too-large", "key-not-ascii", "string-too-long", "string-not-nfc", "unassigned", "too-deep",
    "line-too-long", "too-many-events",
  ],
  signature: [
    "bad-signature", "other-key", "other-head", "not-a-head", "not-a-note", "not-a-checkpoint", "unsigned", "bad-key", "weak-key", "key-of-another",
    "other-name", "umpire-unsigned", "player-signature-differs",
  ],
  keys: [
    "key-differs", "master-differs", "master-out-of-place", "anchors-differ", "chains-differ", "bad-length", "generation-differs", "keys-not-bound",
  ],
  owed: ["disclosure-missing", "disclosure-not-due", "disclosure-early"],
  given: [
    "contribution-differs", "seal-not-of-chain", "seal-too-early", "seal-as-book", "book-too-early", "contribution-missing", "contribution-twice",
    "contribution-out-of-turn", "contribution-without-order", "contribution-after-draw", "draw-before-contribution", "entry-missing",
  ],
  draw: ["card-differs", "die-differs", "value-differs", "card-not-in-deck", "looked-cards-first", "cannot-look", "deck-exhausted"],
  sealed: ["commitment-differs", "content-differs", "not-sealed", "opened-twice", "may-not-be-sealed"],
};

// The name of the sentence of a fault.
/** @type {(what: string) => string} */
export function kindOf(what) {
  return Object.keys(FAULTS).find((kind) => FAULTS[kind].includes(what)) ?? "log";
}
