"""The organiser's desk: what needs somebody today, the act that settles it, and the daily letter."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from server.mail.outgoing.letters import LetterWriter
from server.store.tables import correspondents, outbox
from server.store.tables.correspondents import Correspondent
from server.store.tables.outbox import Letter, LetterKind
from tests.server.web.test_club_battles import club_of, opened, pairing
from tests.support.clock import ManualClock
from tests.support.serving import Caller, RunningServer, serving

DESK = "/api/v1/organising"
CUP = """
campaign = "cup"
title = "Autumn Cup"
ruleset = "tts"
[cup]
system = "knock-out"
[time]
show = "3d"
grace = "1d"
[battle]
scenario = "skirmish"
"""


class Timed(NamedTuple):
    """A server that sends mail, and its clock."""

    server: RunningServer
    clock: ManualClock

    def posted(self, kind: str) -> list[Letter]:
        """The letters of a kind that wait."""
        return [row for row in outbox.unsent(self.server.running.store) if row.kind.partition(":")[0] == kind]

    async def text(self, row: Letter) -> str:
        """The words of a letter."""
        composed = await LetterWriter(
            self.server.running.battles, self.server.running.acts.addresses, self.server.mail.desk
        ).compose(row)
        assert composed is not None
        body = composed.message.get_body(("plain",))
        assert body is not None
        return " ".join(body.get_content().split())


@pytest.fixture
async def timed(tmp_path: Path) -> AsyncIterator[Timed]:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock, mail=True) as running:
        yield Timed(running, clock)


async def desk(caller: Caller) -> list[dict[str, Any]]:
    """What needs somebody."""
    reply = await caller.get(DESK)
    assert reply.status == 200, reply
    return list(reply.json["chores"])


def whats(chores: list[dict[str, Any]]) -> list[str]:
    return [one["what"] for one in chores]


async def test_nothing_needs_an_organiser_of_a_new_club(timed: Timed) -> None:
    people = await club_of(timed.server, "Anna", "Bob")
    assert await desk(people["Anna"]) == []
    assert (await timed.server.stranger.get(DESK)).code == "core.not-signed-in"


@pytest.mark.rule("CAM-CLB-09")
async def test_a_silent_battle_is_late_and_its_letter_goes_again_once_a_day(timed: Timed) -> None:
    people = await club_of(timed.server, "Anna", "Bob", "Cato")
    (battle,) = (await opened(people["Anna"], pairing("Bob", "Cato"))).json["battles"]
    timed.clock.wait(days=6)
    assert await desk(people["Anna"]) == []
    timed.clock.wait(days=1)
    (late,) = await desk(people["Anna"])
    assert (late["kind"], late["what"], late["battle"], late["names"]) == ("late", "late-battle", battle, ["Bob"])
    assert "Bob" in late["detail"]
    assert await desk(people["Bob"]) == [], "it needs an organiser"
    wanted = {"owner": "leeds", **late["acts"][0]}
    before = len(timed.posted(LetterKind.TURN))
    assert (await people["Bob"].post(DESK, wanted)).code == "club.not-organiser"
    assert (await people["Anna"].post(DESK, wanted)).status == 200
    assert [row.recipient for row in timed.posted(LetterKind.TURN)[before:]] == [people["Bob"].player]
    assert (await people["Anna"].post(DESK, wanted)).code == "club.reminded"
    timed.clock.wait(days=2)
    assert (await people["Anna"].post(DESK, wanted)).status == 200
    other = {**wanted, "value": "b0000000"}
    assert (await people["Anna"].post(DESK, other)).code == "club.no-such-act"
    assert (await people["Anna"].post(DESK, {**wanted, "do": "dance"})).code == "club.no-such-act"


async def test_a_dispute_a_member_who_has_left_and_a_round_that_is_over_are_told(timed: Timed) -> None:
    people = await club_of(timed.server, "Anna", "Bob", "Cato", "Dido")
    listed = [pairing("Bob", "Cato"), pairing("Dido", "Anna")]
    first, second = (await opened(people["Anna"], *listed, tag="round-1")).json["battles"]
    await people["Bob"].order(first, "dispute 1 facts It was so.")
    (disputed,) = await desk(people["Anna"])
    assert (disputed["what"], disputed["battle"], disputed["names"]) == ("disputed", first, ["Bob", "Cato"])
    assert (await people["Dido"].ask("DELETE", "/api/v1/clubs/leeds/members")).status == 200
    assert whats(await desk(people["Anna"])) == ["disputed", "gone"]
    await people["Bob"].order(first, "withdraw d1")
    await people["Bob"].order(first, "resign")
    await people["Dido"].order(second, "resign")
    (ready,) = await desk(people["Anna"])
    assert (ready["what"], ready["names"]) == ("ready-list", ["round-1"])
    timed.clock.wait(days=15)
    assert await desk(people["Anna"]) == []


async def test_an_invitation_without_an_answer_is_sent_once_more_or_taken_back(timed: Timed) -> None:
    people = await club_of(timed.server, "Anna")
    await people["Anna"].post("/api/v1/clubs/leeds/roster", {"csv": "Cato, cato@example.net"})
    assert await desk(people["Anna"]) == []
    timed.clock.wait(days=2)
    (waiting,) = await desk(people["Anna"])
    assert (waiting["what"], waiting["names"]) == ("invited", ["Cato"])
    again, back = ({"owner": "leeds", **act} for act in waiting["acts"])
    assert (await people["Anna"].post(DESK, again)).status == 200
    first, second = timed.posted(LetterKind.CLUB_INVITE)
    assert first.kind == second.kind
    assert (await people["Anna"].post(DESK, again)).code == "club.reminded"
    assert (await people["Anna"].post(DESK, back)).json["chores"] == []
    assert (await people["Anna"].get("/api/v1/clubs/leeds")).json["invited"] == []
    assert (await people["Anna"].post(DESK, back)).code == "club.no-such-act"


async def a_cup(timed: Timed) -> tuple[Caller, list[Caller], str]:
    """A cup of two that its organiser does not play in."""
    anna, *others = [await timed.server.player(name) for name in ("Anna", "Bob", "Cato")]
    cup = (await anna.post("/api/v1/campaigns", {"toml": CUP})).json["campaign"]
    assert await desk(anna) == []
    for one in others:
        await one.post(f"/api/v1/campaigns/{cup}/entrants", {})
    return anna, others, cup


async def test_a_cup_is_begun_and_its_late_boards_are_settled_from_the_desk(timed: Timed) -> None:
    anna, _, cup = await a_cup(timed)
    (ready,) = await desk(anna)
    assert (ready["what"], ready["owner"], ready["acts"]) == ("ready-begin", cup, [{"do": "line", "value": "begin"}])
    assert (await anna.post(DESK, {"owner": cup, **ready["acts"][0]})).status == 200
    steward = timed.server.running.steward
    await steward.settle()
    assert await desk(anna) == []
    timed.clock.wait(days=3, hours=1)
    await steward.settle()
    (late,) = await desk(anna)
    assert (late["what"], late["board"], sorted(late["names"])) == ("late-show", "1.1", ["Bob", "Cato"])
    assert [act["value"] for act in late["acts"]] == ["extend 1 7d", "default 1.1 both"]
    wrong = await anna.post(DESK, {"owner": cup, "do": "line", "value": "result 1.1 p1"})
    assert wrong.code == "campaign.battle-running"
    assert (await anna.post(DESK, {"owner": cup, **late["acts"][1]})).json["chores"] == []


async def test_what_one_says_of_a_battle_on_a_table_waits_for_the_umpire(timed: Timed) -> None:
    anna, others, cup = await a_cup(timed)
    await anna.post(DESK, {"owner": cup, "do": "line", "value": "begin"})
    await timed.server.running.steward.settle()
    path = f"/api/v1/campaigns/{cup}/orders"
    await others[0].post(path, {"orders": "table 1.1 p1 kept 640 210"})
    (said,) = await desk(anna)
    assert (said["kind"], said["what"], said["names"]) == ("missing", "claimed", ["Bob"])
    assert [act["value"] for act in said["acts"]] == ["table 1.1 p1 kept 640 210"]
    differs = (await others[1].post(path, {"orders": "table 1.1 p2 kept 210 640"})).json["lines"][0]
    assert differs["code"] == "campaign.table-differs"
    assert (await anna.post(DESK, {"owner": cup, **said["acts"][0]})).json["chores"] == []


@pytest.mark.rule("CAM-CLB-09")
async def test_the_daily_letter_comes_at_the_hour_of_its_reader_on_days_with_something_to_do(timed: Timed) -> None:
    people = await club_of(timed.server, "Anna", "Bob", "Cato")
    running = timed.server.running
    assert running.daily is not None
    await running.store.write(correspondents.save(Correspondent(people["Anna"].player, zone="Europe/Paris")))
    timed.clock.wait(hours=18)
    assert await running.daily.tick(timed.clock.now()) == 0, "nothing needs them"
    await opened(people["Anna"], pairing("Bob", "Cato"))
    timed.clock.wait(days=8)
    posted = [await running.daily.tick(timed.clock.now()) for _ in range(2)]
    assert posted == [1, 0]
    (row,) = timed.posted(LetterKind.ORGANISING)
    assert row.recipient == people["Anna"].player
    told = await timed.text(row)
    assert "One thing needs you" in told
    assert "Leeds Night Owls" in told and "The battle has waited for Bob since" in told
    assert "/organising" in told
    timed.clock.wait(hours=20)
    assert await running.daily.tick(timed.clock.now()) == 0, "before their hour"
    timed.clock.wait(hours=4)
    assert await running.daily.tick(timed.clock.now()) == 1


async def test_the_page_has_a_button_for_each_act(timed: Timed) -> None:
    anna, _, cup = await a_cup(timed)
    session = anna.headers
    async with timed.server.client.get("/organising", headers=session) as response:
        told = await response.text()
        assert response.status == 200, told
    assert f"/campaigns/{cup}" in told and "<code>begin</code>" in told
    form = {"owner": cup, "do": "line", "value": "begin", "key": "k" * 16}
    own = {**session, "Origin": str(timed.server.client.make_url("")).rstrip("/")}
    async with timed.server.client.post("/organising", headers=own, data=form, allow_redirects=False) as response:
        assert (response.status, response.headers["Location"]) == (303, "/organising"), await response.text()
    async with timed.server.client.post("/organising", headers=own, data={**form, "do": "dance"}) as response:
        assert response.status == 404 and "nothing of the kind" in await response.text()
