"""Singidunum through what knows no game: page, letters, mail back, file. Nothing here but names of units is its own."""

import pytest

from domain.basics.data import parse_toml, scenario_text
from replay.drawing.text.signs import WIDTH
from replay.proof.verify import verify
from replay.writing.entropy import SeededEntropy
from server.people.players import Player
from server.play.seating import take_side
from tests.support import messages
from tests.support.letter_writing import opened
from tests.support.serving import PHRASE, serving

CODE = "singidunum"


def scenario(name):
    return parse_toml(scenario_text(CODE, name), name)


async def test_it_is_played_on_the_page_and_verified(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy(CODE)) as server:
        live = await server.running.battles.open(CODE, scenario("two-lines"), "public")
        anna, bob = await server.player("Anna"), await server.player("Bob")
        for side, caller in (("south", anna), ("north", bob)):
            await take_side(live, side, Player(caller.player, side), phrase=messages.phrase(live.recording, PHRASE))
        for line in ("south: SEL9 to E7", "south: SEL9 to D6", "north: NEL9 to D1", "south: SAR6 stay"):
            side, _, text = line.partition(": ")
            played = await (anna if side == "south" else bob).order(live.id, text)
            assert played.json["lines"][0]["status"] in ("accepted", "refused"), played.text
        page = await bob.get(f"/battles/{live.id}", {"Accept": "text/html"})
        assert page.status == 200, page.text
        assert 'data-unit="NEL9"' in page.text and "NHI7 to" in page.text
        report = verify(await anna.export(live.id))
        assert (report.fault, report.ended) == (None, False)


async def test_both_may_deploy_at_once_and_who_is_done_is_not_waited_for(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("muster")) as server:
        live = await server.running.battles.open(CODE, scenario("muster"), "public")
        anna, bob = await server.player("Anna"), await server.player("Bob")
        for side, caller in (("south", anna), ("north", bob)):
            await take_side(live, side, Player(caller.player, side), phrase=messages.phrase(live.recording, PHRASE))
        assert live.to_act() == ("south", "north")
        for caller, line in ((bob, "army HI7"), (bob, "done"), (anna, "army EL9")):
            played = await caller.order(live.id, line)
            assert played.json["lines"][0]["status"] == "accepted", played.text
        assert live.to_act() == ("south",)
        assert "NHI7" not in (await anna.get(f"/battles/{live.id}", {"Accept": "text/html"})).text
        assert "SEL9" in (await anna.get(f"/battles/{live.id}", {"Accept": "text/html"})).text


EVERY_COUNTER = (
    "army EL9 EL8 HI7 HI7 HI6 HI6 AR6 AR5 AR5 AR4 CV6 CV5 CV5 CV4 SC6+impact+ties SC5 SC4 HA4 HA4 LI3 LI3 LI3 LI3 "
    "SV2 SV2 SV2 SV2 GE5"
)


async def test_a_crowded_muster_has_letters_that_can_be_read(tmp_path):
    """A budget for every counter there is: few lists to choose from, and of 28 units those first that have room."""
    table = scenario("muster")
    modules = ["shock", "horse-archers", "light-infantry", "survivors", "general", "terrain"]
    async with opened(tmp_path / "data") as office:
        given = {**table, "options": {**table["options"], "budget": 1000, "modules": modules}}
        office.live = await office.battles.open(CODE, given, "public")
        for side, name in (("south", "Anna"), ("north", "Bob")):
            phrase = messages.phrase(office.live.recording, PHRASE)
            await take_side(office.live, side, await office.enrol(side, name), phrase=phrase)
        armies = [option for option in office.live.options("south") if option.kind == "army"]
        assert 0 < len(armies) <= 3
        for side in ("south", "north"):
            for line in (EVERY_COUNTER, "done"):
                assert (await office.order(side, line)).refused is None
        lines = (await office.newest("south")).text.partition("What binds the host")[0].splitlines()
        assert max(map(len, lines)) <= WIDTH
        assert len(lines) <= 45
        assert any("deploy SEL9" in line for line in lines)
        assert any("16 units more" in line for line in lines)


def unit(id_, hex_):
    return {"id": id_, "type": id_[1:3], "strength": int(id_[3]), "hex": hex_}


@pytest.mark.slow
async def test_letters_ask_for_actions_and_for_reactions(tmp_path):
    """The side that is to act gets a letter after each action, not only when a turn begins."""
    sides = {
        "south": {"units": [unit("SCV6", "D6"), unit("SHI7", "H8")]},
        "north": {"units": [unit("NCV6", "D4"), unit("NHI7", "H2")]},
    }
    async with opened(tmp_path / "data") as office:
        given = {"ruleset": CODE, "title": "Riders", "first": "south", "sides": sides}
        office.live = await office.battles.open(CODE, given, "public")
        for side, name in (("south", "Anna"), ("north", "Bob")):
            phrase = messages.phrase(office.live.recording, PHRASE)
            await take_side(office.live, side, await office.enrol(side, name), phrase=phrase)
        first = await office.newest("south")
        assert "SHI7" in first.text and "SCV6 cavalry D6" in first.text
        await office.order("south", "SHI7 stay")
        assert [row.kind for row in office.rows("north")][-1] == "turn"
        await office.order("north", "NCV6 to D5 attack SCV6")
        asked = await office.newest("south")
        assert "accept" in asked.text and "refuse D7" in asked.text
        await office.order("south", "accept")
        while office.live.question():
            side = office.live.question()
            await office.order(side, office.live.options(side)[0].order)
        assert office.live.to_act() == ("north",)
