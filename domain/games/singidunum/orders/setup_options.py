"""What there is to order before the turns: an army, where its units stand, and `done`.

Lists are too many to be listed: some that spend the budget are, and `exhaustive` says that there are others.
"""

from collections.abc import Iterator

from domain.basics.errors import Refusal
from domain.contract.option import Option, OrderTarget
from domain.games.singidunum.chapters.deployment import DECOY, MOST_DECOYS, DeployCounter, LayAmbush, in_zone
from domain.games.singidunum.chapters.muster import NameArmy, army_of
from domain.games.singidunum.orders.notation import write
from domain.games.singidunum.state.board import FOREST, in_order
from domain.games.singidunum.state.roster import PROFILES, is_barred_from_forest
from domain.games.singidunum.state.state import State, Unit, ambush_of, is_taken_by, own
from domain.mechanics import hex as hexes

TASTES = (
    ("HI7", "HI7", "AR6", "CV6", "EL9", "HI6", "HI6", "AR5", "CV5", "AR5", "CV5", "EL8", "AR4", "CV4"),
    ("EL9", "EL8", "HI7", "HI7", "CV6", "HI6", "HI6", "CV5", "CV5", "AR6", "AR5", "CV4"),
    ("AR6", "AR5", "AR5", "AR4", "CV6", "CV5", "CV5", "CV4", "HI7", "HI7", "HI6", "HI6"),
)
"""Counters in the order in which an army is filled, as long as the budget lasts."""


def before_turns(state: State, side: str) -> list[Option]:
    """The orders of a side that has not closed its part of the phase; `done`, or a placing, is the last."""
    if side in state.done:
        return []
    if state.phase == "muster":
        done = [Option("done", "done")] if any(own(state, side)) else []
        return [*_armies(state, side), *done]
    waiting = [unit for unit in own(state, side) if not unit.hex and ambush_of(state, unit.id) is None]
    placed = [unit for unit in own(state, side) if unit not in waiting]
    places = list(_places(state, side))
    listed = [option for unit in (*placed, *waiting) for option in _of_unit(state, unit, places)]
    decoys = sum(1 for ambush in state.ambushes if ambush.side == side and not ambush.unit)
    if decoys < MOST_DECOYS:
        listed = [*(option for hex_ in places for option in _decoy(state, side, hex_)), *listed]
    return listed if waiting else [*listed, Option("done", "done")]


def _armies(state: State, side: str) -> Iterator[Option]:
    """Some lists that spend the budget, one of each taste."""
    for taste in TASTES:
        counters = _filled(state, side, taste)
        if counters:
            yield Option(write(NameArmy(counters)), "army", exhaustive=False)


def _filled(state: State, side: str, taste: tuple[str, ...]) -> tuple[str, ...]:
    extra = tuple(
        f"{profile.key}{strength}"
        for profile in PROFILES.values()
        if profile.module in state.options.modules
        for strength in profile.strengths[:1]
    )
    counters: tuple[str, ...] = ()
    for counter in (*taste[:3], *extra, *taste[3:]):
        try:
            army_of(state, side, (*counters, counter))
        except Refusal:
            continue
        counters = (*counters, counter)
    return counters


def _places(state: State, side: str) -> Iterator[str]:
    columns, rows = state.board
    names = (hexes.name_at(column, row) for column in range(columns) for row in range(rows))
    return (hex_ for hex_ in in_order(names) if in_zone(state, side, hex_))


def _of_unit(state: State, unit: Unit, places: list[str]) -> Iterator[Option]:
    """Where a unit may stand, or lie in ambush."""
    for hex_ in places:
        if is_taken_by(state, unit.side, hex_, unit.id) or unit.hex == hex_:
            continue
        forest = _is_forest(state, hex_)
        if not (forest and is_barred_from_forest(unit.type)):
            yield Option(write(DeployCounter(unit.id, hex_)), "deploy", unit.id, target=OrderTarget("place", hex_))
            if forest and "terrain" in state.options.modules:
                yield Option(write(LayAmbush(unit.id, hex_)), "ambush", unit.id, target=OrderTarget("place", hex_))


def _decoy(state: State, side: str, hex_: str) -> Iterator[Option]:
    if "terrain" in state.options.modules and _is_forest(state, hex_) and not is_taken_by(state, side, hex_, ""):
        yield Option(write(LayAmbush(DECOY, hex_)), "ambush", target=OrderTarget("place", hex_))


def _is_forest(state: State, hex_: str) -> bool:
    marker = state.markers.get(hex_)
    return marker is not None and marker.kind == FOREST
