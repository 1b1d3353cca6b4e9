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

import pytest
from hypothesis import settings
from typer import testing

from server.entropy import SystemEntropy
from server.logs import LogHandler
from tests.support.entropy import entropy_of_test
from tests.support.lanes import beyond_the_first_few, long_ones_first, without_sweeps
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


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, None, None]:
    """Leave the sweeps to those who ask for them. Mark the tests that need programs of the machine, and of many cases
    of one test those that are `slow`; then, with several processes, put the `long` ones where each begins: behind one
    that is left to the end the others wait."""
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
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes > 1:
        items[:] = long_ones_first(items, processes)


def pytest_collection_finish() -> None:
    """Spare the collector what stays to the end."""
    gc.collect()
    gc.freeze()
