"""Pictures of boards, each drawn once in a worker process and kept as long as there is room.

A board after an event never changes, so its picture is kept by what it shows: battle, event, side, language, kind. Who
asks for one that is being drawn waits for the same drawing. The room is counted in bytes.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from domain.scene import Scene
from replay.drawing.raster import draw_png
from replay.drawing.svg import draw_svg
from server.workers import Runner

MOST_BYTES = 32 << 20


class BoardKey(NamedTuple):
    """What a picture shows, and its kind: `png` or `svg`. `side` is "" for a stranger."""

    battle: str
    n: int
    side: str
    lang: str
    kind: str


class Pictures:
    """The pictures of boards of one server."""

    def __init__(self, runner: Runner, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._runner = runner
        self._kept: OrderedDict[BoardKey, bytes] = OrderedDict()
        self._bytes = 0
        self._drawing: dict[BoardKey, asyncio.Future[bytes]] = {}

    async def get(self, key: BoardKey, scene: Callable[[], Scene]) -> bytes:
        """The picture, drawn from `scene` if it is not there.

        Raises: Busy; what `scene` raises
        """
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        drawing = self._drawing.get(key)
        if drawing is None:
            drawing = self._drawing[key] = asyncio.ensure_future(self._drawn(key, scene()))
            drawing.add_done_callback(lambda _: self._drawing.pop(key, None))
        return await asyncio.shield(drawing)

    async def _drawn(self, key: BoardKey, scene: Scene) -> bytes:
        picture = await self._runner.run(drawn, scene, key.kind, key.lang)
        self._kept[key] = picture
        self._bytes += len(picture)
        while self._bytes > self.most_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest)
        return picture


def drawn(scene: Scene, kind: str, lang: str) -> bytes:
    """A picture of a scene, in a language."""
    return draw_png(scene, lang=lang) if kind == "png" else draw_svg(scene, lang=lang).encode()
