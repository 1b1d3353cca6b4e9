"""Say of a battle's first event what its scenario gave instead of chance, and which scenario it is.

Both follow from what event 1 shows to everybody: so a reader makes them again, and nobody learns what is sealed.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from domain.contract.ruleset import Ruleset
from domain.events.battle import Event
from domain.events.inputs import OF_ONE_BATTLE
from domain.log.canonical import canonical

NOT_OF_A_SCENARIO = frozenset({*OF_ONE_BATTLE, "sealed"})


def scenario_hash(members: Mapping[str, Any]) -> str:
    """SHA-256 (hex) of the canonical JSON of the members of event 1 that everybody sees and every battle of the
    scenario has."""
    return sha256(canonical({name: members[name] for name in members if name not in NOT_OF_A_SCENARIO})).hexdigest()


def given_in(ruleset: Ruleset, members: Mapping[str, Any]) -> dict[str, int]:
    """How much of what is drawn otherwise the scenario has given to each side, by the members of event 1; what it is
    may be secret. Sides with nothing are left out."""
    name = ruleset.draws.given
    counts = {side: army.get(name, 0) for side, army in members.get("sides", {}).items()} if name else {}
    return {side: count for side, count in counts.items() if isinstance(count, int) and count > 0}


def scenario_members(ruleset: Ruleset, event: Event, private: Iterable[str]) -> dict[str, Any]:
    """The members of event 1 that version 3 adds: what the scenario gave, by side, and the hash of the scenario. A
    branch has neither: its position is another battle's."""
    members = msgspec.json.decode(msgspec.json.encode(event))
    if "position" in members:
        return {}
    shown = {name: value for name, value in members.items() if name not in {*private}}
    given = given_in(ruleset, shown)
    return {"scenario_hash": scenario_hash(shown), **({"given": given} if given else {})}
