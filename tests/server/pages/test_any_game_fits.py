"""The toy ruleset on the page and in the verifier: neither knows a game."""

import pytest

from replay.proof.verify import verify
from server.people.players import Player
from server.play.seating import take_side
from tests.server.serving import PHRASE, serving
from tests.toy_ruleset import TOY

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")


async def test_the_toy_is_played_shown_and_verified(tmp_path):
    async with serving(tmp_path / "data") as server:
        hall = server.house.hall
        hall.rulesets = {"toy": TOY}
        table = await hall.open("toy", {"ruleset": "toy"}, "public")
        anna, bob = await server.player("Anna"), await server.player("Bob")
        for side, caller in (("south", anna), ("north", bob)):
            await take_side(table, side, Player(caller.player, side), phrase=PHRASE)
        assert (await anna.order(table.id, "choose bold")).json["lines"][0]["status"] == "accepted"
        page = await bob.get(f"/battles/{table.id}", {"Accept": "text/html"})
        assert page.status == 200, page.text
        assert 'data-unit="south"' in page.text
        assert b'"stance":"bold"' not in await bob.export(table.id)
        await bob.order(table.id, "choose wary")
        for _ in range(60):
            if not table.to_act():
                break
            side = table.to_act()[0]
            await (anna if side == "south" else bob).order(table.id, table.options(side)[-1].order)
        assert table.recording.battle.ended
        content = await anna.export(table.id)
        report = verify(content, rulesets={"toy": TOY})
        assert (report.exit, report.fault) == (0, None)
