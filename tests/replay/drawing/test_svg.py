"""The picture is whole, safe, legible, and always the same."""

import gzip
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.basics.data import read_toml, scenario_names
from domain.contract.scene import Arrow, Cell, Formation, Mark, Measure, Scene, Token, turned
from replay.drawing.canvas import canvas_of
from replay.drawing.marks import PICTURES
from replay.drawing.palette import (
    ALARM,
    ALARM_PALE,
    CORNER,
    DRESSES,
    FIELD,
    GOLD,
    GROUNDS,
    INK,
    PAPER,
    PATCHES,
    QUIET,
    SKIN,
    SPENT_PALE,
    STAND,
    TINCTURES,
    TINTS,
    UNKNOWN_GROUND,
    WHITE,
    contrast,
    tint_of,
)
from replay.drawing.stands import FIGURES, FOOT_HIGH
from replay.drawing.svg import draw_svg, draw_token
from replay.drawing.symbols import SYMBOLS
from replay.telling.words import worded
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.support.scenes import DRAWINGS, battle, cannae, duel, hex_board, hexes, in_full_swing, open_table, view

SVG = "{http://www.w3.org/2000/svg}"
TEXT, GRAPHICS = 4.5, 3.0


SCENES = [duel(), view(in_full_swing()), open_table(), hexes(), hex_board()]


def parsed(picture: str) -> Any:
    return ElementTree.fromstring(picture)


def groups(picture: str, attribute: str) -> dict[str, Any]:
    return {group.get(attribute): group for group in parsed(picture).iter(SVG + "g") if group.get(attribute)}


def words(picture: str) -> list[str]:
    return [element.text for element in parsed(picture).iter(SVG + "text")]


def lettering(picture: str) -> list[str]:
    """The names around the table."""
    around = groups(picture, "class")["lettering"]
    return [element.text for element in around.iter(SVG + "text")]


def unit(token: Token, **canvas: Any) -> Any:
    """A unit as it is drawn by itself."""
    box = Cell("A1", "open", ((0, 0), (100, 0), (100, 100), (0, 100)))
    return groups(draw_svg(Scene(100, 100, (box,), tokens=(token,), grid="square"), **canvas), "data-unit")[token.id]


@pytest.mark.parametrize("file", DRAWINGS, ids=lambda file: file.name)
def test_the_drawings_kept_are_those_drawn(file: Path):
    """If the change is meant: python -m tests.support.scenes, then look at them."""
    assert file.read_text(encoding="utf-8") == DRAWINGS[file]()


@pytest.mark.parametrize("scenario", thinned(scenario_names("tts"), 2))
def test_every_unit_general_and_camp_of_a_scenario_is_drawn(scenario: str):
    state = battle(read_toml("tts", "scenarios", f"{scenario}.toml"))
    drawn = groups(draw_svg(view(state)), "data-unit")
    assert {*state.units, *state.generals} <= set(drawn)
    assert len(drawn) == len(state.units) + len(state.generals) + len(state.camps)
    for unit in state.units.values():
        group = drawn[unit.id]
        assert (group.get("data-cell"), group.get("data-side")) == (unit.box, unit.side)
        assert group.find(f"{SVG}title").text.startswith(f"{unit.id}, ")
        assert unit.id in [text.text for text in group.iter(SVG + "text")]


def test_every_box_has_its_group_and_every_column_and_row_its_name():
    picture = draw_svg(view(cannae()))
    assert len(groups(picture, "data-cell")) == 96
    assert {"cell-A1", "cell-L8"} <= set(groups(picture, "id"))
    for name in "ABCDEFGHIJKL12345678":
        assert lettering(picture).count(name) == 2


def test_a_unit_off_the_field_is_not_drawn_but_told_below():
    picture = draw_svg(view(in_full_swing()))
    assert not {"N11", "N14", "G4"} & set(groups(picture, "data-unit"))
    assert "Off the field: N11 (left at K8, 2 turns to return)." in words(picture)


