"""CORE-DSP-12 on a server: a seat is taken over by who was named for it, from nobody who is there."""

import re
from typing import Any

import pytest

from replay.proof import verify
from server.play.live_battle import LiveBattle
from tests.server.play.test_disputes import ORDERS, codes, live, three
from tests.server.web.pages.visiting import OWN, visitor_of
from tests.support.flags import run_out
from tests.support.lanes import thinned
from tests.support.serving import BATTLES, Caller, RunningServer

PRESENT = (409, "core.seat-present")


async def sits(who: Caller, battle: str, side: str) -> tuple[int, str]:
    reply = await who.sit(battle, side)
    return reply.status, reply.code if reply.status != 201 else ""


async def test_a_seat_is_given_by_who_sits_there_and_the_other_player(server: RunningServer) -> None:
    anna, bob, carl, battle = await three(server)
    assert await sits(carl, battle, "south") == (409, "core.side-taken")
    assert codes(await bob.order(battle, "substitute south Judge")) == ["accepted"]
    assert await sits(carl, battle, "south") == PRESENT
    assert await sits(carl, battle, "north") == (409, "core.side-taken")
    assert codes(await anna.order(battle, "Remplaçant sud judge")) == ["accepted"]
    assert await sits(carl, battle, "south") == (201, "")
    seats = (await live(server, battle)).recording.battle.seats
    assert (seats["south"].player, seats["south"].name) == (carl.player, "Judge")
    assert (await anna.order(battle, "end turn")).code == "core.not-seated"
    assert await sits(anna, battle, "south") == (409, "core.side-taken")
    await bob.order(battle, "", phrase="another phrase of mine")
    assert (await carl.order(battle, ORDERS)).status == 200
    report = verify.verify(await carl.export(battle))
    assert report.fault is None, report.fault
    assert [act.what for act in report.listed] == ["left", "substitute-asked"]


@pytest.mark.parametrize(("lang", "said"), [("en", "substitute north Judge"), ("fr", "remplaçant nord Judge")])
async def test_the_old_form_is_refused_with_the_new_one(server: RunningServer, lang: str, said: str) -> None:
    anna, _, _, battle = await three(server)
    body = {"orders": "substitute Judge", "seen": await anna.head(battle)}
    reply = await anna.post(f"{BATTLES}/{battle}/orders?lang={lang}", body)
    (line,) = reply.json["lines"]
    assert (line["code"], line["rule"]) == ("core.substitute-seat", "CORE-DSP-12")
    assert said in str(line)


async def test_an_umpire_takes_no_seat_from_under_a_player(server: RunningServer) -> None:
    """The finding: P8 was meant, and P9 got the seat of P7, who was present; `verify` was content."""
    anna, bob, judge, battle = await three(server, umpire="Judge")
    eve = await server.player("Eve")
    assert codes(await judge.order(battle, "substitute south Eve")) == ["accepted"]
    assert await sits(eve, battle, "south") == PRESENT
    assert await sits(eve, battle, "north") == (409, "core.side-taken")
    assert codes(await bob.order(battle, "substitute north Eve")) == ["accepted"]
    assert await sits(eve, battle, "north") == PRESENT, "the umpire has named them for the other seat"
    assert codes(await anna.order(battle, "substitute south Eve")) == ["accepted"]
    assert await sits(eve, battle, "north") == PRESENT
    assert await sits(eve, battle, "south") == (201, "")
    assert verify.verify(await eve.export(battle)).fault is None


async def test_a_fallen_flag_gives_the_seat_until_its_player_is_back(server: RunningServer) -> None:
    anna, bob, judge, battle = await three(server, umpire="Judge", pace="live")
    eve = await server.player("Eve")
    await run_out(server, await live(server, battle))
    (late,) = (await live(server, battle)).to_act()
    assert codes(await judge.order(battle, f"substitute {late} Eve")) == ["accepted"]
    sitting = anna if late == "south" else bob
    assert codes(await sitting.order(battle, "dispute 1 I am here.")) == ["accepted"]
    assert await sits(eve, battle, late) == PRESENT
    await judge.order(battle, f"substitute {late} Eve")
    assert await sits(eve, battle, late) == PRESENT


