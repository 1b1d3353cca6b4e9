"""A store for the tests of accounts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store import EventStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    """An empty store."""
    with EventStore.open(tmp_path / "log.db") as opened:
        yield opened
