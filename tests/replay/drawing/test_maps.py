"""Maps of campaigns: the same each time, whole, legible on a page and a phone, by day and at dusk, and in letters."""

import gzip
import re
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.campaign.theatre.map_scene import MapChart, MapScene, Moment, map_scene
from domain.campaign.theatre.state import SEA
from replay.drawing.atlas.colours import CLOTHS, COLOURS, EDGE, PLAIN_CLOTH, SIGNS, cloth_of
from replay.drawing.atlas.land import land_of
from replay.drawing.atlas.sheet import WIDTH, sheet_of
from replay.drawing.atlas.svg import draw_map
from replay.drawing.atlas.text import COLUMNS, map_text, marks_of
from replay.drawing.palette import contrast
from tests.support.charts import GOLDEN_MAPS, bare, bare_theatre, sicily_turn
from tests.support.looping import some
from tests.support.theatres import random_theatre

SVG = "{http://www.w3.org/2000/svg}"
MAPS = {"sicily": sicily_turn(), "eight-hills": bare()}
PHONE, LEAST = 366, 9.0
"""Pixels of a map on the page of a phone, and of the smallest letter on it."""
TEXT, GRAPHICS = 4.5, 3.0
MOST_BYTES = 25_000


def parsed(picture: str) -> Any:
    return ElementTree.fromstring(picture)


def forces_in(element: Any) -> list[str]:
    return [each.get("data-force") for each in element.iter(SVG + "g") if each.get("class") == "force"]


def part(picture: str, name: str) -> list[Any]:
    return [each for each in parsed(picture).iter(SVG + "g") if each.get("class") == name]


@pytest.mark.parametrize("file", GOLDEN_MAPS, ids=lambda file: file.name)
def test_a_map_is_drawn_and_written_as_kept(file: Path) -> None:
    assert file.read_text(encoding="utf-8") == GOLDEN_MAPS[file]()


@pytest.mark.parametrize("name", MAPS)
def test_a_map_is_small_and_uses_neither_filters_nor_pictures(name: str) -> None:
    picture = draw_map(MAPS[name], styled=True)
    assert len(gzip.compress(picture.encode())) <= MOST_BYTES
    assert not re.search(r"<(filter|image|script|foreignObject)|href=\"(?!#)", picture)
    ids = [each.get("id") for each in parsed(picture).iter() if each.get("id")]
    assert len(ids) == len({*ids})
    used = {each.get("href")[1:] for each in parsed(picture).iter(SVG + "use")}
    used |= set(re.findall(r"url\(#([^)]*)\)", picture))
    assert used <= {*ids}


@pytest.mark.parametrize("which", ["wide", "narrow"])
@pytest.mark.parametrize("name", MAPS)
def test_no_text_of_a_phones_map_is_smaller_than_nine_pixels(name: str, which: Any) -> None:
    picture = draw_map(MAPS[name], which=which)
    pixels = PHONE if which == "narrow" else 1280
    texts = list(parsed(picture).iter(SVG + "text"))
    sizes = [float(each.get("font-size")) * pixels / WIDTH for each in texts if each.text != "N"]
    assert min(sizes) >= LEAST


def test_what_is_on_a_map_is_named_for_who_does_not_see_it() -> None:
    root = parsed(draw_map(MAPS["sicily"], lang="en"))
    title, desc = root.find(SVG + "title"), root.find(SVG + "desc")
    assert title.text == "Sicily, 264. Turn 3 of 12"
    assert root.get("aria-labelledby").split() == [title.get("id"), desc.get("id")]
    assert "F4 of Rome in Catana: strength 37, 5 units." in desc.text
    assert "Battle in Catana: Punic against Latin. Latin has won." in desc.text
    for each in some([found for found in root.iter() if found.get("class") in ("force", "march", "battle", "area")]):
        assert each.find(SVG + "title").text


