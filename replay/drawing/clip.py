"""Draw scenes one after the other into a clip: an animated GIF or WebP that any browser, letter or forum shows.

Each frame is the table with a strip below it: what has happened, and where the battle stands. All frames have one
palette, so that only what has changed takes bytes, and the same scenes give the same bytes. Frames are drawn while they
are written; the number of them and of their pixels is bounded, and so is the memory.
"""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from textwrap import wrap

from msgspec import Struct
from PIL import Image

from domain.contract.scene import Scene
from replay.drawing.palette import INK, PAPER
from replay.drawing.pen import FONT, tag, text
from replay.drawing.raster import palette_of, picture_of
from replay.drawing.svg import AVERAGE_LETTER, draw_svg
from replay.telling.words import ENGLISH

FORMS = ("gif", "webp")
WIDTH = 640
TALLEST = 1000
"""Pixels: of a table that is higher than wide, the clip is narrower."""
MOST_FRAMES = 160
"""With `WIDTH` and `TALLEST` about 100 MB in memory at most; that of an ordinary table is half of it."""
SPEEDS = (0.25, 20.0)
"""Frames in a second, at least and at most: browsers show GIFs no faster."""
LAST_S = 3.0
"""How long the last frame stays before the clip begins again."""
SIZE, LINE, MARGIN = 15, 20, 10
"""Of the strip: size of letters, height of a line, room around."""
LINES_SAID = 2

Progress = Callable[[int], None]
"""Called with the number of frames drawn."""


class ClipFrame(Struct, frozen=True):
    """A scene, what is said below it, and below that where the battle stands."""

    scene: Scene
    said: str
    place: str


def draw_clip(
    frames: Sequence[ClipFrame], form: str, speed: float = 1.0, lang: str = ENGLISH, progress: Progress | None = None
) -> bytes:
    """The frames, at most `MOST_FRAMES`, as an animated picture in one of `FORMS`.

    Shape: `speed` frames in a second, within `SPEEDS`; the frames are of one table
    """
    assert 0 < len(frames) <= MOST_FRAMES, "a clip has one frame at least and `MOST_FRAMES` at most"
    width = _width(frames[0].scene, lang)
    palette = _palette([draw_frame(frame, width, lang) for frame in (frames[0], frames[-1])])

    def drawn() -> Iterator[Image.Image]:
        for at, frame in enumerate(frames, 1):
            yield draw_frame(frame, width, lang).quantize(palette=palette, dither=Image.Dither.NONE)
            if progress:
                progress(at)

    following = drawn()
    first = next(following)
    each_ms = round(1000 / speed / 10) * 10
    durations = [each_ms] * (len(frames) - 1) + [max(each_ms, round(LAST_S * 1000))]
    out = BytesIO()
    how = {"optimize": False} if form == "gif" else {"lossless": True, "quality": 50, "method": 2}
    first.save(out, form.upper(), save_all=True, append_images=following, duration=durations, loop=0, **how)
    return out.getvalue()


def draw_frame(frame: ClipFrame, width: int, lang: str = ENGLISH) -> Image.Image:
    """The table and the strip below it, in full colour."""
    table = picture_of(draw_svg(frame.scene, captions=False, lang=lang), width)
    strip = picture_of(_strip(frame, width), width)
    whole = Image.new("RGB", (width, table.height + strip.height), PAPER)
    whole.paste(table, (0, 0))
    whole.paste(strip, (0, table.height))
    return whole


def _width(scene: Scene, lang: str) -> int:
    """How wide the frames are."""
    trial = picture_of(draw_svg(scene, captions=False, lang=lang), WIDTH)
    return WIDTH if trial.height <= TALLEST else max(WIDTH * TALLEST // trial.height, 1)


def _strip(frame: ClipFrame, width: int) -> str:
    """The strip as an SVG document."""
    room = max(int((width - 2 * MARGIN) / (SIZE * AVERAGE_LETTER)), 1)
    said = wrap(frame.said, room, max_lines=LINES_SAID, placeholder=" …")
    lines: list[tuple[str, str | None]] = [(line, "bold") for line in [*said, *[""] * (LINES_SAID - len(said))]]
    lines += [(line, None) for line in wrap(frame.place, room, max_lines=1, placeholder=" …")]
    height = LINE * (LINES_SAID + 1) + 2 * MARGIN
    drawn = [tag("rect", width=width, height=height, fill=PAPER)]
    for at, (line, weight) in enumerate(lines):
        y = MARGIN + LINE * at + LINE / 2
        drawn.append(text(line, MARGIN, y, SIZE, INK, text_anchor="start", font_weight=weight))
    view_box = f"0 0 {width} {height}"
    return tag("svg", *drawn, xmlns="http://www.w3.org/2000/svg", view_box=view_box, font_family=FONT)


def _palette(samples: list[Image.Image]) -> Image.Image:
    """One palette for all frames, by some of them, side by side."""
    beside = Image.new("RGB", (sum(sample.width for sample in samples), samples[0].height))
    for at, sample in enumerate(samples):
        beside.paste(sample, (at * sample.width, 0))
    return palette_of(beside)
