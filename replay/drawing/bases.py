"""Draw a unit on its base.

A base is a stand with the figures of its troop type (`stands`); its edge has the colour of its side, a bar and a
pointer show its front, a strip at its foot carries name and marks. Figures, name and marks stay upright: the base is
laid out in a frame turned by less than 45°, in which the front is one of the four sides. A small base carries a white
symbol.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.contract.scene import Mark, Token
from replay.drawing.figure import figure
from replay.drawing.marks import CARD, GAP, HIGH, draw_mark, mark_width, strip_width
from replay.drawing.palette import ALARM, ALARM_PALE, INK, PAPER, SPENT_PALE, STAND, WHITE, Dress
from replay.drawing.pen import Spot, fitting, id_of, number, path, rounded_rectangle, squeezed, tag, text
from replay.drawing.stands import stand_of
from replay.drawing.symbols import symbol

POINTER_LONG, POINTER_WIDE = 9.0, 15.0
BAR = 5.0
EDGE = 3.0
"""The width of the edge of a stand, in the colour of its side."""
STRIP = 15.0
"""How high the strip with name and marks is."""
ROUNDING = 9.0
HATCH_STEP = 7.0
SMALL = 30.0
"""A base less deep carries only its picture; name and marks stand behind it."""
NAME, USUAL_NAME = 14.0, 26.0
"""Size of a name, and how wide its tag is at least."""
TAG_SHARE = 0.62
"""A tag is at most this share of the width of its stand."""
NUMBER, PENNON = 9.0, 6.5
"""Size of the number of a formation, and half the height of its pennon."""
CARD_WIDE, CARD_HIGH, CARD_FIGURE = 16.0, 20.0, 13.0
SHIELD_SCALE, SHIELD_INSIDE = 0.8, 3.0
"""The size of a shield on a base; how far its middle lies from the two edges of the corner."""
SUFFERING = 2.5
"""The width of the rim of a unit that suffers where plates tell the formations."""

NORTH, EAST, SOUTH, WEST = range(4)
OUT = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
"""The direction of each front in the frame of the base."""


class Plate(Struct, frozen=True, gc=False):
    """A base in its own frame: around (0, 0), `front` one of its four sides, None where it has none."""

    width: float
    height: float
    front: int | None
    tilt: float
    dress: Dress

    @property
    def tall(self) -> bool:
        """Whether its contents stand below each other."""
        return self.height > self.width


def plate_of(token: Token, scale: float, dress: Dress) -> Plate:
    """The base of a token."""
    width, depth = token.size[0] * scale, token.size[1] * scale
    if token.facing is None:
        return Plate(width, depth, None, 0.0, dress)
    quarter = (token.facing + 450) // 900
    tilt = (token.facing - quarter * 900) / 10
    front = quarter % 4
    if front in (EAST, WEST):
        width, depth = depth, width
    return Plate(width, depth, front, tilt, dress)


def is_small(plate: Plate) -> bool:
    """Whether a base carries only its picture."""
    return min(plate.width, plate.height) < SMALL


def draw_unit(token: Token, at: Spot, plate: Plate, prefix: str, *, before: bool = False) -> str:
    """A whole unit; `before`: the name of a small one stands before its base."""
    if is_small(plate):
        parts = [*_base(plate, _plate_fill(token, plate), unseen=token.unseen), *_rim(token, plate)]
        parts += _small(token, plate, before=before)
    else:
        parts = [*_base(plate, _stand_fill(token), unseen=token.unseen), *_contents(token, plate)]
        if plate.dress.shield:
            parts.append(_shield(token, plate, prefix))
    return figure(token, at, parts, prefix, f"unit {token.symbol} {token.side}", plate.tilt)


def shield_id(prefix: str, side: str) -> str:
    """The id of the drawing of a side's shield, which a picture brings once."""
    return id_of(prefix, "shield", side)


