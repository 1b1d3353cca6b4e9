"""Draw a scene as an SVG picture.

Ground and sites first, then lines, arcs and discs, arrows, bases and emblems, what was measured, the lettering around
the table and the captions below. Each cell and token is a group with an id and `data-cell` / `data-unit`, for pages
that lay their own controls over it.
"""

from collections.abc import Iterator
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.scene import Scene, Token, shield_of
from replay.drawing.bases import Plate, draw_unit, plate_of, shield_id
from replay.drawing.canvas import Canvas, canvas_of, is_lettered, lettering
from replay.drawing.describe import describe, titled_captions
from replay.drawing.emblems import BADGE_HIGH, BADGE_LIMIT, badge_spot, badge_width, draw_badge, draw_medallion
from replay.drawing.ground import draw_ground
from replay.drawing.happened import draw_happened
from replay.drawing.lines import draw_arrows, draw_lines
from replay.drawing.measures import coordinate, ticks
from replay.drawing.palette import (
    FIELD,
    INK,
    PAPER,
    QUIET,
    RIM,
    TINCTURES,
    WHITE,
    Dress,
    dress_of,
    letter_of,
    lightened,
    tint_of,
)
from replay.drawing.pen import FONT, Spot, escaped, group, id_of, number, rounded_rectangle, tag, text
from replay.drawing.room import NameRoom, room_of
from replay.drawing.shapes import draw_measured, draw_reaches
from replay.drawing.shields import shield_drawn
from replay.drawing.sites import draw_site
from replay.drawing.stands import shared_stands
from replay.remembered import Remembered
from replay.telling.words import ENGLISH, phrase, worded

CAPTION, CAPTION_SMALLEST, CAPTION_SHARE = 23.0, 15.0, 54
"""Size of the captions, smaller on a narrow table: so that about as many words fit below each."""
CAPTION_INDENT = 44.0
LETTER = 19.0
NAMESPACE = "http://www.w3.org/2000/svg"
SHARP = {"shape_rendering": "crispEdges", "text_rendering": "optimizeSpeed"}
"""Attributes of a drawing without blends at its edges."""
SCALE, SCALE_STROKE, SCALE_PARTS, SCALE_UNIT = 17.0, 8, 12, 0.8
"""Of a scale: the size of its numbers, the length of its strokes, how many there are across at most; where its unit
stands in the corner, in parts of half a margin."""
NEAR_ROOM, NEAR_SHAPE = 50.0, 1.5
"""Of a small picture: the room around the middles of the outermost units, and its width to its height."""
AVERAGE_LETTER = 0.58
"""Width of a letter in running text, in font sizes."""
TOKEN_ROOM, BADGE_ROOM, ARROW_ROOM = 26.0, 4.0, 16.0
"""About how far beyond its outline a token or a badge, and beyond its ends an arrow, is drawn."""


def draw_svg(
    scene: Scene,
    *,
    prefix: str = "",
    captions: bool = True,
    width: int | None = None,
    lang: str = ENGLISH,
    light: bool = False,
    near: bool = False,
) -> str:
    """The scene as an SVG document, the same bytes for the same scene.

    `lang` is the reader's; `prefix` makes the ids unique where a page holds several boards; `captions` says whether the
    lines below are wanted; `width` fixes the width in pixels (else it fills what it is put into); `light` whether it
    should have few colours, sharp edges and little detail, so that it takes few bytes as a picture of pixels; `near`
    shows of a table of free measure only the part where units stand, for a small picture.
    """
    scene = worded(scene, lang)
    canvas = canvas_of(scene, light=light)
    top = canvas.table_height + 2 * canvas.margin
    lines = list(_captions(scene, canvas, top)) if captions else []
    height = top + (_line_height(canvas) * len(lines) + 10 if lines else 0)
    left, above, across, down = _near(scene, canvas) if near else (0.0, 0.0, canvas.width, height)
    name, words = id_of(prefix, "board-title"), id_of(prefix, "board-words")
    return tag(
        "svg",
        "\n",
        tag("title", escaped(scene.title or phrase("scene.table", {}, lang)), id=name),
        "\n",
        tag("desc", escaped(describe(scene, lang)), id=words),
        "\n",
        "\n".join(part for part in (*_table(scene, canvas, height, prefix), *lines) if part),
        "\n",
        xmlns=NAMESPACE,
        view_box=" ".join(map(number, (left, above, across, down))),
        width=width,
        height=round(down * width / across) if width else None,
        role="img",
        aria_labelledby=f"{name} {words}",
        font_family=FONT,
        class_="board",
        **(SHARP if light else {}),
    )


