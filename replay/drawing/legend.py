"""The legend of a board: each thing that is drawn on it, by itself, with what it means.

Nothing is listed that the board does not show, and every picture is made by the function that draws the board.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.scene import Arrow, Cell, Happened, Line, Mark, Scene, Token
from replay.drawing.canvas import canvas_of
from replay.drawing.ground import draw_ground, look_of
from replay.drawing.happened import BELOW_NAME, draw_happened
from replay.drawing.lines import draw_lines
from replay.drawing.marks import HIGH, draw_mark, mark_width
from replay.drawing.palette import OPEN
from replay.drawing.pen import FONT, number, tag
from replay.drawing.svg import draw_token
from replay.telling.words import ENGLISH
from replay.telling.words.catalogue import find
from replay.telling.words.scenes import sign

SQUARE = ((0, 0), (100, 0), (100, 100), (0, 100))
HALF = (50, 50)
ROOM = 14.0
"""Around a token, for its pointer and its shadow."""
MARK_EDGE = 2.0
TALL = 30
"""The height of a picture in pixels."""


class LegendEntry(Struct, frozen=True):
    """A picture (SVG, to be inserted as it is) and what it means."""

    picture: str
    said: str


def legend(scene: Scene, lang: str = ENGLISH) -> tuple[LegendEntry, ...]:
    """What is on a board, in words: troops, what goes with them, marks, ground, lines, what happened."""
    return (
        *_troops(scene, lang),
        *_states(scene, lang),
        *_marks(scene, lang),
        *_ground(scene, lang),
        *_happened(scene, lang),
    )


def mark_picture(mark: Mark) -> str:
    """A mark by itself."""
    width = mark_width(mark)
    return _picture(draw_mark(mark, 0, 0), (-MARK_EDGE, -HIGH / 2 - MARK_EDGE), width + 2 * MARK_EDGE, HIGH + 4)


def _troops(scene: Scene, lang: str) -> Iterator[LegendEntry]:
    """Each picture of troops, with all that it stands for on this board; then leaders and places."""
    bases = [token for token in scene.tokens if token.form == "base"]
    for symbol in dict.fromkeys(token.symbol for token in bases):
        alike = [token for token in bases if token.symbol == symbol]
        names = dict.fromkeys(_type(token, lang) for token in alike)
        yield LegendEntry(_token(scene, alike[0]), ", ".join(names))
    others = {token.kind: token for token in scene.tokens if token.form != "base"}
    for kind, token in others.items():
        yield LegendEntry(_token(scene, token), sign(kind, lang))


def _type(token: Token, lang: str) -> str:
    return find(f"type.{token.type}", lang) or sign(token.kind, lang)


def _states(scene: Scene, lang: str) -> Iterator[LegendEntry]:
    """What the plate of a unit says."""
    bases = [token for token in scene.tokens if token.form == "base"]
    found = {
        "front": [token for token in bases if token.facing is not None],
        "formation": [token for token in bases if token.formation],
        "unseen": [token for token in bases if token.unseen],
        "spent": [token for token in bases if token.spent],
    }
    for name, tokens in found.items():
        if tokens:
            yield LegendEntry(_token(scene, tokens[0], formation=name == "formation"), sign(name, lang))


def _token(scene: Scene, token: Token, *, formation: bool = False) -> str:
    """A token without name and marks, its front upwards."""
    scale = canvas_of(scene).scale
    size = round(token.size[0] * scale), round(token.size[1] * scale)
    bare = replace(
        token,
        id=f"legend {token.id}",
        at=HALF,
        size=size,
        facing=None if token.facing is None else 0,
        label="",
        title="",
        marks=(),
        formation=token.formation if formation else "",
        on="",
    )
    table = Scene(100, 100, (), tokens=(bare,), grid="square", sides=scene.sides, formations=scene.formations)
    x, y = canvas_of(table).spot(HALF)
    wide, high = size[0] + 2 * ROOM, size[1] + 2 * ROOM
    return _picture(draw_token(table, bare), (x - wide / 2, y - high / 2), wide, high)


def _marks(scene: Scene, lang: str) -> Iterator[LegendEntry]:
    marks = {mark.kind: mark for token in scene.tokens for mark in token.marks}
    for kind, mark in marks.items():
        yield LegendEntry(mark_picture(replace(mark, count=max(1, mark.count))), sign(kind, lang))


def _ground(scene: Scene, lang: str) -> Iterator[LegendEntry]:
    looks: dict[str, Cell] = {cell.kind: cell for cell in scene.cells if look_of(cell) not in OPEN}
    for kind, cell in looks.items():
        patch = Scene(100, 100, (replace(cell, id=f"legend {kind}", outline=SQUARE, zone=""),), grid="square")
        canvas = canvas_of(patch)
        yield LegendEntry(
            _picture(draw_ground(patch, canvas, "legend"), canvas.spot((0, 100)), 100, 100), sign(kind, lang)
        )
    for at, line in enumerate({line.kind: line for line in scene.lines}.values()):
        yield LegendEntry(_line(line, at), sign(line.kind, lang))


def _happened(scene: Scene, lang: str) -> Iterator[LegendEntry]:
    """The lines and signs of what has happened, and cards or dice that passed or failed."""
    for kind in dict.fromkeys(strike.kind for strike in scene.strikes):
        drawn = _layer(strikes=(Arrow(kind, ((0, 50), (100, 50))),))
        yield LegendEntry(_picture(*drawn, 100, 50), sign(f"effect.{kind}", lang))
    throws = [throw for one in scene.happened for throw in one.throws]
    for result in (True, False):
        found = [throw for throw in throws if result in throw.passed]
        if found:
            one = Happened(HALF, throws=(replace(found[0], values=found[0].values[:1], passed=(result,)),))
            yield LegendEntry(
                _picture(*_layer(happened=(one,)), 60, 30), sign(f"effect.{'passed' if result else 'missed'}", lang)
            )
    for kind, mark in {mark.kind: mark for one in scene.happened for mark in one.marks}.items():
        one = Happened(HALF, marks=(replace(mark, count=1, text=""),))
        yield LegendEntry(_picture(*_layer(happened=(one,)), 60, 30), sign(f"effect.{kind}", lang))


def _layer(strikes: tuple[Arrow, ...] = (), happened: tuple[Happened, ...] = ()) -> tuple[str, tuple[float, float]]:
    """Lines or signs by themselves, and the corner from which they show."""
    table = Scene(100, 100, (), strikes=strikes, happened=happened, grid="square")
    canvas = canvas_of(table)
    x, y = canvas.spot(HALF)
    return draw_happened(table, canvas), ((x - 50, y - 25) if strikes else (x - 30, y + BELOW_NAME - 4))


def _line(line: Line, at: int) -> str:
    table = Scene(100, 100, (), lines=(replace(line, points=((5, 50), (95, 50)), title=""),))
    canvas = canvas_of(replace(table, grid="square"))
    return _picture(draw_lines(table, canvas, f"legend-{at}"), canvas.spot((0, 75)), 100, 50)


def _picture(drawn: str, corner: tuple[float, float], width: float, height: float) -> str:
    view_box = " ".join(number(value) for value in (*corner, width, height))
    wide = round(TALL * width / height)
    return tag("svg", drawn, view_box=view_box, width=wide, height=TALL, font_family=FONT, aria_hidden="true")
