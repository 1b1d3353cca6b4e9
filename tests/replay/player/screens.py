"""The screens of the player as text: `python -m tests.replay.player.screens` writes those that are kept."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from textual.app import App
from textual.pilot import Pilot

from replay import battle_file
from replay.player.app import ReplayPlayer
from server.offline.branching import branch_file

GOLDEN = Path(__file__).parents[2] / "golden"
KEPT = Path(__file__).parent / "kept"
SCREENS = {
    "to-the-strongest": ("medals", 405, "en", (80, 24)),
    "to-the-strongest-wide": ("medals", 405, "fr", (140, 42)),
    "singidunum": ("singidunum-goal", 253, "en", (80, 24)),
    "warmaster-shooting": ("warmaster-volleys", 68, "en", (80, 24)),
    "shot-to-pieces": ("shot-broken", 150, "en", (100, 32)),
}
"""Battle, event, language and size of each."""

ALIKE = 3
"""So many screens in a row that are the same are the last one."""


def screen(app: App[None]) -> str:
    """What stands on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "".join(f"{strip.text.rstrip()}\n" for strip in strips)


async def settled(app: App[None], pilot: Pilot[None]) -> None:
    """Wait until the screen is there, and is not changed any more."""
    before, alike = "", 0
    while alike < ALIKE:
        await pilot.pause()
        now = screen(app)
        alike = alike + 1 if now == before and now.strip() else 0
        before = now


@asynccontextmanager
async def playing(
    folder: Path, name: str = "medals", lang: str = "en", at: int = 1, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[ReplayPlayer, Pilot[None]]]:
    """A player of a copy of a kept battle, at an event, with all of it read."""
    path, content = folder / f"{name}.battle", (GOLDEN / f"{name}.battle").read_bytes()
    path.write_bytes(content)
    app = ReplayPlayer(battle_file.parse(content, lang=lang), str(path), lang, at, branch=branch_file)
    app.playback.read_all()
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        yield app, pilot


async def made(name: str) -> str:
    """A screen as it looks now."""
    battle, at, lang, size = SCREENS[name]
    with TemporaryDirectory() as folder:
        async with playing(Path(folder), battle, lang, at, size) as (app, _):
            return screen(app)


async def _write() -> None:
    for name in SCREENS:
        (KEPT / f"{name}.txt").write_text(await made(name), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(_write())
