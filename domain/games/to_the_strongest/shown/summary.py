"""What comes first where there is little room: orders of a short list, events of a summary."""

from types import MappingProxyType

from domain.weight import Weight

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
