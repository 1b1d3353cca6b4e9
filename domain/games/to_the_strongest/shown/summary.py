"""What comes first where there is little room: orders and events; and what a deed may ask of a unit."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import asdict

from domain.contract.effect import Effect
from domain.contract.weight import Weight
from domain.games.to_the_strongest.state.state import State, kind

USEFUL = (
    "answer",
    "charge",
    "shoot",
    "shoot-back",
    "move-shoot",
    "rally",
    "march",
    "group-march",
    "group",
    "play",
    "move",
    "swap",
    "replenish",
    "turn",
)
"""Kinds of options, the most wanted first."""

GIST = MappingProxyType(
    {
        "UnitMoved": Weight.MOVED,
        "UnitReturned": Weight.MOVED,
        "ActivationFailed": Weight.FAILED,
        "ChargeDeclared": Weight.ATTACKED,
        "ShotDeclared": Weight.ATTACKED,
        "UnitDisordered": Weight.HURT,
        "UnitRallied": Weight.HURT,
        "EvadeSucceeded": Weight.HURT,
        "GeneralWounded": Weight.HURT,
        "UnitLeftField": Weight.HURT,
        "StratagemPlayed": Weight.HURT,
        "StratagemTriggered": Weight.HURT,
        "TerrainPlaced": Weight.HURT,
        "TerrainMoved": Weight.HURT,
        "TerrainRemoved": Weight.HURT,
        "CorpsDeployed": Weight.HURT,
        "ScoutingWon": Weight.HURT,
        "UnitDestroyed": Weight.DECIDED,
        "GeneralKilled": Weight.DECIDED,
        "CampTaken": Weight.DECIDED,
        "ElephantsRanAmok": Weight.DECIDED,
        "SideResigned": Weight.DECIDED,
        "Corrected": Weight.DECIDED,
    }
)
"""Weights of events (`replay.telling.gist`)."""

EFFECTS = MappingProxyType(
    {
        "ShotDeclared": (Effect("shot", target="target"),),
        "ChargeDeclared": (Effect("charge", target="target"),),
        "ActivationFailed": (Effect("failed"),),
        "HitScored": (Effect("hit", "target"),),
        "HitMissed": (Effect("miss", "target"),),
        "SaveMade": (Effect("save"),),
        "GeneralSaved": (Effect("save", "general"),),
        "UnitDisordered": (Effect("harm"),),
        "GeneralWounded": (Effect("harm", "general"),),
        "UnitDestroyed": (Effect("gone"),),
        "GeneralKilled": (Effect("gone", "general"),),
        "UnitRallied": (Effect("rally"),),
        "RallyFailed": (Effect("failed"),),
        "EvadeSucceeded": (Effect("flees"),),
        "EvadeFailed": (Effect("failed"),),
        "UnitLeftField": (Effect("flees"),),
        "MoraleFailed": (Effect("failed"),),
        "CampTaken": (Effect("burned", "box"),),
        "MedalsTransferred": (Effect("tally", "subject", count="count"),),
    }
)
"""What events show on the board."""


def traits(state: State, name: str) -> Mapping[str, Any]:
    """What a deed may ask of a unit or general (`domain.contract.deeds`): all that the state has of it, the medals that
    its type is worth, and whether it stands in a camp of its own side."""
    unit = state.units.get(name)
    if unit is None:
        general = state.generals.get(name)
        return asdict(general) if general else {}
    camp = state.camps.get(unit.box)
    return {**asdict(unit), "worth": kind(unit).av, "in_camp": camp is not None and camp.side == unit.side}
