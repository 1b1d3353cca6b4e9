"""Draw what happened of late: the lines of shots and charges, and below each base short marks, cards and dice.

Kinds differ by shape as well as by colour. All of it lets pointers through to the units below, and is left to the
sentences beside a board for readers who do not see it.
"""

from collections.abc import Callable, Sequence

from domain.contract.scene import Arrow, Happened, Mark, Scene, Throw
from replay.drawing.bases import SMALL
from replay.drawing.canvas import Canvas
from replay.drawing.palette import ALARM, GOLD, INK, WHITE
from replay.drawing.pen import group, number, path, rounded_rectangle, tag, text

SHOT, CHARGE = "#6f2a91", ALARM
GOOD, MUTED = "#1d5f33", "#5f5a4e"
HEAD, HALF_HEAD = 18.0, 10.0
FROM, SHORT = 16.0, 24.0
"""So far from the middle of its ends a line begins and stops, where it is long enough."""
HIGH, PAD, GAP = 21.0, 4.0, 2.0
SIZE = 15.0
LETTER = 10.5
"""Width of a bold letter of a pill."""
SIGN = 16.0
CARD = 17.0
BELOW, BELOW_NAME = -5.0, 17.0
"""From the lower edge of a base to its row; below a small base stands its name."""
COUNTED = frozenset({"hit", "miss", "save", "harm", "lost"})
"""Kinds of which several are told as a number."""
MOST_THROWS = 8
"""More cards or dice of a token than these are counted."""

Pill = tuple[float, str]
"""The width of a pill, and its drawing from (0, 0)."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom of a row."""


def draw_happened(scene: Scene, canvas: Canvas) -> str:
    """Lines above the tokens, and the pills above these; nothing if nothing happened."""
    if not scene.strikes and not scene.happened:
        return ""
    lines = [_strike(strike, canvas) for strike in scene.strikes]
    taken: list[Box] = []
    rows = [_row(one, canvas, taken) for one in sorted(scene.happened, key=lambda one: -one.at[1])]
    return group([*lines, *rows], class_="happened", aria_hidden="true", pointer_events="none")


# --- lines


def _strike(strike: Arrow, canvas: Canvas) -> str:
    """A shot is a broken line with an open head, a charge a solid one with a broad head."""
    start, end = canvas.spot(strike.points[0]), canvas.spot(strike.points[-1])
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    if not length:
        return ""
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    room = max(0.0, min(1.0, (length - HEAD - 6) / (FROM + SHORT)))
    tail = start[0] + ux * FROM * room, start[1] + uy * FROM * room
    tip = end[0] - ux * SHORT * room, end[1] - uy * SHORT * room
    neck = tip[0] - ux * HEAD, tip[1] - uy * HEAD
    left, right = ((neck[0] + side * uy * HALF_HEAD, neck[1] - side * ux * HALF_HEAD) for side in (1, -1))
    is_shot = strike.kind == "shot"
    shaft, head = path([tail, tip if is_shot else neck]), path([left, tip, right], close=not is_shot)
    colour = SHOT if is_shot else CHARGE
    return group(
        [
            tag("path", d=f"{shaft} {head}", stroke=WHITE, stroke_width=9 if is_shot else 12, opacity=0.85),
            tag(
                "path",
                d=shaft,
                stroke=colour,
                stroke_width=4 if is_shot else 7,
                stroke_dasharray="10 6" if is_shot else None,
            ),
            tag("path", d=head, stroke=colour, stroke_width=4, fill="none" if is_shot else colour),
        ],
        class_=f"strike {strike.kind}{' old' if strike.is_old else ''}",
        fill="none",
        stroke_linejoin="round",
        stroke_linecap="butt",
        opacity=0.55 if strike.is_old else None,
    )


# --- rows of pills


def _row(one: Happened, canvas: Canvas, taken: list[Box]) -> str:
    """The pills of a token, side by side below it, where no other row is."""
    pills = [_thrown(value, throw, at) for throw in one.throws for at, value in enumerate(throw.values)]
    if len(pills) > MOST_THROWS:
        pills = [_counted_throws(one.throws)]
    pills += [_marked(mark, one) for mark in one.marks if mark.count and not (mark.kind == "failed" and one.throws)]
    if not pills:
        return ""
    wide = sum(width + GAP for width, _ in pills) - GAP
    x, y = canvas.spot(one.at)
    left = min(max(x - wide / 2, GAP), max(GAP, canvas.width - wide - GAP))
    depth = one.depth * canvas.scale
    top = min(
        y + depth / 2 + (BELOW_NAME if depth < SMALL else BELOW), canvas.table_height + 2 * canvas.margin - HIGH - GAP
    )
    while any(
        left < right and start < left + wide and top < low and high < top + HIGH for start, high, right, low in taken
    ):
        top += HIGH + GAP
    taken.append((left, top, left + wide, top + HIGH))
    drawn, at = [], 0.0
    for width, picture in pills:
        drawn.append(tag("g", picture, transform=f"translate({number(at)} 0)" if at else None))
        at += width + GAP
    return tag("g", *drawn, class_="row", transform=f"translate({number(left)} {number(top)})")


def _frame(width: float, fill: str, edge: str, radius: float) -> str:
    outline = rounded_rectangle(0, 0, width, HIGH, [radius] * 4)
    return tag("path", d=outline, fill=fill, stroke=edge, stroke_width=2)


