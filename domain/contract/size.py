"""How large the battle of a scenario is, said before it is opened."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Size(Struct, frozen=True):
    """How large the battle of a scenario is: what the sides cost, southern first (() where nothing has a price);
    columns and rows of the table, or its width and depth where it `is_cm`; its turns at most, 0 for no limit."""

    points: tuple[int, ...] = ()
    columns: int = 0
    rows: int = 0
    is_cm: bool = False
    turns: int = 0


def no_size(scenario: Mapping[str, Any]) -> Size:
    """A game that says nothing of it."""
    return Size()
