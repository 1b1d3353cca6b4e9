// Whether every card and die is the one that had to fall. As `replay/proof/draws.py`. A draw is `checked` if it recomputes,
// `bound` if its key is not disclosed yet, `secret` if it is one side's.

import { Stream, scopeLabel, seedOf } from "./fairness.js";
import { Fault } from "./proof_lines.js";
import { Piles } from "./proof_piles.js";

const OF_A_SEAT = ["draw", "dice", "hand", "open"];
/** @type {number[][]} */
const NO_TABLE = [];

export class Draws {
  /** @type {Map<number, DrawState>} */
  states = new Map(); // of each event that shows a draw, by n
  count = 0; // of all draws; a look has as many as cards, and these are not counted again when they come up
  /** @type {Record<DrawState, number>} */
  counts = { checked: 0, bound: 0, secret: 0 };
  unknown = 0; // cards of a game whose decks are not known here; they are not among the others
  piles;
  /** @type {Set<string>} */
  #allowed; // the scopes that there are, without the number of rewinds
  /** @type {string} */
  #battle;
  #knowsDecks;
  /** @type {Record<string, number[][]>} */
  #faces;
  /** @type {import("./proof_keys.js").DisclosedKeys} */
  #keys;
  /** @type {import("./proof_given.js").Contributions} */
  #given;
  /** @type {Map<string, { rolls: number, stream: Stream | null }>} */
  #scopes = new Map();
  /** @type {string[]} */
  #seats;
  #index = -1; // the period of `#scopes`
  #opensDice; // whether dice fall under `open:…`, before the mover's first order

  // `table` has the seats of the game, its decks, whole (null if they are not known here), and what the faces of its special
  // dice count, by number of sides.
  /**
   * @param {{ battle: string, version: number }} header
   * @param {DrawTable} table
   * @param {import("./proof_keys.js").DisclosedKeys} keys
   * @param {import("./proof_given.js").Contributions} given
   * @param {Record<string, any>} left
   */
  constructor({ battle, version }, table, keys, given, left) {
    this.#allowed = new Set(["common", "dice:common", ...OF_A_SEAT.flatMap((what) => table.seats.map((seat) => `${what}:${seat}`))]);
    this.#battle = battle;
    this.#opensDice = version >= 3;
    this.#seats = table.seats;
    this.#faces = table.faces;
    this.#keys = keys;
    this.#given = given;
    this.piles = new Piles(table.decks ?? {}, table.decks ? left : {});
    this.#knowsDecks = !!table.decks;
  }

