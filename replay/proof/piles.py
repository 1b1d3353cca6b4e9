"""Recompute which cards can still come up, from the log and the page alone (fairness.md 3).

What holds:
- No order of a deck exists before its cards are drawn. A deck has epochs; in each it holds a pile, in canonical order,
  from which cards are taken one by one.
- A card with `discard` 0 is kept, on a unit, until the next `TurnEnded` of the side after which its deck is named. A
  shuffle makes a pile of the whole deck less what is kept: nothing of the game has to be known for it.
- Cards that a player has looked at are drawn at the look, come up before any other card, and count in `remaining`.
- A rewind puts all decks back, which undoes one change after the other: each is made once and undone once.

An unknown card (sealed, and not opened yet) leaves an unknown pile; its size is known nevertheless.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct

from domain.events.battle import PileLeft
from domain.log.draw_rules import card_flaw, shuffle_flaw
from replay.proof.blocks import ProtocolFault, require_no

TEN_CARDS = tuple(f"{value}x0" for value in range(1, 11))
"""A deck of independent draws: it never shrinks and keeps nothing."""

Cards = tuple[str, ...]


class DrawnPile:
    """One epoch of a deck.

    `cards` is None once a card has gone that is still unknown. `waiting` are cards that were looked at but have not
    come up, `look` the (t, scope) of the look; `has_sealed_look` says that a look is sealed still, so that nobody knows
    what waits. `kept` lies on units, None for a card that is unknown.
    """

    __slots__ = ("cards", "drawn", "endless", "epoch", "has_sealed_look", "kept", "look", "remaining", "waiting")

    def __init__(self, epoch: int, cards: Sequence[str] | None, size: int, kept: Sequence[str | None] = ()) -> None:
        self.epoch = epoch
        self.cards = None if cards is None else list(cards)
        self.endless = tuple(cards or ()) == TEN_CARDS
        self.remaining = size
        self.drawn = 0
        self.waiting: list[str] = []
        self.look: tuple[int, str] = (0, "")
        self.has_sealed_look = False
        self.kept = list(kept)


class PileSoFar(Struct, frozen=True):
    """What the index of a check keeps of a pile."""

    epoch: int
    cards: tuple[str, ...] | None
    endless: bool
    remaining: int
    drawn: int
    waiting: tuple[str, ...]
    look: tuple[int, str]
    has_sealed_look: bool
    kept: tuple[str | None, ...]


def _so_far(pile: DrawnPile) -> PileSoFar:
    members = {name: getattr(pile, name) for name in PileSoFar.__struct_fields__}
    lists = {name: tuple(members[name]) for name in ("waiting", "kept")}
    return PileSoFar(**members | lists | {"cards": None if pile.cards is None else tuple(pile.cards)})


def _pile_of(kept: PileSoFar) -> DrawnPile:
    pile = DrawnPile(kept.epoch, kept.cards, kept.remaining, kept.kept)
    pile.endless, pile.drawn, pile.waiting = kept.endless, kept.drawn, list(kept.waiting)
    pile.look, pile.has_sealed_look = kept.look, kept.has_sealed_look
    return pile


def _pile_left(left: PileLeft) -> DrawnPile:
    pile = DrawnPile(left.epoch, left.cards, len(left.cards), left.kept)
    pile.drawn = left.drawn
    return pile


class Piles:
    """All decks of one battle; a branch finds some of them in use (`left`)."""

    def __init__(self, decks: Mapping[str, Cards], left: Mapping[str, PileLeft]) -> None:
        self._decks = decks
        self._piles = {deck: _pile_left(pile) for deck, pile in left.items()}
        self._undo: list[Callable[[], object]] = []
        self._blocks: list[tuple[int, int]] = []  # the blocks that count: last event, changes up to it

    def so_far(self) -> dict[str, PileSoFar]:
        """What an index keeps. What a rewind would put back is not in it."""
        return {deck: _so_far(pile) for deck, pile in self._piles.items()}

    def resume(self, kept: Mapping[str, PileSoFar]) -> None:
        """Go on from there."""
        self._piles = {deck: _pile_of(pile) for deck, pile in kept.items()}

    def pile(self, n: int, deck: str) -> DrawnPile:
        """The pile of a deck. One that was never shuffled is whole, in epoch 1.

        Raises:  ProtocolFault `unknown-deck`
        """
        pile = self._piles.get(deck)
        if pile is None:
            cards = self._all(n, deck)
            pile = self._put(deck, DrawnPile(1, cards, len(cards)))
        return pile

    def shuffled(self, n: int, event: Any) -> None:
        """A deck begins an epoch: the whole of it, less what is kept."""
        before = self._piles.get(event.deck)
        cards = self._all(n, event.deck)
        kept = before.kept if before else []
        require_no(n, shuffle_flaw(event, before.epoch if before else 0, len(cards) - len(kept)))
        left = None if None in kept else [card for card in cards if card not in kept]
        self._put(event.deck, DrawnPile(event.epoch, left, event.size, kept))

    def turn_ended(self, side: str) -> None:
        """What the units of a side have kept is discarded."""
        pile = self._piles.get(side)
        if pile is not None and pile.kept:
            kept, pile.kept = pile.kept, []
            self._undo.append(lambda: setattr(pile, "kept", kept))

    def come_up(self, n: int, pile: DrawnPile, event: Any, card: object) -> None:
        """Count a card that has come up, and keep it if it lies on a unit."""
        require_no(n, card_flaw(event, pile.epoch, pile.drawn, pile.remaining, is_endless=pile.endless))
        pile.drawn += 1
        keeps = event.discard == 0 and not pile.endless
        if keeps:
            pile.kept.append(card if isinstance(card, str) else None)
        pile.remaining -= not pile.endless

        def undo() -> None:
            pile.drawn -= 1
            pile.remaining += not pile.endless
            if keeps:
                pile.kept.pop()

        self._undo.append(undo)

    def take(self, n: int, pile: DrawnPile, number: int | None, card: object) -> None:
        """Take a card out of a pile: the `number`-th, which must be `card`.

        Without a number (its key is not disclosed yet) the card must at least be in the pile. An unknown card (UNSET)
        leaves an unknown pile, but an endless one as it is.

        Raises:  ProtocolFault `card-differs`, `card-not-in-deck`
        """
        cards = pile.cards
        if cards is None:
            return
        if card is UNSET:
            if not pile.endless:
                pile.cards = None
                self._undo.append(lambda: setattr(pile, "cards", cards))
            return
        if number is not None and cards[number] != card:
            raise ProtocolFault(n, "card-differs", expected=cards[number], found=card)
        if card not in cards:
            raise ProtocolFault(n, "card-not-in-deck", found=card)
        if not pile.endless:
            at = cards.index(card)
            del cards[at]
            self._undo.append(lambda: cards.insert(at, str(card)))

    def looked(self, pile: DrawnPile, shown: Sequence[str], look: tuple[int, str]) -> None:
        """Note the cards that a player has seen: they come up before any other."""
        before = pile.waiting, pile.look
        pile.waiting, pile.look = list(shown), look

        def undo() -> None:
            pile.waiting, pile.look = before

        self._undo.append(undo)

    def sealed_look(self, pile: DrawnPile, is_open: bool) -> None:
        """Note that a look is sealed: its cards may come up; or that all of them have, for another card has."""
        before, pile.has_sealed_look = pile.has_sealed_look, is_open
        if before is not is_open:
            self._undo.append(lambda: setattr(pile, "has_sealed_look", before))

    def take_waiting(self, n: int, pile: DrawnPile, look: tuple[int, str], card: object) -> None:
        """Take one of the cards that were looked at.

        Raises:  ProtocolFault `looked-cards-first`
        """
        waiting = pile.waiting
        if look != pile.look or card not in waiting:
            raise ProtocolFault(n, "looked-cards-first", expected=tuple(waiting), found=card if card else "")
        at = waiting.index(str(card))
        del waiting[at]
        self._undo.append(lambda: waiting.insert(at, str(card)))

    # --- rewinds

    def block_ended(self, last: int) -> None:
        """A block is over: a rewind may come back to here."""
        self._blocks.append((last, len(self._undo)))

    def rewound(self, to: int) -> None:
        """Put all decks back as they were after event `to`, the last of a block that counts."""
        while self._blocks and self._blocks[-1][0] > to:
            self._blocks.pop()
        changes = self._blocks[-1][1] if self._blocks else 0
        while len(self._undo) > changes:
            self._undo.pop()()

    # --- decks

    def _all(self, n: int, deck: str) -> Cards:
        cards = self._decks.get(deck)
        if cards is None:
            raise ProtocolFault(n, "unknown-deck", deck=deck)
        return cards

    def _put(self, deck: str, pile: DrawnPile) -> DrawnPile:
        before = self._piles.get(deck)
        self._piles[deck] = pile

        def undo() -> None:
            if before is None:
                del self._piles[deck]
            else:
                self._piles[deck] = before

        self._undo.append(undo)
        return pile
