"""The events that tell of a test: volleys and saves, where each die counts for itself, and tests for confusion."""

from typing import Any

from domain.events.battle import Fact
from domain.games.warmaster_shooting.chapters.drive_back import SIX, ConfusionTestRolled, DriveBackDiceRolled
from domain.games.warmaster_shooting.chapters.volleys import D6, HitDiceRolled, SaveDiceRolled
from domain.games.warmaster_shooting.state.state import State
from domain.mechanics.modifiers import total
from domain.mechanics.trial import Trial, die_passes


def trial(state: State, fact: Fact) -> Trial | None:
    """The test that a fact was; None for any other."""
    event: Any = fact.event
    if isinstance(event, (HitDiceRolled, SaveDiceRolled)):
        return _each(
            side=fact.by,
            purpose="hit" if isinstance(event, HitDiceRolled) else "save",
            units=event.stands if isinstance(event, HitDiceRolled) else (event.unit,),
            draws=event.dice,
            needed=event.needed,
            base=event.needed - total(event.factors),
            factors=event.factors,
        )
    if isinstance(event, ConfusionTestRolled):
        return _each(
            side=fact.by, purpose="confusion", units=(event.unit,), draws=(event.die,), needed=SIX - 1, how="at-most"
        )
    if isinstance(event, DriveBackDiceRolled):
        return Trial(side=fact.by, purpose="drive", units=(event.unit,), draws=event.dice)
    return None


def _each(**members: Any) -> Trial:
    made = Trial(stands="each", **members)
    return Trial(stands="each", passes=die_passes(D6, made), **members)
