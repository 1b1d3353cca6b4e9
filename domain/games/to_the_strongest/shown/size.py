"""How large the battle of a scenario is."""

from collections.abc import Mapping
from typing import Any

from domain.basics.decoding import convert
from domain.contract.size import Size
from domain.games.to_the_strongest.state.roster import PROFILES, camp_cost, general_cost, unit_cost
from domain.games.to_the_strongest.state.scenario_file import CampGiven


def size_of(scenario: Mapping[str, Any]) -> Size:
    """Points of both sides, boxes of the table, the limit of turns."""
    board, sides = scenario["board"], scenario["sides"]
    points = tuple(points_of(sides[side]) for side in ("south", "north"))
    return Size(points, board["columns"], board["rows"], turns=scenario.get("options", {}).get("turn_limit", 0))


def points_of(side: Mapping[str, Any]) -> int:
    """What an army costs: units with their extras, generals, camps (TTS-CAT-03)."""
    total = 0
    for corps in side["corps"]:
        for unit in corps["units"]:
            quality, extras = unit.get("quality"), unit.get("extras", ())
            total += unit_cost(PROFILES[unit["type"]], quality, extras, hero=unit.get("hero", False))
        if general := corps.get("general"):
            traits, mounted = general.get("traits", ()), general.get("mounted", False)
            total += general_cost(traits, detached="box" in general, mounted=mounted)
        if camp := corps.get("camp"):
            total += camp_cost(len(camp.get("fortified", ()))) + (boxes_of(camp) - 1) * camp_cost()
    return total


def boxes_of(camp: Mapping[str, Any]) -> int:
    """The boxes of a camp: several if camps are joined (TTS-CMP-04)."""
    return convert(camp, CampGiven).size
