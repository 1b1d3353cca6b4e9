"""Decks of cards: what they hold, and what has been drawn and discarded.

A card code is value and suit, and a pack number where a deck has two packs: `7h1`, `10s2`. The
pile is an unordered set kept in canonical order: a card is chosen only when it is drawn, so
no order exists before (fairness.md 3).
"""

from collections.abc import Iterable, Sequence, Set
from fractions import Fraction
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.draws import INDEPENDENT
from domain.events.battle import CardDrawn

SUITS = "cdhs"

PLAYING_DECK: tuple[str, ...] = tuple(
    f"{value}{suit}{pack}" for value in range(1, 11) for suit in SUITS for pack in (1, 2)
)
"""Two packs without court cards, 80 cards, in canonical order."""

TEN_SIDED = INDEPENDENT
"""Stands for the pile where draws are independent (`deck_mode = d10`)."""

COURT_RANKS = ("J", "Q", "K")
FULL_DECK: tuple[str, ...] = tuple(
    f"{rank}{suit}" for rank in ("A", *map(str, range(2, 11)), *COURT_RANKS) for suit in SUITS
)
"""One pack of 52 cards, in canonical order (fairness.md 3)."""
COURT_DECK: tuple[str, ...] = (*(f"{rank}{suit}" for rank in COURT_RANKS for suit in SUITS), "X1", "X2")
"""The court cards and two jokers, in canonical order (fairness.md 3)."""

_RANK = {code: rank for rank, code in enumerate(PLAYING_DECK + TEN_SIDED + FULL_DECK)}


class Deck(Struct, frozen=True, gc=False):
    """One side's cards: the pile, those laid on units this turn, and the discards. `looked` are the
    next cards, first to come first, where their owner has looked at them; `look` is the (t, scope)
    in which they were drawn, `shown` how many there were, 0 once their order has been changed."""

    epoch: int = 0
    index: int = 0
    pile: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()
    discards: tuple[str, ...] = PLAYING_DECK
    looked: tuple[str, ...] = ()
    look: tuple[int, str] = (0, "")
    shown: int = 0


@cache
def card_value(code: str) -> int:
    """The number on a card of the playing deck; the ace is 1."""
    return int(code[:2]) if code[:2] == "10" else int(code[0])


def after_draw(deck: Deck, event: CardDrawn) -> Deck:
    """The deck without the card drawn; independent draws (`…x0`) leave it as it is."""
    card = str(event.card)
    looked = deck.looked
    if card in looked:
        at = looked.index(card)
        looked = looked[:at] + looked[at + 1 :]
        deck = replace(deck, looked=looked) if looked else replace(deck, looked=(), look=(0, ""), shown=0)
    if card[-1] == "0":
        return replace(deck, index=event.index)
    pile = deck.pile
    if card in pile:
        at = pile.index(card)
        pile = pile[:at] + pile[at + 1 :]
    if event.discard:
        return replace(deck, index=event.index, pile=pile, discards=(*deck.discards, card))
    return replace(deck, index=event.index, pile=pile, laid=(*deck.laid, card))


def after_shuffle(deck: Deck, epoch: int) -> Deck:
    """Start a new epoch: the remaining cards, looked at or not, and the discards, in canonical order."""
    looked = () if deck.looked[:1] and deck.looked[0][-1] == "0" else deck.looked
    pile = in_order(deck.pile + looked + deck.discards)
    return replace(deck, epoch=epoch, index=0, pile=pile, discards=(), looked=(), look=(0, ""), shown=0)


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards in canonical order."""
    return tuple(sorted(cards, key=_RANK.__getitem__))


def after_look(deck: Deck, shown: Sequence[str], look: tuple[int, str]) -> Deck:
    """The deck after its owner has looked at its next cards."""
    left = tuple(card for card in deck.pile if card not in shown)
    return replace(deck, pile=left, looked=tuple(shown), look=look, shown=len(shown))


def look_forgotten(deck: Deck) -> Deck:
    """The deck as the other side knows it: the cards looked at are as unknown as the rest."""
    if not deck.looked:
        return deck
    cards = () if deck.looked[0][-1] == "0" else deck.looked
    return replace(deck, pile=in_order(deck.pile + cards), looked=(), look=(0, ""), shown=0)


def laid_returned(deck: Deck) -> Deck:
    """The deck at the end of a turn: the cards on the units go to the discards."""
    return replace(deck, laid=(), discards=deck.discards + deck.laid) if deck.laid else deck


def cards_at_least(pile: tuple[str, ...], needed: int) -> int:
    """The number of cards in a pile with the needed value or more."""
    return sum(1 for card in pile if card_value(card) >= needed)


def chance_of(pile: Sequence[int], discards: Sequence[int], *wanted: Set[int]) -> Fraction:
    """How likely the next cards are one of each of these sets of values, in this order.

    Shape: the values in the pile, which is drawn without replacement, and those that make a new one once it is empty
    """
    if not pile:
        pile, discards = discards, ()
    values, *then = wanted
    fit = [value for value in pile if value in values]
    if not fit or not then:
        return Fraction(len(fit), max(1, len(pile)))
    found = Fraction(0)
    for value in set(fit):
        left = list(pile)
        left.remove(value)
        found += fit.count(value) * chance_of(left, (*discards, value), *then)
    return found / len(pile)
