"""Towns, banners, swords: the marks of a map, each around a spot."""

from collections.abc import Iterator
from math import hypot

from domain.campaign.theatre.map_scene import MapForce, MapPlace
from replay.drawing.atlas.colours import EDGE, GOLD, PLAIN_CLOTH, SIGNS, STEEL, Banner, Look, Scheme, Value, paint
from replay.drawing.atlas.sizes import AVERAGE, Sizes
from replay.drawing.pen import Spot, escaped, group, number, tag

TOWN_HALF = (8.0, 15.0, 20.0, 26.0)
"""Half the width of a place by its city."""
TOWN_HIGH = (8.0, 13.0, 17.0, 22.0)
LEASH = 42.0
"""How far a banner is from its place at least that has a line to it."""
SERIF = "Alegreya, 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'DejaVu Serif', serif"
STAR = "M0-7l2 4.7 5 .4-3.8 3.3 1.2 4.9L0 3.7l-4.4 2.6 1.2-4.9L-7-1.9l5-.4z"
SHEAF = "M-5 7h10l-2.5-5 4-8-3.5 1.5L0-9l-3 4.5L-6.5-6l4 8z"
BLADE, HILT = "M-9-10.5L-7.6-11.6L6.3 4.2L4.4 5.7Z", "M2 7.5L8 2.5M6 5.5L10 10"


def lettered(words: str, at: Spot, size: float, scheme: Scheme, **more: Value) -> str:
    """Words over the ground, with a rim that keeps it off."""
    rim: Look = {"stroke_width": size / 4.5, "stroke_linejoin": "round", "paint_order": "stroke"}
    given: Look = {"text_anchor": "middle", **rim, **more}
    colours = paint(scheme, fill=str(given.pop("ink", "ink")), stroke=str(given.pop("rim", "halo")))
    return tag("text", escaped(words), x=at[0], y=at[1] + size * 0.34, font_size=size, **colours, **given)


def plain_text(words: str, at: Spot, size: float, scheme: Scheme, ink: str = "ink", **more: Value) -> str:
    """Words on paper."""
    given = {"text_anchor": "middle", **more}
    y = at[1] + size * 0.34
    return tag("text", escaped(words), x=at[0], y=y, font_size=size, **paint(scheme, fill=ink), **given)


# --- towns


def town_symbols(prefix: str, scheme: Scheme) -> Iterator[str]:
    """The pictures of places without a city, of towns, cities and fortresses: with walls, gates and roofs."""
    wall = paint(scheme, fill="wall", stroke="ink", stroke_width=1.3, stroke_linejoin="round")
    shade, roof = paint(scheme, fill="wall-shade"), paint(scheme, fill="roof", stroke="ink", stroke_width=1)
    dark = paint(scheme, fill="ink")
    yield group(
        [tag("circle", r=5.2, **wall), tag("circle", r=1.9, **dark)],
        id=f"{prefix}town0",
    )
    yield group(
        [
            tag("path", d="M-13 8V-2L-8-7L-3-2V8Z", **wall),
            tag("path", d="M-15-1L-8-9L-1-1Z", **roof),
            tag("path", d="M-1 8V0L6-5L13 0V8Z", **wall),
            tag("path", d="M-3 1L6-7L15 1Z", **roof),
            tag("path", d="M4 8V3H8V8Z", **dark),
        ],
        id=f"{prefix}town1",
    )
    yield group(
        [
            tag("path", d="M-6-4V-12L0-17L6-12V-4Z", **wall),
            tag("path", d="M-8-11L0-18L8-11Z", **roof),
            tag("path", d=_wall(18, 10, 4), **wall),
            tag("path", d="M-14 9H14V5H-14Z", **shade),
            tag("path", d=_tower(-17, 10) + _tower(17, 10), **wall),
            tag("path", d="M-3.4 10V4a3.4 3.4 0 0 1 6.8 0V10Z", **dark),
        ],
        id=f"{prefix}town2",
    )
    yield group(
        [
            tag("path", d="M-10-6V-17H10V-6Z", **wall),
            tag("path", d="M-13-16L0-24L13-16Z", **roof),
            tag("path", d="M-6-6V-16M-2-6V-16M2-6V-16M6-6V-16", fill="none", **paint(scheme, stroke="ink")),
            tag("path", d=_wall(24, 12, 6), **wall),
            tag("path", d="M-20 11H20V6H-20Z", **shade),
            tag("path", d=_tower(-23, 12) + _tower(-9, 12) + _tower(9, 12) + _tower(23, 12), **wall),
            tag("path", d="M-4 12V6a4 4 0 0 1 8 0V12Z", **dark),
        ],
        id=f"{prefix}town3",
    )


