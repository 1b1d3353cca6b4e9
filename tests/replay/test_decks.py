"""The decks after a rewind are exactly what they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from replay.proof.decks import TEN_CARDS, Decks
from replay.proof.seats import SeatFault
from tests.replay.made_battle import OWN_DECK, deck_cards


def state(decks: Decks) -> tuple:
    deck = decks.deck(0, "south")
    return deck.epoch, tuple(deck.pile or ()), deck.remaining, deck.drawn, tuple(deck.looked), deck.look


def draw(decks: Decks, n: int, card: str) -> None:
    deck = decks.deck(n, "south")
    deck.drawn += 1
    if deck.looked:
        card = deck.looked.pop()
    else:
        deck.take(n, None, card)
    decks.drawn(n, "south", deck, card)


def look(decks: Decks, n: int, shown: list[str]) -> None:
    deck = decks.deck(n, "south")
    for card in shown:
        deck.take(n, None, card)
    decks.looked(n, "south", deck, shown, (1, "hand:south"))


@given(st.lists(st.one_of(st.sampled_from(["draw", "look", "shuffle"]), st.integers(0, 100)), max_size=30))
def test_a_rewind_brings_back_the_decks_of_the_event_it_names(doings):
    decks = Decks(deck_cards, lambda deck: OWN_DECK[:70])
    decks.shuffled(1, "south", 1, 80)
    states = {1: state(decks)}
    for n, doing in enumerate(doings, 2):
        deck = decks.deck(n, "south")
        if isinstance(doing, int):  # also back into what an earlier rewind has voided
            to = 1 + doing % (n - 1)
            decks.rewound(n, to)
            assert state(decks) == states[to]
        elif doing == "shuffle":
            decks.shuffled(n, "south", deck.epoch + 1, 70)
        elif doing == "look" and not deck.looked:
            look(decks, n, list(deck.pile or ())[5:8])
        else:
            draw(decks, n, (deck.pile or [""])[n])
        states[n] = state(decks)


def test_a_card_that_nobody_knows_leaves_a_pile_that_nobody_knows():
    deck = Decks(deck_cards, None).deck(1, "stratagem")
    deck.take(1, None, UNSET)
    deck.take(1, None, "no matter")
    assert deck.pile is None


def test_a_card_of_another_deck_is_named_and_an_endless_pile_stays():
    deck = Decks(deck_cards, None).deck(1, "ten")
    with pytest.raises(SeatFault, match="card-not-in-deck"):
        deck.take(4, None, "1c1")
    deck.take(4, 0, "1x0")
    deck.take(4, None, UNSET)
    assert deck.pile == list(TEN_CARDS)
