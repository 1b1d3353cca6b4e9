"""The board that is looked at as a picture in a file, and a span of the battle as a clip."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct

from domain.contract.scene import Scene
from domain.events.battle import TurnBegan
from replay.drawing.clip import FORMS as CLIPS
from replay.drawing.clip import draw_clip
from replay.drawing.raster import draw_png
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.player.playback import Playback
from replay.reports import clips

FORMS: dict[str, Callable[[Scene, str], bytes]] = {
    ".png": lambda scene, lang: draw_png(scene, lang=lang),
    ".svg": lambda scene, lang: draw_svg(scene, lang=lang).encode(),
    ".txt": lambda scene, lang: draw_text(scene, lang=lang).encode(),
}
"""How a picture is drawn, by the ending of its name."""
CLIP_FORMS = tuple(f".{form}" for form in CLIPS)
ENDINGS = (*FORMS, *CLIP_FORMS)
SPAN = re.compile(r"(?P<name>.*?)\s+(?P<first>\d{1,7})-(?P<last>\d{1,7})")
"""A name with the events of a clip behind it: `charge.gif 400-440`."""


class UnknownForm(Exception):
    """A name with another ending."""


class Export(Struct, frozen=True):
    """A file to be written: what it shows is settled, whatever is looked at meanwhile. To draw a clip takes a while."""

    name: str
    is_clip: bool
    draw: Callable[[], bytes]

    def write(self) -> None:
        """Draw it into a new file, never over one that is there.

        Raises:  OSError; ValueError for a name that no file can have
        """
        content = self.draw()
        with Path(self.name).open("xb") as file:
            file.write(content)


def export_of(typed: str, playback: Playback, speed: float) -> Export:
    """What somebody wants to have written.

    Shape:  `typed` is a name, for a clip also with its first and last event; by itself a clip is of the present
            player-turn, up to the event that is looked at. `speed`: frames in a second
    Raises:  UnknownForm; TooLong
    """
    name = _named(typed)
    form = Path(name).suffix.lower()
    if form in FORMS:
        return Export(name, False, partial(FORMS[form], playback.scene(), playback.lang))
    if form in CLIP_FORMS:
        frames = clips.frames(playback.battle, *_span(typed, playback), playback.side, playback.lang)
        return Export(name, True, partial(draw_clip, frames, form.removeprefix("."), speed, playback.lang))
    raise UnknownForm


def _named(typed: str) -> str:
    found = SPAN.fullmatch(typed.strip())
    return found["name"] if found else typed.strip()


def _span(typed: str, playback: Playback) -> tuple[int, int]:
    """The events of a clip."""
    found = SPAN.fullmatch(typed.strip())
    if found:
        first, last = sorted(min(max(int(found[end]), 1), playback.last) for end in ("first", "last"))
        return first, last
    events = playback.battle.events[: playback.n]
    return next((one.n for one in reversed(events) if isinstance(one.event, TurnBegan)), 1), playback.n
