"""Numbers of a battle are integers: no field of an event, a command or a state of any game is a float."""

import typing
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Struct

from domain.catalogue import RULESETS
from tests.support.looping import some


def held(kind: Any, seen: set[Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a struct, with the plain types in them, and those of all structs that it holds."""
    for name, hint in typing.get_type_hints(kind).items():
        for one in parts(hint):
            yield f"{kind.__name__}.{name}", one
            if isinstance(one, type) and issubclass(one, Struct) and one not in seen:
                seen.add(one)
                yield from held(one, seen)


def parts(hint: Any) -> Iterator[Any]:
    """A type, or those that a container or union is made of."""
    inner = typing.get_args(hint)
    if not inner:
        yield hint
    for one in inner:
        yield from parts(one)


@pytest.mark.parametrize("game", RULESETS.values(), ids=lambda game: game.code)
def test_no_event_command_or_state_holds_a_float(game: Any) -> None:
    kinds = {*game.events.values(), *typing.get_args(game.command), type(game.rules.initial)}
    found = [field for kind in some(kinds) for field in held(kind, {kind})]
    assert [where for where, kind in some(found) if kind is float] == []
    assert any(kind is int for _, kind in found)


class Inner(Struct):
    """Held by the other."""

    far: dict[str, tuple[float, ...]] | None


class Outer(Struct):
    """Holds the other."""

    inner: tuple[Inner, ...]


def test_a_float_is_found_wherever_it_stands() -> None:
    assert ("Inner.far", float) in list(held(Outer, {Outer}))
