"""Accounts of bots: owned by a player, marked wherever they play, with limits of their own."""

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from domain.basics.errors import Refusal
from replay.proof import verdict, verify
from server.limits import Limits, Quota, Rate
from server.store.tables import accounts
from server.web.problems import status_of
from server.words import sentence_of
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving
from tests.support.waiting import LIMIT_S

BOTS = "/api/v1/account/bots"
EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "bot.py"
LINES = 45


async def made(server: RunningServer, owner: Caller, name: str = "Engine") -> Caller:
    """The bot account of a player, as a program that has its token."""
    reply = await owner.post(BOTS, {"name": name})
    assert reply.status == 201, reply
    return Caller(server.client, reply.json["token"], reply.json["player"])


async def test_a_player_makes_a_bot_account_and_sees_its_token_once(server: RunningServer) -> None:
    anna = await server.player("Anna")
    bot = await made(server, anna)
    (listed,) = (await anna.get(BOTS)).json["bots"]
    assert (listed["player"], listed["name"], listed.get("token", "")) == (bot.player, "Engine", "")
    assert (await bot.get(f"{BATTLES}?mine")).status == 200
    reply = await anna.post(f"{BOTS}/{bot.player}/token", None)
    assert reply.status == 201
    assert (await bot.get(f"{BATTLES}?mine")).status == 401
    assert (await Caller(server.client, reply.json["token"]).get(f"{BATTLES}?mine")).status == 200


@pytest.mark.parametrize("name", ["", "anna", "Umpire", "x" * 41])
async def test_a_name_that_no_player_may_have_is_refused(server: RunningServer, name: str) -> None:
    anna = await server.player("Anna")
    reply = await anna.post(BOTS, {"name": name})
    assert reply.code in ("core.bad-name", "core.name-taken", "core.name-reserved")
    assert (await anna.get(BOTS)).json == {"bots": []}