def test_the_picture_has_a_title_and_a_description():
    root = parsed(draw_svg(duel()))
    assert root.get("role") == "img"
    title, description = (root.find(f"{SVG}{name}") for name in ("title", "desc"))
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert title.text == "A duel <on the hill> & by the stream"
    assert "R1, legionaries, veteran, facing north, 1 of 2 steps lost" in description.text


def test_names_that_are_no_xml_do_no_harm():
    token = Token('<a"&b>\x00', "south", "unit", "foot", (50, 50), (80, 50), label="</text>", title="<script>&\ufffe")
    picture = draw_svg(Scene(100, 100, (), tokens=(token,), captions=(("south", '<b>"&'),), sides=("<i>",)))
    root = parsed(picture)
    assert not list(root.iter(SVG + "script"))
    assert '<b>"&' in words(picture)
    assert "</text>" in words(picture)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.:-]+", name) for name in ids)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.title)
def test_no_id_occurs_twice_and_a_prefix_makes_all_of_them_new(scene: Scene):
    plain, other = ({*groups(draw_svg(scene, prefix=prefix), "id")} for prefix in ("", "b2"))
    ids = re.findall(r' id="([^"]*)"', draw_svg(scene))
    assert len(ids) == len(set(ids))
    assert plain
    assert not plain & other


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.title)
def test_the_same_scene_gives_the_same_bytes_and_numbers_have_one_decimal(scene: Scene):
    picture = draw_svg(scene)
    assert picture == draw_svg(replace(scene))
    drawn = re.sub(r"<(title|desc|text)[^>]*>[^<]*</\1>", "", picture)
    assert not re.search(r"\d\.\d\d|\de-\d|nan|inf", drawn)


def test_nothing_is_fetched_and_no_style_leaks_into_the_page():
    picture = draw_svg(view(in_full_swing()))
    assert not re.search(r"<style|style=|<script|href(?!=.#)|url\(|@import|<image|<foreignObject", picture)
    assert re.findall('https?:[^"]*', picture) == ["http://www.w3.org/2000/svg"]


def test_the_picture_can_be_seen_from_the_other_edge():
    picture = draw_svg(turned(view(cannae())))
    letters = [word for word in lettering(picture) if word in "ABCDEFGHIJKL"]
    assert letters[0] == "L"
    assert turned(turned(view(cannae()))) == view(cannae())


def test_arrows_and_captions_are_left_out_when_there_are_none():
    assert 'class="arrows"' in draw_svg(duel())
    assert 'class="arrows"' not in draw_svg(view(cannae()))
    assert "Turn 1" not in " ".join(words(draw_svg(duel(), captions=False)))


def test_an_arrow_without_length_is_drawn_all_the_same():
    assert parsed(draw_svg(replace(duel(), arrows=(Arrow("move", ((50, 50), (50, 50))),)))) is not None


def test_a_given_width_keeps_the_shape():
    root = parsed(draw_svg(duel(), width=492))
    _, _, width, height = map(float, root.get("viewBox").split())
    assert int(root.get("height")) == round(492 * height / width)


def test_a_neighbouring_wood_is_one_wood():
    apart = draw_svg(replace(hexes(), cells=tuple(replace(cell, kind=f"wood{cell.id}") for cell in hexes().cells)))
    together = draw_svg(hexes())
    assert together.count("<path") != apart.count("<path")


# --- what is reached and measured


def shapes(picture: str) -> list[str]:
    """The titles of arcs, discs, rulers and lines of sight."""
    return [
        group.find(f"{SVG}title").text
        for layer in ("reaches", "measured")
        for group in groups(picture, "class").get(layer, [])
        if group.tag == f"{SVG}g"
    ]


def test_arcs_discs_rulers_and_lines_of_sight_are_drawn_with_their_titles():
    picture = draw_svg(open_table())
    assert shapes(picture) == [
        "G commands within 25 cm.",
        "A2 can shoot so far.",
        "view",
        "lane",
        "A1 does not see B1: the wood is in the way.",
        "A2 sees B2.",
        "From A2 to B1: 75 cm.",
    ]
    assert "75 cm" in words(picture)
    assert {"sight cut", "sight clear", "reach fire", "reach command", "ruler"} <= set(groups(picture, "class"))


