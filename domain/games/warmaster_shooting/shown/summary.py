"""What comes first where there is little room: orders of a short list, events of a summary."""

from types import MappingProxyType

from domain.contract.effect import Effect
from domain.contract.weight import Weight

USEFUL = ("answer", "charge", "shoot", "hold")
"""Kinds of options, the most wanted first."""

GIST = MappingProxyType(
    {
        "ChargeDeclared": Weight.ATTACKED,
        "WoundsInflicted": Weight.HURT,
        "UnitDrivenBack": Weight.HURT,
        "UnitConfused": Weight.HURT,
        "StandRemoved": Weight.DECIDED,
        "UnitRouted": Weight.DECIDED,
        "UnitDestroyed": Weight.DECIDED,
        "SideResigned": Weight.DECIDED,
        "Corrected": Weight.DECIDED,
    }
)
"""Weights of events (`replay.telling.gist`)."""

STORY = MappingProxyType({"TargetsAssigned": Weight.ATTACKED})
"""Weights of events that a summary leaves out and a report needs (`replay.reports.account`)."""

EFFECTS = MappingProxyType(
    {
        "TargetsAssigned": (Effect("shot", target="target"),),
        "CounterFireDeclared": (Effect("shot", target="against"),),
        "ChargeDeclared": (Effect("charge", target="target"),),
        "HitDiceRolled": (Effect("hit", "target", count="hits"), Effect("miss", "target", given=("hits", 0))),
        "SaveDiceRolled": (Effect("save", count="saved"),),
        "WoundsInflicted": (Effect("harm", count="wounds"),),
        "StandRemoved": (Effect("lost"),),
        "UnitDrivenBack": (Effect("flees"),),
        "UnitConfused": (Effect("failed"),),
        "UnitRouted": (Effect("gone"),),
        "UnitDestroyed": (Effect("gone"),),
    }
)
"""What events show on the board."""
