"""Every test is seeded, its time is its own, and no slow machine makes it fail."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SYSTEM = frozenset({"SystemEntropy", "SystemClock", "urandom", "token_bytes", "token_hex"})
"""What gives another value in each run: tests take `entropy_of_test` and `ManualClock`."""
STOPWATCHES = frozenset({"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time"})
"""What measures: benchmarks do."""
OF_SYSTEM = {"SystemClock": ["tests/server/test_parts.py"], "SystemEntropy": ["tests/conftest.py"]}
"""Who may name one nevertheless: the test of the clock itself, and what takes the other's place."""
MODULES = sorted(path for path in TESTS.rglob("*.py") if path != Path(__file__))


def names(tree: ast.AST) -> Iterator[str]:
    """All that a piece of code names: variables, attributes, what is imported."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name.rpartition(".")[2]


def is_test(path: Path) -> bool:
    return path.name == "conftest.py" or path.name.startswith("test_")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(TESTS)))
def test_a_test_is_seeded_and_measures_no_time(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {name for name in names(tree) if str(path.relative_to(TESTS.parent)) not in OF_SYSTEM.get(name, [])}
    assert not named & SYSTEM
    if is_test(path):
        assert not named & STOPWATCHES
    asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    assert not {name for each in asserts for name in names(each)} & STOPWATCHES


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(TESTS)))
def test_a_wait_has_the_common_limit(path: Path) -> None:
    """`tests.support.waiting.LIMIT_S`: a limit of its own would be too short on some machine."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio"), attr="timeout" | "wait_for")):
                assert "LIMIT_S" in {name for given in [*node.args, *node.keywords] for name in names(given)}
            case ast.keyword(arg="timeout" | "deadline", value=ast.Constant(value=int())):
                raise AssertionError(f"line {node.value.lineno}")


@pytest.mark.parametrize(
    "code",
    ["entropy = clock.SystemEntropy()", "from time import monotonic as now", "assert time.perf_counter() - begun < 2"],
)
def test_the_names_are_found(code: str) -> None:
    assert {*names(ast.parse(code))} & (SYSTEM | STOPWATCHES)