def _wall(half: float, foot: float, teeth: int) -> str:
    """A wall with battlements."""
    width = 2 * half / (2 * teeth + 1)
    steps = "".join(f"h{number(width)}v4h{number(width)}v-4" for _ in range(teeth))
    return f"M{number(-half)} {number(foot)}V-6{steps}h{number(width)}V{number(foot)}Z"


def _tower(x: float, foot: float) -> str:
    return f"M{number(x - 4)} {number(foot + 1)}V-9h2.6v2.6h2.8v-2.6h2.6V{number(foot + 1)}Z"


def draw_town(
    place: MapPlace, at: Spot, cloth: Banner | None, prefix: str, big: float, scheme: Scheme
) -> Iterator[str]:
    """A place with the pennant of its owner, ringed by stakes while it is besieged."""
    half, high = TOWN_HALF[place.city], TOWN_HIGH[place.city]
    parts = []
    if place.besieged:
        ring = paint(scheme, "none", "alarm", rx=half + 9, ry=high + 7, stroke_dasharray="2.4 3.6", stroke_width=7)
        parts.append(tag("ellipse", cy=1, **ring))
    parts.append(tag("use", href=f"#{prefix}town{place.city}"))
    if cloth:
        parts.append(_pennant(cloth, half * 0.55, -high, prefix))
    if place.capital:
        parts.append(tag("path", d=STAR, transform=f"translate({number(-half - 7)} 2)", **_gilt(scheme)))
    if place.supply:
        parts.append(tag("path", d=SHEAF, transform=f"translate({number(half + 8)} 2)", **_gilt(scheme)))
    yield group(parts, transform=f"translate({number(at[0])} {number(at[1])}) scale({number(big)})")


def _gilt(scheme: Scheme) -> Look:
    return {**paint(scheme, stroke="ink", stroke_width=1, stroke_linejoin="round"), "fill": GOLD}


def _pennant(cloth: Banner, x: float, y: float, prefix: str) -> str:
    pole = tag("path", d="M0 8V-17", stroke=EDGE, stroke_width=1.6)
    flag = tag("path", d="M0-17h22l-5 6 5 6H0z", fill=cloth.colour, stroke=EDGE, stroke_width=1)
    sign = tag("use", href=f"#{prefix}{cloth.sign}", transform="translate(8 -11) scale(.5)")
    return group([pole, flag, sign], transform=f"translate({number(x)} {number(y)})")


# --- banners


def sign_symbols(prefix: str) -> Iterator[str]:
    """The signs of powers."""
    for name, drawn in SIGNS.items():
        yield tag("g", drawn, id=f"{prefix}{name}", fill=PLAIN_CLOTH)


def banner_size(force: MapForce, size: float, stacked: bool) -> Spot:
    """Width and height of a banner with letters of a size; `stacked`: its name above its strength."""
    name, strength = len(force.name), len(force.size)
    letters = max(name, strength) if stacked else name + strength + 1
    return max(size * AVERAGE * 1.1 * letters + size * 0.7, size * 2.1), size * 3.9


def draw_banner(
    force: MapForce, corner: Spot, cloth: Banner, size: float, stacked: bool, prefix: str, scheme: Scheme, title: str
) -> str:
    """A banner below a spear: cloth with the sign of the power, the name of the force and the points of its units;
    out of supply it has a mark."""
    wide, high = banner_size(force, size, stacked)
    middle, left = corner[0] + wide / 2, corner[0]
    tag_high = size * (2.35 if stacked else 1.45)
    flag_high, flag_half = high - tag_high - 3, min(wide / 2, size * 1.25)
    top = corner[1]
    quarter = number(-flag_half / 2)
    cloth_path = (
        f"M{number(middle - flag_half)} {number(top)}h{number(2 * flag_half)}v{number(flag_high)}"
        f"l{quarter}-4l{quarter} 4l{quarter}-4l{quarter} 4z"
    )
    spear = f"M{number(middle - flag_half - 4)} {number(top)}h{number(2 * flag_half + 8)}"
    parts = [
        tag("title", escaped(title)),
        tag("path", d=spear, stroke=EDGE, stroke_width=3.4),
        tag("path", d=cloth_path, fill=cloth.colour, stroke=EDGE, stroke_width=1.6, stroke_linejoin="round"),
        tag(
            "use",
            href=f"#{prefix}{cloth.sign}",
            transform=f"translate({number(middle)} {number(top + flag_high / 2 - 1)}) scale({flag_high / 27:.2f})",
        ),
        tag(
            "rect",
            x=left,
            y=corner[1] + high - tag_high,
            width=wide,
            height=tag_high,
            rx=3,
            **paint(scheme, fill="tag"),
            stroke=cloth.colour,
            stroke_width=2.4,
        ),
    ]
    parts += _tag_words(force, (middle, corner[1] + high - tag_high), size, stacked, scheme)
    if not force.supplied:
        parts.append(_alarm((left + wide, top + size * 0.4), size, scheme))
    return group(parts, class_="force", data_force=force.id, data_area=force.area)


