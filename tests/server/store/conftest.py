"""The backends over which the contract of the store is tested."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.store import EventStore, StoreSettings
from server.store.settings import MEMORY
from tests.support.postgres import cluster

PRESENT = ("sqlite", "memory", "postgresql")


@pytest.fixture(params=PRESENT)
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], StoreSettings]]:
    """Settings of a store of each backend, another empty one with each call."""
    urls: list[str] = []

    def made() -> StoreSettings:
        if request.param == "memory":
            return StoreSettings(module=MEMORY)
        if request.param == "sqlite":
            urls.append("")
            return StoreSettings(dbname=str(tmp_path / f"store{len(urls)}.db"))
        urls.append(cluster().database())
        return StoreSettings.at(urls[-1])

    yield made
    for url in filter(None, urls):
        cluster().drop(url)


@pytest.fixture
def settings(fresh: Callable[[], StoreSettings]) -> StoreSettings:
    """Settings of one store of each backend."""
    return fresh()


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
