"""Bulletins of clubs and campaigns, and their press: made from logs, amended for a day, sent, followed."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from domain.campaign.state import COUNTED
from projections.luck import LuckRow
from server.acts.clubs.luckiest import FoughtBattle, most_favoured
from server.acts.clubs.posting import LONGEST, MOST_A_DAY
from server.store.tables.outbox import LetterKind
from tests.server.web.test_club_battles import club_of, opened, pairing
from tests.server.web.test_organising import Timed, a_cup, timed
from tests.support.serving import Caller

__all__ = ["timed"]

LEEDS = "/api/v1/clubs/leeds"


async def a_week(timed: Timed) -> dict[str, Caller]:
    """A club in whose last week a battle has ended, and another goes on."""
    people = await club_of(timed.server, "Anna", "Bob", "Cato")
    listed = [pairing("Bob", "Cato"), pairing("Cato", "Anna")]
    first, _ = (await opened(people["Anna"], *listed)).json["battles"]
    await people["Bob"].order(first, "resign")
    await people["Cato"].post(f"{LEEDS}/press", {"text": "A fine fight."})
    timed.clock.wait(days=7, hours=1)
    assert await timed.server.running.bulletins.tick(timed.clock.now()) == 1
    return people


@pytest.mark.rule("CAM-CLB-06")
async def test_a_week_of_a_club_is_a_draft_that_its_organiser_amends_and_that_goes_a_day_later(timed: Timed) -> None:
    people = await a_week(timed)
    anna, bob = people["Anna"], people["Bob"]
    (row,) = (await anna.get(f"{LEEDS}/bulletins")).json["bulletins"]
    path = f"{LEEDS}/bulletins/{row['place']}"
    assert (row["state"], row["until"]) == ("draft", "2026-11-30T00:00:00.000Z")
    assert (await bob.get(f"{LEEDS}/bulletins")).json["bulletins"] == []
    assert (await bob.get(path)).code == "club.no-such-bulletin"
    kept = (await anna.post(path, {"do": "keep", "words": "Well done, all of you."})).json
    assert [one["name"] for one in kept["sections"]] == ["results", "table", "next", "press"]
    assert kept["text"].startswith("Leeds Night Owls: the week until 2026-11-30\n\nWell done, all of you.\n")
    assert "Bob – Cato" in kept["text"] and "Cato has won" in kept["text"] and "1. Cato: 2" in kept["text"]
    assert "Cato: A fine fight." in kept["text"]
    assert (await bob.post(path, {"do": "send"})).code == "club.no-such-bulletin"
    timed.clock.wait(days=1)
    assert await timed.server.running.bulletins.tick(timed.clock.now()) == 1
    letters = timed.posted(LetterKind.BULLETIN)
    assert {letter.recipient for letter in letters} == {one.player for one in people.values()}
    told = await timed.text(letters[0])
    assert "Well done, all of you." in told and "Cato has won" in told and "/clubs/leeds/bulletins/" in told
    assert (await bob.get(path)).json["state"] == "sent"
    assert (await anna.post(path, {"do": "keep", "words": "No."})).code == "club.bulletin-sent"
    assert await timed.server.running.bulletins.tick(timed.clock.now()) == 0


@pytest.mark.rule("CAM-CLB-06")
async def test_whom_luck_has_favoured_most_stands_in_the_bulletin() -> None:
    rows = {"a": [luck("south", True), luck("south", False)], "b": [luck("north", True)], "c": []}
    lobby: Any = SimpleNamespace(statistics=lambda battle: answered((None, rows[battle])))
    fought = [FoughtBattle(battle, "tts", {"south": f"S{battle}", "north": f"N{battle}"}) for battle in rows]
    found = await most_favoured(lobby, [*fought, FoughtBattle("d", "gone", {})])
    assert found is not None
    assert (found.name, found.amount("en"), found.tally("en")) == ("Nb", "+0.50", "medals")
    assert await most_favoured(lobby, fought[2:]) is None


def luck(side: str, happened: bool) -> LuckRow:
    """A draw of a side that succeeds in one of two ways, and is worth a medal."""
    return LuckRow(1, 1, 0, side, "R1", 1, 1, "melee", happened, 1, 2, Fraction(1), False)


async def answered(value: Any) -> Any:
    return value


async def test_a_bulletin_that_is_held_waits_for_its_organiser(timed: Timed) -> None:
    anna = (await a_week(timed))["Anna"]
    (row,) = (await anna.get(f"{LEEDS}/bulletins")).json["bulletins"]
    path = f"{LEEDS}/bulletins/{row['place']}"
    assert (await anna.post(path, {"do": "hold", "words": ""})).json["state"] == "held"
    timed.clock.wait(days=9)
    await timed.server.running.bulletins.tick(timed.clock.now())
    assert (await anna.get(path)).json["state"] == "held"
    assert (await anna.post(path, {"do": "dance"})).code == "club.no-such-act"
    assert (await anna.post(path, {"do": "keep", "words": "x" * 4001})).code == "club.words-too-long"
    assert (await anna.post(path, {"do": "send", "words": "Late, but here."})).json["state"] == "sent"
    async with timed.server.client.get("/clubs/leeds/bulletins.atom") as response:
        feed = await response.text()
    assert "<title>Leeds Night Owls: the week until 2026-11-30</title>" in feed and "Late, but here." in feed
    for page in ("/clubs/leeds/bulletins", f"/clubs/leeds/bulletins/{row['place']}"):
        async with timed.server.client.get(page, headers={"Accept-Language": "fr"}) as response:
            assert response.status == 200 and "a semaine jusqu’au" in await response.text()


async def test_a_round_of_a_cup_has_its_bulletin_from_the_moment_it_ends(timed: Timed) -> None:
    anna, others, cup = await a_cup(timed)
    path = f"/api/v1/campaigns/{cup}"
    await anna.post(f"{path}/orders", {"orders": "begin"})
    await timed.server.running.steward.settle()
    for one in others:
        await one.post(f"{path}/orders", {"orders": "table 1.1 p1 kept 640 210"})
    live = await timed.server.running.steward.campaigns.get(cup)
    assert live.state.boards["1.1"].status == COUNTED
    (row,) = (await anna.get(f"{path}/bulletins")).json["bulletins"]
    assert (row["place"], row["state"]) == (1, "draft")
    told = (await anna.post(f"{path}/bulletins/1", {"do": "send", "words": ""})).json
    assert told["title"] == "Autumn Cup: round 1"
    assert [one["name"] for one in told["sections"]] == ["results", "best", "table"]
    assert "Bob has won at the table, on their word" in told["text"] and "640 to 210" in told["text"]
    assert (await others[0].get(f"{path}/bulletins/1")).json == told
    assert (await others[0].post(f"{path}/bulletins/1", {"do": "hold"})).code == "campaign.not-organiser"


@pytest.mark.rule("CAM-CLB-05")
async def test_members_post_shortly_and_the_organiser_takes_posts_away(timed: Timed) -> None:
    people = await club_of(timed.server, "Anna", "Bob")
    eve = await timed.server.player("Eve")
    anna, bob = people["Anna"], people["Bob"]
    path = f"{LEEDS}/press"
    key = {"Idempotency-Key": "k" * 16}
    for _ in range(2):
        assert (await bob.post(path, {"text": "Who is in on Friday?"}, key)).status == 201
    (post,) = (await eve.get(path)).json["posts"]
    assert (post["name"], post["text"]) == ("Bob", "Who is in on Friday?")
    assert (await eve.post(path, {"text": "Me."})).code == "club.press-closed"
    assert (await bob.post(path, {"text": " "})).code == "core.no-words"
    assert (await bob.post(path, {"text": "x" * (LONGEST + 1)})).code == "club.words-too-long"
    report = {"kind": "post", "item": post["item"], "why": "It is an advertisement."}
    assert (await eve.post("/api/v1/complaints", report)).status == 201
    assert (await eve.ask("DELETE", f"{path}/{post['item']}")).code == "club.no-such-post"
    assert (await anna.ask("DELETE", f"{path}/{post['item']}")).json == {"posts": []}
    assert (await eve.post("/api/v1/complaints", {**report, "why": "Again."})).code == "core.no-such-words"
    for n in range(MOST_A_DAY):
        await bob.post(path, {"text": f"Post {n}"})
    assert (await bob.post(path, {"text": "One more"})).code == "club.too-many-posts"


async def test_the_press_of_a_private_club_is_for_its_members(timed: Timed) -> None:
    people = await club_of(timed.server, "Anna", "Bob", readers="members")
    eve = await timed.server.player("Eve")
    (post,) = (await people["Bob"].post(f"{LEEDS}/press", {"text": "Hush."})).json["posts"]
    for path in ("press", "bulletins"):
        assert (await eve.get(f"{LEEDS}/{path}")).code == "club.unknown"
    report = {"kind": "post", "item": post["item"], "why": "I have guessed its number."}
    assert (await eve.post("/api/v1/complaints", report)).code == "core.no-such-words"