def test_layers_of_shapes_are_left_out_where_there_are_none():
    assert not {"reaches", "measured"} & set(groups(draw_svg(duel()), "class"))


def outline_of(picture: str, title: str) -> list[tuple[float, float]]:
    path = groups(picture, "class")[title].find(f"{SVG}path")
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.get("d"))]


def test_what_is_reached_ends_at_the_edge_of_the_table():
    canvas = canvas_of(open_table())
    spots = outline_of(draw_svg(open_table()), "reach command")
    assert min(y for _, y in spots) == canvas.margin
    x, y = canvas.spot((900, 1000))
    assert max(px for px, _ in spots) == pytest.approx(x + 250 * canvas.scale, abs=0.1)
    assert max(py for _, py in spots) == pytest.approx(y + 250 * canvas.scale, abs=0.1)


def test_an_arc_without_spread_is_a_rectangle_and_one_without_width_a_sector():
    picture, canvas = draw_svg(open_table()), canvas_of(open_table())
    lane = outline_of(picture, "reach lane")
    area = sum(x * ty - tx * y for (x, y), (tx, ty) in zip(lane, [*lane[1:], lane[0]], strict=True)) / 2
    assert area == pytest.approx(250 * 120 * canvas.scale**2, rel=0.01)
    at = canvas.spot((900, 1000))
    far = [math.dist(at, spot) for spot in outline_of(picture, "reach view")]
    assert min(far) < 0.1
    assert max(far) == pytest.approx(300 * canvas.scale, abs=0.1)


def test_a_table_of_free_measure_has_a_scale_with_round_numbers():
    said = words(draw_svg(open_table()))
    assert {"-80", "-40", "0", "40", "80", "cm"} <= set(said)
    over = words(draw_svg(turned(open_table())))
    assert {"-80", "-40", "0", "40", "80", "cm"} <= set(over)
    assert over.index("80") < over.index("-80")
    assert "cm" not in words(draw_svg(replace(open_table(), measure=Measure())))


def test_hexes_are_named_and_stand_on_the_table():
    scene, canvas = hex_board(), canvas_of(hex_board())
    picture = draw_svg(scene)
    assert {cell.id for cell in scene.cells} <= set(words(picture))
    for x, y in re.findall(r'class="cell[^"]*"[^>]*>.*?M(-?[\d.]+) (-?[\d.]+)', picture, re.DOTALL):
        assert (float(x), float(y)) == canvas.on_table((float(x), float(y)))


def test_a_site_of_an_unknown_kind_has_its_flag_all_the_same():
    site = groups(draw_svg(hex_board()), "data-unit")["fire"]
    assert site.get("class") == "fire north"
    assert site.find(f"{SVG}text").text == "N"


# --- what stands on a base

UNIT = Token("R4", "south", "unit", "heavy_foot", (50, 50), (88, 62), "A1", 0, label="R4")


@pytest.mark.parametrize("size", [(88, 62), (76, 62), (88, 40), (44, 62)])
def test_the_figures_are_larger_than_the_name_of_a_unit(size: tuple[int, int]):
    drawn = unit(replace(UNIT, size=size))
    troops = next(part for part in drawn.iter(f"{SVG}g") if part.get("class") == "troops heavy_foot")
    scale = float(troops.find(f"{SVG}g").get("transform").partition("scale(")[2].rstrip(")"))
    name = next(part for part in drawn.iter(f"{SVG}text") if part.text == "R4")
    assert FOOT_HIGH * scale > float(name.get("font-size")) >= 12


def figures(drawn: Any) -> int:
    """How many figures stand on a base: each has one head."""
    heads = [part.get("d") for part in drawn.iter(f"{SVG}path") if part.get("fill") == SKIN]
    return sum(data.count("M") for data in heads)


