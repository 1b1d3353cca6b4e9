"""Values that a sentence needs beyond the fields of its event: types of units, names of sides, points in halves.

Some events of every game have other sentences here, because they are asked and thrown for other things.
"""

from typing import Any

from msgspec import UNSET

from domain.basics.message import Message
from domain.contract.narration import CORE, message_of
from domain.events.battle import BattleEnded, DecisionAsked, DecisionMade, DieRolled, Event, Fact, PhaseBegan
from domain.games.singidunum.shown.circumstances import circumstances
from domain.games.singidunum.state.state import State

CODE = "singidunum"
OWN_SENTENCES: dict[type[Event], tuple[str, ...]] = {
    DecisionAsked: (),
    DecisionMade: (),
    DieRolled: (),
    PhaseBegan: (),
    BattleEnded: ("goal", "turn-limit", "exhausted"),
}
"""Events of every game of which this one has its own sentences; of some only those for these values."""
NAMES = ("unit", "target", "attackers", "units", "general", "subject", "candidates")
"""The members of events that name units."""


def narrate(state: State, fact: Fact) -> Message:
    """The message of a fact, in the state before it.

    Besides the event's own members: `kinds` {unit: type} of the units it names, as far as the reader knows them, and
    what a calculation starts from.
    """
    told = message_of(fact, CODE)
    named = _names(told.params)
    kinds = {name: state.units[name].type for name in named if name in state.units}
    params = {**told.params, "kinds": kinds, **_points(told.params), **circumstances(state, fact.event)}
    return Message(_id(told.id, fact.event), params)


def _id(id_: str, event: Event) -> str:
    for kind, values in OWN_SENTENCES.items():
        if isinstance(event, kind) and (not values or getattr(event, kind.TOLD_BY) in values):
            return CODE + id_.removeprefix(CORE)
    return id_


def _names(params: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for member in NAMES:
        value = params.get(member, UNSET)
        values = value if isinstance(value, (list, tuple)) else [value]
        found += [item for item in values if isinstance(item, str) and item]
    return found


def _points(params: dict[str, Any]) -> dict[str, Any]:
    """Half points as quarters, which the catalogue writes as points."""
    halves = {member: params.get(member) for member in ("half_points", "total")}
    return {f"{member}_quarters": 2 * value for member, value in halves.items() if isinstance(value, int)}
