"""What comes first where there is little room: orders of a short list, events of a summary."""

from types import MappingProxyType

from domain.weight import Weight

USEFUL = ("answer", "attack", "shoot", "double", "move", "stakes")
"""Kinds of options, the most wanted first."""

GIST = MappingProxyType(
    {
        "UnitMoved": Weight.MOVED,
        "AttackDeclared": Weight.ATTACKED,
        "ShotDeclared": Weight.ATTACKED,
        "AmbushRevealed": Weight.HURT,
        "UnitRetreated": Weight.HURT,
        "UnitPursued": Weight.HURT,
        "UnitFled": Weight.DECIDED,
        "UnitEliminated": Weight.DECIDED,
        "BaseHexBurned": Weight.DECIDED,
        "VictoryPointsScored": Weight.DECIDED,
        "SideResigned": Weight.DECIDED,
        "Corrected": Weight.DECIDED,
    }
)
"""Weights of events (`replay.telling.gist`)."""
