"""What lies around a map: casing and paper, the scale of its edge, the title, the compass, the legend."""

from collections.abc import Iterator, Sequence

from domain.campaign.theatre.map_scene import MapPower, MapScene
from replay.drawing.atlas.colours import EDGE, GOLD, Look, Scheme, Value, cloth_of, paint
from replay.drawing.atlas.land import Land
from replay.drawing.atlas.marks import SHEAF, STAR, plain_text, swords_sign
from replay.drawing.atlas.placing import Box, covers
from replay.drawing.atlas.sheet import A_ROW, CASING, ROW, WIDTH, MapSheet
from replay.drawing.atlas.sizes import AVERAGE, NARROW, WIDE
from replay.drawing.atlas.words import power_words, turn_words
from replay.drawing.pen import Spot, group, number, tag
from replay.telling.words.sentences import fragment, phrase

TITLE, TURN, SMALL = 36.0, 30.0, 14.0
LINE = "M-17 0H17"
DEGREE = 40
"""How long the pieces of the edge are."""
ROSE = 44.0


def draw_paper(sheet: MapSheet, scheme: Scheme) -> Iterator[str]:
    """The casing, the paper on it, and two rules."""
    yield tag("rect", width=WIDTH, height=sheet.height, rx=10, **paint(scheme, fill="casing"))
    yield _rectangle(CASING, sheet, rx=5, **paint(scheme, fill="paper"))
    yield _rectangle(CASING + 6, sheet, rx=3, **paint(scheme, "none", "rule", stroke_width=1.2))


def _rectangle(edge: float, sheet: MapSheet, **look: Value) -> str:
    """A rectangle along the edges of the sheet."""
    return tag("rect", x=edge, y=edge, width=WIDTH - 2 * edge, height=sheet.height - 2 * edge, **look)


def draw_edge(sheet: MapSheet, scheme: Scheme) -> Iterator[str]:
    """The scale around the map, dark and light by turns, between two lines."""
    yield _around(sheet, 0, paint(scheme, "none", "paper", stroke_width=9))
    yield _around(sheet, 0, paint(scheme, "none", "ink", stroke_width=5, stroke_dasharray=f"{DEGREE} {DEGREE}"))
    for out in (-5, 4):
        yield _around(sheet, out, paint(scheme, "none", "ink", stroke_width=1.2))


def _around(sheet: MapSheet, out: float, look: Look) -> str:
    """A rectangle along the edges of the map."""
    wide, high = sheet.right - sheet.left - 2 * out, sheet.bottom - sheet.top - 2 * out
    return tag("rect", x=sheet.left + out, y=sheet.top + out, width=wide, height=high, **look)


def draw_title(scene: MapScene, sheet: MapSheet, scheme: Scheme, lang: str) -> Iterator[str]:
    """The title of the campaign above the map, and the turn."""
    middle = (CASING + 6 + sheet.top) / 2
    turn = turn_words(scene, lang)
    room = sheet.right - sheet.left - len(turn) * TURN * AVERAGE - 40
    size = min(TITLE, room / max(1.0, len(scene.title) * AVERAGE * 1.1))
    look: Look = {"font_weight": "bold", "letter_spacing": 1.5, "text_anchor": "start"}
    yield plain_text(scene.title, (sheet.left + 8, middle), size, scheme, "ink", **look)
    yield plain_text(turn, (sheet.right - 8, middle), TURN, scheme, "quiet", text_anchor="end", font_style="italic")


def draw_compass(sheet: MapSheet, land: Land, taken: Sequence[Box], scheme: Scheme) -> str:
    """A rose in the corner that is emptiest."""
    far = ROSE + 26
    corners = [
        (x, y) for y in (sheet.bottom - far, sheet.top + far) for x in (sheet.left + far, sheet.right - far)
    ]  # fmt: skip

    def cost(at: Spot) -> int:
        around = [(at[0] + x, at[1] + y) for x in (-ROSE, 0, ROSE) for y in (-ROSE, 0, ROSE)]
        return sum(land.holds(spot) + 5 * covers(taken, spot, 8) for spot in around)

    at = min(corners, key=cost)
    ink, light = paint(scheme, fill="name-sea"), paint(scheme, fill="tag", stroke="name-sea")
    half, long, short = 7.5, ROSE, ROSE * 0.55
    needles = "".join(f"M0 0L{x * half:.0f} {y * half:.0f}L{a * long:.0f} {b * long:.0f}Z" for x, y, a, b in _DARK)
    pale = "".join(f"M0 0L{x * half:.0f} {y * half:.0f}L{a * long:.0f} {b * long:.0f}Z" for x, y, a, b in _PALE)
    small = "".join(f"M0 0L{x * short:.0f} {y * short:.0f}" for x in (-1, 1) for y in (-1, 1))
    ring = paint(scheme, "none", "name-sea", stroke_width=1.1)
    parts = [
        tag("circle", r=short, **ring),
        tag("path", d=small, **ring),
        tag("path", d=pale, **light, stroke_width=0.8),
        tag("path", d=needles, **ink),
        plain_text("N", (0, -ROSE - 11), 16, scheme, "name-sea", font_weight="bold"),
    ]
    return group(parts, class_="rose", aria_hidden="true", transform=f"translate({number(at[0])} {number(at[1])})")