async def test_no_silence_is_measured_by_a_clock_that_is_doubted(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, judge, battle = await three(server, umpire="Judge", pace="live")
    eve = await server.player("Eve")
    await run_out(server, await live(server, battle))
    (late,) = (await live(server, battle)).to_act()
    assert codes(await judge.order(battle, f"substitute {late} Eve")) == ["accepted"]
    with monkeypatch.context() as doubted:
        doubted.setattr(LiveBattle, "is_clock_doubted", property(lambda live: True))
        assert await sits(eve, battle, late) == (409, "core.clock-doubted")
        other = "north" if late == "south" else "south"
        assert await sits(eve, battle, other) == (409, "core.side-taken")
    assert await sits(eve, battle, late) == (201, "")


async def test_who_follows_reads_a_private_battle_before_they_take_the_seat(server: RunningServer) -> None:
    anna, bob, carl, battle = await three(server, readers="players")
    assert (await carl.get(f"{BATTLES}/{battle}")).code == "core.unknown-battle"
    await bob.order(battle, "substitute south Judge")
    assert (await carl.get(f"{BATTLES}/{battle}")).code == "core.unknown-battle"
    assert await sits(carl, battle, "south") == PRESENT, "who is named hears why the seat is not theirs yet"
    assert await sits(carl, battle, "north") == (404, "core.unknown-battle")
    await anna.order(battle, "substitute south Judge")
    assert (await carl.view(battle))["side"] == ""
    assert await sits(carl, battle, "south") == (201, "")
    assert (await anna.get(f"{BATTLES}/{battle}")).code == "core.unknown-battle"


async def test_a_request_names_the_seat_and_the_player(server: RunningServer) -> None:
    anna, bob, carl, battle = await three(server)
    path = f"{BATTLES}/{battle}/disputes"

    async def post(who: Caller, **body: Any) -> Any:
        return await who.post(f"{path}/substitutes", {"seen": await who.head(battle), **body})

    assert codes(await post(bob, seat="south", player="Judge")) == ["accepted"]
    assert codes(await post(anna, seat="south", player=carl.player)) == ["accepted"]
    assert (await post(anna, seat="east", player="Judge")).status == 422
    assert (await post(anna, player="Judge")).status == 422
    named = (await server.stranger.get(path)).json["substitutes"]
    assert [(one["seat"], one["by"], one["player"], one["name"], one["silent"]) for one in named] == [
        ("south", by, carl.player, "Judge", False) for by in ("north", "south")
    ]
    assert await sits(carl, battle, "south") == (201, "")
    assert (await server.stranger.get(path)).json["substitutes"] == []


@pytest.mark.parametrize("lang", thinned(["en", "fr"], 2))
async def test_the_page_names_agrees_and_offers_the_seat(server: RunningServer, lang: str) -> None:
    anna, bob, carl, battle = await three(server, readers="players")
    path = f"/battles/{battle}/disputes"
    headers = {"Accept": "text/html", "Accept-Language": lang}
    bobs, annas, carls = [await visitor_of(server, one) for one in (bob, anna, carl)]
    shown = await bobs.ask("GET", path, headers)
    assert 'name="say" value="substitute"' in shown.text
    seen = re.findall(r'name="seen" value="([^"]*)"', shown.text)[0]
    form = {"say": "substitute", "remedy": "south", "text": "Judge", "seen": seen, "side": "north"}
    assert (await bobs.ask("POST", path, OWN, form)).status == 303
    asked = await annas.ask("GET", path, headers)
    assert re.search("names Judge for the seat of" if lang == "en" else "nomme Judge pour la place du", asked.words)
    (button,) = re.findall(r'name="remedy" value="(\w+)"><input type="hidden" name="text" value="(\w+)"', asked.text)
    seen = re.findall(r'name="seen" value="([^"]*)"', asked.text)[0]
    form = {"say": "substitute", "remedy": button[0], "text": button[1], "seen": seen, "side": "south"}
    assert (await carls.ask("GET", f"/battles/{battle}", headers)).status == 404
    assert (await annas.ask("POST", path, OWN, form)).status == 303
    page = await carls.ask("GET", f"/battles/{battle}", headers)
    assert page.status == 200
    assert f'action="/battles/{battle}/sides/south"' in page.text
    assert f'action="/battles/{battle}/sides/north"' not in page.text
    taken = await carls.ask("POST", f"/battles/{battle}/sides/south", OWN, {"chance": "plain"})
    assert (taken.status, taken.headers["Location"]) == (303, f"/battles/{battle}")
    assert (await live(server, battle)).recording.battle.seats["south"].player == carl.player
    assert (await annas.ask("GET", f"/battles/{battle}", headers)).status == 404
