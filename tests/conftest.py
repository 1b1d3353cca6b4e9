"""What holds for all tests.

Properties are tried with the same examples in every run, however long one takes; the quick lane tries fewer of them
(`pytest --hypothesis-profile=explore`: other examples each time, and more). Where a test comes to the composition
of the program, say by a command, its entropy is seeded there as well; only servers in processes of their own draw at
random.
"""

import gc
import logging
import os
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings
from typer import testing

from server.entropy import SystemEntropy
from server.logs import LogHandler
from tests.support.entropy import entropy_of_test
from tests.support.lanes import beyond_the_first_few, long_ones_first, share, without_sweeps
from tests.support.learning import watch_learning
from tests.support.memory import prefer_memory

NEEDS = {
    "browser": "browser",
    "everything": "mail",
    "imap": "mail",
    "needs": "mail",
    "office": "slow",
    "process": "slow",
    "tmux": "slow",
}
"""The mark of a test that asks for a fixture: what starts programs, or converses by mail, is left out of the quick
lane."""

TESTS = Path(__file__).parent

gc.set_threshold(100_000, 20, 20)  # thousands of tests are collected, and all of them stay
settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("suite"), max_examples=20)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("suite")


watch_learning()
prefer_memory(os.environ)


def _seeded(self: SystemEntropy, count: int) -> bytes:
    return entropy_of_test().bytes(count)


SystemEntropy.bytes = _seeded  # type: ignore[method-assign]
# what a `CliRunner` makes of the hundred commands anew for each call, as no process does
testing._get_command = cache(testing._get_command)  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """Files as every program makes them, also after a test that ran `serve` in this process, which closes its own."""
    os.umask(0o022)
    yield
    os.umask(0o022)


@pytest.fixture(autouse=True)
def log_of_its_own() -> Iterator[None]:
    """Take away the log that a test set up, as `serve` does: it may write to a stream that is closed by then."""
    root = logging.getLogger()
    level = root.level
    yield
    if any(isinstance(handler, LogHandler) for handler in root.handlers):
        root.handlers[:] = [handler for handler in root.handlers if not isinstance(handler, LogHandler)]
        root.setLevel(level)


def pytest_addoption(parser: pytest.Parser) -> None:
    """What else may be tried."""
    parser.addoption("--sweep", action="store_true", help="all seeds, scenarios and cases of what the suite samples")
    parser.addoption("--apart", action="store_true", help="each process reads a share of the files; with `--dist each`")


@cache
def own_files() -> set[Path]:
    """The files of tests that this process reads where each reads a share: what is read of them is work."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return share(TESTS.rglob("test_*.py"), number, processes())


def processes() -> int:
    """How many there are."""
    return int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave to the others what is theirs."""
    is_theirs = config.getoption("--apart") and collection_path.is_file() and collection_path not in own_files()
    return True if is_theirs else None


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, None, None]:
    """Leave the sweeps to those who ask for them. Mark the tests that need programs of the machine, and of many cases
    of one test those that are `slow`; then, with several processes, put the `long` ones where each begins: behind one
    that is left to the end the others wait."""
    if config.getoption("--apart"):
        items[:] = [item for item in items if item.path in own_files()]  # whoever names a file has it collected
    if not config.getoption("--sweep"):
        config.hook.pytest_deselected(items=without_sweeps(items))
    for item in items:
        for fixture in NEEDS.keys() & {*getattr(item, "fixturenames", ())}:
            item.add_marker(NEEDS[fixture])
        if "everything" in getattr(item, "fixturenames", ()):
            item.add_marker("long")
    for item in beyond_the_first_few(items):
        item.add_marker("slow")
    yield
    if processes() > 1 and not config.getoption("--apart"):
        items[:] = long_ones_first(items, processes())


def pytest_collection_finish() -> None:
    """Spare the collector what stays to the end."""
    gc.collect()
    gc.freeze()