async def test_a_bot_owns_no_bots_and_nobody_has_those_of_another(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    bot = await made(server, anna)
    assert (await bot.post(BOTS, {"name": "Another"})).code == "core.bot-account"
    assert (await bot.get(BOTS)).code == "core.bot-account"
    assert (await bob.post(f"{BOTS}/{bot.player}/token", None)).code == "core.no-such-bot-account"
    assert (await bob.ask("DELETE", f"{BOTS}/{bot.player}")).code == "core.no-such-bot-account"
    assert (await server.stranger.get(BOTS)).status == 401
    assert (await bot.get(f"{BATTLES}?mine")).status == 200


async def test_a_guest_makes_no_bot(server: RunningServer) -> None:
    guest = Visitor(server)
    await guest.send("/battles", scenario="tts/skirmish", name="Cato", phrase=PHRASE)
    refused = Refusal("core.guest-bots", "CORE-ACCESS")
    page = await guest.send("/settings/bots", do="make", name="Engine")
    assert page.status == status_of(refused.code) and sentence_of(refused, "en") in page.words
    assert accounts.by_name(server.running.store, "Engine") is None


async def test_a_bot_is_marked_in_log_view_list_and_verdict(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(await made(server, anna), bob)
    seats = (await bob.view(battle))["seats"]
    assert (seats["south"]["program"], seats["south"]["kind"], seats["north"]["program"]) == (True, "person", False)
    (row,) = (await bob.get(f"{BATTLES}?mine")).json["battles"]
    assert row["programs"] == ["south"]
    log = (await bob.get(f"{BATTLES}/{battle}/events")).text
    assert log.count('"program":true') == 1
    report = verify.verify(await bob.export(battle))
    assert report.fault is None, report.fault
    assert [(seat.side, seat.is_program) for seat in report.seats] == [("north", False), ("south", True)]
    for lang, said in (("en", "is a bot account"), ("fr", "est un compte de robot")):
        assert sum(said in line for line in verdict.lines(report, lang)) == 1


async def test_the_log_of_people_does_not_name_programs(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert "program" not in (await bob.get(f"{BATTLES}/{battle}/events")).text


async def test_a_bot_goes_with_its_owner_and_at_their_word(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    bot, other = await made(server, anna), await made(server, anna, "Other")
    battle = await server.battle(bot, bob)
    assert (await anna.ask("DELETE", f"{BOTS}/{bot.player}")).json["bots"][0]["name"] == "Other"
    assert (await bot.get(f"{BATTLES}?mine")).status == 401
    assert (await bob.view(battle))["winner"] == "north"
    assert (await other.get(f"{BATTLES}?mine")).status == 200
    assert (await anna.ask("DELETE", "/api/v1/access")).status == 200
    assert (await other.get(f"{BATTLES}?mine")).status == 401


async def test_a_bot_has_limits_of_its_own(tmp_path: Path) -> None:
    quota = Quota(50, 10, 2)
    limits = Limits(battles=quota, bot_accounts=1, rates={**Limits().rates, "program": Rate(account="4 per minute")})
    async with serving(tmp_path, limits=limits) as server:
        anna = await server.player("Anna")
        bot = await made(server, anna)
        assert (await anna.post(BOTS, {"name": "Second"})).code == "core.too-many-bot-accounts"
        for _ in range(2):
            assert (await bot.post(BATTLES, {"scenario": "skirmish"})).status == 201
        assert (await bot.post(BATTLES, {"scenario": "skirmish"})).code == "core.too-many-battles"
        battle = await anna.open()
        assert (await bot.sit(battle, "south", phrase=PHRASE)).status == 201
        reply = await bot.post(f"{BATTLES}/{battle}/clock", {"do": "pause"})
        assert (reply.code, reply.json["params"]["what"]) == ("core.too-many", "program")
        for _ in range(3):
            await anna.open()


async def test_the_bot_of_an_operator_is_the_operator_s(tmp_path: Path) -> None:
    async with serving(tmp_path, operators=("Anna@example.org",)) as server:
        bot = await made(server, await server.player("Anna"))
        battle = await bot.open()
        assert (await bot.sit(battle, "south", phrase=PHRASE)).code == "core.operator-sealed"
        assert (await bot.sit(battle, "south", mode="plain", phrase=PHRASE)).json["seats"]["south"]["operator"] is True


async def test_the_bot_of_somebody_who_is_blocked_is_not_met(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    bot = await made(server, anna)
    assert (await bob.post("/api/v1/blocks", {"player": anna.player})).status == 201
    battle = await bob.open()
    assert (await bot.sit(battle, "south", phrase=PHRASE)).code == "core.not-with-you"


async def test_the_page_makes_bots_and_marks_them(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    hers = await visitor_of(server, anna)
    assert "Bot accounts" in (await hers.get("/settings")).words
    page = await hers.send("/settings/bots", do="make", name="Engine")
    token = re.search(r'id="bot-token" type="text" readonly value="([^"]+)"', page.text)
    assert token is not None and "shown only once" in page.words
    again = await hers.send("/settings/bots", do="make", name="Bob")
    assert again.status == 422 and "Bob" in again.words
    bot = Caller(server.client, token[1])
    battle = await server.battle(bot, bob)
    assert "A bot account plays this side, a program of Anna." in (await hers.get(f"/battles/{battle}")).words
    (listed,) = (await anna.get(BOTS)).json["bots"]
    assert "A bot account, a program of Anna" in (await hers.get(f"/players/{listed['player']}")).words
    gone = await hers.send("/settings/bots", do="remove", bot=listed["player"])
    assert gone.status == 200 and "Engine" not in gone.words
    assert (await bot.get(f"{BATTLES}?mine")).status == 401


async def test_lists_mark_the_names_of_bots(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await server.battle(await made(server, anna), bob)
    for lang, said in (("en", "Engine, bot"), ("fr", "Engine, robot")):
        assert said in (await server.stranger.get(f"/watch?lang={lang}")).text


@pytest.mark.slow
async def test_the_example_plays_a_battle_to_its_end(server: RunningServer) -> None:
    anna = await server.player("Anna")
    bot = await made(server, anna)
    battle = await anna.open(options={"turn_limit": 3})
    assert (await anna.sit(battle, "north", bot="random")).status == 201
    address, token = str(server.client.make_url("/")).rstrip("/"), bot.headers["Authorization"].split()[1]
    command = (sys.executable, str(EXAMPLE), address, token, battle, "south")
    process = await asyncio.create_subprocess_exec(*command, stdout=-1, stderr=-1)
    async with asyncio.timeout(LIMIT_S):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    view: Any = await anna.view(battle)
    assert out.decode() == f"{view['winner'] or 'Nobody'} has won.\n"
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= LINES
    report = verify.verify(await anna.export(battle))
    assert (report.fault, report.exit) == (None, verify.OK)