_DARK = ((1, -1, 0, -1), (1, 1, 1, 0), (-1, 1, 0, 1), (-1, -1, -1, 0))
_PALE = ((-1, -1, 0, -1), (1, -1, 1, 0), (1, 1, 0, 1), (-1, 1, -1, 0))


# --- legend


def draw_legend(scene: MapScene, sheet: MapSheet, prefix: str, scheme: Scheme, lang: str, which: str) -> str:
    """The powers with their signs and what they have, then what the signs of the map mean."""
    sizes = {"wide": WIDE, "narrow": NARROW}[which]
    columns, row = A_ROW[which], ROW[which]
    across = (sheet.right - sheet.left) / columns
    top = sheet.bottom + 14
    names = tuple(power.id for power in scene.powers)
    parts = list[str]()
    for at, power in enumerate(scene.powers):
        corner = sheet.left + across * (at % columns), top + row * (at // columns)
        parts.append(_power(power, names, corner, across, prefix, scheme, lang, which))
    rows = -(-len(scene.powers) // columns)
    if which == "wide":
        parts += _key(sheet, top + rows * row + 14, prefix, scheme, lang)
    return group(parts, class_=sizes.name)


def _power(
    power: MapPower,
    names: tuple[str, ...],
    corner: Spot,
    across: float,
    prefix: str,
    scheme: Scheme,
    lang: str,
    which: str,
) -> str:
    cloth = cloth_of(names, power.id)
    x, y = corner
    size = 17.0 if which == "wide" else NARROW.letters
    strength = phrase("map.strength", {"strength": power.strength}, lang)
    room = across - 60
    flag = [
        tag("rect", x=x, y=y + 3, width=44, height=34, fill=cloth.colour, stroke=EDGE, stroke_width=1.4),
        tag("use", href=f"#{prefix}{cloth.sign}", transform=f"translate({number(x + 22)} {number(y + 20)}) scale(1.2)"),
    ]
    if which == "narrow":
        words = _cut_to(f"{power.name} {power.strength}", room, size)
        return group([*flag, plain_text(words, (x + 54, y + 20), size, scheme, text_anchor="start")])
    first = _cut_to(f"{power.name} · {strength}", room, size)
    more = _cut_to(power_words(power, lang), room, SMALL)
    return group(
        [
            *flag,
            plain_text(first, (x + 54, y + 10), size, scheme, text_anchor="start"),
            plain_text(more, (x + 54, y + 31), SMALL, scheme, "quiet", text_anchor="start"),
        ]
    )


def _cut_to(words: str, room: float, size: float) -> str:
    most = max(1, int(room / (size * AVERAGE)))
    return words if len(words) <= most else f"{words[: most - 1]}…"


def _key(sheet: MapSheet, y: float, prefix: str, scheme: Scheme, lang: str) -> Iterator[str]:
    """The signs of the map in a row."""
    x = sheet.left + 4
    for name, drawn, wide in _signs(scheme):
        words = fragment(f"map.key.{name}", {}, lang)
        yield group([drawn], transform=f"translate({number(x + wide / 2)} {number(y)})", class_="key")
        yield plain_text(words, (x + wide + 6, y), 14, scheme, "quiet", text_anchor="start")
        x += wide + 6 + len(words) * 14 * 0.55 + 22


def _signs(scheme: Scheme) -> Iterator[tuple[str, str, float]]:
    """The signs that a key explains, each around a spot, with their widths."""
    gilt: Look = {**paint(scheme, stroke="ink", stroke_width=1), "fill": GOLD}
    edges = tag("path", **paint(scheme, "none", "road-edge", stroke_width=6.4, d=LINE, stroke_linecap="round"))
    yield (
        "road",
        edges + tag("path", **paint(scheme, "none", "road", stroke_width=3.4, d=LINE, stroke_linecap="round")),
        40,
    )
    yield (
        "track",
        tag(
            "path",
            **paint(scheme, "none", "track", stroke_width=2.4, stroke_dasharray="9 6", d=LINE, stroke_linecap="round"),
        ),
        40,
    )
    yield (
        "sea",
        tag(
            "path",
            **paint(scheme, "none", "lane", stroke_width=2.6, stroke_dasharray="1 9", d=LINE, stroke_linecap="round"),
        ),
        40,
    )
    yield "capital", tag("path", d=STAR, **gilt), 16
    yield "supply", tag("path", d=SHEAF, **gilt), 16
    ring = paint(scheme, "none", "alarm", stroke_width=6, stroke_dasharray="2.4 3.6")
    yield "siege", tag("ellipse", rx=12, ry=9, **ring), 30
    yield "battle", group([swords_sign(scheme)], transform="scale(.87)"), 28
    bang = plain_text("!", (0, 0), 14, scheme, "tag", font_weight="bold")
    yield "hungry", tag("circle", r=9, **paint(scheme, fill="alarm")) + bang, 20
    march = "M-18-2L4-4V-9L18 0L4 9V4L-18 2Z"
    yield "march", tag("path", d=march, **paint(scheme, fill="quiet")), 38
    shaft = tag("path", d="M-18 0H4", **paint(scheme, stroke="quiet"), stroke_width=4, stroke_dasharray="7 4")
    head = tag("path", d="M4-8L18 0L4 8Z", **paint(scheme, fill="tag", stroke="quiet"), stroke_width=2)
    yield "retreat", shaft + head, 38
