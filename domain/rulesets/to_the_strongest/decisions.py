"""Chapter TRN, decision points: what is a side asked, and what did it answer? (TTS-TRN-10)"""

from typing import Any

from msgspec import UNSET, UnsetType, field

from domain import events, game
from domain.commands import Standing
from domain.game import Judge
from domain.rulesets.to_the_strongest.state import State, Unit

ASKED = "TTS-TRN-10"


class DecisionAsked(events.DecisionAsked, frozen=True, gc=False, kw_only=True):
    """evade: needed, charger; replay: purpose, card, needed, sources; join: candidates;
    shift: card, piece."""

    RULE = ASKED

    purpose: str | UnsetType = UNSET
    card: int | str | UnsetType = UNSET
    needed: int | UnsetType = UNSET
    sources: tuple[str, ...] | UnsetType = UNSET
    charger: str | UnsetType = UNSET
    candidates: tuple[str, ...] | UnsetType = UNSET
    piece: int | UnsetType = UNSET


class DecisionMade(events.DecisionMade, frozen=True, gc=False, kw_only=True):
    """`with_` is the source used, with every yes to a replay; `facing` if one was asked for."""

    RULE = ASKED

    with_: str | UnsetType = field(name="with", default=UNSET)
    facing: str | UnsetType = UNSET


def decide_standing(judge: Judge[State], side: str, command: Standing) -> None:
    """Note a standing order; it serves for decisions not yet asked (TTS-TRN-11)."""
    if command.unit:
        own_unit(judge.state, side, command.unit)
    judge.emit(events.StandingOrderSet(side, command.topic, command.unit, command.value), side)


def own_unit(state: State, side: str, name: str) -> Unit:
    """A unit of the side by its id; refuse an unknown one and the other side's."""
    unit = state.units.get(name)
    if unit is None:
        raise game.unknown_id(name)
    if unit.side != side:
        raise game.not_yours(name, side)
    return unit


EVOLUTIONS: dict[Any, Any] = {DecisionAsked: game.on_decision_asked, DecisionMade: game.on_decision_made}
DECISIONS: dict[Any, Any] = {Standing: decide_standing}
