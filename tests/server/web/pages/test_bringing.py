"""Armies are seen before a side is taken, and whoever takes it may bring another one."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from msgspec.structs import replace

from server.acts.invite import KIND
from server.armies import army_toml, new_army
from server.limits import UNLIMITED, Invitations
from server.store.tables import outbox
from tests.server.web.pages.visiting import Page, Visitor, visitor_of
from tests.support.serving import BATTLES, Caller, RunningServer, serving

FRIEND = "friend@other.test"
ARMIES = {"south": "carthaginian", "north": "gallic", "seed": 7}


FEW_LETTERS = replace(UNLIMITED, invitations=Invitations())


@pytest_asyncio.fixture(loop_scope="session")
async def posting(tmp_path) -> AsyncIterator[RunningServer]:
    """A server that sends mail."""
    async with serving(tmp_path / "data", mail=True, limits=FEW_LETTERS) as server:
        yield server


async def of_points(anna: Caller, **more: Any) -> str:
    """A battle of points in which Anna holds the south."""
    made = await anna.post("/api/v1/armies/battle", {**ARMIES, **more})
    battle = str((await anna.post(BATTLES, {"scenario_toml": made.json["scenario_toml"]})).json["battle"])
    assert (await anna.sit(battle, "south", phrase="sixteen bytes of my own")).status == 201
    return battle


async def invited(server: RunningServer, anna: Caller, battle: str) -> str:
    """The path of the link in the letter to Anna's friend."""
    reply = await anna.post(f"{BATTLES}/{battle}/invitations", {"address": FRIEND})
    assert reply.status == 201, reply
    (row,) = [row for row in outbox.unsent(server.running.store) if row.kind.startswith("invite:")]
    return f"/invitations/{server.mail.addresses.token(KIND, row.kind.partition(':')[2])}"


def proposed_on(page: Page) -> str:
    found = re.search(r'proposed for this battle: <a href="/battles/(\w+)"', page.text)
    assert found, page.words
    return found[1]


async def status(server: RunningServer, battle: str) -> tuple[str, bool]:
    live = await server.running.battles.get(battle)
    return live.closed, live.recording.battle.begun


async def test_both_armies_are_shown_on_the_invitation_and_on_the_page(posting: RunningServer) -> None:
    anna = await posting.player("Anna")
    battle = await of_points(anna, options={"blind_deployment": True, "stratagems_per_side": 2})
    path = await invited(posting, anna, battle)
    for address in (path, f"/battles/{battle}", f"/battles/{battle}/armies"):
        page = await Visitor(posting).get(address)
        assert "The armies" in page.words and "Both sides see both armies" in page.words, address
        assert "Carthaginian, 130 points" in page.words and "light chariots" in page.words, address
        assert "Stratagems of each side: 2" in page.words and "lind deployment" in page.words, address
    assert "Bring another army" in (await Visitor(posting).get(path)).words
    french = await Visitor(posting).get(f"{path}?lang=fr")
    assert "Les armées" in french.words and "chars légers" in french.words


async def test_of_a_scenario_the_armies_are_shown_and_stay(posting: RunningServer) -> None:
    anna = await posting.player("Anna")
    for scenario in ("skirmish", "two-lines"):
        battle = await anna.open(scenario, ruleset="tts" if scenario == "skirmish" else "singidunum")
        page = await Visitor(posting).get(f"/battles/{battle}")
        assert "The armies" in page.words and "×" in page.words and "Bring another army" not in page.words
        assert (await anna.get(f"{BATTLES}/{battle}/armies")).json["brings"] is False
        refused = await (await posting.player(f"Bob {scenario}")).post(f"{BATTLES}/{battle}/armies", {"list": "gallic"})
        assert refused.code in ("core.armies-fixed", "core.army-of-opener")


async def test_a_friend_without_an_account_brings_an_army_and_the_opener_accepts_it(posting: RunningServer) -> None:
    anna = await posting.player("Anna")
    battle = await of_points(anna)
    path = await invited(posting, anna, battle)
    friend, own = Visitor(posting), army_toml(new_army("tts", "republican_roman", 130, 3))
    page = await friend.send(path, do="bring", own="size = 5\ncorps = 5", name="Robin")
    assert page.status == 422 and "corps = 5" in page.text  # what was written is not lost
    page = await friend.send(path, do="bring", own=own, name="Robin")
    new = page.path.rpartition("/")[2]
    assert page.status == 200 and new != battle and "Republican Roman" in page.words
    assert await status(posting, battle) == ("", False)  # it stands until Anna has accepted
    view = await anna.view(new)
    assert view["seats"]["north"]["name"] == "Robin" and "south" not in view["seats"]
    annas = await visitor_of(posting, anna)
    assert proposed_on(await annas.get(f"/battles/{battle}")) == new
    annas_page = await annas.get(f"/battles/{new}")
    assert "Republican Roman" in annas_page.words and "Take south" in annas_page.words
    assert "Robin asks you to play south" in (await annas.get("/")).words
    stranger = await posting.player("Mallory")
    assert (await stranger.sit(new, "south")).code == "core.side-reserved"
    assert (await stranger.post(f"{BATTLES}/{battle}/armies", {"list": "gallic"})).code == "core.side-reserved"
    assert (await anna.sit(new, "south", phrase="sixteen bytes of my own")).status == 201
    assert await status(posting, new) == ("", True)
    assert await status(posting, battle) == ("cancelled", False)
    assert (await Visitor(posting).get(path)).status == 410


