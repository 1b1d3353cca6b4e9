"""The entrance shows each game, and a page of each scenario who fights in it and how that has gone."""

import re

import pytest

from domain.basics.data import first_scenario, scenario_names
from domain.catalogue import RULESETS
from server.web.pages.static_files import imported, static_link
from tests.server.web.pages.test_weight import MOST_BYTES, fetched
from tests.server.web.pages.visiting import Visitor
from tests.support.looping import some
from tests.support.serving import PHRASE, RunningServer


async def test_the_entrance_has_a_picture_of_each_game_and_is_light(server: RunningServer) -> None:
    page = await Visitor(server).get("/")
    pictures = re.findall(r'<img src="(/scenarios/[^"]+)"', page.text)
    assert pictures == [f"/scenarios/{code}/{first_scenario(code)}/card.svg" for code in RULESETS]
    body, encoding = await fetched(server, "/", {})
    scripts = {static_link(name) for name in ("page.js", *imported("page.js"))}
    parts = {*re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text), *scripts, *pictures}
    found = [await fetched(server, part, {}) for part in parts]
    assert encoding == "gzip" and all(of == "gzip" for (_, of), part in zip(found, parts, strict=True) if "svg" in part)
    assert len(body) + sum(len(packed) for packed, _ in found) <= MOST_BYTES


async def test_a_picture_shows_the_part_of_a_free_table_where_units_stand(server: RunningServer) -> None:
    visitor, boxes = Visitor(server), {}
    for code in RULESETS:
        for kind in ("board", "card"):
            drawn = await visitor.get(f"/scenarios/{code}/{first_scenario(code)}/{kind}.svg", accept="image/svg+xml")
            boxes[code, kind] = [float(of) for of in re.findall(r'viewBox="([^"]*)"', drawn.text)[0].split()]
    left, above, across, down = boxes["stp", "card"]
    _, _, wide, high = boxes["stp", "board"]
    assert 0 <= left <= wide - across and 0 <= above <= high - down
    assert across / down == pytest.approx(1.5, abs=0.01) and across < 0.8 * wide
    for code in RULESETS.keys() - {"stp"}:  # boards with cells, and a line from edge to edge
        assert boxes[code, "card"] == boxes[code, "board"]


@pytest.mark.parametrize("code", RULESETS)
async def test_each_scenario_says_who_fights_in_it(server: RunningServer, code: str) -> None:
    for name in some(scenario_names(code)):
        words = (await Visitor(server).get(f"/scenarios/{code}/{name}")).words
        assert ("The armies" in words and " × " in words) or "make up their armies" in words, name


async def test_the_results_of_a_scenario_are_those_of_public_battles_here(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    page = "/scenarios/tts/skirmish"
    assert "Fought out" not in (await Visitor(server).get(page)).words
    for readers, loser, caller in (("public", "north", bob), ("public", "north", bob), ("link", "south", anna)):
        battle = await anna.open(readers=readers)
        for side, player in (("south", anna), ("north", bob)):
            assert (await player.sit(battle, side, phrase=PHRASE)).status == 201
        assert (await caller.order(battle, "resign")).status == 200, loser
    words = (await Visitor(server).get(page)).words
    assert "Fought out in public here: 2 times; south won 2, north 0, drawn 0." in words
    assert "Fought out" not in (await Visitor(server).get("/scenarios/tts/zama")).words
