"""Chapter STR, the cards: which side holds which stratagem.

Both sides draw from one deck of court cards and jokers, each under its own secret scope: what is in a hand is
private until it is played or the battle ends.
"""

from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import SIDES
from domain.events.battle import CardDrawn, DeckShuffled, Event, Text
from domain.games.to_the_strongest.sequence import stratagems_of
from domain.games.to_the_strongest.state.state import Army, Held, State, with_army
from domain.games.to_the_strongest.state.stratagems import BY_CARD, STRATAGEMS
from domain.log.chance import Pile
from domain.mechanics.cards import COURT_DECK

DECK = "stratagem"
DRAWN = "TTS-STR-01"
SCOUTING = stratagems_of("scouting")
"""When the stratagems are played for which the scouting waits (TTS-SCT-04)."""


# --- reading


def held(army: Army, stratagem: str) -> Held | None:
    """The first card of a hand that brings a stratagem."""
    return next((entry for entry in army.hand if entry.card in STRATAGEMS[stratagem].cards), None)


def waited_for(state: State) -> tuple[str, ...]:
    """The sides that hold stratagems to be played before the scouting cards and have not said `done`, south first,
    as far as the state knows their hands (TTS-SCT-04)."""
    return tuple(
        side
        for side in SIDES
        if side not in state.done and any(is_for_scouting(entry) for entry in state.armies[side].hand)
    )


def is_for_scouting(entry: Held) -> bool:
    """Whether a card of a hand is played before the scouting cards."""
    return entry.card != "" and BY_CARD[entry.card].when in SCOUTING


def stratagem_pile(state: State) -> tuple[str, ...]:
    """The cards of the common deck that nobody has drawn, as far as the state knows. What a scenario lists for a side
    is not taken out of it: nobody could check a deck that lacks secret cards (fairness.md 3)."""
    out = {card for card, _ in state.stratagems_out}
    return tuple(card for card in COURT_DECK if card not in out)


# --- events


class StratagemDrawn(Event, frozen=True, gc=False, kw_only=True):
    """A side has `count` more stratagem cards; which ones is private. `active` is the side that the
    scouting waits for, if these cards settle that (TTS-SCT-04)."""

    RULE = DRAWN

    side: str
    count: int
    cards: tuple[str, ...] | UnsetType = UNSET
    active: Text = UNSET
    sealed: Text = UNSET


# --- steps


def hand_out(judge: Judge[State]) -> None:
    """Give each side the stratagems that the scenario lists, one event a card so that one can be
    opened without the others."""
    for side in SIDES:
        for card in judge.state.armies[side].given:
            judge.emit(StratagemDrawn(side=side, count=1, cards=(card,)), side)


def step_hands(judge: Judge[State]) -> None:
    """Each side that has no list draws its stratagems (TTS-STR-01), once."""
    count = judge.state.options.stratagems_per_side
    drawing = [side for side in SIDES if judge.state.armies[side].draws and not judge.state.armies[side].dealt]
    if not count or not drawing:
        return
    epoch, _ = judge.state.stratagem_draws
    if not epoch:
        judge.emit(DeckShuffled(DECK, 1, len(stratagem_pile(judge.state))), rule="TTS-DCK-03")
    for side in drawing:
        cards = tuple(_draw(judge, side) for _ in range(min(count, len(stratagem_pile(judge.state)))))
        active = next(iter(waited_for(judge.state)), "") if side == drawing[-1] else UNSET
        judge.emit(StratagemDrawn(side=side, count=len(cards), cards=cards, active=active), side)


def _draw(judge: Judge[State], side: str) -> str:
    """One card of the common deck, in secret (TTS-DCK-05)."""
    epoch, index = judge.state.stratagem_draws
    pile = Pile(DECK, epoch, index, stratagem_pile(judge.state))
    return judge.draw(pile, f"hand:{side}", "stratagem")


# --- evolutions


def on_stratagem_card(state: State, event: CardDrawn) -> State:
    """A card of the common deck goes into the hand of the side that its scope names."""
    side = event.scope.partition(":")[2].partition("/")[0]
    army = state.armies[side]
    card = "" if event.card is UNSET else event.card
    army = replace(army, hand=(*army.hand, Held(card, state.n + 1 if card else 0)))
    out = state.stratagems_out | {(card, side)} if card else state.stratagems_out
    return replace(with_army(state, army), stratagem_draws=(event.epoch, event.index), stratagems_out=out)


def on_stratagem_drawn(state: State, event: StratagemDrawn) -> State:
    """Cards drawn are in the hand already; those that the scenario lists come with this event."""
    army = state.armies[event.side]
    if state.phase:
        active = state.active if event.active is UNSET else event.active
        return replace(with_army(state, replace(army, dealt=True)), active=active)
    if event.cards is UNSET:
        return with_army(state, replace(army, hand=(*army.hand, *(Held() for _ in range(event.count)))))
    hand = (*army.hand, *(Held(card, state.n + 1) for card in event.cards))
    return with_army(state, replace(army, given=army.given[event.count :], hand=hand))


EVOLUTIONS: dict[Any, Any] = {StratagemDrawn: on_stratagem_drawn}
STEPS: dict[str, Any] = {"hands": step_hands}
