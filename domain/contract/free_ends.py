"""Where a unit may end on a table of free measure, for whoever drags it over the board.

All figures are measured by the rules that decide; a page draws what it is told and computes nothing. Lengths and places
are in units of the scene, angles in tenths of a degree.
"""

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from domain.basics.message import Message
from domain.contract.option import Act
from domain.contract.scene import Point


class WishedEnd(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where a player wants a unit: its centre `at` a place, None for anywhere; facing as given, None for as it comes;
    by one kind of order, "" for any."""

    at: Point | None = None
    facing: int | None = None
    act: Act | Literal[""] = ""


class Apart(Struct, frozen=True, gc=False):
    """How far an enemy is from a base."""

    unit: str
    distance: int


class FreeEnd(Struct, frozen=True, gc=False):
    """A legal end, and the canonical order that leads there.

    `at` and `facing` are those of the base at its end (None for what faces nowhere), `outline` its corners; `distance`
    is how far it goes, `cost` what the order costs, `told` says both; `nearest` are the nearest enemies from there, the
    nearest first.
    """

    order: str
    act: Act
    at: Point
    facing: int | None
    outline: tuple[Point, ...]
    distance: int
    cost: int
    told: Message
    nearest: tuple[Apart, ...] = ()


class FreeEnds(Struct, frozen=True, gc=False):
    """The answer to a wish: legal ends, the one that fits it best first; () where the unit may go nowhere.

    `at` and `facing` are those that the unit has now (None for what faces nowhere). `reach` is the outline of what its
    centre may come to, told where no place was wished for; else ().
    """

    unit: str
    at: Point
    facing: int | None
    ends: tuple[FreeEnd, ...] = ()
    reach: tuple[Point, ...] = ()


FindEnds = Callable[[Any, str, str, WishedEnd], FreeEnds]
"""`(state, side, unit, wish)`, from the state as the side knows it; the work is bounded. Raises: Refusal
core.unknown-id, core.not-yours"""
