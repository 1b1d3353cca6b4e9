"""Plants faults in engine, runner, proof, recording, play, time and acts of the server, those of campaigns and clubs
among them. Run by hand; it takes minutes.

    python -m tests.mutation.program engine run            three random faults of each module of these parts
    python -m tests.mutation.program proof --each 10       ten of each
    python -m tests.mutation.program all --write           all parts, into docs/mutation-program.md
    python -m tests.mutation.program reviewed              the faults of `reviewed`, each by the test nearest to it

Only the nearest tests are asked: those of the folders that mirror a part, and of them those that go through the faulty
function. Exit code 1: a fault of `reviewed` is not noticed.
"""

import argparse
import random
import signal
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from tests.mutation.mutants import Mutant
from tests.mutation.reviewed import REVIEWED
from tests.mutation.trial import ROOT, in_fork, mutants_of, plant

PAGE = ROOT / "docs" / "mutation-program.md"
SURVIVORS = ROOT / "tests" / "mutation" / "survivors_program.toml"
OPEN = "**open**"
"""What stands on the page of a fault of which nothing is known yet."""
EACH, MOST_TESTS, LIMIT_S = 3, 12, 120
"""Faults of each module; tests that are asked about one, the shortest first; seconds until a test that waits for what
never comes counts as failed."""
FAST = "not slow and not browser and not mail"
QUIET = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={ROOT}", "-m", FAST)
HEAD = """# Mutation testing of the program

Beside the rules of the games ([mutation testing](mutation.md)) faults are planted in what runs them: the engine, the
runner, the proof, play, time and acts of a server. Of each module a few random ones are planted in functions, and the
nearest tests are asked: those of the folders that mirror the part, of them those in the quick lane that go through the
function, the {most} shortest. It is run by hand:

<!-- shown, not run: it takes minutes -->

```sh
python -m tests.mutation.program all --write
python -m tests.mutation.program run --each 20
python -m tests.mutation.program reviewed
```

`reviewed` plants faults that a review or a run has found alive (`tests/mutation/reviewed.py`); each dies by the test
nearest to it. Of the list below these are: readers of a battle and sources of a branch, successors on a seat,
questions, bounds of a position, the random bot, umpires of an opening, heads beyond a file, rules of an unknown game,
fallen flags.

What is known of a fault in the list (`tests/mutation/survivors_program.toml`): a test beyond these {most} that
notices it, or why it is harmless; of the others nothing is known yet.

The figures are a record of a past run, not a live count: measured at commit {commit} ({day}), {each} faults of each
module.

| part | modules | faults | noticed | not noticed | in no test near |
|---|---|---|---|---|---|
"""


class Part(NamedTuple):
    """A package whose modules are mutated, and the folders of the tests nearest to it."""

    package: str
    tests: tuple[str, ...]


PARTS = {
    "engine": Part("domain.engine", ("tests/domain/engine", "tests/domain/run", "tests/domain/disputes")),
    "run": Part("domain.run", ("tests/domain/run", "tests/domain/disputes")),
    "proof": Part("replay.proof", ("tests/replay/proof",)),
    "writing": Part("replay.writing", ("tests/replay/writing", "tests/server/offline", "tests/domain/log")),
    "play": Part("server.play", ("tests/server/play",)),
    "time": Part("server.time", ("tests/server/time",)),
    "acts": Part("server.acts", ("tests/server/acts",)),
    "campaigns": Part("server.acts.campaigns", ("tests/server/acts", "tests/server/campaigns", "tests/server/web")),
    "clubs": Part("server.acts.clubs", ("tests/server/acts", "tests/server/web")),
}


class Tried(NamedTuple):
    """A fault, and what became of it: noticed, not noticed, or in a function that no near test goes through."""

    fault: str
    became: str


NOTICED, ALIVE, UNTESTED = "noticed", "not noticed", "in no test near"