def _near(scene: Scene, canvas: Canvas) -> tuple[float, float, float, float]:
    """Left, top, width and height of what is shown around the units, of the shape of a small picture; all of it where
    the board has cells, nobody stands on it, or its units need it all."""
    high = canvas.table_height + 2 * canvas.margin
    spots = [canvas.spot(token.at) for token in scene.tokens if token.form == "base"] or [(0.0, 0.0)]
    xs, ys = zip(*spots, strict=True)
    across, down = (max(found) - min(found) + 2 * NEAR_ROOM for found in (xs, ys))
    across, down = max(across, NEAR_SHAPE * down), max(down, across / NEAR_SHAPE)
    if scene.grid != "free" or len(spots) == 1 or across > canvas.width or down > high:
        return 0.0, 0.0, canvas.width, high
    left = min(max(0.0, (min(xs) + max(xs) - across) / 2), canvas.width - across)
    above = min(max(0.0, (min(ys) + max(ys) - down) / 2), high - down)
    return left, above, across, down


def _table(scene: Scene, canvas: Canvas, height: float, prefix: str) -> Iterator[str]:
    if not canvas.light:
        yield _shields(scene, prefix)
    yield from _below(scene, canvas, height, prefix)
    yield draw_reaches(scene, canvas)
    yield draw_arrows(scene, canvas)
    tokens = group((drawn for _, _, drawn in _tokens(scene, canvas, prefix)), class_="tokens")
    yield from (tokens,) if canvas.light else shared_stands(tokens, prefix)
    yield draw_happened(scene, canvas)
    yield draw_measured(scene, canvas)
    yield _around(scene, canvas)


def _shields(scene: Scene, prefix: str) -> str:
    """The shield of each side, drawn once for all bases that carry it."""
    borne = zip(scene.sides, scene.shields, strict=False)  # () for sides without
    drawn = "".join(tag("g", shield_drawn(shield), id=shield_id(prefix, side)) for side, shield in borne)
    return tag("defs", drawn) if drawn else ""


def _below(scene: Scene, canvas: Canvas, height: float, prefix: str) -> Iterator[str]:
    """What lies below everything that moves."""
    yield tag("rect", width=canvas.width, height=height, fill=PAPER)
    if scene.grid != "hex":  # hexes end where they end
        yield tag(
            "rect",
            x=canvas.margin,
            y=canvas.margin,
            width=canvas.table_width,
            height=canvas.table_height,
            fill=FIELD,
            stroke=RIM,
            stroke_width=3,
        )
    yield draw_ground(scene, canvas, prefix)
    yield from _sites(scene, canvas, prefix)
    yield draw_lines(scene, canvas, prefix)


def _around(scene: Scene, canvas: Canvas) -> str:
    how = scene.grid, scene.width, scene.height, scene.measure, scene.is_turned, canvas
    return _drawn.get((scene.cells,), how, lambda: "\n".join(_lettering(scene, canvas)))


# --- in layers, always light


class DrawnPiece(Struct, frozen=True):
    """Part of a picture: a drawing, and where it should have room, `half` across and up and down around `at`."""

    drawn: str
    at: Spot
    half: Spot


def backdrop(scene: Scene) -> str:
    """An SVG document of what lies below everything that moves; the scene is worded."""
    canvas = canvas_of(scene, light=True)
    height = canvas.table_height + 2 * canvas.margin
    drawn = "\n".join(part for part in (*_below(scene, canvas, height, ""), _around(scene, canvas)) if part)
    view_box = f"0 0 {number(canvas.width)} {number(height)}"
    return tag("svg", drawn, xmlns=NAMESPACE, view_box=view_box, font_family=FONT, **SHARP)


def pieces(scene: Scene) -> Iterator[DrawnPiece]:
    """What moves, from the lowest upwards: arrows and tokens; the scene is worded."""
    canvas = canvas_of(scene, light=True)
    for arrow in scene.arrows:
        (x, y), (to_x, to_y) = canvas.spot(arrow.points[0]), canvas.spot(arrow.points[-1])
        half = abs(x - to_x) / 2 + ARROW_ROOM, abs(y - to_y) / 2 + ARROW_ROOM
        yield DrawnPiece(draw_arrows(replace(scene, arrows=(arrow,)), canvas), ((x + to_x) / 2, (y + to_y) / 2), half)
    for token, seat, drawn in _tokens(scene, canvas, ""):
        yield DrawnPiece(drawn, seat or canvas.spot(token.at), _half(token, seat, canvas))


