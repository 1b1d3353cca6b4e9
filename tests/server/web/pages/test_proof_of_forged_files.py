"""The check of the proof in a script against `verify`, moves apart, by every kind of fault that tests know.

Those tests run once more, watched (`tests.support.forged_files`); of each kind of fault and version some of their files
are judged by the script under node, and must come to the same kind and event. So must files of version 3 of each game
of which any one event is told otherwise (`tests.support.altered`).
"""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.branches import play_on
from domain.basics.data import parse_toml, scenario_text
from domain.engine.state import SIDES
from domain.log.record import PBEM_2_1
from domain.run.branching import place_before
from replay import battle_file
from replay.proof import verdict
from replay.proof.verify import verify
from server.offline.branching import beginning, branched
from server.words import say
from tests.golden.__main__ import kept
from tests.replay.proof.test_scenario_told import file_of
from tests.support import altered
from tests.support.forged_files import MANIFEST
from tests.support.looping import some
from tests.support.rechained import taken_apart
from tests.support.tiny import tiny_scenario
from tests.support.waiting import LIMIT_S

ROOT = Path(__file__).parents[4]
JUDGE = ROOT / "tests" / "scripts" / "judge_files.js"
GROW = ROOT / "tests" / "scripts" / "grow_files.js"
GOLDEN = ROOT / "tests" / "golden"
CONFORMANCE = ROOT / "tests" / "conformance" / "battles"
OF_A_KIND = 6
"""Files of each kind of fault that the script judges; a whole table is 10,000 files."""
OF_A_FILE = {"blind": 8, "singidunum-goal": 12, "warmaster-volleys": 24}
"""How many alterations of a file are judged; of the small ones `OF_A_SMALL_FILE`."""
OF_A_SMALL_FILE = 48
JUDGED = (b'"version":2}', b'"version":3}')
LOOKS = 8
"""Looks at a forged file as it grows, at random; at an honest one `LOOKS_AT_HONEST`."""
LOOKS_AT_HONEST = 15
UNREADABLE = frozenset({"not-json", "not-utf-8", "float"})
"""One kind here: a line that is none may be so in several ways, and each reader meets another of them first."""


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_every_kind_of_fault_is_found_at_the_same_event(tmp_path: Path) -> None:
    collecting = [sys.executable, "-m", "tests.support.forged_files", str(tmp_path)]
    subprocess.run(collecting, cwd=ROOT, check=True, capture_output=True, timeout=LIMIT_S)
    rows = json.loads((tmp_path / MANIFEST).read_text())
    by_kind: dict[tuple[bytes, str], list[tuple[str, int]]] = {}
    for name, what, n in rows:
        by_kind.setdefault((_version(tmp_path / f"{name}.battle"), what), []).append((name, n))
    assert len(by_kind) > 120 and len(rows) > 1000
    chosen = [
        (name, what, n)
        for (version, what), files in some(sorted(by_kind.items()))
        for name, n in random.Random(f"{version!r} {what}").sample(sorted(files), min(OF_A_KIND, len(files)))
        if version in JUDGED
    ]
    paths = [tmp_path / f"{name}.battle" for name, _, _ in chosen]
    differ = [
        (what, n, found)
        for (_, what, n), found in zip(chosen, _judged(paths), strict=True)
        if (_kind(what), n) != (_kind(found[0]), found[1])
    ]
    assert differ == []
    assert [(row, grown.differ) for row, grown in zip(chosen, _grown(paths, LOOKS), strict=True) if grown.differ] == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_whatever_an_event_of_version_3_says_otherwise_is_judged_alike(tmp_path: Path) -> None:
    told: dict[Path, tuple[str, str, int]] = {}
    for name, honest in some(altered.files().items()):
        most = OF_A_FILE.get(name, OF_A_SMALL_FILE)
        for what, content in [(name, honest), *altered.alterations(name, most)]:
            path, fault = tmp_path / f"{len(told)}.battle", verify(content, judges_moves=False).fault
            path.write_bytes(content)
            told[path] = (what, fault.what, fault.n) if fault else (what, "", 0)
    assert len({kind for _, kind, _ in told.values()}) > 40
    differ = [
        (what, kind, n, found)
        for (what, kind, n), found in zip(told.values(), _judged(told), strict=True)
        if [_kind(kind), n] != [_kind(found[0]), found[1]]
    ]
    assert differ == []
    grown = zip(told.values(), _grown(told, LOOKS), strict=True)
    assert [(row, one.differ) for row, one in grown if one.differ] == []


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_what_grows_is_judged_as_the_whole_and_costs_what_is_new(tmp_path: Path) -> None:
    files = [*GOLDEN.glob("*.battle"), *CONFORMANCE.glob("*.battle")]
    for name, content in altered.files().items():
        files.append(tmp_path / f"{name}.battle")
        files[-1].write_bytes(content)
    chosen = sorted(files, key=lambda path: path.name)
    grown = _grown(chosen, LOOKS_AT_HONEST)
    assert [(path.name, one.differ) for path, one in zip(chosen, grown, strict=True) if one.differ] == []
    long = _grown([GOLDEN / "medals.battle"], 150)[0]
    events = len(taken_apart((GOLDEN / "medals.battle").read_bytes())[1])
    assert events < long.walked < long.looks * events / 10  # a whole check walks half of them at each look