def _shield(token: Token, plate: Plate, prefix: str) -> str:
    """The shield of the side, on the upper left corner, where neither name nor marks nor badges are."""
    x, y = SHIELD_INSIDE - plate.width / 2, SHIELD_INSIDE - plate.height / 2
    moved = f"translate({number(x)} {number(y)}) scale({number(SHIELD_SCALE)})"
    return tag("use", href=f"#{shield_id(prefix, token.side)}", class_="shield", transform=moved)


# --- the base


def _stand_fill(token: Token) -> str:
    if token.spent:
        return SPENT_PALE
    return ALARM_PALE if _suffers(token) else STAND


def _plate_fill(token: Token, plate: Plate) -> str:
    """A small unit that has acted, or suffers, shows it on the plate of its name; where plates tell the formations, one
    that suffers has a rim in the colour of alarm."""
    if token.spent:
        return SPENT_PALE
    if plate.dress.tint:
        return plate.dress.tint
    return ALARM_PALE if _suffers(token) else plate.dress.pale


def _rim(token: Token, plate: Plate) -> Iterator[str]:
    """Around a unit that suffers, where its plate does not tell it."""
    if _suffers(token) and plate.dress.tint:
        inset = SUFFERING / 2 + 1
        width, height = plate.width - 2 * inset, plate.height - 2 * inset
        radius = min(ROUNDING, width / 4, height / 4) - inset if plate.dress.rounded else 0.0
        outline = rounded_rectangle(-width / 2, -height / 2, width, height, [radius] * 4)
        yield tag("path", d=outline, fill="none", stroke=ALARM, stroke_width=SUFFERING)


def _suffers(token: Token) -> bool:
    return any(mark.harm and mark.count for mark in token.marks)


def _base(plate: Plate, fill: str, *, unseen: bool) -> Iterator[str]:
    """Shadow, pointer, plate and front bar; the rim of a unit that the other side does not see is broken."""
    width, height, dress = plate.width, plate.height, plate.dress
    radius = min(ROUNDING, width / 4, height / 4) if dress.rounded else 0.0
    outline = rounded_rectangle(-width / 2, -height / 2, width, height, [radius] * 4)
    if dress.shadow:
        yield tag("path", d=outline, fill=dress.shadow, opacity=0.3, transform="translate(2 3)")
    if plate.front is not None:
        pointer = path([_from_front(plate, *spot) for spot in _pointer(plate)], close=True)
        yield tag("path", d=pointer, fill=dress.strong, stroke=INK, stroke_width=2, stroke_linejoin="round")
    yield tag(
        "path",
        d=outline,
        fill=dress.strong if is_small(plate) else fill,
        stroke=INK,
        stroke_width=4 if unseen else 2,
        stroke_dasharray="9 6" if unseen else None,
    )
    if is_small(plate):
        yield from _hatched(plate)
    else:
        inset = EDGE / 2 + 1
        across, down = width - 2 * inset, height - 2 * inset
        inner = rounded_rectangle(-across / 2, -down / 2, across, down, [radius] * 4)
        yield tag("path", d=inner, fill="none", stroke=dress.strong, stroke_width=EDGE)
    if plate.front is not None:
        bar = [_from_front(plate, along, -BAR / 2) for along in (-_front_width(plate) / 2, _front_width(plate) / 2)]
        yield tag("path", d=path(bar), stroke=dress.strong, stroke_width=BAR)


def _front_width(plate: Plate) -> float:
    inset = 2 * ROUNDING if plate.dress.rounded else 0.0
    return max(8.0, (plate.width if plate.front in (NORTH, SOUTH) else plate.height) - inset)


def _pointer(plate: Plate) -> list[Spot]:
    """(along, out) of the pointer in front of the base: a triangle, blunt on rounded bases."""
    wide = min(POINTER_WIDE, _front_width(plate) / 2.5)
    if plate.dress.rounded:
        return [(-wide, -1), (-wide * 0.45, POINTER_LONG), (wide * 0.45, POINTER_LONG), (wide, -1)]
    return [(-wide, -1), (0, POINTER_LONG), (wide, -1)]


