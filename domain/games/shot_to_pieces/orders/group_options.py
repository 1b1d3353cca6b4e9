"""What units in contact may do as one (STP-ACT-05): the straight moves of whole lines and columns."""

from collections.abc import Iterator, Sequence

from domain.contract.option import Option, OrderTarget
from domain.games.shot_to_pieces.chapters.paces import reach
from domain.games.shot_to_pieces.chapters.salvoes import large_mate
from domain.games.shot_to_pieces.orders.references import is_legal
from domain.games.shot_to_pieces.orders.unit_options import may_move
from domain.games.shot_to_pieces.orders.writing import written
from domain.games.shot_to_pieces.plane.angles import tenths
from domain.games.shot_to_pieces.plane.base import moved
from domain.games.shot_to_pieces.plane.contacts import in_contact
from domain.games.shot_to_pieces.state.commands import MoveAsGroup
from domain.games.shot_to_pieces.state.state import State, Unit
from domain.games.shot_to_pieces.state.vocabulary import CHARGES, FORMING, MOVES

QUARTERS = (4, 2, 1)
"""Quarters of the way of the slowest that are tried, the farthest first."""


def group_options(state: State, side: str) -> Iterator[Option]:
    """The farthest move of each whole group that may have an order."""
    for corps in state.corps_of(side):
        if not corps.broken:
            for units in _groups([unit for unit in state.under(corps.id) if _is_free(state, unit)]):
                yield from _advance(state, side, units)
                for pair in _battalions(state, units):
                    yield from _advance(state, side, pair)


def chosen_options(state: State, side: str, names: Sequence[str]) -> list[Option]:
    """The move of exactly these units, if they are a group."""
    units = [state.units[name] for name in names if name in state.units]
    if state.step not in (CHARGES, FORMING, MOVES) or len(units) < max(2, len(names)):
        return []
    return list(_advance(state, side, units))


def chosen_tried(state: State, side: str, names: Sequence[str]) -> list[str]:
    """How these units may have been meant to move together."""
    units = [state.units[name] for name in names if name in state.units]
    if not units:
        return []
    return [written(MoveAsGroup(tuple(names), min(reach(state, unit) for unit in units)), "en")]


def _is_free(state: State, unit: Unit) -> bool:
    return not (unit.shaken or unit.engaged or unit.order_k == state.k)


def _groups(units: list[Unit]) -> Iterator[list[Unit]]:
    """The chains of contacts among some units that have more than one member."""
    left = list(units)
    while left:
        chain, reached = list[Unit](), [left.pop(0)]
        while reached:
            unit = reached.pop()
            chain.append(unit)
            found = [other for other in left if in_contact(unit.base, other.base)]
            left = [other for other in left if other not in found]
            reached += found
        if len(chain) > 1:
            yield sorted(chain, key=lambda unit: unit.id)


def _battalions(state: State, units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """The large battalions in a group that has others, too: their halves move together (STP-EMP-10)."""
    seen = set[str]()
    for unit in units:
        mate = large_mate(state, unit)
        if mate and unit.id not in seen and len(units) > 2:
            seen |= {unit.id, mate.id}
            yield [unit, mate]


def _advance(state: State, side: str, units: Sequence[Unit]) -> Iterator[Option]:
    if not may_move(state, *units):
        return
    most = min(reach(state, unit) for unit in units)
    names = tuple(unit.id for unit in units)
    for part in QUARTERS:
        length = most * part // 4
        command = MoveAsGroup(names, length)
        if length and is_legal(state, side, command):
            first = units[0]
            end = moved(first.base, first.facing, length)
            target = OrderTarget(
                "move",
                point=end.at,
                facing=tenths(end.facing),
                way=(first.at, end.at),
                group=tuple((name, "") for name in names),
            )
            yield Option(
                written(command, "en"), "move", first.id, limits={"most_hcm": most}, exhaustive=False, target=target
            )
            return
