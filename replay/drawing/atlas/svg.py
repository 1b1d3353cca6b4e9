"""Draw a map as an SVG picture: a plate of an atlas.

Sea with its shoals, land with borders and the colours of its owners, relief, rivers, roads and lanes, towns, arrows of
marches, banners, names, battles. Names, banners and arrows are there twice, for a picture as wide as a page and for
one as wide as a phone; a style sheet shows one of the two. No text is drawn smaller than nine pixels on a phone.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from domain.campaign.theatre.map_scene import MapScene, still
from replay.drawing.atlas.colours import Scheme, cloth_of, dusk, paint
from replay.drawing.atlas.frame import draw_compass, draw_edge, draw_legend, draw_paper, draw_title
from replay.drawing.atlas.land import Land, areas_of, land_of
from replay.drawing.atlas.marks import (
    SERIF,
    draw_banner,
    draw_leash,
    draw_loss,
    draw_swords,
    draw_town,
    lettered,
    sign_symbols,
    town_symbols,
)
from replay.drawing.atlas.placing import NamesPlaced, Placed, names_placed, placed
from replay.drawing.atlas.relief import Feature, draw_relief, draw_rivers, relief_of, relief_symbols, smooth
from replay.drawing.atlas.sheet import WIDTH, MapSheet, sheet_of
from replay.drawing.atlas.sizes import NARROW, WIDE, Sizes
from replay.drawing.atlas.ways import DrawnWay, courses, draw_arrows, draw_ships, draw_ways, sampled, ship_symbol
from replay.drawing.atlas.words import (
    battle_words,
    described,
    force_words,
    loss_words,
    march_words,
    place_words,
    turn_words,
)
from replay.drawing.pen import Spot, escaped, group, number, path, tag
from replay.telling.words import ENGLISH

NAMESPACE = "http://www.w3.org/2000/svg"
NARROWEST = 620
"""Pixels below which a picture is one for a phone."""
SHOALS = ((40, 0.16), (26, 0.2), (14, 0.28))
"""Widths and strengths of the lines along the coasts."""
WASH = 0.25
Which = Literal["both", "wide", "narrow"]
SWITCH = f".narrow{{display:none}}@media(max-width:{NARROWEST}px){{.narrow{{display:inline}}.wide{{display:none}}}}"
"""Which of the two sets of marks a style sheet shows."""


class _Still(Struct, frozen=True):
    """Where everything of a map is that stays the same from turn to turn."""

    sheet: MapSheet
    land: Land
    areas: dict[str, tuple[Spot, ...]]
    lines: dict[tuple[str, str], DrawnWay]
    ways: tuple[Spot, ...]
    names: dict[str, NamesPlaced]
    relief: tuple[Feature, ...]


@lru_cache(maxsize=32)
def _still(scene: MapScene) -> _Still:
    sheet = sheet_of(scene)
    land, areas = land_of(scene, sheet), areas_of(scene, sheet)
    lines = courses(scene, sheet, land)
    ways = tuple(sampled(lines[way.ends] for way in scene.ways))
    names = {sizes.name: names_placed(scene, sheet, ways, sizes) for sizes in (WIDE, NARROW)}
    relief = relief_of(scene, areas, land, ways, names["wide"].taken)
    return _Still(sheet, land, areas, lines, ways, names, relief)


def draw_map(
    scene: MapScene,
    *,
    prefix: str = "",
    which: Which = "both",
    scheme: Scheme = "day",
    lang: str = ENGLISH,
    styled: bool = False,
    font: str = SERIF,
) -> str:
    """The map as an SVG document, the same bytes for the same scene.

    `prefix` makes ids unique where a page holds several; `which` are the marks wanted; `scheme` the hour; `styled` puts
    a style sheet into it, by which it shows the marks that fit its width, and dusk to who wants dark pages; `font` are
    the families of its letters.
    """
    known = _still(still(scene))
    name, words = f"{prefix}map-title", f"{prefix}map-words"
    style = f"{SWITCH}@media(prefers-color-scheme:dark){{{dusk()}}}"
    title = f"{scene.title}. {turn_words(scene, lang)}" if scene.title else turn_words(scene, lang)
    return tag(
        "svg",
        tag("title", escaped(title), id=name),
        tag("desc", escaped(described(scene, lang)), id=words),
        tag("style", style) if styled else "",
        "\n".join(_plate(scene, known, prefix, which, scheme, lang)),
        xmlns=NAMESPACE,
        view_box=f"0 0 {WIDTH} {number(known.sheet.height)}",
        role="img",
        aria_labelledby=f"{name} {words}",
        font_family=font,
        class_="map",
    )


def _plate(scene: MapScene, known: _Still, prefix: str, which: Which, scheme: Scheme, lang: str) -> Iterator[str]:
    sheet = known.sheet
    wanted = [sizes for sizes in (WIDE, NARROW) if which in ("both", sizes.name)]
    room = {sizes.name: placed(scene, sheet, known.ways, sizes, known.names[sizes.name]) for sizes in wanted}
    yield tag("defs", "\n".join(_defs(known, prefix, scheme)))
    yield from draw_paper(sheet, scheme)
    yield from draw_title(scene, sheet, scheme, lang)
    ground = [
        *_ground(scene, known, prefix, scheme, lang),
        *draw_rivers(scene, sheet, known.land, scheme),
        *draw_ways(scene, known.lines, scheme),
        *draw_ships(scene, known.lines, known.land, prefix),
        draw_relief(known.relief, prefix),
        draw_compass(sheet, known.land, [box for each in room.values() for box in each.taken], scheme),
    ]
    yield group(ground, clip_path=f"url(#{prefix}map-frame)")
    yield from draw_edge(sheet, scheme)
    for sizes in wanted:
        yield group(_marks(scene, known, room[sizes.name], sizes, prefix, scheme, lang), class_=sizes.name)
        yield draw_legend(scene, sheet, prefix, scheme, lang, sizes.name)


def _defs(known: _Still, prefix: str, scheme: Scheme) -> Iterator[str]:
    """Gradients, the land, the frame that cuts everything off, the pictures of ground and towns."""
    sheet = known.sheet
    for name, one, other in (("sea", "sea", "deep"), ("land", "land", "low")):
        stops = (tag("stop", offset=at, **paint(scheme, stop=colour)) for at, colour in ((0, one), (1, other)))
        yield tag("linearGradient", *stops, id=f"{prefix}{name}", x1=0, y1=0, x2=1, y2=1)
    box = {"x": sheet.left, "y": sheet.top, "width": sheet.right - sheet.left, "height": sheet.bottom - sheet.top}
    yield tag("clipPath", tag("rect", **box), id=f"{prefix}map-frame")
    yield tag("path", d="".join(smooth(each, closed=True) for each in known.land.outlines), id=f"{prefix}shore")
    yield tag("clipPath", tag("use", href=f"#{prefix}shore"), id=f"{prefix}on-land")
    waves = "M6 14q5-5 10 0t10 0M52 44q5-5 10 0t10 0"
    drawn = tag("path", d=waves, fill="none", **paint(scheme, stroke="shoal"), stroke_width=1.2, opacity=0.5)
    yield tag("pattern", drawn, id=f"{prefix}waves", width=96, height=60, pattern_units="userSpaceOnUse")
    tufts = "M10 16q1-4 2-5m-2 5q0-4-1-6M48 38q1-4 2-5m-2 5q-1-3-3-4M70 12q1-3 3-4m-3 4q0-4-1-5"
    drawn = tag("path", d=tufts, fill="none", **paint(scheme, stroke="leaf"), stroke_width=1, opacity=0.45)
    yield tag("pattern", drawn, id=f"{prefix}tufts", width=84, height=50, pattern_units="userSpaceOnUse")
    yield ship_symbol(prefix, scheme)
    yield from relief_symbols(prefix, scheme)
    yield from town_symbols(prefix, scheme)
    yield from sign_symbols(prefix)


def _ground(scene: MapScene, known: _Still, prefix: str, scheme: Scheme, lang: str) -> Iterator[str]:
    """Sea, coasts, land, and on it the areas in the colours of their owners."""
    sheet, shore = known.sheet, f"#{prefix}shore"
    box = {"x": sheet.left, "y": sheet.top, "width": sheet.right - sheet.left, "height": sheet.bottom - sheet.top}
    yield tag("rect", **box, fill=f"url(#{prefix}sea)")
    yield tag("rect", **box, fill=f"url(#{prefix}waves)")
    for width, opacity in SHOALS:
        line = paint(scheme, "none", "shoal", stroke_width=width, opacity=opacity, stroke_linejoin="round")
        yield tag("use", href=shore, **line)
    yield tag("use", href=shore, **paint(scheme, stroke="coast"), stroke_width=4, fill="none", stroke_linejoin="round")
    yield tag("use", href=shore, fill=f"url(#{prefix}land)")
    yield tag("use", href=shore, fill=f"url(#{prefix}tufts)")
    powers = tuple(power.id for power in scene.powers)
    areas = []
    for place in scene.places:
        colour = cloth_of(powers, place.owner).colour if place.owner else "none"
        title = tag("title", escaped(place_words(scene, place, lang)))
        data = path([(round(x), round(y)) for x, y in known.areas[place.id]], close=True).replace(" L", "L")
        drawn = {"d": data, "fill": colour, "class_": "area", "data_area": place.id}
        areas.append(tag("path", title, fill_opacity=WASH, **drawn))
    look = paint(scheme, stroke="border", stroke_width=1.4, stroke_dasharray="2 5", stroke_linecap="round")
    yield tag("g", "\n".join(areas), clip_path=f"url(#{prefix}on-land)", **look)


def _marks(
    scene: MapScene, known: _Still, room: Placed, sizes: Sizes, prefix: str, scheme: Scheme, lang: str
) -> Iterator[str]:
    """Arrows, towns, names, banners, battles, in the sizes of a width."""
    powers, sheet = tuple(power.id for power in scene.powers), known.sheet
    for place in scene.places:
        cloth = cloth_of(powers, place.owner) if place.owner else None
        yield from draw_town(place, sheet.spot(place.at), cloth, prefix, sizes.big, scheme)
    told = {march: march_words(scene, march, lang) for march in scene.marches}
    yield from draw_arrows(scene, known.lines, sizes.arrows, told)
    for force in scene.forces:
        cloth, at = cloth_of(powers, force.power), sheet.spot(scene.place(force.area).at)
        yield draw_leash(force, room.banners[force.id], at, cloth, sizes)
    for place in scene.places:
        weight = "bold" if place.city > 1 else None
        yield lettered(place.name, known.names[sizes.name].names[place.id], sizes.letters, scheme, font_weight=weight)
    for battle, at in zip(scene.battles, room.battles, strict=True):
        yield draw_swords(at, sizes.swords, scheme, battle_words(scene, battle, lang))
    for loss, at in zip(scene.losses, room.losses, strict=True):
        title = loss_words(scene, loss, lang)
        yield draw_loss(at, cloth_of(powers, loss.power), loss.force, sizes.banner, scheme, title)
    for force in scene.forces:
        cloth, title = cloth_of(powers, force.power), force_words(scene, force, lang)
        yield draw_banner(force, room.banners[force.id], cloth, sizes.banner, sizes.stacked, prefix, scheme, title)