def _from_front(plate: Plate, along: float, out: float) -> Spot:
    """A point given by its place along the front and how far it is in front of it."""
    ux, uy = OUT[plate.front or NORTH]
    reach = (plate.height if plate.front in (NORTH, SOUTH) else plate.width) / 2 + out
    return ux * reach - uy * along, uy * reach + ux * along


def _hatched(plate: Plate) -> Iterator[str]:
    """Every second side is hatched where it is all of a base that is seen."""
    if plate.dress.hatch:
        data = _hatching(-plate.width / 2, -plate.height / 2, plate.width, plate.height)
        yield tag("path", d=data, stroke=plate.dress.hatch, stroke_width=2.4, fill="none")


def _hatching(left: float, top: float, width: float, height: float) -> str:
    """Diagonals that stay inside a box."""
    steps = []
    offset = HATCH_STEP
    while offset < width + height:
        x1, y1 = left + min(offset, width), top + max(0.0, offset - width)
        x2, y2 = left + max(0.0, offset - height), top + min(offset, height)
        steps.append(f"M{number(x1)} {number(y1)} L{number(x2)} {number(y2)}")
        offset += HATCH_STEP
    return " ".join(steps)


# --- what is on it


def _contents(token: Token, plate: Plate) -> Iterator[str]:
    """Figures, pennon of the formation, the strip with name and marks, and the last card."""
    ahead = [BAR if plate.front == side else EDGE for side in (NORTH, EAST, SOUTH, WEST)]
    left, right = ahead[WEST] + 1 - plate.width / 2, plate.width / 2 - ahead[EAST] - 1
    top, low = ahead[NORTH] - plate.height / 2, plate.height / 2 - ahead[SOUTH]
    rows, room = _strip_rows(token, plate, right - left)
    foot = STRIP + HIGH * (len(rows) - 1 if rows else 0)
    if plate.front is None or low - top - foot < SMALL / 2:
        foot = min(foot, STRIP)
    yield from _name(token, plate, left, low, room)
    yield stand_of(token, plate.dress, (left, top, right - left, low - top - foot + 1))
    if token.formation and plate.dress.tint and plate.dress.shadow:  # a light picture is too small for it
        yield _pennon(token, plate, right, top)
    shown = rows[: int(foot // HIGH)]
    for above, row in zip(range(len(shown) - 1, -1, -1), shown, strict=True):
        x = left + room + (right - left - room - _card_room(token)) / 2
        yield _row(row, x, low - STRIP / 2 - above * HIGH)
    yield from _card(token, plate)


def _strip_rows(token: Token, plate: Plate, width: float) -> tuple[list[list[Mark]], float]:
    """The rows of marks, and the width of the tag before them."""
    tag_wide = min(width * TAG_SHARE, max(USUAL_NAME, 10.7 * len(token.label) + 4.2)) if token.label else 0.0
    rows = _rows(_row_marks(token), width - tag_wide - _card_room(token))
    return (rows if rows[0] else []), tag_wide


def _name(token: Token, plate: Plate, left: float, low: float, wide: float) -> Iterator[str]:
    """The tag with the name of a unit, red where it suffers, and beside it a strip in the colour of its formation, on
    which its marks are seen."""
    right = plate.width / 2 - EDGE
    fill = ALARM if _suffers(token) else plate.dress.dark
    if _row_marks(token) or plate.dress.tint:
        pale = plate.dress.tint or plate.dress.pale
        yield tag("rect", x=left - 1, y=low - STRIP, width=right - left + 1, height=STRIP, fill=pale)
    if not token.label:
        return
    yield tag("path", d=f"M{number(left - 1)} {number(low)}v-{STRIP:g}h{number(wide - 2)}l3 {STRIP:g}z", fill=fill)
    size = min(NAME, fitting(token.label, wide - 4, NAME))
    yield squeezed(token.label, left + wide / 2 - 1, low - STRIP / 2 + 0.5, size, wide - 4, WHITE)


def _pennon(token: Token, plate: Plate, right: float, top: float) -> str:
    """The flag of a formation in its colour, with its number, at the upper right corner."""
    wide, y = 6.2 * len(token.formation) + 8, top + PENNON + 1
    flag = f"M{number(right + 1)} {number(y - PENNON)}h-{number(wide)}l4 {PENNON:g}l-4 {PENNON:g}h{number(wide)}z"
    return tag(
        "g",
        tag("path", d=flag, fill=plate.dress.tint, stroke=INK, stroke_width=1),
        text(token.formation, right - wide / 2 + 3, y, NUMBER, INK, font_weight="bold"),
        class_="pennon",
    )


def _card(token: Token, plate: Plate) -> Iterator[str]:
    """The card that lies beside a unit, over its lower right corner."""
    for mark in token.marks:
        if mark.kind == CARD:
            x, y = plate.width / 2 - 1, plate.height / 2 - CARD_HIGH / 2 + 3
            corner = rounded_rectangle(x - CARD_WIDE / 2, y - CARD_HIGH / 2, CARD_WIDE, CARD_HIGH, [2.5] * 4)
            figure = text(str(mark.count), x, y, CARD_FIGURE, INK, font_weight="bold")
            yield tag("g", tag("path", d=corner, fill=WHITE, stroke=INK, stroke_width=1.5), figure, class_="last-card")


def _row_marks(token: Token) -> list[Mark]:
    """The marks that stand in rows."""
    return [mark for mark in token.marks if mark.kind != CARD]


def _card_room(token: Token) -> float:
    """How much of a row the card takes."""
    return CARD_WIDE / 2 if any(mark.kind == CARD for mark in token.marks) else 0.0


def name_spot(plate: Plate, *, before: bool) -> float:
    """How far below the middle of a small base its name is: behind it, or below it where it faces to a side; `before`:
    on the other side."""
    is_above = (plate.front == SOUTH) is not before
    return -plate.height / 2 - 10 if is_above else plate.height / 2 + 10


def name_width(token: Token) -> float:
    """The width of the plate of a small base's name."""
    return 10.5 * len(token.label) + strip_width(token.marks) + 6


def _small(token: Token, plate: Plate, *, before: bool) -> Iterator[str]:
    """The picture fills the base; name and marks stand beside it, on a plate that tells what that of a larger base
    does."""
    size = min(plate.width, plate.height) - 4
    yield symbol(token.symbol, 0, 0, size, WHITE, plate.dress.strong)
    y, width = name_spot(plate, before=before), name_width(token)
    is_told = token.spent or _suffers(token) or bool(plate.dress.tint)
    fill = _small_fill(token, plate) if is_told else PAPER
    yield tag("rect", x=-width / 2, y=y - 8, width=width, height=16, rx=4, fill=fill, fill_opacity=0.85)
    start = -width / 2 + 3
    yield text(token.label, start, y, 13, INK, font_weight="bold", text_anchor="start")
    x = start + 10.5 * len(token.label)
    for mark in token.marks:
        yield draw_mark(mark, x, y)
        x += mark_width(mark) + GAP


def _small_fill(token: Token, plate: Plate) -> str:
    """The plate behind the name of a small base: who has acted or suffers is told before the formation."""
    return ALARM_PALE if _suffers(token) and not token.spent else _plate_fill(token, plate)


def _rows(marks: Sequence[Mark], width: float) -> list[list[Mark]]:
    """The marks, broken into rows that fit."""
    rows: list[list[Mark]] = [[]]
    for mark in marks:
        if rows[-1] and strip_width([*rows[-1], mark]) > width + GAP:
            rows.append([])
        rows[-1].append(mark)
    return rows


def _row(marks: Sequence[Mark], x: float, y: float) -> str:
    """Marks side by side, their middle at x."""
    if not marks:
        return ""
    left = (GAP - strip_width(marks)) / 2
    drawn = []
    for mark in marks:
        drawn.append(draw_mark(mark, left, 0))
        left += mark_width(mark) + GAP
    return tag("g", *drawn, class_="marks", transform=f"translate({number(x)} {number(y)})")