@pytest.mark.parametrize("symbol", sorted(set(FIGURES) - {name for name, kind in FIGURES.items() if kind.mounted}))
def test_ranks_thin_with_losses_and_somebody_is_left(symbol: str):
    counts = []
    for lost in range(4):
        hurt = (Mark("disorder", lost, 3, symbol="burst", harm=True),) if lost else ()
        counts.append(figures(unit(replace(UNIT, symbol=symbol, marks=hurt))))
    assert counts[0] > counts[1] > counts[2] > counts[3] >= 1
    assert counts[1] == pytest.approx(counts[0] * 2 / 3, abs=1)


def test_the_troops_bear_the_shields_of_their_people():
    scene = view(cannae())
    borne = {side: TINCTURES[shield.field] for side, shield in zip(scene.sides, scene.shields, strict=True)}
    troops = [token for token in scene.tokens if token.form == "base" and token.symbol in ("heavy_foot", "spears")]
    for token in some(troops):
        drawn = parsed(f'<svg xmlns="{SVG[1:-1]}">{draw_token(scene, token)}</svg>')
        assert borne[token.side] in {part.get("fill") for part in drawn.iter(f"{SVG}path")}


def test_stands_that_look_alike_are_drawn_once():
    scene = view(cannae())
    picture = draw_svg(scene)
    used, drawn = re.findall(r'<use href="#(stand-\w+)"', picture), re.findall(r'<g id="(stand-\w+)"', picture)
    assert set(used) == set(drawn) and len(drawn) == len(set(drawn)) < len(used)
    assert len(used) + picture.count('class="troops') - len(drawn) == sum(t.form == "base" for t in scene.tokens)


def test_the_largest_board_is_light():
    issus = draw_svg(view(battle(read_toml("tts", "scenarios", "issus.toml"))), captions=False)
    assert len(gzip.compress(issus.encode())) <= 25_000


def test_the_last_card_lies_beside_its_unit_and_leaves_room_for_the_marks():
    marked = unit(replace(UNIT, marks=(Mark("disorder", 1, 2, symbol="burst", harm=True), Mark("card", 7, text="c7"))))
    card = next(part for part in marked.iter(f"{SVG}g") if part.get("class") == "last-card")
    assert [words.text for words in card.iter(f"{SVG}text")] == ["7"]
    assert [part.get("class") for part in marked.iter(f"{SVG}g") if "mark " in part.get("class", "")] == [
        "mark disorder"
    ]


def test_a_unit_has_the_number_and_the_colour_of_its_formation():
    scene = view(cannae())
    token = next(token for token in scene.tokens if token.formation == "II")
    drawn = draw_svg(scene).partition(f'data-unit="{token.id}"')[2].partition("</g>\n</g>")[0]
    assert ">II</text>" in drawn
    assert tint_of(scene.formations, "south", "II") in drawn


def test_what_does_not_fit_on_a_base_goes_into_a_second_row():
    marks = tuple(Mark(f"m{at}", text="mm") for at in range(3))
    rows = [part for part in unit(replace(UNIT, marks=marks)).iter(f"{SVG}g") if part.get("class") == "marks"]
    assert [len(list(row)) for row in rows] == [2, 1]


def test_the_badge_of_a_general_hides_no_unit_before_its_own():
    scene = worded(view(in_full_swing()))
    riders = [token for token in scene.tokens if token.on]
    drawn, beside = groups(draw_svg(scene), "data-unit"), 0
    for rider in riders:
        below = float(drawn[rider.id].get("transform").rstrip(")").split(" ")[1])
        own = next(token for token in scene.tokens if token.id == rider.on)
        for other in scene.tokens:
            if other.form == "base" and other.cell == own.cell and other.id != own.id:
                y = float(drawn[other.id].get("transform").partition(")")[0].split(" ")[1])
                assert abs(below - y) >= other.size[1] / 2 + 8, (rider.id, other.id)
                beside += 1
    assert beside


# --- who cannot see colours


def test_sides_differ_in_more_than_colour():
    assert len({(dress.rounded, dress.hatch != "") for dress in DRESSES[:2]}) == 2
    picture = draw_svg(view(cannae()))
    assert words(picture).count("S") > 1
    assert words(picture).count("N") > 1