async def test_the_first_battle_goes_on_where_the_army_is_declined(posting: RunningServer) -> None:
    anna, bob = await posting.player("Anna"), await posting.player("Bob")
    battle = await of_points(anna)
    bobs = await visitor_of(posting, bob)
    page = await bobs.send(f"/battles/{battle}/armies", list="seleucid", size="130", seed="4", side="north")
    new = page.path.rpartition("/")[2]
    assert "Seleucid" in page.words
    other = await posting.player("Carl")
    assert (await other.post(f"{BATTLES}/{battle}/armies", {"list": "gallic"})).code == "core.army-waits"
    page = await bobs.send(f"/battles/{battle}/armies", list="parthian", size="130", seed="4", side="north")
    newer = page.path.rpartition("/")[2]
    assert (await status(posting, new))[0] == "cancelled"  # one's new army takes the place of the one before
    assert (await bobs.send(f"/battles/{battle}/armies", list="gallic", seed="4", side="north")).status == 429
    assert (await bob.sit(battle, "north", phrase="sixteen bytes of my own")).status == 201
    assert await status(posting, battle) == ("", True)
    assert (await status(posting, newer))[0] == "cancelled"


async def test_what_cannot_be_brought_is_refused_and_opens_nothing(posting: RunningServer) -> None:
    anna, bob = await posting.player("Anna"), await posting.player("Bob")
    battle = await of_points(anna)
    before = posting.running.store.rows("SELECT COUNT(*) FROM battles")
    for body, code in (
        ({"list": "nobody"}, "tts.no-such-army-list"),
        ({"army": {"size": 10, "list": "gallic"}}, "tts.army-not-legal"),
        ({"army": {"corps": 5}}, "tts.bad-army"),
        ({"list": "gallic", "side": "south"}, "core.side-taken"),
        ({"list": "gallic", "side": "west"}, "core.no-such-side"),
    ):
        assert (await bob.post(f"{BATTLES}/{battle}/armies", body)).code == code
    assert (await anna.post(f"{BATTLES}/{battle}/armies", {"list": "gallic"})).code == "core.army-of-opener"
    assert (await posting.stranger.post(f"{BATTLES}/{battle}/armies", {"list": "gallic"})).status == 401
    form = {"list": "gallic"}
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        page = await (await visitor_of(posting, bob)).send(f"/battles/{battle}/armies", headers, **form)
        assert page.status == 403
    assert posting.running.store.rows("SELECT COUNT(*) FROM battles") == before


async def test_the_api_tells_the_armies_and_takes_another(posting: RunningServer) -> None:
    anna, bob = await posting.player("Anna"), await posting.player("Bob")
    battle = await of_points(anna)
    told = (await bob.get(f"{BATTLES}/{battle}/armies")).json
    assert told["brings"] and told["proposed"] == "" and [one["side"] for one in told["armies"]] == ["south", "north"]
    assert told["armies"][0]["points"] > 120 and told["armies"][0]["parts"][0]["troops"]
    came = await bob.post(f"{BATTLES}/{battle}/armies", {"list": "seleucid", "seed": 4})
    assert came.status == 201 and came.json["side"] == "north" and came.json["opponent"] == "Anna"
    again = (await anna.get(f"{BATTLES}/{battle}/armies")).json
    assert again["proposed"] == came.json["battle"]
    assert (await anna.sit(came.json["battle"], "south", phrase="sixteen bytes of my own")).status == 201
    assert (await anna.get(f"{BATTLES}/{came.json['battle']}/armies")).json["brings"] is False


async def test_the_umpire_and_the_pace_go_with_it(posting: RunningServer) -> None:
    anna, bob, judge = [await posting.player(name) for name in ("Anna", "Bob", "Judge")]
    made = await anna.post("/api/v1/armies/battle", ARMIES)
    body = {"scenario_toml": made.json["scenario_toml"], "umpire": "Judge", "pace": "steady", "takebacks": "never"}
    battle = str((await anna.post(BATTLES, body)).json["battle"])
    await anna.sit(battle, "south")
    came = (await bob.post(f"{BATTLES}/{battle}/armies", {"list": "seleucid", "seed": 4})).json["battle"]
    was, now = [(await posting.running.battles.get(one)).recording.battle for one in (battle, came)]
    assert now.disputes.umpire == judge.player == was.disputes.umpire
    assert now.readers == was.readers
    assert (await bob.view(came))["pace"] == (await anna.view(battle))["pace"] != ""
