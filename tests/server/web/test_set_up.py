"""Before a battle begins: sides are given back, its opener may cancel it, and nobody takes more than they may hold."""

from pathlib import Path
from typing import Any

import pytest

from domain.basics.errors import Refusal
from replay.proof.verify import verify
from server.limits import NO_RATES, Limits, Quota
from server.play.quotas import require_guest_quota
from tests.server.web.pages.visiting import visitor_of
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

OTHER_PHRASE = "a phrase of somebody else"


async def give_back(caller: Caller, battle: str, side: str) -> Any:
    return await caller.ask("DELETE", f"{BATTLES}/{battle}/sides/{side}")


async def cancel(caller: Caller, battle: str) -> Any:
    return await caller.ask("DELETE", f"{BATTLES}/{battle}")


def phrases(server: RunningServer, battle: str) -> set[str]:
    """The phrases of the contributions in a log."""
    live = next(live for live in server.running.battles.live() if live.id == battle)
    return {getattr(recorded.event, "phrase", "") for recorded in live.recording.timeline.events} - {""}


# --- giving a side back


async def test_a_side_given_back_is_free_for_another(server: RunningServer) -> None:
    anna, bob, cato = [await server.player(name) for name in ("Anna", "Bob", "Cato")]
    battle = await anna.open()
    assert (await bob.sit(battle, "south")).status == 201
    assert (await cato.sit(battle, "south")).code == "core.side-taken"
    reply = await give_back(bob, battle, "south")
    assert (reply.status, reply.json["seats"]) == (200, {})
    assert (await cato.sit(battle, "south")).status == 201
    assert (await anna.sit(battle, "north")).status == 201
    assert (await anna.view(battle))["begun"]
    assert verify(await anna.export(battle)).fault is None


async def test_the_phrase_of_who_has_left_is_not_the_next_one_s(server: RunningServer) -> None:
    anna, bob, cato = [await server.player(name) for name in ("Anna", "Bob", "Cato")]
    battle = await anna.open()
    assert (await bob.sit(battle, "south", phrase=OTHER_PHRASE)).status == 201
    assert (await give_back(bob, battle, "south")).status == 200
    assert (await cato.sit(battle, "south")).status == 201
    assert (await anna.sit(battle, "north", phrase=PHRASE)).status == 201
    assert phrases(server, battle) == {PHRASE}


