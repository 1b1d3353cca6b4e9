"""The battle between the forces of a campaign: their counters, still to be deployed, on a ground (CAM-INT)."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.contract.campaign_book import UNIT, Element, Fielded, Ground
from domain.games.singidunum.campaign.forces import CounterRow, unit_of
from domain.games.singidunum.campaign.ground import STANDARD
from domain.games.singidunum.state.board import COLUMNS, ROWS
from domain.games.singidunum.state.roster import MODULES, PROFILES
from domain.games.singidunum.state.scenario import CODE
from domain.games.singidunum.state.vocabulary import begins_an_order
from domain.mechanics.hex import on_board
from domain.mechanics.naming import free_name

BOARD = (COLUMNS, ROWS)
LEAST_BUDGET = 25
"""The points below which the goal of a battle stays what it is at them: two victory points (PRG-ARM-11)."""
TERRAIN = "terrain"
Names = dict[tuple[str, str], str]
"""Force and element, and the id that the element has in the battle."""


def battle(
    south: Sequence[Fielded], north: Sequence[Fielded], ground: Ground | None, title: str, options: Mapping[str, Any]
) -> tuple[dict[str, Any], Names]:
    """The scenario between forces, and what their units are called in it: both deploy in secret.

    The budget, by which the goal is set, is what the dearer side costs. An id that is taken gets the first free number.

    Rule:    CAM-INT, PRG-ARM-06, PRG-ARM-11
    """
    names = Names()
    sides = {side: _side(forces, names) for side, forces in (("south", south), ("north", north))}
    markers = ground.terrain if ground else ()
    dearest = max(sum(each.points for force in forces for each in _units(force)) for forces in (south, north))
    usual = {"budget": max(LEAST_BUDGET, dearest), "modules": _modules((*south, *north), has_markers=bool(markers))}
    return {
        "ruleset": CODE,
        "title": title,
        "options": usual | dict(options),
        "board": {"layout": STANDARD, "columns": COLUMNS, "rows": ROWS},
        "marker": [{"hex": hex_, "kind": kind} for hex_, kind in markers],
        "sides": sides,
    }, names


def _units(force: Fielded) -> list[Element]:
    return [each for each in force.elements if each.kind == UNIT]


def _modules(forces: Sequence[Fielded], *, has_markers: bool) -> list[str]:
    """The extensions of which something is there."""
    used = {PROFILES[unit_of(each).type].module for force in forces for each in _units(force)}
    return [module for module in MODULES if module in used or (has_markers and module == TERRAIN)]


def _side(forces: Sequence[Fielded], names: Names) -> dict[str, Any]:
    """A side by the name of its first force; ids are kept where they are free."""
    units = [_named(unit_of(each), force.id, names) for force in forces for each in _units(force)]
    army = forces[0].army
    return {"name": army.name, "name_fr": army.name_fr, "units": units}


def _named(unit: CounterRow, force: str, names: Names) -> dict[str, Any]:
    taken = set(names.values())
    name = unit.id if unit.id not in taken else free_name(unit.id, taken)
    while on_board(BOARD, name) or begins_an_order(name):
        name = free_name(f"{name}X", taken)
    names[force, unit.id] = name
    return {"id": name, "type": unit.type, "strength": unit.strength, "abilities": list(unit.abilities)}