def _half(token: Token, seat: Spot | None, canvas: Canvas) -> Spot:
    """The room of a token, where it stands by itself or sits on another one."""
    if seat:
        return badge_width(token) / 2 + BADGE_ROOM, BADGE_HIGH / 2 + BADGE_ROOM
    half = max(token.size) * canvas.scale / 2 + TOKEN_ROOM
    return half, half


def part(drawn: str, left: int, top: int, wide: int, high: int, scale: Spot) -> str:
    """An SVG document of a part of the canvas, given in pixels; `scale` are pixels to a step, across and down."""
    across, down = scale
    view_box = " ".join(map(repr, (left / across, top / down, wide / across, high / down)))
    return tag(
        "svg",
        drawn,
        xmlns=NAMESPACE,
        view_box=view_box,
        width=wide,
        height=high,
        preserve_aspect_ratio="none",
        font_family=FONT,
        **SHARP,
    )


# --- tokens


def _sites(scene: Scene, canvas: Canvas, prefix: str) -> Iterator[str]:
    """The sites, one group for each kind."""
    sites = [token for token in scene.tokens if token.form == "site"]
    for kind in dict.fromkeys(token.kind for token in sites):
        drawn = (
            _token(scene, token, None, canvas, prefix)
            for token in sorted(sites, key=lambda token: token.layer)
            if token.kind == kind
        )
        yield group(drawn, class_=f"{kind}s")


def _tokens(scene: Scene, canvas: Canvas, prefix: str) -> Iterator[tuple[Token, Spot | None, str]]:
    """Units from the rear to the front, and emblems: each with where it sits on another one, and its drawing."""
    by_id = {token.id: token for token in scene.tokens}
    riders: dict[str, int] = {}
    is_free = scene.grid == "free"
    room = room_of(scene, canvas, _plates(scene, canvas)) if is_free else NameRoom()
    for token in sorted(scene.tokens, key=lambda token: token.layer):
        if token.form == "site":
            continue
        ridden = by_id.get(token.on)
        place = riders.setdefault(token.on, 0)
        riders[token.on] = place + 1
        seat = room.badges.get(token.id)
        if ridden is not None:
            plate = plate_of(ridden, canvas.scale, _dress(scene, token, canvas))
            is_below = _has_above(scene, ridden)
            seat = badge_spot(plate, canvas.spot(ridden.at), badge_width(token), place, below=is_below)
        yield token, seat, _token(scene, token, seat, canvas, prefix, before=token.id in room.before)


def _plates(scene: Scene, canvas: Canvas) -> dict[str, Plate]:
    """The bases of a scene, by the ids of their tokens."""
    bases = (token for token in scene.tokens if token.form == "base")
    return {token.id: plate_of(token, canvas.scale, _dress(scene, token, canvas)) for token in bases}


def _has_above(scene: Scene, token: Token) -> bool:
    """Whether another base of the same cell stands above a token in the picture."""
    return any(
        other.form == "base" and other.cell == token.cell and other.at[1] > token.at[1] for other in scene.tokens
    )


def draw_token(scene: Scene, token: Token) -> str:
    """A token of a scene by itself, wherever it stands."""
    return _token(scene, token, None, canvas_of(scene), "")


_drawn: Remembered[str] = Remembered(8 << 20, len, by_value=True)
"""Tokens drawn lately: from one picture of a battle to the next hardly any of them changes."""


def _token(scene: Scene, token: Token, seat: Spot | None, canvas: Canvas, prefix: str, *, before: bool = False) -> str:
    """A token; `seat` is where it sits on the base of its unit, or where there is room for its badge, None where it
    stands in its place; `before`: its name stands before its base."""
    dress = _dress(scene, token, canvas)
    return _drawn.get(
        (token,),
        (seat, dress, canvas, prefix, before),
        lambda: _token_drawn(token, seat, canvas, dress, prefix, before=before),
    )


def _dress(scene: Scene, token: Token, canvas: Canvas) -> Dress:
    dress = dress_of(scene.sides, token.side)
    tint = tint_of(scene.formations, token.side, token.formation)
    borne = shield_of(scene, token.side)
    dress = replace(dress, tint=tint, arms=TINCTURES.get(borne.field, "") if borne else "", shield=borne is not None)
    return lightened(dress) if canvas.light else dress


