"""Where a unit may end that somebody drags over the board, in the words of its reader."""

from typing import Any

from msgspec import Struct

from domain.contract.free_ends import FreeEnd, FreeEnds
from domain.contract.option import Act
from domain.contract.ruleset import Ruleset
from domain.contract.scene import Point, Scene
from replay.drawing.measures import length
from replay.telling.words import order_in
from replay.telling.words.sentences import phrase
from server.words import say


class NearShown(Struct, frozen=True, gc=False):
    """An enemy near an end; `said` is the distance of the bases in words."""

    unit: str
    distance: int
    said: str


class FreeEndShown(Struct, frozen=True, gc=False):
    """A legal end of a unit, and the order that leads there, as the game measures it. `said` tells it in a sentence:
    how far, what it costs, and how far the nearest enemies are then."""

    order: str
    act: Act
    at: Point
    facing: int | None
    outline: tuple[Point, ...]
    distance: int
    cost: int
    nearest: tuple[NearShown, ...]
    said: str


class FreeEndsShown(Struct, frozen=True, gc=False):
    """Where a unit of your side may end. Where no place was asked for, `reach` is the outline of what its centre may
    come to; `said` is the reason where there is no end."""

    battle: str
    n: int
    side: str
    unit: str
    at: Point
    facing: int | None
    choices: tuple[FreeEndShown, ...]
    reach: tuple[Point, ...]
    said: str


def ends_shown(
    found: FreeEnds, ruleset: Ruleset, scene: Scene, lang: str, written_in: str, reason: str, **of: Any
) -> FreeEndsShown:
    """What a game has answered, in words; the orders in the notation of a language. `of` tells battle, n and side."""
    ends = tuple(_shown(end, ruleset, scene, lang, written_in) for end in found.ends)
    return FreeEndsShown(
        unit=found.unit, at=found.at, facing=found.facing, choices=ends, reach=found.reach, said=reason, **of
    )


def _shown(end: FreeEnd, ruleset: Ruleset, scene: Scene, lang: str, written_in: str) -> FreeEndShown:
    said = phrase(end.told.id, end.told.params, lang)
    nearest = tuple(NearShown(one.unit, one.distance, length(scene, one.distance)) for one in end.nearest)
    if nearest:
        near = ", ".join(f"{one.unit} {one.said}" for one in nearest)
        said = say(lang, "pages.ends.near", told=said, near=near)
    order = order_in(ruleset, end.order, written_in)
    return FreeEndShown(order, end.act, end.at, end.facing, end.outline, end.distance, end.cost, nearest, said)
