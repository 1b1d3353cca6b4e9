"""What several units may do: as one, where the game has such orders, and each of them by itself.

Of orders to units as one, the game lists the largest groups by itself; those to exactly the units that a player has
chosen it is asked for here (`domain.contract.option.GroupOrders`). Nothing is drawn, and all is judged by what the
side knows.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.contract.option import Option
from domain.contract.scene import Cell, Point, Scene
from domain.scripts.course import refusal_of
from server.play.live_battle import LiveBattle


class Alike(Struct, frozen=True):
    """Orders to each of several units that do the same: the words that they share, or else the cells that they lead to;
    the lines, one for each unit."""

    words: str
    boxes: tuple[str, ...]
    lines: tuple[str, ...]


def as_one(live: LiveBattle, side: str, units: Sequence[str]) -> tuple[Option, ...]:
    """The orders to exactly these units together: those that are listed, and others of which the game is asked."""
    if side not in live.to_act():
        return ()
    listed = [option for option in live.options(side) if set(_group(option)) == set(units)]
    there = {_done(option) for option in listed}
    asked = live.ruleset.orders.groups.options(live.known(side), side, units)
    return (*listed, *(option for option in asked if _done(option) not in there))


def _group(option: Option) -> Mapping[str, str]:
    return dict(option.target.group) if option.target else {}


def _done(option: Option) -> object:
    """What an order to a group does, in whatever sequence it names its units."""
    return option.kind, frozenset(_group(option).items()), option.target and option.target.unit


def reason_together(live: LiveBattle, side: str, units: Sequence[str]) -> Refusal | None:
    """The refusal of what units may have been meant to do together; None if nobody can say."""
    known = live.known(side)
    refusals = (
        refusal_of(live.ruleset, known, side, line) for line in live.ruleset.orders.groups.tried(known, side, units)
    )
    return next((refusal for refusal in refusals if refusal), None)


def each_alone(options: Sequence[Option], scene: Scene, units: Sequence[str]) -> tuple[Alike, ...]:
    """What all of the units can do, each by itself: orders that differ in the unit alone, then those that take or put
    every unit as far in the same direction. No set of lines is there twice."""
    found: dict[tuple[str, ...], Alike] = {}
    of = {unit: [option for option in options if option.unit == unit and option.target] for unit in units}
    of = {unit: [option for option in own if not _group(option)] for unit, own in of.items()}
    by_words = [{_rest(option): option for option in reversed(own)} for own in of.values()]
    for words in list(by_words[0])[::-1] if units else ():
        if all(words in own for own in by_words):
            lines = tuple(own[words].order for own in by_words)
            found.setdefault(lines, Alike(words, (), lines))
    ways = [dict(_ways(own, unit, scene)) for unit, own in of.items()]
    for way in ways[0] if ways else ():
        if all(way in own for own in ways):
            taken = [own[way] for own in ways]
            lines = tuple(option.order for option in taken)
            boxes = tuple(option.target.box for option in taken if option.target)
            found.setdefault(lines, Alike("", boxes, lines))
    return tuple(found.values())


def _rest(option: Option) -> str:
    """An order without the name of its unit."""
    return " ".join(word for word in option.order.split() if word != option.unit)


def _ways(options: Sequence[Option], unit: str, scene: Scene) -> Iterator[tuple[object, Option]]:
    """Each order that takes a unit from its cell to another, by how far and with which facing; the first such order
    counts."""
    cells = {cell.id: cell for cell in scene.cells}
    at = next((cells[token.cell] for token in scene.tokens if token.id == unit and token.cell in cells), None)
    seen = set[object]()
    for option in options if at else ():
        target = option.target
        if target is None or target.act not in ("move", "place") or target.box not in cells or at is None:
            continue
        way = target.act, _shift(at, cells[target.box]), target.facing
        if way not in seen and target.box != at.id:
            seen.add(way)
            yield way, option


def _shift(one: Cell, other: Cell) -> Point:
    """From the middle of one cell to that of another, doubled."""
    (x, y), (to_x, to_y) = _doubled_middle(one), _doubled_middle(other)
    return to_x - x, to_y - y


def _doubled_middle(cell: Cell) -> Point:
    across, along = [x for x, _ in cell.outline], [y for _, y in cell.outline]
    return min(across) + max(across), min(along) + max(along)
