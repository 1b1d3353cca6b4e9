"""Modules are short, and no two of them, or of the packages beside each other, import each other."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from domain.campaign.events import CAMPAIGN_EVENTS
from domain.catalogue import RULESETS
from domain.events.battle import CORE_EVENTS

ROOT = Path(__file__).parents[2]
PACKAGES = ("benchmarks", "domain", "phalera", "projections", "replay", "server")
LONGEST = 400
"""Lines of a module."""
LONGEST_FUNCTION = 45
"""Lines of a function with its docstring."""
LONGER = {"domain.run.inputs.join", "domain.games.to_the_strongest.chapters.activation.difficulties"}
"""Functions that are longer and stay so: each is one list of what holds."""
SHARED = {"Battle", "ClockFired"}
"""Class names with two homes: what the library plays is called as its users call it; the event of a campaign's clock is
that of a battle with a round, and the name is the type in the log."""

KEPT = {"Battle", "Corps", "General", "Ground", "Options", "State", "Unit"}
"""Other names with several homes: each game has a state, units and options in its own words."""
FEW = 30


@cache
def modules() -> Mapping[str, Path]:
    """Every module by its dotted name; a package by its own."""
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    names = ((".".join(path.relative_to(ROOT).with_suffix("").parts), path) for path in paths)
    return {name.removesuffix(".__init__"): path for name, path in names}


def imports(path: Path) -> Iterator[str]:
    """The modules of ours that a module imports, also inside its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules())
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in modules() else node.module


def beside(one: str, other: str) -> tuple[str, str] | None:
    """The two siblings of one package in which two modules stand; None if one of the two contains the other."""
    parts, others = one.split("."), other.split(".")
    common = next((at for at, (a, b) in enumerate(zip(parts, others, strict=False)) if a != b), None)
    return None if common is None else (".".join(parts[: common + 1]), ".".join(others[: common + 1]))


def test_no_module_is_long() -> None:
    long = {
        path.relative_to(ROOT).as_posix()
        for path in modules().values()
        if len(path.read_text(encoding="utf-8").splitlines()) > LONGEST
    }
    assert sorted(long) == []


@pytest.mark.slow
def test_no_function_is_long() -> None:
    """Of the program; a benchmark tells its steps one after the other."""
    long = {
        f"{name}.{node.name}"
        for name, path in modules().items()
        if not name.startswith("benchmarks")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines_of(node) > LONGEST_FUNCTION
    }
    assert long == LONGER
    assert len(LONGER) < 3


@cache
def classes() -> tuple[tuple[str, str], ...]:
    """Each class of the program with the module in which it stands."""
    return tuple(
        (module, node.name)
        for module, path in modules().items()
        if not module.startswith("benchmarks")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )


def test_a_class_name_has_one_home() -> None:
    """Outside the games, of which each has a state, a shot and a charge of its own."""
    homes = defaultdict(set)
    for module, name in classes():
        if not module.startswith(("domain.games", "replay.games")) and not name.startswith("_"):
            homes[name].add(module)
    assert {name for name, found in homes.items() if len(found) > 1} == SHARED


def test_few_class_names_have_a_second_home_in_a_game() -> None:
    """Types of events, by which logs name them, and the nouns of KEPT; private names count, too."""
    homes = defaultdict(set)
    for module, name in classes():
        homes[name].add(module)
    doubled = {name for name, found in homes.items() if len(found) > 1}
    types = {*CORE_EVENTS, *CAMPAIGN_EVENTS, *(name for ruleset in RULESETS.values() for name in ruleset.events)}
    assert doubled - types == KEPT
    assert len(doubled) < FEW


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function, from `def` to its last one."""
    return (node.end_lineno or 0) - node.lineno + 1


@pytest.mark.slow
def test_no_two_packages_beside_each_other_import_each_other() -> None:
    arrows = defaultdict(set)
    for name, path in modules().items():
        for imported in imports(path):
            siblings = beside(name, imported) if imported in modules() else None
            if siblings:
                arrows[siblings].add((name, imported))
    both = {(one, other) for one, other in arrows if one < other and (other, one) in arrows}
    assert sorted(both) == []