def _thrown(value: int, throw: Throw, at: int) -> Pill:
    """A card or a die with its value: underlined where it passed, struck out where it failed."""
    passed = throw.passed[at if len(throw.passed) > 1 else 0] if throw.passed else None
    edge = INK if passed is None else GOOD if passed else ALARM
    parts = [
        _frame(CARD, WHITE, edge, 5.5 if throw.is_dice else 2.0),
        text(str(value), CARD / 2, HIGH / 2 - 1, SIZE, INK, font_weight="bold", text_length=13 if value > 9 else None),
    ]
    if passed:
        parts.append(tag("path", d=f"M3 {number(HIGH - 3)} h{number(CARD - 6)}", stroke=GOOD, stroke_width=3.5))
    elif passed is False:
        parts.append(tag("path", d=f"M2 {number(HIGH - 2)} L{number(CARD - 2)} 2", stroke=ALARM, stroke_width=2.5))
    return CARD, tag("g", *parts, class_="die" if throw.is_dice else "card")


def _counted_throws(throws: Sequence[Throw]) -> Pill:
    """Many dice: how many passed, of how many."""
    results = [passed for throw in throws for passed in throw.passed]
    count = sum(len(throw.values) for throw in throws)
    words = f"{sum(results)}/{len(results)}" if results else str(count)
    return _worded("", words, WHITE, INK, INK)


def _marked(mark: Mark, one: Happened) -> Pill:
    """A sign, with a number where there are several."""
    if mark.kind == "gone":
        return _worded("gone", one.name, INK, INK, WHITE)
    if mark.kind == "tally":
        whole, half = (mark.count // 2, mark.count % 2) if mark.text else (mark.count, 0)
        return _worded("tally", f"−{whole or ''}{'½' if half else ''}", GOLD, INK, INK)
    fill, edge, ink = COLOURS.get(mark.kind, (WHITE, INK, INK))
    if mark.kind == "flees":
        return _worded("flees", one.name, fill, edge, ink)
    is_counted = mark.count > 1 and mark.kind in COUNTED
    return _worded(mark.kind, f"{mark.count}" if is_counted else "", fill, edge, ink)


def _worded(kind: str, words: str, fill: str, edge: str, ink: str) -> Pill:
    """A pill with the sign of a kind, and words behind it."""
    sign = SIGNS[kind](edge if fill == WHITE else ink) if kind in SIGNS else ""
    start = PAD + (SIGN if sign else 0)
    width = start + LETTER * len(words) + PAD if words else start + PAD
    parts = [
        _frame(width, fill, edge, HIGH / 2.5),
        tag("g", sign, transform=f"translate({number(PAD)} 0)") if sign else "",
    ]
    if words:
        parts.append(text(words, start, HIGH / 2, SIZE, ink, text_anchor="start", font_weight="bold"))
    return width, tag("g", *parts, class_=f"pill {kind}".strip())


# --- signs, 14 wide, as high as a pill


def _lines(data: str, colour: str, width: float = 2.6) -> str:
    return tag(
        "path", d=data, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round"
    )


def _fill(data: str, colour: str) -> str:
    return tag("path", d=data, fill=colour)


SIGNS: dict[str, Callable[[str], str]] = {
    "hit": lambda colour: _fill(
        "M7 2 L9 7.5 L14 5 L11.5 10.5 L14 16 L9 13.5 L7 19 L5 13.5 L0 16 L2.5 10.5 L0 5 L5 7.5 Z", colour
    ),
    "miss": lambda colour: _lines("M7 5.5 a5 5 0 1 0 .1 0 Z", colour),
    "save": lambda colour: _lines("M2 4 h10 v5 q0 6 -5 8 q-5 -2 -5 -8 Z", colour),
    "harm": lambda colour: _fill("M5 3.5 h4 l-.8 8 h-2.4 Z M5.2 13.5 h3.6 v3.6 h-3.6 Z", colour),
    "lost": lambda colour: _lines("M2 4.5 h10 v12 h-10 Z M2 16.5 l10 -12", colour, 2),
    "gone": lambda colour: _lines("M2 5.5 l10 10 m0 -10 l-10 10", colour, 3.2),
    "rally": lambda colour: _lines("M2 10 l5 -5 l5 5 M2 16 l5 -5 l5 5", colour),
    "failed": lambda colour: _lines("M7 4 a6.5 6.5 0 1 0 .1 0 Z M3 15 l8 -9", colour, 2.2),
    "flees": lambda colour: _lines("M12 16 v-5 q0 -4 -4 -4 h-6 m4 -4 l-4.5 4 l4.5 4", colour),
    "tally": lambda colour: _lines("M7 5 a5.5 5.5 0 1 0 .1 0 Z M7 8 v5", colour, 2.2),
    "burned": lambda colour: _fill("M7 2 q5 5 5 10 q0 6 -5 6 q-5 0 -5 -6 q0 -3 2 -5 q0 3 2 3 q2 -3 1 -8 Z", colour),
}
COLOURS = {
    "hit": (WHITE, ALARM, INK),
    "miss": (WHITE, MUTED, INK),
    "save": (WHITE, GOOD, INK),
    "harm": (ALARM, INK, WHITE),
    "lost": (WHITE, ALARM, INK),
    "rally": (GOOD, INK, WHITE),
    "failed": (WHITE, ALARM, INK),
    "flees": (WHITE, SHOT, INK),
    "burned": (ALARM, INK, WHITE),
}
"""Ground, edge and ink of a pill; on white a sign has the colour of the edge."""
