"""A check of the server: it runs a battle of the game, and its pages are answered."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from aiohttp.test_utils import TestClient, TestServer

from domain.basics.data import scenario_names
from phalera.testing.check import asked
from phalera.testing.game import SEED, Game, require
from replay.telling.words import MissingSentence
from replay.writing.entropy import SeededEntropy
from server.assembly import assemble
from server.limits import UNLIMITED
from server.settings import Settings, make_folder
from server.store import EventStore
from server.web.base_path import serve_below
from server.web.keys import SERVER
from server.workers import INLINE

SHARED_PAGES = ("/", "/new", "/scenarios", "/rules", "/help", "/armies")


class StandingClock:
    """A clock that stands: no deadline falls while pages are read."""

    def now(self) -> str:
        """The time as the log writes it."""
        return "2026-01-01T09:00:00.000Z"

    def monotonic_ms(self) -> int:
        """No time passes."""
        return 0


@asynccontextmanager
async def serving(folder: Path) -> AsyncGenerator[TestClient[Any, Any], None]:
    """A server on a folder, and a client of it."""
    settings = Settings.at(folder, {}, synchronous="NORMAL", limits=UNLIMITED)
    make_folder(settings)
    store = EventStore.open(settings.store())
    try:
        whole = assemble(settings, StandingClock(), SeededEntropy(SEED), store, workers=INLINE)
        async with TestClient(TestServer(whole.app)) as client:
            serve_below(client.server.runner.server, settings.bases)  # type: ignore[union-attr]  # it runs
            yield client
    finally:
        store.close()


@asked()
def the_server_shows_it(game: Game) -> None:
    """a server opens a battle of it, and answers its page and all pages that name games"""
    with catch_warnings(), tempfile.TemporaryDirectory(prefix="phalera-check-") as folder:
        simplefilter("ignore", MissingSentence)
        asyncio.run(_visited(game, Path(folder) / "data"))


async def _visited(game: Game, folder: Path) -> None:
    async with serving(folder) as client:
        live = await client.app[SERVER].battles.open(game.code, game.opening(), "public")
        pages = [*SHARED_PAGES, f"/battles/{live.id}", f"/api/v1/battles/{live.id}"]
        if game.ruleset.shown.help("en"):
            pages.append(f"/notation/{game.code}")
        pages += [f"/scenarios/{game.code}/{name}" for name in scenario_names(game.code)]
        for page in pages:
            for lang in ("en", "fr"):
                accepted = {"Accept": "application/json" if page.startswith("/api") else "text/html"}
                answer = await client.get(page, headers={"Accept-Language": lang, **accepted})
                require(answer.status == 200, f"GET {page} ({lang}): {answer.status} {(await answer.text())[:200]}")
