"""The shooting phase through what knows no game: page, letters, mail back, file. Only names of units are its own."""

import re
from collections import Counter

import pytest

from domain.basics.data import parse_toml, scenario_text
from domain.games.warmaster_shooting import RULESET
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.bots import BOTS
from replay.drawing.text import draw_text
from replay.drawing.text.signs import WIDTH
from replay.proof.verify import verify
from replay.writing.entropy import SeededEntropy
from server.people.players import Player
from server.play.archive import export_battle
from server.play.seating import take_side
from tests.support import messages
from tests.support.letter_writing import opened
from tests.support.serving import PHRASE, serving

CODE = RULESET.code


def scenario(name, **options):
    table = parse_toml(scenario_text(CODE, name), name)
    return {**table, "options": {**table["options"], **options}}


async def seated(office, given):
    office.live = await office.battles.open(CODE, given, "public")
    for side, name in (("south", "Anna"), ("north", "Bob")):
        phrase = messages.phrase(office.live.recording, PHRASE)
        await take_side(office.live, side, await office.enrol(side, name), phrase=phrase)


@pytest.mark.slow
async def test_it_is_played_on_the_page_and_verified(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy(CODE)) as server:
        live = await server.running.battles.open(CODE, scenario("two-lines"), "public")
        anna, bob = await server.player("Anna"), await server.player("Bob")
        for side, caller in (("south", anna), ("north", bob)):
            await take_side(live, side, Player(caller.player, side), phrase=messages.phrase(live.recording, PHRASE))
        for line in ("A shoot", "B hold", "end shooting"):
            played = await anna.order(live.id, line)
            assert played.json["lines"][0]["status"] == "accepted", played.text
        page = await bob.get(f"/battles/{live.id}", {"Accept": "text/html"})
        assert page.status == 200, page.text
        assert 'data-unit="L1"' in page.text
        report = verify(await anna.export(live.id))
        assert (report.fault, report.ended) == (None, False)


async def test_a_letter_has_a_sketch_and_an_order_of_each_unit(tmp_path):
    async with opened(tmp_path / "data") as office:
        await seated(office, scenario("the-wall"))
        text = (await office.newest("south")).text
        board = draw_text(RULESET.shown.view(office.live.known("south"), "south"))  # what “board” brings
        lines = [" ".join(line.split()) for line in board.splitlines()]
        assert "B south -9 -13 0 K 25 cm 343 handgunners: B1 B2" in lines
        assert "B would shoot at K: 25 cm" in lines
        listed = " ".join(text.partition("| 1 end shooting")[2].partition("What binds")[0].replace("|", " ").split())
        assert re.findall(r"([a-z]+ [A-Z]) \d+ shoot", listed) == [
            "bowmen A",
            "handgunners B",
            "bowmen C",
            "handgunners D",
            "cannon G",
        ]
        assert max(map(len, text.partition("What binds the host")[0].splitlines())) <= WIDTH


@pytest.mark.slow
async def test_a_whole_battle_is_fought_by_letters(tmp_path):
    """The player who is waited for gets a letter, and it lists what the bot then orders; the last letters say that it
    is over."""
    chance = StreamChance(Stream(b"\x07" * 32))
    read: Counter[str] = Counter()
    async with opened(tmp_path / "data") as office:
        await seated(office, scenario("charge-at-dawn", turns=4))
        while office.live.to_act():
            side = office.live.to_act()[0]
            order = BOTS["easy"](RULESET, office.live.recording.known(side), side, office.live.options(side), chance)
            newest = office.rows(side)[-1]
            if newest.n == office.live.n:
                letter = await office.letter(newest)
                assert re.search(r"^\| .*\d", letter.text, re.M)  # orders by number
                read[newest.kind] += 1
            assert (await office.order(side, order)).refused is None
        assert read["turn"] >= 4 and read["decision"] >= 1
        for side in ("south", "north"):
            assert "thank you for playing" in (await office.newest(side)).text
        file = export_battle(office.store, office.battles.keys, office.live.id)
        assert verify(file).fault is None