class Coverage:
    """A plugin of pytest: which test goes through which functions of a package, and how long it takes."""

    def __init__(self, package: str) -> None:
        self.folder = str(ROOT / package.replace(".", "/"))
        self.through: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
        self.called: set[tuple[str, str]] = set()

    def pytest_runtest_setup(self, item: Any) -> None:
        """Begin to note."""
        self.called = set()
        sys.setprofile(self._note)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep what a test has called."""
        if report.when == "call" and report.passed:
            for key in self.called:
                self.through[key][report.nodeid] = report.duration
        if report.when == "teardown":
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(self.folder):
            self.called.add((Path(frame.f_code.co_filename).stem, frame.f_code.co_qualname))


def coverage_of(part: Part) -> Mapping[tuple[str, str], Mapping[str, float]]:
    """(module, function) to the near tests that go through it, each with its seconds."""

    def run() -> dict[tuple[str, str], dict[str, float]]:
        import pytest

        noted = Coverage(part.package)
        pytest.main([*(one for one in QUIET if one != "-x"), *(str(ROOT / folder) for folder in part.tests)], [noted])
        return dict(noted.through)

    return in_fork(run) or {}


def fails(tests: Sequence[str], mutant: Mutant | None = None) -> bool:
    """Whether one of some tests fails, with a fault if one is given."""

    def run() -> bool:
        import pytest

        signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
        if mutant is not None:
            plant(mutant)
        return pytest.main([*QUIET, *(str(ROOT / test) for test in tests)]) != pytest.ExitCode.OK

    return in_fork(run) in (True, None)


def tried(part: Part, each: int) -> Iterator[Tried]:
    """Plant random faults in each module of a part."""
    through = coverage_of(part)
    for path in sorted((ROOT / part.package.replace(".", "/")).glob("[a-z]*.py")):
        module = f"{part.package}.{path.stem}"
        faults = [mutant for mutant in mutants_of(module) if mutant.in_function]
        for mutant in random.Random(module).sample(faults, min(each, len(faults))):
            near = through.get((path.stem, mutant.owner), {})
            tests = sorted(near, key=near.__getitem__)[:MOST_TESTS]
            became = UNTESTED if not tests else NOTICED if fails(tests, mutant) else ALIVE
            print(f"{became:<16} {mutant.key}", flush=True)
            yield Tried(mutant.key, became)


def unnoticed() -> list[str]:
    """The faults of `reviewed` that live, or whose test fails anyway."""
    tests = sorted({fault.nearest for fault in REVIEWED.values()})
    if fails(tests):
        return [f"fails without a fault: {' '.join(tests)}"]
    return [what for what, fault in REVIEWED.items() if not fails([fault.nearest], fault.mutant())]


def page(found: Mapping[str, Sequence[Tried]], each: int) -> str:
    """The page of docs."""
    git = ("git", "-C", str(ROOT), "log", "-1", "--format=%h %cs")
    commit, day = subprocess.run(git, capture_output=True, text=True, check=True).stdout.split()
    lines = [HEAD.format(commit=commit, day=day, each=each, most=MOST_TESTS).rstrip("\n")]
    for name, rows in found.items():
        modules = len({one.fault.partition(".")[0] for one in rows})
        counts = [sum(one.became == became for one in rows) for became in (NOTICED, ALIVE, UNTESTED)]
        lines.append(f"| `{PARTS[name].package}` | {modules} | {len(rows)} | {' | '.join(map(str, counts))} |")
    lines += ["", "## Not noticed by a near test", ""]
    known = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
    for name, rows in found.items():
        package = PARTS[name].package
        why = known.get(package, {})
        lines += [
            f"- `{package}`: `` {one.fault} ``: {why.get(one.fault, OPEN)}" for one in rows if one.became == ALIVE
        ]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; 1 if a fault of `reviewed` lives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.program")
    parser.add_argument("parts", nargs="+", choices=[*PARTS, "all", "reviewed"])
    parser.add_argument("--each", type=int, default=EACH, metavar="N", help="faults of each module")
    parser.add_argument("--write", action="store_true", help="with all: write the page")
    given = parser.parse_args(arguments)
    alive = unnoticed() if "reviewed" in given.parts else []
    print(*alive, sep="\n", end="\n" if alive else "")
    names = list(PARTS) if "all" in given.parts else [name for name in given.parts if name in PARTS]
    found = {name: list(tried(PARTS[name], given.each)) for name in names}
    if given.write and found.keys() == PARTS.keys():
        PAGE.write_text(page(found, given.each), encoding="utf-8")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
