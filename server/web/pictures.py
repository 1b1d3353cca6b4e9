"""Boards in any form, and reports, each made once in a worker process and kept as long as there is room.

What shows a battle after an event never changes, so it is kept by what it shows: battle, event, side, language, form.
Whoever asks for one that is being made waits for the same. The room is counted in bytes.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple

import msgspec

from domain.contract.ruleset import Ruleset
from replay.drawing.raster import draw_png
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.telling.words import worded
from server.web.kept import PICTURE_BYTES, KeptAnswer, KeptAnswers
from server.workers import Runner


class BoardKey(NamedTuple):
    """What a board shows, and its form: `json` (a scene), `png`, `svg`, `text`, or that of a page. `side` is "" for a
    stranger."""

    battle: str
    n: int
    side: str
    lang: str
    form: str


class Pictures:
    """The boards of one server that were asked for."""

    def __init__(self, runner: Runner, most_bytes: int = PICTURE_BYTES) -> None:
        self.kept = KeptAnswers(most_bytes)
        self._runner = runner
        self._drawing: dict[BoardKey, asyncio.Future[bytes]] = {}

    def has(self, key: BoardKey) -> bool:
        """Whether a board is there, or being made for somebody."""
        return key in self._drawing or self.kept.get(key) is not None

    async def get(self, key: BoardKey, ruleset: Ruleset, known: Callable[[], Any]) -> bytes:
        """The board, made from the state as its side knows it if it is not there.

        Raises: Busy; what `known` raises
        """
        return await self._once(key, lambda: self._drawn(key, drawn, ruleset, known(), key.side, key.form, key.lang))

    async def of_file(
        self, key: BoardKey, job: Callable[..., bytes], given: Callable[[], Awaitable[tuple[Any, ...]]]
    ) -> bytes:
        """What a function of a module makes of a battle file and whatever else it is given, if it is not there.

        Raises: Busy; what the function raises
        """

        async def made() -> bytes:
            return await self._drawn(key, job, *await given())

        return await self._once(key, made)

    async def _once(self, key: BoardKey, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """What is kept, or being made, or made now."""
        kept = self.kept.get(key)
        if kept is not None:
            return kept.body
        drawing = self._drawing.get(key)
        if drawing is None:
            drawing = self._drawing[key] = asyncio.ensure_future(make())
            drawing.add_done_callback(lambda _: self._drawing.pop(key, None))
        return await asyncio.shield(drawing)

    def of_page(self, key: BoardKey, draw: Callable[[], str]) -> str:
        """The board within a page, drawn here if it is not there."""
        kept = self.kept.get(key)
        if kept is not None:
            return kept.body.decode()
        drawn = draw()
        self.kept.keep(key, KeptAnswer(drawn.encode()))
        return drawn

    async def _drawn(self, key: BoardKey, job: Callable[..., bytes], *given: Any) -> bytes:
        picture = await self._runner.run(job, *given)
        self.kept.keep(key, KeptAnswer(picture))
        return picture


def drawn(ruleset: Ruleset, known: Any, side: str, form: str, lang: str) -> bytes:
    """The board of a state as a side knows it, in a form and a language."""
    scene = worded(ruleset.shown.view(known, side), lang)
    match form:
        case "png":
            return draw_png(scene, lang=lang)
        case "svg":
            return draw_svg(scene, lang=lang).encode()
        case "text":
            return draw_text(scene, unicode=True, lang=lang).encode()
    return msgspec.json.encode(scene)
