"""Modules are short, and no two of them, or of the packages beside each other, import each other."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("benchmarks", "domain", "projections", "replay", "server")
LONGEST = 400
"""Lines of a module."""
BOTH_WAYS = {
    ("domain.engine", "domain.log"),
    ("domain.engine", "domain.ruleset"),
    ("domain.engine", "domain.settable"),
    ("domain.engine", "domain.time"),
}
"""Packages whose modules stand on several layers: the import contract `domain` in pyproject.toml names each module."""


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
def test_no_two_packages_beside_each_other_import_each_other() -> None:
    arrows = defaultdict(set)
    for name, path in modules().items():
        for imported in imports(path):
            siblings = beside(name, imported) if imported in modules() else None
            if siblings:
                arrows[siblings].add((name, imported))
    both = {(one, other) for one, other in arrows if one < other and (other, one) in arrows}
    assert sorted(both - BOTH_WAYS) == []
    assert sorted(BOTH_WAYS - both) == []  # what is untangled leaves the list
