"""Chapter DCK: which cards are drawn, from which deck, and what becomes of them?

Every card drawn for a unit or a general comes from its owner's deck (TTS-DCK-02), lazily, without
replacement unless `deck_mode` says otherwise (TTS-DCK-03, -04).
"""

from typing import Any

from msgspec.structs import replace

from domain.events import CardDrawn, DeckShuffled
from domain.fairness import scope_label
from domain.game import SIDES, Judge
from domain.mechanics.cards import TEN_SIDED, after_draw, after_shuffle, card_value
from domain.rulesets.to_the_strongest.state import State, with_army

SHUFFLED = "TTS-DCK-03"
DRAWN = "TTS-DCK-02"


def draw(judge: Judge[State], side: str, purpose: str, subject: str, keep_from: int = 0) -> int:
    """Draw one card of a side's deck for a unit or general; return its value.

    An activation card of `keep_from` or more is laid on the unit; all others are discarded.
    """
    if not pile(judge.state, side):
        shuffle(judge, side)
    state = judge.state
    deck, cards = state.armies[side].deck, pile(state, side)
    scope = scope_label(f"draw:{side}", state.rewinds)
    card = judge.chance.card(scope, cards)
    value = card_value(card)
    kept = keep_from and value >= keep_from
    left = len(cards) if cards is TEN_SIDED else len(cards) - 1
    judge.emit(
        CardDrawn(
            side, deck.epoch, deck.index + 1, card, purpose, subject, scope, state.t, left, discard=0 if kept else 1
        ),
        side,
        DRAWN,
    )
    return value


def pile(state: State, deck: str) -> tuple[str, ...]:
    """The cards that a deck can give now, in canonical order; () for an empty or unknown one."""
    if deck not in state.armies:
        return ()
    return TEN_SIDED if state.options.deck_mode == "d10" else state.armies[deck].deck.pile


def shuffle(judge: Judge[State], side: str) -> None:
    """Open a new epoch with what is left and what was discarded (TTS-DCK-03)."""
    deck = judge.state.armies[side].deck
    size = len(TEN_SIDED) if judge.state.options.deck_mode == "d10" else len(deck.pile) + len(deck.discards)
    judge.emit(DeckShuffled(side, deck.epoch + 1, size), rule=SHUFFLED)


def set_up(judge: Judge[State]) -> None:
    """Shuffle both decks at the start."""
    for side in SIDES:
        shuffle(judge, side)


def on_card_drawn(state: State, event: CardDrawn) -> State:
    army = state.armies[event.deck]
    return with_army(state, replace(army, deck=after_draw(army.deck, event)))


def on_deck_shuffled(state: State, event: DeckShuffled) -> State:
    army = state.armies[event.deck]
    return with_army(state, replace(army, deck=after_shuffle(army.deck, event.epoch)))


EVOLUTIONS: dict[Any, Any] = {CardDrawn: on_card_drawn, DeckShuffled: on_deck_shuffled}
