"""The toy ruleset on the page and in the verifier: neither knows a game."""

import re

import pytest

from replay.proof.verify import verify
from server.people.players import Player
from server.play.seating import take_side
from tests.support import messages
from tests.support.serving import PHRASE, serving
from tests.toys.duel import TOY

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")


async def test_the_toy_is_played_shown_and_verified(tmp_path):
    async with serving(tmp_path / "data") as server:
        battles = server.running.battles
        battles.rulesets = {"toy": TOY}
        live = await battles.open("toy", {"ruleset": "toy"}, "public")
        anna, bob = await server.player("Anna"), await server.player("Bob")
        for side, caller in (("south", anna), ("north", bob)):
            await take_side(live, side, Player(caller.player, side), phrase=messages.phrase(live.recording, PHRASE))
        assert (await anna.order(live.id, "choose bold")).json["lines"][0]["status"] == "accepted"
        page = await bob.get(f"/battles/{live.id}", {"Accept": "text/html"})
        assert page.status == 200, page.text
        assert 'data-unit="south"' in page.text
        assert b'"stance":"bold"' not in await bob.export(live.id)
        await bob.order(live.id, "choose wary")
        for _ in range(60):
            if not live.to_act():
                break
            side = live.to_act()[0]
            await (anna if side == "south" else bob).order(live.id, live.options(side)[-1].order)
        assert live.recording.battle.ended
        content = await anna.export(live.id)
        report = verify(content, rulesets={"toy": TOY})
        assert (report.exit, report.fault) == (0, None)


async def test_a_game_without_bots_offers_the_random_one_and_calls_it_so(tmp_path):
    async with serving(tmp_path / "data") as server:
        server.running.battles.rulesets = {"toy": TOY}
        live = await server.running.battles.open("toy", {"ruleset": "toy"}, "public")
        anna = await server.player("Anna")
        await take_side(live, "south", Player(anna.player, "Anna"), phrase=messages.phrase(live.recording, PHRASE))
        page = await anna.get(f"/battles/{live.id}", {"Accept": "text/html"})
        assert re.findall(r'<option value="(easy|sensible|strong|random)"', page.text) == ["random"]
        seated = await anna.post(f"/api/v1/battles/{live.id}/sides/north", {"bot": "strong"})
        assert seated.status < 300, seated.text
        assert live.recording.battle.seats["north"].name == "Random bot"