@pytest.mark.parametrize("dress", DRESSES, ids=lambda dress: dress.strong)
def test_the_colours_of_a_side_can_be_told_apart(dress):
    assert contrast(WHITE, dress.strong) >= GRAPHICS  # the picture of the troop type
    assert not dress.hatch or contrast(WHITE, dress.hatch) >= GRAPHICS
    assert contrast(INK, dress.pale) >= TEXT  # the name
    assert contrast(dress.strong, dress.pale) >= GRAPHICS  # the panel and the bar at the front
    assert contrast(INK, FIELD) >= GRAPHICS  # the outline of the base
    assert contrast(dress.strong, STAND) >= GRAPHICS  # the figures
    assert contrast(WHITE, dress.dark) >= TEXT  # the name
    assert contrast(dress.dark, STAND) >= GRAPHICS  # its tag, and the shields of a people without arms


@pytest.mark.parametrize(
    "back", [PAPER, FIELD, *PATCHES, GOLD, ALARM_PALE, STAND, SPENT_PALE, *(g.fill for g in GROUNDS.values())]
)
def test_dark_text_is_legible_wherever_it_stands(back):
    assert contrast(INK, back) >= TEXT


@pytest.mark.parametrize("tint", TINTS)
def test_numbers_are_legible_on_the_pennons_of_formations(tint):
    assert contrast(INK, tint) >= TEXT
    assert contrast(ALARM, tint) >= TEXT  # the rim of a small one that suffers
    assert all(contrast(INK, dress.strong) >= GRAPHICS for dress in DRESSES[:2])  # the edge of the stand


@pytest.mark.parametrize("ground", [*GROUNDS.values(), UNKNOWN_GROUND], ids=lambda ground: ground.fill)
def test_ground_is_outlined_so_that_it_can_be_seen(ground):
    assert contrast(ground.edge, ground.fill) >= GRAPHICS
    assert contrast(ground.edge, FIELD) >= GRAPHICS


def test_corners_of_boxes_and_signs_of_disorder_can_be_seen():
    assert contrast(CORNER, FIELD) >= GRAPHICS
    assert contrast(ALARM, ALARM_PALE) >= GRAPHICS
    assert contrast(QUIET, PAPER) >= TEXT  # letters and numbers around the board
    assert contrast(WHITE, ALARM) >= TEXT


def test_every_symbol_and_mark_is_well_formed():
    paths = [data for strokes in SYMBOLS.values() for _, data in strokes]
    assert all(re.fullmatch(r"[MLHVCQTAZmlhvcqtaz0-9 .,-]+", data) for data in paths)
    for wide, picture in PICTURES.values():
        assert wide > 0
        assert picture(0.0, 0.0, True).startswith("<")


def small(facing: int, **members: Any) -> Scene:
    """A table of free measure on which a base is so small that its name stands behind it."""
    token = Token("U1", "south", "unit", "riflemen", (9000, 6000), (400, 300), facing=facing, label="U1", **members)
    return Scene(18000, 12000, (), tokens=(token,), formations=(Formation("I", "south"), Formation("II", "south")))


def plate_behind(scene: Scene) -> Any:
    drawn = groups(draw_svg(scene), "data-unit")["U1"]
    return next(element for element in drawn.iter(SVG + "rect"))


@pytest.mark.parametrize(("facing", "is_above"), [(0, False), (1800, True), (900, False)])
def test_the_name_of_a_small_base_is_behind_it(facing: int, is_above: bool):
    assert (float(plate_behind(small(facing)).get("y")) < 0) == is_above


def test_the_plate_behind_a_small_name_tells_who_suffers_has_acted_or_where_it_belongs():
    hurt = (Mark("shaken", symbol="burst", harm=True),)
    scenes = (small(0), small(0, formation="II"), small(0, marks=hurt), small(0, marks=hurt, spent=True))
    assert len({plate_behind(scene).get("fill") for scene in scenes}) == len(scenes)