def _token_drawn(token: Token, seat: Spot | None, canvas: Canvas, dress: Dress, prefix: str, *, before: bool) -> str:
    at = canvas.spot(token.at)
    if token.form == "site":
        return draw_site(token, at, canvas.scale, dress, prefix)
    if seat:
        return draw_badge(token, seat, dress, prefix)
    if token.form == "emblem":
        if min(token.size) * canvas.scale < BADGE_LIMIT:
            return draw_badge(token, at, dress, prefix)
        return draw_medallion(token, at, canvas.scale, dress, prefix)
    return draw_unit(token, at, plate_of(token, canvas.scale, dress), prefix, before=before)


# --- around the table


def _lettering(scene: Scene, canvas: Canvas) -> Iterator[str]:
    """Letters above and below, numbers at both sides; on a table of free measure a scale."""
    if not is_lettered(scene):
        return
    if scene.grid == "free":
        yield from _scale(scene, canvas)
        return
    columns, rows = lettering(scene)
    right, bottom = canvas.width, canvas.table_height + 2 * canvas.margin
    across, down = canvas.table_width / len(columns), canvas.table_height / len(rows)
    edge = canvas.margin / 2
    labels = [
        text(name, canvas.margin + across * (at + 0.5), y, LETTER, QUIET)
        for at, name in enumerate(columns)
        for y in (edge, bottom - edge)
    ]
    labels += [
        text(name, x, canvas.margin + down * (at + 0.5), LETTER, QUIET)
        for at, name in enumerate(rows)
        for x in (edge, right - edge)
    ]
    yield group(labels, class_="lettering", aria_hidden="true")


def _scale(scene: Scene, canvas: Canvas) -> Iterator[str]:
    """Strokes at round places, with what they are called below and at the left."""
    bottom, edge = canvas.table_height + canvas.margin, canvas.margin / 2
    strokes, labels = [], []
    for east in ticks(scene, 0, SCALE_PARTS):
        x, _ = canvas.spot((east, 0))
        strokes.append(f"M{number(x)} {number(bottom)} v{SCALE_STROKE}")
        labels.append(text(coordinate(scene, (east, 0))[0], x, bottom + edge, SCALE, INK))
    for north in ticks(scene, 1, SCALE_PARTS * scene.height // scene.width):
        _, y = canvas.spot((0, north))
        strokes.append(f"M{number(canvas.margin)} {number(y)} h-{SCALE_STROKE}")
        labels.append(text(coordinate(scene, (0, north))[1], edge, y, SCALE, INK))
    labels.append(text(scene.measure.unit, edge * SCALE_UNIT, bottom + edge, SCALE, INK))
    drawn = tag("path", d=" ".join(strokes), stroke=INK, stroke_width=2)
    yield group([drawn, *labels], class_="lettering", aria_hidden="true")


def _captions(scene: Scene, canvas: Canvas, top: float) -> Iterator[str]:
    """The lines below, each with the sign of its side; long ones are broken."""
    size = _caption_size(canvas)
    room = int((canvas.width - canvas.margin * 2 - CAPTION_INDENT) / (size * AVERAGE_LETTER))
    y = top + _line_height(canvas) / 2 - 6
    last = ""
    for side, words in titled_captions(scene):
        for at, line in enumerate(wrap(words, max(20, room)) or [""]):
            sign = _sign(scene, side, canvas.margin + 14, y) if side and side != last and not at else ""
            x = canvas.margin + (CAPTION_INDENT if side else 0)
            weight = None if side else "bold"
            yield sign + text(line, x, y, size, INK, text_anchor="start", font_weight=weight)
            y += _line_height(canvas)
        last = side


def _caption_size(canvas: Canvas) -> float:
    return max(CAPTION_SMALLEST, min(CAPTION, canvas.width / CAPTION_SHARE))


def _line_height(canvas: Canvas) -> float:
    return max(30.0, _caption_size(canvas) * 1.45)


def _sign(scene: Scene, side: str, x: float, y: float) -> str:
    """The colour, shape and letter of a side."""
    dress = dress_of(scene.sides, side)
    outline = rounded_rectangle(x - 14, y - 13, 28, 26, [9 if dress.rounded else 0] * 4)
    return tag("path", d=outline, fill=dress.strong, stroke=INK, stroke_width=2) + text(
        letter_of(side), x, y, 18, WHITE, font_weight="bold"
    )