  // The states are shared: a later check says of each event behind it anew.
  soFar() {
    const scopes = [...this.#scopes].map(([scope, { rolls, stream }]) => [scope, rolls, stream?.copy() ?? null]);
    const own = { count: this.count, counts: { ...this.counts }, unknown: this.unknown, index: this.#index };
    return { ...own, scopes, states: this.states, piles: this.piles.soFar() };
  }

  /** @type {(kept: any) => void} */
  resume({ count, counts, unknown, index, scopes, states, piles }) {
    this.#scopes = new Map(scopes.map((/** @type {any[]} */ [scope, rolls, stream]) => [scope, { rolls, stream: stream?.copy() ?? null }]));
    ({ count: this.count, unknown: this.unknown, index: this.#index, states: this.states } = { count, unknown, index, states });
    this.counts = { ...counts };
    this.piles.resume(piles);
  }

  // A card comes up; `card` is undefined while it is sealed. Only keys count that are bound before event `first`.
  /** @type {(n: number, data: any, card: string | undefined, now: LogMoment, first: number) => void} */
  card(n, data, card, now, first) {
    if (data.discard !== 0 && data.discard !== 1) throw new Fault(n, "bad-member");
    if (!this.#knowsDecks) {
      this.#unknownCard(n, data, now, first);
      return;
    }
    const pile = this.piles.of(n, data.deck);
    if (pile.waiting.length) {
      this.piles.takeWaiting(n, pile, data, card);
      this.states.set(n, pile.look.isKnown ? "checked" : "secret");
    } else if (data.scope.split("/")[0] === `hand:${data.deck}`) this.#ofSealedLook(n, data, pile, card, now);
    else {
      this.piles.sealedLook(pile, false);
      requireTurn(n, data, now);
      const number = this.#number(n, now, data.scope, pile.remaining, first);
      this.#requireScope(n, data.deck, data.scope);
      this.#count(n, data.scope, number !== null, card === undefined || !pile.cards);
      this.piles.take(n, pile, number, card);
    }
    this.piles.comeUp(n, pile, data, card);
  }

  /** @type {(n: number, data: any, now: LogMoment, first: number) => void} */
  die(n, data, now, first) {
    const { face = data.value, scope, sides, value } = data, counts = this.#faces[sides] ?? NO_TABLE;
    if (!(Number.isInteger(sides) && sides >= 1)) throw new Fault(n, "die-without-sides");
    const allowed = counts.map((values) => (face >= 1 && face <= sides ? values[face - 1] : 0));
    if (counts.length && "face" in data && !allowed.includes(value)) throw new Fault(n, "value-differs");
    requireTurn(n, data, now);
    const number = this.#number(n, now, scope, sides, first);
    this.#requireScope(n, "dice", scope);
    if (number === null ? !(face >= 1 && face <= sides) : face !== number + 1) throw new Fault(n, "die-differs");
    this.#count(n, scope, number !== null, false);
    const rolled = this.#scope(scope);
    rolled.rolls += 1;
    if (data.index !== rolled.rolls) throw new Fault(n, "index-differs");
  }

  // A deck begins an epoch.
  /** @type {(n: number, data: any) => void} */
  shuffled(n, data) {
    if (this.#knowsDecks) this.piles.shuffled(n, data);
  }

  // A look at coming cards draws them now; `shown` is undefined while it is sealed.
  /** @type {(n: number, side: string, shown: any, now: LogMoment, first: number) => void} */
  looked(n, side, shown, now, first) {
    const isCards = Array.isArray(shown) && shown.every((card) => typeof card === "string");
    if (shown !== undefined && !isCards) throw new Fault(n, "cannot-look");
    if (!this.#knowsDecks) return;
    const pile = this.piles.of(n, side), scope = scopeLabel(`hand:${side}`, now.rewinds);
    if (pile.waiting.length || shown?.length > pile.remaining) throw new Fault(n, "cannot-look");
    this.piles.sealedLook(pile, shown === undefined);
    if (shown === undefined) return;
    let isKnown = true;
    for (const [ahead, card] of shown.entries()) {
      const number = this.#number(n, now, scope, pile.remaining - (pile.isEndless ? 0 : ahead), first);
      isKnown &&= number !== null && !!pile.cards;
      this.#count(n, scope, number !== null, !pile.cards);
      this.piles.take(n, pile, number, card);
    }
    this.piles.looked(pile, shown, { t: now.t, scope, isKnown });
  }

  // --- one draw

  // The next number below `size` of a scope; null while the key of the period is not known.
  /** @type {(n: number, now: LogMoment, scope: string, size: number, first: number) => number | null} */
  #number(n, now, scope, size, first) {
    if (now.index !== this.#index) {
      this.#scopes = new Map();
      this.#index = now.index;
    }
    if (!this.#scopes.has(scope)) this.#scopes.set(scope, { rolls: 0, stream: this.#stream(n, now, scope, first) });
    const { stream } = this.#scope(scope);
    return stream && size >= 1 ? Number(stream.below(size)) : null;
  }

  // A scope that something was drawn from.
  /** @type {(scope: string) => { rolls: number, stream: Stream | null }} */
  #scope(scope) {
    return /** @type {{ rolls: number, stream: Stream | null }} */ (this.#scopes.get(scope));
  }

  /** @type {(n: number, now: LogMoment, scope: string, first: number) => Stream | null} */
  #stream(n, now, scope, first) {
    const base = scope.split("/")[0];
    if (!this.#allowed.has(base) || scope !== scopeLabel(base, now.rewinds)) throw new Fault(n, "scope-label");
    const values = this.#given.forDraw(n, now, base);
    if (this.#keys.boundAt(now.index) >= first) throw new Fault(n, "keys-not-bound");
    const key = this.#keys.keyOf(base, now.index);
    return key && new Stream(seedOf(key, this.#battle, now.index, scope, values));
  }

  // Dice under `dice:…` or, from version 3 on, `open:…`; the deck of a seat under a scope of its own, a deck of all under
  // `common` or a hand: else a host could choose among streams that it knows.
  /** @type {(n: number, what: string, scope: string) => void} */
  #requireScope(n, what, scope) {
    const [kind, seat] = scope.split("/")[0].split(":");
    const isDice = kind === "dice" || (kind === "open" && this.#opensDice);
    const fits = what === "dice" ? isDice : this.#seats.includes(what) ? seat === what && kind !== "dice" : ["common", "hand"].includes(kind);
    if (!fits) throw new Fault(n, "other-scope");
  }

  /** @type {(n: number, scope: string, isKnown: boolean, isHidden: boolean) => void} */
  #count(n, scope, isKnown, isHidden) {
    const state = isKnown && !isHidden ? "checked" : isHidden || scope.startsWith("hand:") ? "secret" : "bound";
    this.count += 1;
    this.counts[state] += 1;
    this.states.set(n, state);
  }

  // A card of an unknown deck takes a number like any other, so that dice behind it can be checked.
  /** @type {(n: number, data: any, now: LogMoment, first: number) => void} */
  #unknownCard(n, data, now, first) {
    this.unknown += 1;
    if (data.t === now.t) this.#number(n, now, data.scope, Math.max(data.remaining, 0) + 1, first);
  }

  // A card of a look that is still sealed: it was drawn there, and cannot be checked before that is opened.
  /** @type {(n: number, data: any, pile: DeckPile, card: string | undefined, now: LogMoment) => void} */
  #ofSealedLook(n, data, pile, card, now) {
    const rewinds = Number(/\/r(\d+)$/.exec(data.scope)?.[1] ?? 0);
    if (!pile.hasSealedLook || data.t < 0 || data.scope !== scopeLabel(`hand:${data.deck}`, rewinds) || rewinds > now.rewinds) throw new Fault(n, "looked-cards-first");
    this.#count(n, data.scope, false, true);
    this.piles.take(n, pile, null, card);
  }
}

/** @type {(n: number, data: any, now: LogMoment) => void} */
function requireTurn(n, data, now) {
  if (data.t !== now.t) throw new Fault(n, "other-turn");
}
