// Which cards can still come up. As `replay/proof/piles.py`: a rewind undoes one change after the other. Decks are whole,
// in canonical order; an unknown card (sealed, not opened yet) leaves an unknown pile, whose size is known nevertheless.

import { Fault } from "./proof_lines.js";

const TEN_CARDS = Array.from({ length: 10 }, (_, at) => `${at + 1}x0`).join(); // independent draws: it never shrinks

export class Piles {
  /** @type {Record<string, string[]>} */
  #decks;
  /** @type {Map<string, DeckPile>} */
  #piles = new Map();
  /** @type {(() => unknown)[]} */
  #undo = [];
  /** @type {[number, number][]} */
  #blocks = []; // the blocks that count: last event, changes up to it

  // `left` are the decks that a branch finds in use.
  /**
   * @param {Record<string, string[]>} decks
   * @param {Record<string, any>} left
   */
  constructor(decks, left) {
    this.#decks = decks;
    for (const [deck, { epoch, drawn, cards, kept }] of Object.entries(left)) this.#piles.set(deck, pile(epoch, cards, cards.length, kept, drawn));
  }

  // What a rewind would put back is not in it.
  soFar() {
    return structuredClone(this.#piles);
  }

  /** @type {(kept: any) => void} */
  resume(kept) {
    this.#piles = structuredClone(kept);
  }

  /** @type {(n: number, deck: string) => DeckPile} */
  of(n, deck) {
    return this.#piles.get(deck) ?? this.#put(deck, pile(1, this.#whole(n, deck), this.#whole(n, deck).length));
  }

  /** @type {(n: number, data: any) => void} */
  shuffled(n, { deck, epoch, size }) {
    const before = this.#piles.get(deck), kept = before?.kept ?? [], cards = this.#whole(n, deck);
    if (epoch !== (before ? before.epoch + 1 : 1)) throw new Fault(n, "epoch-differs");
    if (size !== cards.length - kept.length) throw new Fault(n, "size-differs");
    this.#put(deck, pile(epoch, kept.includes(null) ? null : cards.filter((card) => !kept.includes(card)), size, kept));
  }

  // What the units of a side have kept is discarded.
  /** @type {(side: string) => void} */
  turnEnded(side) {
    const one = this.#piles.get(side);
    if (one?.kept.length) this.#set(one, { kept: [] });
  }

  // A card that the log tells has come up.
  /** @type {(n: number, one: DeckPile, data: any, card: string | undefined) => void} */
  comeUp(n, one, data, card) {
    if (data.epoch !== one.epoch) throw new Fault(n, "epoch-differs");
    if (data.index !== one.drawn + 1) throw new Fault(n, "index-differs");
    if (one.remaining < 1) throw new Fault(n, "deck-exhausted");
    const isKept = data.discard === 0 && !one.isEndless;
    this.#set(one, {
      drawn: one.drawn + 1,
      remaining: one.remaining - (one.isEndless ? 0 : 1),
      kept: isKept ? [...one.kept, card ?? null] : one.kept,
    });
    if (data.remaining !== one.remaining) throw new Fault(n, "remaining-differs");
  }

  // Take a card: the one at `number`, or any while the key is not known (null); `card` is undefined while it is sealed.
  /** @type {(n: number, one: DeckPile, number: number | null, card: string | undefined) => void} */
  take(n, one, number, card) {
    if (!one.cards) return;
    if (card === undefined) {
      if (!one.isEndless) this.#set(one, { cards: null });
      return;
    }
    if (number !== null && one.cards[number] !== card) throw new Fault(n, "card-differs");
    const at = one.cards.indexOf(card);
    if (at < 0) throw new Fault(n, "card-not-in-deck");
    if (one.isEndless) return;
    one.cards.splice(at, 1);
    this.#undo.push(() => /** @type {string[]} */ (one.cards).splice(at, 0, card));
  }

  // Cards that a player has seen come up before any other; `look` is (t, scope, whether its key was known).
  /** @type {(one: DeckPile, shown: string[], look: DeckPile["look"]) => void} */
  looked(one, shown, look) {
    this.#set(one, { waiting: shown, look });
  }

  /** @type {(one: DeckPile, hasSealedLook: boolean) => void} */
  sealedLook(one, hasSealedLook) {
    if (one.hasSealedLook !== hasSealedLook) this.#set(one, { hasSealedLook });
  }

  /** @type {(n: number, one: DeckPile, data: any, card: string | undefined) => void} */
  takeWaiting(n, one, { t, scope }, card) {
    const at = one.waiting.indexOf(/** @type {string} */ (card));
    if (t !== one.look.t || scope !== one.look.scope || at < 0) throw new Fault(n, "looked-cards-first");
    this.#set(one, { waiting: one.waiting.filter((_, place) => place !== at) });
  }

  // --- rewinds

  /** @type {(last: number) => void} */
  blockEnded(last) {
    this.#blocks.push([last, this.#undo.length]);
  }

  /** @type {(to: number) => void} */
  rewound(to) {
    while (this.#blocks.length && this.#blocks[this.#blocks.length - 1][0] > to) this.#blocks.pop();
    const changes = this.#blocks[this.#blocks.length - 1]?.[1] ?? 0;
    while (this.#undo.length > changes) this.#undo.pop()?.();
  }

  /** @type {(one: DeckPile, members: Partial<DeckPile>) => void} */
  #set(one, members) {
    const before = Object.fromEntries(Object.keys(members).map((name) => [name, one[/** @type {keyof DeckPile} */ (name)]]));
    Object.assign(one, members);
    this.#undo.push(() => Object.assign(one, before));
  }

  /** @type {(deck: string, one: DeckPile) => DeckPile} */
  #put(deck, one) {
    const before = this.#piles.get(deck);
    this.#piles.set(deck, one);
    this.#undo.push(() => (before ? this.#piles.set(deck, before) : this.#piles.delete(deck)));
    return one;
  }

  /** @type {(n: number, deck: string) => string[]} */
  #whole(n, deck) {
    if (!Object.hasOwn(this.#decks, deck)) throw new Fault(n, "unknown-deck");
    return this.#decks[deck];
  }
}

// One epoch of a deck. `waiting` were looked at and have not come up; `hasSealedLook` says that nobody knows what waits;
// `kept` lies on units, null for a card that is unknown.
/** @type {(epoch: number, cards: string[] | null, remaining: number, kept?: (string | null)[], drawn?: number) => DeckPile} */
function pile(epoch, cards, remaining, kept = [], drawn = 0) {
  const isEndless = !!cards && cards.join() === TEN_CARDS;
  return { epoch, cards: cards && [...cards], isEndless, remaining, drawn, waiting: [], look: {}, hasSealedLook: false, kept: [...kept] };
}