NOT_JUDGED = tuple(say("en", f"pages.script.proof-{what}") for what in ("moves", "bots"))
"""What the script says that it has left out."""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_verdict_of_the_script_has_the_lines_of_verify(tmp_path: Path) -> None:
    hands = {"north": ["ambush"], "south": ["ambush", "oracle"]}
    tiny = tiny_scenario()
    sides = {side: {**army, "stratagems": hands[side]} for side, army in tiny["sides"].items()}
    packaged = parse_toml(scenario_text("tts", "zama"), "zama")
    contents = {
        **altered.files(),
        "given": file_of({**tiny, "sides": sides}, PBEM_2_1),
        "given before": file_of({**tiny, "sides": sides}, 2),
        "packaged": file_of(packaged, PBEM_2_1),
        "branch": _branch(),
    }
    paths = {name: tmp_path / f"{at}.battle" for at, name in enumerate(contents)}
    for name, path in paths.items():
        path.write_bytes(contents[name])
    said = {name: lines for name, (_, _, lines) in zip(paths, _judged(paths.values()), strict=True)}
    for name, content in some(contents.items()):
        report = verify(content, judges_moves=False)
        *lines, last = (line for line in verdict.lines(report) if line not in report.install)
        bots = any(seat.kind == "bot" for seat in report.seats) and report.version >= PBEM_2_1
        assert [line for line in said[name] if line.startswith(NOT_JUDGED)] == [*NOT_JUDGED[: 1 + bots]], name
        assert [line for line in said[name][:-1] if not line.startswith(NOT_JUDGED)] == lines, name
        assert report.other_rules or said[name][-1] == last, name  # the rules are no matter of the script's


def _branch() -> bytes:
    content = kept("medals").read_bytes()
    events = battle_file.parse(content).events
    battle = branched(beginning(content, "medals", place_before(events, len(events) // 2), "en"), 7)
    for side in SIDES:
        battle.seat_bot(side, "random")
    play_on(battle, 4)
    return battle.file()


def _judged(paths: Iterable[Path]) -> list[tuple[str, int, list[str]]]:
    """Kind and event of what the script finds in each file, and the lines of its verdict."""
    command = ["node", "--no-warnings", str(JUDGE)]
    names = json.dumps([str(path) for path in paths])
    done = subprocess.run(command, input=names, capture_output=True, text=True, check=True, timeout=LIMIT_S)
    found: list[tuple[str, int, list[str]]] = json.loads(done.stdout)
    return found


class Grown(NamedTuple):
    """A file looked at as it grows: where that differs from a check of the same events as a whole, how many looks there
    were, and how many events they have walked."""

    differ: list[list[Any]]
    looks: int
    walked: int


def _grown(paths: Iterable[Path], looks: int) -> list[Grown]:
    """Each file cut at random, seeded by its name."""
    rows = []
    for path in paths:
        last, chance = path.read_bytes().count(b"\n") - 1, random.Random(path.name)
        rows.append((str(path), sorted({*chance.sample(range(1, max(last, 1) + 1), min(looks, max(last, 1))), last})))
    command = ["node", "--no-warnings", str(GROW)]
    done = subprocess.run(command, input=json.dumps(rows), capture_output=True, text=True, check=True, timeout=LIMIT_S)
    return [Grown(**one) for one in json.loads(done.stdout)]


def _version(path: Path) -> bytes:
    """The end of the header, where its version stands."""
    return path.read_bytes().partition(b"\n")[0][-len(JUDGED[0]) :]


def _kind(what: str) -> str:
    return "unreadable" if what in UNREADABLE else what
