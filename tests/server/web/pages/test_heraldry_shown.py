"""The shield of a people stands beside the name of its list and of its side."""

import pytest

from domain.basics.data import scenario_names
from domain.catalogue import RULESETS, army_books
from domain.contract.heraldry import Shield
from replay.drawing.shields import shield_drawn
from server.shown.forces import forces_shown
from server.shown.scenarios import opened, shields_of_scenario
from tests.server.web.pages.visiting import Visitor
from tests.support.serving import PHRASE, RunningServer


def beside(text: str, shield: Shield, words: str, size: int = 22) -> bool:
    """Whether a page has the shield right before these words or the link to them."""
    _, *after = text.split(f'width="{size}" height="{size}" aria-hidden="true">{shield_drawn(shield)}</svg> ')
    return any(words in rest[: len(words) + 60] for rest in after)


async def test_each_list_has_its_shield_on_the_pages_of_armies(server: RunningServer) -> None:
    text = (await Visitor(server).get("/armies")).text
    for code, book in army_books().items():
        for key, entry in book.lists().items():
            shield = RULESETS[code].shown.table.shield_of(key)
            assert shield and beside(text, shield, entry.name), key
    viking = RULESETS["tts"].shown.table.shield_of("viking")
    assert viking
    assert beside((await Visitor(server).get("/armies/viking")).text, viking, "Viking", 40)
    assert beside((await Visitor(server).get("/armies/viking/build?seed=1")).text, viking, "Build an army", 40)


@pytest.mark.parametrize("code", RULESETS)
async def test_a_scenario_has_the_shields_of_its_sides(server: RunningServer, code: str) -> None:
    name = scenario_names(code)[0]
    south, north = shields_of_scenario(code, name)
    listed = (await Visitor(server).get("/scenarios")).text
    text = (await Visitor(server).get(f"/scenarios/{code}/{name}")).text
    for shield in (south, north):
        assert shield_drawn(shield) in listed
        assert shield_drawn(shield) in text
    forces = forces_shown(RULESETS[code], opened(code, name), "en")
    assert [force.shield for force in forces] in ([south, north], [])
    for force in forces:
        assert force.shield and beside(text, force.shield, force.title)


async def test_a_battle_has_the_shields_beside_its_sides(server: RunningServer) -> None:
    guest = Visitor(server)
    page = await guest.send("/battles", scenario="tts/hastings", phrase=PHRASE)
    south, north = shields_of_scenario("tts", "hastings")
    assert beside(page.text, south, "You play")
    for text in (page.text, (await guest.get(f"{page.path}?lang=fr")).text):
        sides = text.partition('<section id="sides"')[2]
        assert shield_drawn(south) in sides
        assert shield_drawn(north) in sides
    units = (await guest.get(f"{page.path}/units")).text
    assert beside(units, north, "North")
    await guest.order(page.path.rpartition("/")[2], "resign")
    end = (await guest.get(page.path)).text.partition('<div id="end">')[2].partition('id="lost"')[0]
    assert beside(end, south, "Normans")
    assert beside(end, north, "English")
