"""Which cards does a deck hold, and what has become of them?

A card code is value and suit, and a pack number where a deck has two packs: `7h1`, `10s2`. The
pile is an unordered set kept in canonical order: which card comes is chosen when it is drawn, so
no order exists before (fairness.md 5).
"""

from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from domain.events import CardDrawn

SUITS = "cdhs"

PLAYING_DECK: tuple[str, ...] = tuple(
    f"{value}{suit}{pack}" for value in range(1, 11) for suit in SUITS for pack in (1, 2)
)
"""Two packs without court cards, 80 cards, in canonical order."""

TEN_SIDED: tuple[str, ...] = tuple(f"{value}x0" for value in range(1, 11))
"""What stands for the pile where draws are independent (`deck_mode = d10`)."""

_RANK = {code: rank for rank, code in enumerate(PLAYING_DECK + TEN_SIDED)}


class Deck(Struct, frozen=True, gc=False):
    """One side's cards: the pile, those laid on units this turn, and the discards."""

    epoch: int = 0
    index: int = 0
    pile: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()
    discards: tuple[str, ...] = PLAYING_DECK


@cache
def card_value(code: str) -> int:
    """The number on a card of the playing deck; the ace is 1."""
    return int(code[:2]) if code[:2] == "10" else int(code[0])


def after_draw(deck: Deck, event: CardDrawn) -> Deck:
    """The deck without the card drawn; independent draws (`…x0`) leave it as it is."""
    card = event.card
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
    """A new epoch: what was left and what was discarded, in canonical order."""
    pile = tuple(sorted(deck.pile + deck.discards, key=_RANK.__getitem__))
    return replace(deck, epoch=epoch, index=0, pile=pile, discards=())


def laid_returned(deck: Deck) -> Deck:
    """The turn is over: the cards on the units go to the discards."""
    return replace(deck, laid=(), discards=deck.discards + deck.laid) if deck.laid else deck


def cards_at_least(pile: tuple[str, ...], needed: int) -> int:
    """How many cards of a pile have the needed value or more."""
    return sum(1 for card in pile if card_value(card) >= needed)
