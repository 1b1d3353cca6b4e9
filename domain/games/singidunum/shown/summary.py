"""What comes first where there is little room: orders of a short list, events of a summary."""

from collections.abc import Mapping
from types import MappingProxyType

from domain.contract.effect import Effect, EffectKind
from domain.contract.weight import Weight

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

SHOT_RESULTS: Mapping[str, EffectKind] = {"miss": "miss", "hit": "hit", "eliminated": "hit"}
EFFECTS = MappingProxyType(
    {
        "AttackDeclared": (Effect("charge", "attackers", "target"),),
        "ShotDeclared": (Effect("shot", target="target"),),
        "CombatResolved": (Effect("save", "target", given=("outcome", "draw")),),
        "ShotResolved": tuple(
            Effect(kind, "target", given=("outcome", outcome)) for outcome, kind in SHOT_RESULTS.items()
        ),
        "RallyRolled": (Effect("rally", given=("success", True)), Effect("failed", given=("success", False))),
        "CombatRefused": (Effect("flees"),),
        "UnitRetreated": (Effect("flees"),),
        "UnitFled": (Effect("flees"),),
        "UnitEliminated": (Effect("gone"),),
        "BaseHexBurned": (Effect("burned", "hex"),),
        "VictoryPointsScored": (Effect("tally", "subject", count="half_points", is_half=True),),
    }
)
"""What events show on the board."""
