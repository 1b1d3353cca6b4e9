"""What the collector is told not to look at holds nothing that could lead back to it.

A struct with `gc=False` is invisible to the collector. That is right for plain values. An exception is none: it holds
its traceback, that holds frames, and a frame may hold the struct.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, get_args

import pytest
from msgspec import Struct
from msgspec.structs import fields

PACKAGES = ("domain", "projections", "replay", "server")


def structs(kind: type[Struct] = Struct) -> Iterator[type[Struct]]:
    for below in kind.__subclasses__():
        yield below
        yield from structs(below)


def kinds(of: Any) -> Iterator[Any]:
    """A type, and those within it."""
    yield of
    for within in get_args(of):
        yield from kinds(within)


def unseen() -> dict[str, list[str]]:
    """The fields that may hold an exception, by struct of ours that the collector does not see."""
    found = {}
    for kind in structs():
        if kind.__module__.partition(".")[0] in PACKAGES and kind.__struct_config__.gc is False:
            held = [
                field.name
                for field in fields(kind)
                if any(isinstance(one, type) and issubclass(one, BaseException) for one in kinds(field.type))
            ]
            found[f"{kind.__module__}.{kind.__qualname__}"] = held
    return found


@pytest.fixture(scope="module", autouse=True)
def everything() -> None:
    for package in PACKAGES:
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)


def test_no_unseen_struct_holds_an_exception() -> None:
    found = unseen()
    assert len(found) > 100
    assert {name: held for name, held in found.items() if held} == {}
