"""The backends over which the contract of the store is tested."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store import EventStore, StoreSettings
from server.store.settings import MEMORY

PRESENT = ("sqlite", "memory")
"""PostgreSQL is absent: `server/store/contract.py` says what its backend will have to give, and asking for it says so
(`test_absent_backends_are_named`)."""


@pytest.fixture(params=PRESENT)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> StoreSettings:
    """Settings of each backend that is present."""
    if request.param == "memory":
        return StoreSettings(module=MEMORY)
    return StoreSettings(dbname=str(tmp_path / "store.db"))


@pytest.fixture
def store(settings: StoreSettings) -> Iterator[EventStore]:
    """An empty store of each backend that is present."""
    with EventStore.open(settings) as opened:
        yield opened


@pytest.fixture
def file_settings(tmp_path: Path) -> StoreSettings:
    """Settings of an SQLite file, for what only a file can show."""
    return StoreSettings(dbname=str(tmp_path / "store.db"))


@pytest.fixture
def file_store(file_settings: StoreSettings) -> Iterator[EventStore]:
    """An empty store in an SQLite file."""
    with EventStore.open(file_settings) as opened:
        yield opened
