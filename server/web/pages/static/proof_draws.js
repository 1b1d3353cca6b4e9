// Whether every card and die is the one that had to fall. As `replay/proof/draws.py`. A draw is `checked` if it recomputes,
// `bound` if its key is not disclosed yet, `secret` if it is one side's.

import { SEATS, Stream, scopeLabel, seedOf } from "./fairness.js";
import { Fault } from "./proof_log.js";
import { Piles } from "./proof_piles.js";

const SCOPES = new Set(["common", "dice:common", ...["draw", "dice", "hand", "open"].flatMap((what) => SEATS.map((seat) => `${what}:${seat}`))]);
const NO_TABLE = [];

export class Draws {
  states = new Map(); // of each event that shows a draw, by n
  count = 0; // of all draws; a look has as many as cards, and these are not counted again when they come up
  counts = { checked: 0, bound: 0, secret: 0 };
  piles;
  #battle;
  #faces;
  #keys;
  #given;
  #scopes = new Map();
  #index = -1; // the period of `#scopes`

  // `table` has the decks of the game, whole, and what the faces of its special dice count, by number of sides.
  constructor(battle, table, keys, given, left) {
    this.#battle = battle;
    this.#faces = table.faces;
    this.#keys = keys;
    this.#given = given;
    this.piles = new Piles(table.decks, left);
  }

  // A card comes up; `card` is undefined while it is sealed. Only keys count that are bound before event `first`.
  async card(n, data, card, now, first) {
    if (data.discard !== 0 && data.discard !== 1) throw new Fault(n, "bad-member");
    const pile = this.piles.of(n, data.deck);
    if (pile.waiting.length) {
      this.piles.takeWaiting(n, pile, data, card);
      this.states.set(n, pile.look.isKnown ? "checked" : "secret");
    } else if (data.scope.split("/")[0] === `hand:${data.deck}`) this.#ofSealedLook(n, data, pile, card, now);
    else {
      this.piles.sealedLook(pile, false);
      requireTurn(n, data, now);
      const number = await this.#number(n, now, data.scope, pile.remaining, first);
      requireScope(n, data.deck, data.scope);
      this.#count(n, data.scope, number !== null, card === undefined || !pile.cards);
      this.piles.take(n, pile, number, card);
    }
    this.piles.comeUp(n, pile, data, card);
  }

  async die(n, data, now, first) {
    const { face = data.value, scope, sides, value } = data, counts = this.#faces[sides] ?? NO_TABLE;
    if (!(Number.isInteger(sides) && sides >= 1)) throw new Fault(n, "die-without-sides");
    if (counts.length && "face" in data && !counts.some((values) => values[face - 1] === value)) throw new Fault(n, "value-differs");
    requireTurn(n, data, now);
    const number = await this.#number(n, now, scope, sides, first);
    requireScope(n, "dice", scope);
    if (number === null ? !(face >= 1 && face <= sides) : face !== number + 1) throw new Fault(n, "die-differs");
    this.#count(n, scope, number !== null, false);
    const rolled = this.#scopes.get(scope);
    rolled.rolls += 1;
    if (data.index !== rolled.rolls) throw new Fault(n, "index-differs");
  }

  // A look at coming cards draws them now; `shown` is undefined while it is sealed.
  async looked(n, side, shown, now, first) {
    const pile = this.piles.of(n, side), scope = scopeLabel(`hand:${side}`, now.rewinds);
    if (pile.waiting.length) {
      if (shown === undefined) return; // then it hides something else
      throw new Fault(n, "cannot-look");
    }
    this.piles.sealedLook(pile, shown === undefined);
    if (shown === undefined) return;
    if (!Array.isArray(shown) || shown.length > pile.remaining) throw new Fault(n, "cannot-look");
    let isKnown = true;
    for (const [ahead, card] of shown.entries()) {
      const number = await this.#number(n, now, scope, pile.remaining - (pile.isEndless ? 0 : ahead), first);
      isKnown &&= number !== null && !!pile.cards;
      this.#count(n, scope, number !== null, !pile.cards);
      this.piles.take(n, pile, number, card);
    }
    this.piles.looked(pile, shown, { t: now.t, scope, isKnown });
  }

  // --- one draw

  // The next number below `size` of a scope; null while the key of the period is not known.
  async #number(n, now, scope, size, first) {
    if (now.index !== this.#index) {
      this.#scopes = new Map();
      this.#index = now.index;
    }
    if (!this.#scopes.has(scope)) this.#scopes.set(scope, { rolls: 0, stream: await this.#stream(n, now, scope, first) });
    const { stream } = this.#scopes.get(scope);
    return stream && size >= 1 ? Number(await stream.below(size)) : null;
  }

  async #stream(n, now, scope, first) {
    const base = scope.split("/")[0];
    if (!SCOPES.has(base) || scope !== scopeLabel(base, now.rewinds)) throw new Fault(n, "scope-label");
    const values = this.#given.forDraw(n, now, base);
    if (this.#keys.boundAt(now.index) >= first) throw new Fault(n, "keys-not-bound");
    const key = this.#keys.keyOf(base, now.index);
    return key && new Stream(await seedOf(key, this.#battle, now.index, scope, values));
  }

  #count(n, scope, isKnown, isHidden) {
    const state = isKnown && !isHidden ? "checked" : isHidden || scope.startsWith("hand:") ? "secret" : "bound";
    this.count += 1;
    this.counts[state] += 1;
    this.states.set(n, state);
  }

  // A card of a look that is still sealed: it was drawn there, and cannot be checked before that is opened.
  #ofSealedLook(n, data, pile, card, now) {
    const rewinds = Number(/\/r(\d+)$/.exec(data.scope)?.[1] ?? 0);
    if (!pile.hasSealedLook || data.scope !== scopeLabel(`hand:${data.deck}`, rewinds) || rewinds > now.rewinds) throw new Fault(n, "looked-cards-first");
    this.#count(n, data.scope, false, true);
    this.piles.take(n, pile, null, card);
  }
}

function requireTurn(n, data, now) {
  if (data.t !== now.t) throw new Fault(n, "other-turn");
}

// Dice under `dice:…`, the deck of a seat under a scope of its own, a deck of all under `common` or a hand: else a host could
// choose among streams that it knows.
function requireScope(n, what, scope) {
  const [kind, seat] = scope.split("/")[0].split(":");
  const fits = what === "dice" ? kind === "dice" : SEATS.includes(what) ? seat === what && kind !== "dice" : ["common", "hand"].includes(kind);
  if (!fits) throw new Fault(n, "other-scope");
}
