"""What is said below a board of terrain, scouting, deployment and stratagems, and what can be done now?

The part of `captions` for the phases before the turns, and for what a side holds. Everything is made from
a state as the reader knows it: of the other side's hand that is the number of cards.
"""

from collections.abc import Iterator
from typing import Any

from domain.mechanics.grid import box_name
from domain.message import Message
from domain.rulesets.to_the_strongest.deployment import in_zone, missing_of, own_row
from domain.rulesets.to_the_strongest.geometry import is_impassable
from domain.rulesets.to_the_strongest.hands import BY_CARD, SCOUTING, STRATAGEMS
from domain.rulesets.to_the_strongest.phases import to_deploy
from domain.rulesets.to_the_strongest.scouting import waited_for
from domain.rulesets.to_the_strongest.state import Army, Corps, State
from domain.rulesets.to_the_strongest.terrain import MOST

Params = dict[str, Any]
CAMP = "camp"


def acting(state: State) -> str:
    """The side that orders now, or ""; in the scouting phase the one that is waited for (TTS-SCT-04)."""
    return next(iter(waited_for(state)), "") if state.phase == "scouting" else state.active
