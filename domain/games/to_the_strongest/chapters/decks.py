"""Chapter DCK-05: the decks on the table and the pile left of each.

Each side has its own (`cards`); terrain pieces and stratagems have one common pack each.
"""

from typing import Any

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import SIDES
from domain.events.battle import CardDrawn, DeckShuffled
from domain.games.to_the_strongest.chapters import cards, hands, terrain
from domain.games.to_the_strongest.state.state import State
from domain.mechanics.cards import after_shuffle


def pile(state: State, deck: str) -> tuple[str, ...]:
    """The cards that a deck can yield now, in canonical order; () for an empty or unknown one."""
    if deck == terrain.DECK:
        return state.terrain_deck.pile if state.terrain_deck.epoch else state.terrain_deck.discards
    if deck == hands.DECK:
        return hands.stratagem_pile(state)
    return cards.pile(state, deck)


def set_up(judge: Judge[State]) -> None:
    """Shuffle both own decks (TTS-DCK-01) at the start, and hand out the stratagems that the scenario lists."""
    for side in SIDES:
        cards.shuffle(judge, side)
    hands.hand_out(judge)


def on_card_drawn(state: State, event: CardDrawn) -> State:
    if event.deck == terrain.DECK:
        return terrain.on_terrain_card(state, event)
    if event.deck == hands.DECK:
        return hands.on_stratagem_card(state, event)
    return cards.on_card_drawn(state, event)


def on_deck_shuffled(state: State, event: DeckShuffled) -> State:
    if event.deck == terrain.DECK:
        return replace(state, terrain_deck=after_shuffle(state.terrain_deck, event.epoch))
    if event.deck == hands.DECK:
        return replace(state, stratagem_draws=(event.epoch, 0))
    return cards.on_deck_shuffled(state, event)


EVOLUTIONS: dict[Any, Any] = {CardDrawn: on_card_drawn, DeckShuffled: on_deck_shuffled}