async def test_nobody_gives_back_the_side_of_another(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    assert (await anna.sit(battle, "south")).status == 201
    assert (await give_back(bob, battle, "south")).code == "core.not-your-side"
    assert (await give_back(anna, battle, "north")).code == "core.side-free"
    assert (await give_back(anna, battle, "west")).code == "core.no-such-side"
    assert (await give_back(server.stranger, battle, "south")).code == "core.not-signed-in"
    assert (await bob.sit(battle, "north")).status == 201
    assert (await give_back(bob, battle, "north")).code == "core.begun"


# --- bots


async def test_only_the_opener_and_who_plays_seat_a_bot(server: RunningServer) -> None:
    anna, bob, cato = [await server.player(name) for name in ("Anna", "Bob", "Cato")]
    battle = await anna.open()
    assert (await bob.sit(battle, "north", bot="easy")).code == "core.not-seated"
    assert (await cato.sit(battle, "south")).status == 201
    assert (await bob.sit(battle, "north", bot="easy")).code == "core.not-seated"
    assert (await cato.sit(battle, "north", bot="easy")).status == 201


async def test_a_bot_is_taken_out_by_who_may_seat_it(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    assert (await anna.sit(battle, "north", bot="easy")).status == 201
    assert (await give_back(bob, battle, "north")).code == "core.not-your-side"
    assert (await give_back(anna, battle, "north")).status == 200
    assert (await bob.sit(battle, "north")).status == 201


# --- cancelling


async def test_who_has_opened_a_battle_cancels_it_before_it_begins(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    assert (await bob.sit(battle, "south")).status == 201
    assert (await cancel(bob, battle)).code == "core.not-opener"
    reply = await cancel(anna, battle)
    assert (reply.status, reply.json["closed"], reply.json["to_act"]) == (200, "cancelled", [])
    assert (await anna.sit(battle, "north")).code == "core.battle-closed"
    assert (await cancel(anna, battle)).code == "core.battle-closed"
    for path in (BATTLES, f"{BATTLES}?mine"):
        assert [listed["battle"] for listed in (await bob.get(path)).json["battles"]] == []
    report = verify(await anna.export(battle))
    assert (report.fault, report.ended) == (None, True)
    assert [(act.what, act.authority) for act in report.listed] == [("cancelled", "host")]


async def test_a_battle_that_has_begun_is_not_cancelled(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await cancel(anna, battle)).code == "core.begun"


async def test_a_cancelled_battle_stays_so(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        anna = await server.player("Anna")
        battle = await anna.open()
        assert (await cancel(anna, battle)).status == 200
    async with serving(tmp_path / "data") as again:
        assert (await Caller(again.client, anna.headers["Authorization"][7:]).view(battle))["closed"] == "cancelled"


async def test_the_page_has_a_button_for_each(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    opener, other = await visitor_of(server, anna), await visitor_of(server, bob)
    assert (await bob.sit(battle, "south")).status == 201
    page = await other.get(f"/battles/{battle}")
    assert "Give south back" in page.text and "Cancel this battle" not in page.text
    assert "Cancel this battle" in (await opener.get(f"/battles/{battle}")).text
    assert (await other.send(f"/battles/{battle}/sides/south/leave")).status == 200
    assert "Give south back" not in (await other.get(f"/battles/{battle}")).text
    page = await opener.send(f"/battles/{battle}/cancel")
    assert "The battle was cancelled before it began." in page.text and "Take south" not in page.text


# --- who may not know of it


async def test_a_battle_of_its_players_is_not_there_for_others(server: RunningServer) -> None:
    """Taking a side is refused as of a battle that there is not, word for word."""
    anna, bob, cato = [await server.player(name) for name in ("Anna", "Bob", "Cato")]
    battle = await server.battle(anna, bob, readers="players")
    there = await cato.sit(battle, "south")
    absent = await cato.sit("none2222none2222", "south")
    assert (there.status, there.code) == (404, "core.unknown-battle")
    assert there.text.replace(battle, "") == absent.text.replace("none2222none2222", "")
    assert (await give_back(cato, battle, "south")).code == "core.unknown-battle"
    assert (await cancel(cato, battle)).code == "core.unknown-battle"
    assert (await cato.sit(battle, "north", bot="easy")).code == "core.unknown-battle"


# --- quotas


@pytest.fixture
async def narrow(tmp_path: Path) -> Any:
    limits = Limits(rates=NO_RATES, battles=Quota(2, 1), seats=Quota(2, 1), bots=Quota(1, 1), guests=2)
    async with serving(tmp_path / "data", limits=limits) as server:
        yield server


async def test_an_account_has_so_many_open_battles(narrow: RunningServer) -> None:
    anna = await narrow.player("Anna")
    first, _ = await anna.open(), await anna.open()
    reply = await anna.post(BATTLES, {"scenario": "skirmish"})
    assert (reply.status, reply.code, reply.json["params"]) == (409, "core.too-many-battles", {"most": 2})
    assert (await cancel(anna, first)).status == 200
    assert (await anna.post(BATTLES, {"scenario": "skirmish"})).status == 201


async def test_one_stranger_does_not_take_all_sides(narrow: RunningServer) -> None:
    openers = [await narrow.player(name) for name in ("Anna", "Bob")]
    greedy = await narrow.player("Greedy")
    battles = [await opener.open() for opener in openers for _ in range(2)]
    codes = [(await greedy.sit(battle, "north")).status for battle in battles]
    assert codes == [201, 201, 409, 409]
    assert (await greedy.sit(battles[2], "north")).code == "core.too-many-seats"
    assert (await give_back(greedy, battles[0], "north")).status == 200
    assert (await greedy.sit(battles[2], "north")).status == 201


async def test_a_battle_that_is_over_counts_no_more(narrow: RunningServer) -> None:
    anna, bob = await narrow.player("Anna"), await narrow.player("Bob")
    for _ in range(2):
        battle = await narrow.battle(anna, bob)
        assert (await anna.order(battle, "resign")).status == 200
    assert (await narrow.battle(anna, bob)).isalnum()


async def test_an_account_has_so_many_bots(narrow: RunningServer) -> None:
    anna = await narrow.player("Anna")
    first, second = await anna.open(), await anna.open()
    assert (await anna.sit(first, "north", bot="easy")).status == 201
    assert (await anna.sit(second, "north", bot="easy")).code == "core.too-many-bots"
    assert (await give_back(anna, first, "north")).status == 200
    assert (await anna.sit(second, "north", bot="easy")).status == 201


async def test_a_guest_holds_less_and_there_are_so_many(narrow: RunningServer) -> None:
    async def opened(cookie: str = "") -> tuple[int, str]:
        narrow.client.session.cookie_jar.clear()
        headers = {"Sec-Fetch-Site": "same-origin", **({"Cookie": cookie} if cookie else {})}
        asked = narrow.client.post(
            "/battles", data={"scenario": "tts/skirmish", "opponent": "person"}, headers=headers, allow_redirects=False
        )
        async with asked as response:
            await response.read()
            return response.status, response.headers.get("Set-Cookie", "").partition(";")[0]

    status, cookie = await opened()
    assert status == 303
    assert (await opened(cookie))[0] == 409
    assert (await opened())[0] == 303
    assert (await opened())[0] == 503
    with pytest.raises(Refusal, match=r"core\.too-many-guests"):
        require_guest_quota(narrow.running.store, Limits(guests=2))
