"""The blocks that somebody's authority decides, and no rule of the game: an order, and settlements.

What an umpire sets in one is read from the ruling again (`domain.engine.corrections`).
"""

from collections.abc import Sequence
from typing import Any

from domain.engine.corrections import corrected
from domain.engine.events import BattleEnded, Fact, OrderAccepted, RulingGiven
from domain.log.record import Recorded
from domain.ruleset import Ruleset
from replay.proof.blocks import BEHIND_A_CORRECTION, CORRECTION, SETTLEMENTS

OF_A_CORRECTION = frozenset({CORRECTION, *BEHIND_A_CORRECTION})


def is_settled(first: Recorded, consequences: Sequence[Recorded]) -> bool:
    """Whether a block is an order and settlements, with what a correction brings about and the end that is granted."""
    is_order = isinstance(first.event, OrderAccepted)
    is_corrected = any(entry.type == CORRECTION for entry in consequences)
    settling = SETTLEMENTS | OF_A_CORRECTION if is_corrected else SETTLEMENTS
    settles = [entry.type in settling for entry in consequences]
    grants = any(entry.type == "RulingGiven" or getattr(entry.event, "how", "") == "agreed" for entry in consequences)
    is_ended = grants and isinstance(consequences[-1].event, BattleEnded)
    return is_order and any(settles) and all(settles[:-1] if is_ended else settles)


def corrects(entry: Recorded) -> bool:
    """Whether an event sets facts, or is the ruling that some be set."""
    return entry.type == CORRECTION or getattr(entry.event, "effect", "") == "correct"


def facts_set(ruleset: Ruleset, game: Any, consequences: Sequence[Recorded]) -> tuple[Fact, ...]:
    """What a ruling sets in this state of the game; () where none rules so.

    Raises: Refusal
    """
    rulings = (entry.event for entry in consequences if isinstance(entry.event, RulingGiven) and corrects(entry))
    ruling = next(rulings, None)
    return () if ruling is None else corrected(ruleset, game, ruling.docket, ruling.ruling)
