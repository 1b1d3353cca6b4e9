"""A server whose store is in PostgreSQL: the same bytes as on a file, and a restart that goes on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.proof import verify
from replay.writing.entropy import SeededEntropy
from tests.server.play.test_orders import TURN, two
from tests.support.postgres import cluster
from tests.support.serving import BATTLES, serving


@pytest.fixture
def url() -> Iterator[str]:
    """A database with an empty store."""
    made = cluster().prepared()
    yield made
    cluster().drop(made)


async def played(folder: Path, db: str) -> tuple[bytes, str]:
    """The file of a battle of two turns, the server started anew after the first; and what it says of itself."""
    async with serving(folder, SeededEntropy("the first run"), db=db) as server:
        anna, bob, battle = await two(server)
        assert (await anna.order(battle, TURN, "a key")).status == 200
    async with serving(folder, SeededEntropy("the second run"), db=db) as server:
        anna.client = bob.client = server.client
        again = await anna.order(battle, TURN, "a key")
        assert {line["status"] for line in again.json["lines"]} == {"accepted"}
        assert (await bob.order(battle, "end turn")).status == 200
        return await server.stranger.export(battle), (await server.stranger.get("/readyz")).json["status"]


async def test_a_battle_is_the_same_bytes_as_on_a_file(tmp_path: Path, url: str) -> None:
    file, _ = await played(tmp_path / "file", "")
    database, ready = await played(tmp_path / "database", url)
    assert database == file
    assert ready == "ready"
    assert verify.verify(database).fault is None


async def test_pages_lists_and_figures_are_shown(tmp_path: Path, url: str) -> None:
    async with serving(tmp_path / "data", db=url) as server:
        anna, _, battle = await two(server)
        for path in ("/", "/scenarios", "/metrics", "/clubs", "/campaigns", f"/battles/{battle}", BATTLES):
            assert (await anna.get(path)).status == 200, path
