"""Check what event 1 says of its scenario: what it gave instead of chance, and which it is (fairness.md 11)."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.contract.ruleset import Ruleset
from domain.log.record import PBEM_2_1
from domain.run.decide import opening
from domain.run.scenario_told import given_in, scenario_hash, scenario_members
from replay.proof.blocks import ProtocolFault, require

MEMBERS = ("given", "scenario_hash")


class ScenarioTold(Struct, frozen=True):
    """What the scenario gave, as pairs of side and number; `name` of the packaged scenario that it is, "" if it is
    none; `is_known` says whether that could be compared."""

    given: tuple[tuple[str, int], ...] = ()
    name: str = ""
    is_known: bool = False


def checked_scenario(members: Mapping[str, Any], version: int, rules: str, ruleset: Ruleset | None) -> ScenarioTold:
    """Check the members of event 1; `version` is that of the protocol, `rules` that of the rules, `ruleset` None if
    nobody here knows the game.

    Raises:  ProtocolFault `bad-member`, `given-differs`, `scenario-differs`
    """
    if version < PBEM_2_1:
        for name in MEMBERS:
            if name in members:
                raise ProtocolFault(1, "bad-member", member=name)
    if ruleset is None or rules != ruleset.version or "position" in members:
        return ScenarioTold()
    given = given_in(ruleset, members)
    told = tuple(sorted(given.items()))
    if version < PBEM_2_1:
        return ScenarioTold(told)
    require(1, "given-differs", dict(given), members.get("given", {}))
    found = scenario_hash(members)
    require(1, "scenario-differs", found, members.get("scenario_hash", ""))
    return ScenarioTold(told, packaged(ruleset).get(found, ""), True)


_PACKAGED: dict[tuple[str, str], Mapping[str, str]] = {}


def packaged(ruleset: Ruleset) -> Mapping[str, str]:
    """The packaged scenarios of a game, names by hash. The first call for a game takes up to half a second."""
    known = _PACKAGED.get((ruleset.code, ruleset.version))
    if known is None:
        known = _PACKAGED[ruleset.code, ruleset.version] = _hashed(ruleset)
    return known


def _hashed(ruleset: Ruleset) -> Mapping[str, str]:
    found = {}
    for name in scenario_names(ruleset.code):
        event: Any = opening(ruleset, parse_toml(scenario_text(ruleset.code, name), name))[0].event
        private = ruleset.secrets.fields(ruleset.rules.initial, event)
        found[str(scenario_members(ruleset, event, private).get("scenario_hash"))] = name
    return found
