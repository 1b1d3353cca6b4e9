"""Draw a unit on its base.

A base is a pale plate in the colour of its side with a strong panel that carries the picture of the
troop type; a bar and a pointer show its front. Picture, name and marks stay upright: the base is
laid out in a frame turned by less than 45°, in which the front is one of the four sides.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.contract.scene import Mark, Token
from replay.drawing.figure import figure
from replay.drawing.marks import CARD, GAP, HIGH, draw_mark, mark_width, strip_width
from replay.drawing.palette import ALARM, ALARM_PALE, INK, PAPER, SPENT_PALE, WHITE, Dress
from replay.drawing.pen import Spot, fitting, id_of, number, path, rounded_rectangle, squeezed, tag, text
from replay.drawing.symbols import symbol

POINTER_LONG, POINTER_WIDE = 9.0, 15.0
BAR = 5.0
PANEL, PANEL_SHARE = 46.0, 0.5
"""The panel is as wide as its picture needs, and at most this share of the base."""
ROUNDING = 9.0
HATCH_STEP = 7.0
SMALL = 30.0
"""A base less deep carries only its picture; name and marks stand behind it."""
LARGEST_NAME = 21.0
USUAL_NAME = "R10"
"""All names are at most as large as this one may be, so that they look alike."""
ROOMY, ROOMY_MARKS = 54.0, 1.2
"""On a base so deep the marks are drawn larger."""
NUMBER, NUMBER_HALO = 12.0, 3.5
"""Size of the number of a formation."""
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
    small = is_small(plate)
    contents = _small(token, plate, before=before) if small else _contents(token, plate)
    parts = [*_base(plate, _plate_fill(token, plate), unseen=token.unseen), *_rim(token, plate), *contents]
    if plate.dress.shield and not small:
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


def _plate_fill(token: Token, plate: Plate) -> str:
    """A unit that has acted, or suffers, shows it on its whole plate, to be seen from afar; where plates tell the
    formations, one that suffers has a name in the colour of alarm."""
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


def _name_ink(token: Token, plate: Plate) -> str:
    return ALARM if _suffers(token) and plate.dress.tint else INK


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
    yield tag("path", d=outline, fill=fill)
    yield from _panel(plate, radius)
    if plate.front is not None:
        bar = [_from_front(plate, along, -BAR / 2) for along in (-_front_width(plate) / 2, _front_width(plate) / 2)]
        yield tag("path", d=path(bar), stroke=dress.strong, stroke_width=BAR)
    yield tag(
        "path",
        d=outline,
        fill="none",
        stroke=INK,
        stroke_width=4 if unseen else 2,
        stroke_dasharray="9 6" if unseen else None,
    )


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


def _panel(plate: Plate, radius: float) -> Iterator[str]:
    """The strong panel behind the picture, hatched for every second side."""
    left, top, width, height = panel_box(plate)
    whole = width >= plate.width
    radii = [radius, radius if whole else 0, radius if width >= plate.width and height >= plate.height else 0, 0]
    radii[3] = radius if height >= plate.height else 0
    edge = INK if plate.dress.tint else None  # against some tints the panel has too little contrast
    yield tag("path", d=rounded_rectangle(left, top, width, height, radii), fill=plate.dress.strong, stroke=edge)
    if plate.dress.hatch:
        data = _hatching(left, top, width, height)
        yield tag("path", d=data, stroke=plate.dress.hatch, stroke_width=2.4, fill="none")


def panel_box(plate: Plate) -> tuple[float, float, float, float]:
    """Left, top, width and height of the panel: at the left, on top of a tall base, or all of a small one."""
    if min(plate.width, plate.height) < SMALL:
        return -plate.width / 2, -plate.height / 2, plate.width, plate.height
    if plate.tall:
        return -plate.width / 2, -plate.height / 2, plate.width, min(PANEL, plate.height * PANEL_SHARE)
    return -plate.width / 2, -plate.height / 2, min(PANEL, plate.height, plate.width * PANEL_SHARE), plate.height


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
    """Picture, number of the formation, name, marks and the last card."""
    left, top, width, height = panel_box(plate)
    ahead = BAR if plate.front in (NORTH, SOUTH) else 0.0
    shift = ahead / 2 if plate.front == NORTH else -ahead / 2
    room = height - ahead
    size = min(width, room) - 4
    low = top + height / 2 + shift + room / 2
    is_numbered = bool(token.formation and plate.dress.shadow)  # a light picture is too small for it
    y = low - room + 2 + size / 2 if room > size + NUMBER else low - room / 2
    x = left + width - size / 2 - 1 if is_numbered and not plate.tall else left + width / 2
    yield symbol(token.symbol, x, y, size, WHITE, plate.dress.strong)
    if is_numbered:
        yield text(
            token.formation,
            left + 3,
            low - NUMBER / 2 - 1,
            NUMBER,
            WHITE,
            text_anchor="start",
            font_weight="bold",
            stroke=plate.dress.strong,
            stroke_width=NUMBER_HALO,
            paint_order="stroke",
        )
    if plate.tall:
        yield from _below(token, plate, top + height)
    else:
        yield from _beside(token, plate, left + width, shift)
    yield from _card(token, plate)


def _card(token: Token, plate: Plate) -> Iterator[str]:
    """The card that lies beside a unit, over its lower right corner."""
    for mark in token.marks:
        if mark.kind == CARD:
            x, y = plate.width / 2 - 1, plate.height / 2 - CARD_HIGH / 2 + 3
            corner = rounded_rectangle(x - CARD_WIDE / 2, y - CARD_HIGH / 2, CARD_WIDE, CARD_HIGH, [2.5] * 4)
            figure = text(str(mark.count), x, y, CARD_FIGURE, INK, font_weight="bold")
            yield tag("g", tag("path", d=corner, fill=WHITE, stroke=INK, stroke_width=1.5), figure, class_="last-card")


def _beside(token: Token, plate: Plate, left: float, shift: float) -> Iterator[str]:
    """Name above marks, to the right of the panel."""
    width = plate.width / 2 - left
    room = plate.height - 2 * abs(shift)
    scale = _mark_scale(plate)
    high = HIGH * scale
    rows = _rows(_row_marks(token), (width - _card_room(token)) / scale)[: int((room - LARGEST_NAME) // high)]
    marked = len(rows) * high if rows and rows[0] else 0.0
    size = _name_size(token, width - 4, min(LARGEST_NAME, room - high - 2))
    top = shift - room / 2
    y = top + (room - marked) / 2 + 1
    yield squeezed(token.label, left + width / 2, y, size, width - 4, _name_ink(token, plate))
    for at, row in enumerate(rows, start=1):
        low = top + room - marked + at * high - high / 2 - 1
        yield _row(row, left + (width - _card_room(token)) / 2, low, scale)


def _below(token: Token, plate: Plate, top: float) -> Iterator[str]:
    """Name and marks below the panel."""
    shift = BAR / 2 if plate.front == WEST else -BAR / 2
    size = _name_size(token, plate.width - BAR - 4, LARGEST_NAME)
    scale = _mark_scale(plate)
    ink = _name_ink(token, plate)
    yield squeezed(token.label, shift, top + size / 2 + 2, size, plate.width - BAR - 4, ink)
    y = top + size + 3 + HIGH * scale / 2
    for row in _rows(_row_marks(token), (plate.width - BAR - 2) / scale):
        if y + HIGH * scale / 2 <= plate.height / 2 + 1:
            yield _row(row, shift, y, scale)
        y += HIGH * scale


def _row_marks(token: Token) -> list[Mark]:
    """The marks that stand in rows."""
    return [mark for mark in token.marks if mark.kind != CARD]


def _card_room(token: Token) -> float:
    """How much of a row the card takes."""
    return CARD_WIDE / 2 if any(mark.kind == CARD for mark in token.marks) else 0.0


def _mark_scale(plate: Plate) -> float:
    return ROOMY_MARKS if min(plate.width, plate.height) >= ROOMY else 1.0


def _name_size(token: Token, width: float, height: float) -> float:
    return min(fitting(token.label, width, height), fitting(USUAL_NAME, width, height))


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


def _row(marks: Sequence[Mark], x: float, y: float, scale: float) -> str:
    """Marks side by side, their middle at x."""
    if not marks:
        return ""
    left = (GAP - strip_width(marks)) / 2
    drawn = []
    for mark in marks:
        drawn.append(draw_mark(mark, left, 0))
        left += mark_width(mark) + GAP
    grown = f" scale({number(scale)})" if scale != 1 else ""
    return tag("g", *drawn, class_="marks", transform=f"translate({number(x)} {number(y)}){grown}")