def draw_leash(force: MapForce, corner: Spot, at: Spot, cloth: Banner, sizes: Sizes) -> str:
    """A line from a banner to the place where its force stands, if it is not right beside it."""
    wide, high = banner_size(force, sizes.banner, sizes.stacked)
    near = min(max(at[0], corner[0]), corner[0] + wide), min(max(at[1], corner[1]), corner[1] + high)
    apart = hypot(near[0] - at[0], near[1] - at[1])
    if apart < LEASH * sizes.big:
        return ""
    data = f"M{number(near[0])} {number(near[1])}L{number(at[0])} {number(at[1])}"
    under = tag("path", d=data, stroke=PLAIN_CLOTH, stroke_width=3.6 * sizes.big, opacity=0.8)
    return under + tag("path", d=data, stroke=cloth.colour, stroke_width=1.7 * sizes.big)


def _tag_words(force: MapForce, above: Spot, size: float, stacked: bool, scheme: Scheme) -> Iterator[str]:
    bold = {"font_weight": "bold"}
    if stacked:
        yield plain_text(force.name, (above[0], above[1] + size * 0.66), size, scheme, **bold)
        yield plain_text(force.size, (above[0], above[1] + size * 1.68), size, scheme)
        return
    name = tag("tspan", escaped(force.name), font_weight="bold")
    words = name + f" {escaped(force.size)}"
    y = above[1] + size * (0.725 + 0.34)
    yield tag("text", words, x=above[0], y=y, font_size=size, text_anchor="middle", **paint(scheme, fill="ink"))


def _alarm(at: Spot, size: float, scheme: Scheme) -> str:
    """The mark of a force without supply."""
    radius = size * 0.62
    disc = tag("circle", r=radius, **paint(scheme, fill="alarm", stroke="tag"), stroke_width=1.6)
    bang = plain_text("!", (0, 0), size, scheme, "tag", font_weight="bold")
    return group([disc, bang], class_="hungry", transform=f"translate({number(at[0])} {number(at[1])})")


# --- what happened


def swords_sign(scheme: Scheme) -> str:
    """Crossed swords on a disc."""
    one = [
        tag("path", d=BLADE, fill=STEEL, stroke=EDGE, stroke_width=0.9, stroke_linejoin="round"),
        tag("path", d=HILT, fill="none", stroke="#7a5210", stroke_width=2.4, stroke_linecap="round"),
    ]
    disc = tag("circle", r=15, **paint(scheme, fill="tag", stroke="alarm"), stroke_width=2.2)
    return disc + group(one) + group(one, transform="scale(-1 1)")


def draw_swords(at: Spot, radius: float, scheme: Scheme, title: str) -> str:
    """A battle."""
    place = f"translate({number(at[0])} {number(at[1])}) scale({radius / 15:.2f})"
    return group([tag("title", escaped(title)), swords_sign(scheme)], class_="battle", transform=place)


def draw_loss(at: Spot, cloth: Banner, name: str, size: float, scheme: Scheme, title: str) -> str:
    """A broken spear with a fallen banner: a force that is no more."""
    parts = [
        tag("title", escaped(title)),
        tag("path", d="M-14 6L-2 1M1-1L14-8", stroke=EDGE, stroke_width=2.4),
        tag("path", d="M-12 5l14-6 4 9-6-1-3 6-5-3z", fill=cloth.colour, stroke=EDGE, stroke_width=1.2, opacity=0.85),
        tag("path", d="M-10-11L10 13M10-11L-10 13", **paint(scheme, stroke="alarm"), stroke_width=2.6),
    ]
    drawn = group(parts, transform=f"scale({size / 15:.2f})")
    words = lettered(name, (0, size * 1.55), size, scheme, ink="alarm", font_weight="bold")
    return group([drawn, words], class_="loss", transform=f"translate({number(at[0])} {number(at[1])})")
