"""Recompute which cards can still come up in a file of version 1.

A deck has epochs; in each it holds a pile, in canonical order, from which cards are taken one by
one. No order of the cards exists before they are drawn. After a rewind the decks are again as
they were after the event to which it returns.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import UNSET

from replay.proof.blocks import ProtocolFault

TEN_CARDS = tuple(f"{value}x0" for value in range(1, 11))
"""The pile of a deck of independent draws: it never shrinks. The only list with this meaning."""

DeckCards = Callable[[str], tuple[str, ...] | None]
"""A deck's cards in canonical order; None if there is no such deck, or the cards cannot be known."""


class FirstDeck:
    """One epoch of a deck.

    `pile` is None once a card has gone that is still unknown; `looked` are cards that a player has
    seen but that have not come up: they count as `remaining`, and `look` is their (t, scope).
    """

    __slots__ = ("drawn", "endless", "epoch", "look", "looked", "pile", "remaining")

    def __init__(self, epoch: int, pile: tuple[str, ...] | None, size: int) -> None:
        self.epoch = epoch
        self.endless = pile == TEN_CARDS
        self.pile = None if pile is None else list(pile)
        self.remaining = size
        self.drawn = 0
        self.looked: list[str] = []
        self.look: tuple[int, str] = (0, "")

    def take(self, n: int, number: int | None, card: Any) -> None:
        """Take a card out of the pile: the `number`-th remaining one, which must be `card`.

        Without a number (its nonce is not disclosed) the card must at least be in the pile. An unknown
        card (UNSET) leaves an unknown pile. An endless pile stays as it is.

        Raises:  ProtocolFault `card-differs`, `card-not-in-deck`
        """
        pile = self.pile
        if pile is None:
            return
        if card is UNSET:
            if not self.endless:
                self.pile = None
        elif number is None:
            if card not in pile:
                raise ProtocolFault(n, "card-not-in-deck", found=card)
            if not self.endless:
                pile.remove(card)
        elif pile[number] != card:
            raise ProtocolFault(n, "card-differs", expected=pile[number], found=card)
        elif not self.endless:
            del pile[number]


class Decks:
    """All decks of one battle; `pile` returns the cards of a pile just reshuffled (`replay.proof.first.draws`)."""

    def __init__(self, deck_cards: DeckCards, pile: DeckCards | None) -> None:
        self._deck_cards = deck_cards
        self._new_cards = pile
        self._decks: dict[str, FirstDeck] = {}
        self._moves: list[tuple[int, str, tuple[Any, ...]]] = []  # (n, what, values), for rewinds

    def deck(self, n: int, name: str) -> FirstDeck:
        """The current state of a deck. One that was never announced has all its cards, in epoch 1.

        Raises:  ProtocolFault `unknown-deck`
        """
        deck = self._decks.get(name)
        if deck is None:
            full = self._all_cards(n, name)
            deck = self._begin(n, name, 1, full, len(full))
        return deck

    def deck_drawn(self, n: int, name: str, remaining: int) -> FirstDeck:
        """The deck from which a card comes that leaves `remaining`. Where a scenario had listed cards for a hand, they
        were not in the deck, which nobody announced: such a deck is smaller from the start, and its cards are unknown.

        Raises:  ProtocolFault `unknown-deck`
        """
        if name in self._decks:
            return self._decks[name]
        full = self._all_cards(n, name)
        is_whole = full == TEN_CARDS or remaining + 1 >= len(full)
        return self._begin(n, name, 1, full if is_whole else None, len(full) if is_whole else remaining + 1)

    def shuffled(self, n: int, name: str, epoch: int, size: int) -> None:
        """Start a new epoch: all cards, or those that the caller's battle has in the new pile.

        Raises:  ProtocolFault `epoch-differs`, `size-differs`, `unknown-deck`
        """
        before = self._decks.get(name)
        expected = before.epoch + 1 if before else 1
        if epoch != expected:
            raise ProtocolFault(n, "epoch-differs", deck=name, expected=expected, found=epoch)
        self._begin(n, name, epoch, self._pile(n, name, size), size)

    def drawn(self, n: int, name: str, deck: FirstDeck, card: Any) -> None:
        """Record that a card has come up, and was checked."""
        if not deck.endless:
            deck.remaining -= 1
        self._moves.append((n, "drawn", (name, card)))

    def looked(self, n: int, name: str, deck: FirstDeck, shown: Sequence[str], look: tuple[int, str]) -> None:
        """Record that cards were taken out, seen by one player, to come up later."""
        deck.looked = list(shown)
        deck.look = look
        self._moves.append((n, "looked", (name, tuple(shown), look)))

    def rewound(self, n: int, to: int) -> None:
        """Restore all decks to their state after event `to`."""
        self._moves.append((n, "rewound", (to,)))
        self._decks = {}
        for what, values in self._live_moves(n):
            self._repeat(what, values)

    def _live_moves(self, n: int) -> Iterable[tuple[str, tuple[Any, ...]]]:
        """The moves up to event `n`, without those that rewinds have voided."""
        live: list[tuple[str, tuple[Any, ...]]] = []
        for number, what, values in reversed(self._moves):
            if number > n:
                continue
            if what == "rewound":
                n = values[0]
            else:
                live.append((what, values))
        return live[::-1]

    def _repeat(self, what: str, values: tuple[Any, ...]) -> None:
        """Repeat a move that was checked when it first happened."""
        if what == "began":
            name, epoch, pile, size = values
            self._decks[name] = FirstDeck(epoch, pile, size)
            return
        deck = self._decks[values[0]]
        if what == "looked":
            _, shown, deck.look = values
            deck.looked = list(shown)
            for card in shown:
                deck.take(0, None, card)
            return
        deck.drawn += 1
        if deck.looked:
            deck.looked.remove(values[1])
        else:
            deck.take(0, None, values[1])
        if not deck.endless:
            deck.remaining -= 1

    def _begin(self, n: int, name: str, epoch: int, pile: tuple[str, ...] | None, size: int) -> FirstDeck:
        deck = self._decks[name] = FirstDeck(epoch, pile, size)
        self._moves.append((n, "began", (name, epoch, pile, size)))
        return deck

    def _pile(self, n: int, name: str, size: int) -> tuple[str, ...] | None:
        full = self._all_cards(n, name)
        if size == len(full):
            return full
        cards = None
        if 0 <= size < len(full) and full != TEN_CARDS:
            cards = self._new_cards(name) if self._new_cards else None
            if cards is None:
                return None
            chosen = set(cards)
            if len(cards) == len(chosen) == size and chosen.issubset(full):
                return tuple(card for card in full if card in chosen)
        raise ProtocolFault(n, "size-differs", deck=name, expected=len(full if cards is None else cards), found=size)

    def _all_cards(self, n: int, name: str) -> tuple[str, ...]:
        full = self._deck_cards(name)
        if full is None:
            raise ProtocolFault(n, "unknown-deck", deck=name)
        return full