def test_colours_reach_their_contrast_by_day_and_at_dusk() -> None:
    for hour in (0, 1):
        at = {name: both[hour] for name, both in COLOURS.items()}
        for ink, ground in (("ink", "paper"), ("ink", "halo"), ("quiet", "paper"), ("ink", "tag"), ("alarm", "halo")):
            assert contrast(at[ink], at[ground]) >= TEXT, (hour, ink, ground)
        for line, ground in (("coast", "land"), ("lane", "sea"), ("road-edge", "road"), ("track", "land")):
            assert contrast(at[line], at[ground]) >= GRAPHICS, (hour, line, ground)
    for cloth in CLOTHS:
        assert contrast(PLAIN_CLOTH, cloth.colour) >= TEXT
    assert contrast(PLAIN_CLOTH, EDGE) >= TEXT


def test_powers_are_told_apart_without_colours() -> None:
    """Each has a sign of its own, and letters of its own in text."""
    assert len({cloth.sign for cloth in CLOTHS}) == len(CLOTHS) == len(SIGNS)
    scene = MAPS["sicily"]
    powers = tuple(power.id for power in scene.powers)
    picture = draw_map(scene, which="wide")
    banners = {each.get("data-force"): each for each in part(picture, "force")}
    for force in scene.forces:
        signs = [each.get("href") for each in banners[force.id].iter(SVG + "use")]
        assert signs == [f"#{cloth_of(powers, force.power).sign}"]
    assert marks_of(scene) == {"carthage": "C", "rome": "R", "hiero": "H"}


def test_a_turn_is_seen_before_and_after() -> None:
    """Arrows, swords and the lost are of the turn: a map before it has none."""
    after = MAPS["sicily"]
    before = replace(after, marches=(), battles=(), losses=())
    assert not [name for name in ("march", "battle", "loss") if part(draw_map(before, which="wide"), name)]
    drawn = draw_map(after, which="wide")
    assert len(part(drawn, "march")) == len(after.marches)
    assert len(part(drawn, "loss")) == 1
    assert len(part(drawn, "battle")) == 1


def test_a_map_without_seas_is_all_land() -> None:
    """And one whose file gives no coasts has its land around the areas."""
    scene = MAPS["eight-hills"]
    sheet = sheet_of(scene)
    spots = {place.id: sheet.spot(place.at) for place in scene.places}
    assert all(land_of(scene, sheet).holds(spot) for spot in spots.values())
    assert not land_of(scene, sheet).holds((sheet.left + 5, sheet.bottom - 5))
    dry = replace(scene, ways=tuple(way for way in scene.ways if way.kind != SEA))
    assert land_of(dry, sheet).holds((sheet.left + 5, sheet.bottom - 5))


@settings(max_examples=20)
@given(st.integers(0, 10_000))
@pytest.mark.slow
def test_every_force_is_on_the_map(seed: int) -> None:
    """And every area has its place, whatever the file gives."""
    theatre = random_theatre(Random(seed))
    scene = map_scene(theatre, MapChart(), Moment("A map", 1))
    wanted = sorted(force.id for force in theatre.standing())
    picture = draw_map(scene)
    for name in ("wide", "narrow"):
        found = [each for group in part(picture, name) for each in forces_in(group)]
        assert sorted(found) == wanted
    assert len({place.at for place in scene.places}) == len(scene.places)
    written = map_text(scene)
    assert max(map(len, written.splitlines())) <= COLUMNS
    board = written.split("\n\n")[1]
    assert all(re.search(rf" {force}\b", board) for force in wanted)


def test_the_spots_that_a_file_gives_are_kept() -> None:
    chart = MapChart({"alba": (10, 20), "ostia": (700, 500)}, {"alba": "Alba Longa"})
    scene: MapScene = map_scene(bare_theatre(), chart, Moment())
    at = {place.id: place.at for place in scene.places}
    assert (at["alba"], at["ostia"]) == ((10, 20), (700, 500))
    assert len({*at.values()}) == len(at)
    assert scene.place("alba").name == "Alba Longa"
