"""What comes first where there is little room: orders of a short list, events of a summary."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import asdict

from domain.contract.effect import Effect
from domain.contract.weight import Weight
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.state import State

USEFUL = ("answer", "charge", "fire", "move", "form", "general", "order")
"""Kinds of options, the most wanted first."""

GIST = MappingProxyType(
    {
        "UnitMoved": Weight.MOVED,
        "GeneralOrderFailed": Weight.FAILED,
        "ChargeFailed": Weight.FAILED,
        "ChargeDeclared": Weight.ATTACKED,
        "FireResolved": Weight.ATTACKED,
        "MeleeResolved": Weight.ATTACKED,
        "EventApplied": Weight.HURT,
        "MarkerAdded": Weight.HURT,
        "UnitEvaded": Weight.HURT,
        "UnitAdvanced": Weight.HURT,
        "BuildingOccupied": Weight.HURT,
        "LeaderTested": Weight.HURT,
        "UnitDestroyed": Weight.DECIDED,
        "UnitLeftTable": Weight.DECIDED,
        "CorpsBroken": Weight.DECIDED,
        "SideResigned": Weight.DECIDED,
        "Corrected": Weight.DECIDED,
    }
)
"""Weights of events (`replay.telling.gist`)."""

STORY = MappingProxyType({"ChargeDeclared": Weight.MOVED})
"""Weights of events that count otherwise in a report: what comes of a charge is told of the melee."""
APART = frozenset({"FireResolved", "MeleeResolved"})
"""Events that begin an attack of their own in a report: one order has all salvoes fired, and all melees fought."""

EFFECTS = MappingProxyType(
    {
        "FireDeclared": (Effect("shot", target="target"),),
        "FireResolved": (Effect("shot", "firer", "target"),),
        "ChargeDeclared": (Effect("charge", target="target"),),
        "MarkerAdded": (Effect("harm"),),
        "UnitEvaded": (Effect("flees"),),
        "EvadeForced": (Effect("failed"),),
        "ChargeFailed": (Effect("failed"),),
        "UnitDestroyed": (Effect("gone"),),
        "UnitLeftTable": (Effect("gone"),),
    }
)
"""What events show on the board."""


def traits(state: State, name: str) -> Mapping[str, Any]:
    """What a deed may ask of a unit or general (`domain.contract.deeds`): all that the state has of it, and the
    arm of a unit as it fights now."""
    unit = state.units.get(name)
    if unit is None:
        general = state.generals.get(name)
        return asdict(general) if general else {}
    return {**asdict(unit), "arm": figures(state, unit).arm}
