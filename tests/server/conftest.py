"""A server for each test, on a folder of its own."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.store import StoreSettings
from tests.support.postgres import cluster
from tests.support.serving import RunningServer, serving

STORE = "PHALERA_TESTS_STORE"
"""`postgresql`: what a test keeps in the file of a store is in a database of its own instead."""


@pytest.fixture(autouse=os.environ.get(STORE) == "postgresql")
def in_database(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each file of a store that the test opens is a database of its own."""
    urls: dict[str, str] = {}
    usual = StoreSettings.at

    def at(where: str | Path) -> StoreSettings:
        text = str(where)
        if text in ("memory:", ":memory:"):
            return usual(where)
        if text not in urls:
            urls[text] = cluster().prepared()
        return usual(urls[text])

    monkeypatch.setattr(StoreSettings, "at", at)
    yield
    for url in urls.values():
        cluster().drop(url)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A running server."""
    async with serving(tmp_path / "data") as running:
        yield running
