"""Every test is seeded, its time is its own, and no slow machine makes it fail."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.support import memory
from tests.support.lanes import MOST_ALIKE, OF_NO_LANE, dealt, sampled, share, spread, without_sweeps

TESTS = Path(__file__).parent
SYSTEM = frozenset({"SystemEntropy", "SystemClock", "urandom", "token_bytes", "token_hex"})
"""What gives another value in each run: tests take `entropy_of_test` and `ManualClock`."""
STOPWATCHES = frozenset({"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time"})
"""What measures: benchmarks do."""
LIMITS = ("timeout", "wait_for", "deadline")
OF_SYSTEM = {"SystemClock": ["tests/server/play/test_parts.py"], "SystemEntropy": ["tests/conftest.py"]}
"""Who may name one nevertheless: the test of the clock itself, and what takes the other's place."""


def modules(words: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
    """The modules of the tests in which one of some words stands, parsed, with their paths."""
    stands = re.compile(rf"\b(?:{'|'.join(words)})\b")
    for path in sorted(TESTS.rglob("*.py")):
        if path != Path(__file__) and stands.search(text := path.read_text(encoding="utf-8")):
            yield str(path.relative_to(TESTS.parent)), ast.parse(text)


def names(tree: ast.AST) -> Iterator[str]:
    """All that a piece of code names: variables, attributes, what is imported."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name.rpartition(".")[2]


def is_test(path: str) -> bool:
    return Path(path).name == "conftest.py" or Path(path).name.startswith("test_")


def test_every_test_is_seeded_and_measures_no_time() -> None:
    found = set()
    for path, tree in modules(SYSTEM | STOPWATCHES):
        asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
        banned = {name for name in SYSTEM if path not in OF_SYSTEM.get(name, ())}
        found |= {(path, name) for name in names(tree) if name in banned}
        found |= {
            (path, name)
            for part in ([tree] if is_test(path) else asserts)
            for name in names(part)
            if name in STOPWATCHES
        }
    assert found == set()


def test_every_wait_has_the_common_limit() -> None:
    """`tests.support.waiting.LIMIT_S`: a limit of its own would be too short on some machine."""
    found = set()
    for path, node in ((path, node) for path, tree in modules(LIMITS) for node in ast.walk(tree)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio"), attr="timeout" | "wait_for")):
                if "LIMIT_S" not in {name for given in [*node.args, *node.keywords] for name in names(given)}:
                    found.add((path, node.lineno))
            case ast.keyword(arg="timeout" | "deadline", value=ast.Constant(value=int())):
                found.add((path, node.value.lineno))
    assert found == set()


@pytest.mark.parametrize(
    "code",
    ["entropy = clock.SystemEntropy()", "from time import monotonic as now", "assert time.perf_counter() - begun < 2"],
)
def test_the_names_are_found(code: str) -> None:
    assert {*names(ast.parse(code))} & (SYSTEM | STOPWATCHES)


NOT_EMPTIER = frozenset({"enumerate", "zip", "sorted", "reversed", "range", "items", "values", "split"})
"""What makes nothing of something: with it a constant stays something to loop over."""


def is_something(node: ast.expr) -> bool:
    """Whether what is looped over is sure not to be empty: a literal, a constant, or `some` (tests.support.looping)."""
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return any(not isinstance(element, ast.Starred) or is_something(element.value) for element in elements)
        case ast.Dict(keys=[_, *_]) | ast.Constant():
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name) if name.isupper():
            return True
        case ast.Call(func=ast.Name(id="some")):
            return True
        case ast.Call(func=ast.Name(id=name), args=args) if name in NOT_EMPTIER:
            return any(map(is_something, args))
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in NOT_EMPTIER:
            return is_something(inner)
        case ast.Subscript(value=inner):
            return is_something(inner)
    return False


def is_check(node: ast.AST) -> bool:
    """Whether a node is an `assert`, or the wait for an error."""
    return isinstance(node, ast.Assert) or (isinstance(node, ast.withitem) and "raises" in names(node))


def is_certain(node: ast.AST) -> bool:
    """Whether a check stands in a piece of code that is not in a loop over what may be empty."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return is_something(node.iter) and any(map(is_check, ast.walk(node)))
    return is_check(node) or any(map(is_certain, ast.iter_child_nodes(node)))


def may_check_nothing(test: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether all checks of a test stand in loops, each of which may be empty."""
    return not is_certain(test) and any(map(is_check, ast.walk(test)))


@pytest.mark.slow
def test_no_test_passes_because_it_loops_over_nothing() -> None:
    found = [
        f"{path}: {node.name}"
        for path, tree in modules(("for",))
        if is_test(path)
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_")
        if may_check_nothing(node)
    ]
    assert found == [], "what is looped over may be empty: see tests.support.looping"


@pytest.mark.parametrize(
    ("body", "may"),
    [
        ("for one in found: assert one", True),
        ("for one in some(found): assert one", False),
        ("for one in found: assert one\n assert found", False),
        ("for at, one in enumerate(SIDES): assert one", False),
        ("for one in (*found, *others): assert one", True),
        ("for one in (*found, *SIDES): assert one", False),
        ("with opened() as file:\n  for line in file: assert line", True),
        ("for one in found:\n  with pytest.raises(OSError): one()", True),
    ],
)
def test_a_loop_over_nothing_is_found(body: str, may: bool) -> None:
    test = ast.parse(f"def test_it():\n {body}").body[0]
    assert isinstance(test, ast.FunctionDef)
    assert may_check_nothing(test) is may


def test_fixtures_of_pages_belong_to_the_loop_of_the_browser() -> None:
    """The tests of that folder run in it: what another loop has made would hang or fail there."""
    pages = [path.read_text(encoding="utf-8") for path in (TESTS / "server" / "web" / "pages").glob("*.py")]
    made = [text for page in pages for text in re.findall(r"^@pytest\w*\.fixture(.*)\nasync def", page, re.M)]
    assert made
    assert [arguments for arguments in made if 'loop_scope="session"' not in arguments] == []


@pytest.mark.parametrize(("count", "places"), [(0, set()), (3, {0, 1, 2}), (4, {0, 1, 2}), (9, {0, 3, 6})])
def test_a_few_of_many_cases_are_in_the_quick_lane(count: int, places: set[int]) -> None:
    assert spread(count, 3) == places


def test_cases_beyond_the_first_few_are_slow(request: pytest.FixtureRequest) -> None:
    """Of this session: whatever was selected."""
    left = Counter(
        (item.parent, item.originalname)
        for item in request.session.items
        if isinstance(item, pytest.Function) and not any(item.get_closest_marker(mark) for mark in OF_NO_LANE)
    )
    assert max(left.values()) <= MOST_ALIKE


@pytest.mark.parametrize(
    ("others", "groups", "wanted"),
    [
        ("abcdef", [], "abcdef"),
        ("abcdef", ["XY"], "XYabcdef"),
        ("abcdef", ["XY", "Z", "V"], "XYVabZcdef"),
        ("a", ["XY", "Z"], "XYZa"),
        ("", ["XYZ"], "XYZ"),
    ],
)
def test_each_process_begins_with_long_tests(others: str, groups: list[str], wanted: str) -> None:
    assert "".join(dealt(others, groups, 2)) == wanted


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_each_file_is_in_one_share_and_shares_are_alike(parts: int) -> None:
    files = [*TESTS.rglob("test_*.py")]
    shares = [share(files, part, parts) for part in range(parts)]
    assert sorted(path for each in shares for path in each) == sorted(files)
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_folders_are_in_memory_that_has_room_unless_somebody_names_a_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "IN_MEMORY", tmp_path)
    named, free, full = {memory.ROOT: "/elsewhere"}, dict[str, str](), dict[str, str]()
    for least, environment in ((1, named), (1, free), (1 << 70, full)):
        monkeypatch.setattr(memory, "LEAST_BYTES", least)
        memory.prefer_memory(environment)
    assert (named, free, full) == ({memory.ROOT: "/elsewhere"}, {memory.ROOT: str(tmp_path)}, {})
    assert not memory.is_fit(tmp_path / "nowhere")


def test_a_sweep_is_tried_by_who_asks_for_it(pytestconfig: pytest.Config, request: pytest.FixtureRequest) -> None:
    """Of this session: without the option nothing of a sweep is there."""
    values = sampled([1, (2, 3), pytest.param(4, id="four"), 5], 3)
    assert [value if isinstance(value, int) else [mark.name for mark in value.marks] for value in values] == [
        1,
        ["sweep"],
        ["sweep"],
        5,
    ]
    assert values[1].values == (2, 3) and values[2].id == "four"
    swept = [item for item in request.session.items if item.get_closest_marker("sweep")]
    assert pytestconfig.getoption("--sweep") or not swept


def test_sweeps_are_taken_out(request: pytest.FixtureRequest) -> None:
    class Swept(pytest.Item):
        def runtest(self) -> None:
            """Nothing."""

    swept = Swept.from_parent(request.node.parent, name="swept")
    swept.add_marker("sweep")
    items = [request.node, swept]
    assert without_sweeps(items) == [swept]
    assert items == [request.node]
