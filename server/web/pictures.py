"""Boards in any form, each made once in a worker process and kept as long as there is room.

A board after an event never changes, so it is kept by what it shows: battle, event, side, language, form. Who asks for
one that is being made waits for the same. The room is counted in bytes.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from domain.ruleset import Ruleset
from replay.drawing.raster import draw_png
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.telling.words import worded
from server.workers import Runner

MOST_BYTES = 32 << 20


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

    def __init__(self, runner: Runner, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._runner = runner
        self._kept: OrderedDict[BoardKey, bytes] = OrderedDict()
        self._bytes = 0
        self._drawing: dict[BoardKey, asyncio.Future[bytes]] = {}

    async def get(self, key: BoardKey, ruleset: Ruleset, known: Callable[[], Any]) -> bytes:
        """The board, made from the state as its side knows it if it is not there.

        Raises: Busy; what `known` raises
        """
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        drawing = self._drawing.get(key)
        if drawing is None:
            drawing = self._drawing[key] = asyncio.ensure_future(self._drawn(key, ruleset, known()))
            drawing.add_done_callback(lambda _: self._drawing.pop(key, None))
        return await asyncio.shield(drawing)

    def of_page(self, key: BoardKey, draw: Callable[[], str]) -> str:
        """The board within a page, drawn here if it is not there."""
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept.decode()
        drawn = draw()
        self._keep(key, drawn.encode())
        return drawn

    async def _drawn(self, key: BoardKey, ruleset: Ruleset, known: Any) -> bytes:
        picture = await self._runner.run(drawn, ruleset, known, key.side, key.form, key.lang)
        self._keep(key, picture)
        return picture

    def _keep(self, key: BoardKey, picture: bytes) -> None:
        self._kept[key] = picture
        self._bytes += len(picture)
        while self._bytes > self.most_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest)


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
