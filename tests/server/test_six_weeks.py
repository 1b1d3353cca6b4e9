"""A club of twelve for six weeks: by mail and in the browser, in three zones, a drop-out a week; what its
organiser does is counted (CAM-CLB-08, CAM-CLB-09).

The minutes of an act are an estimate of how long somebody takes who knows what they want: nothing measures them here.
"""

from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from server.acts.clubs.inviting import KIND
from server.store.tables import accounts, club_battles, correspondents, outbox
from server.store.tables.correspondents import Correspondent
from server.store.tables.outbox import LetterKind
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, Caller, RunningServer, serving

LEEDS = "/api/v1/clubs/leeds"
DESK = "/api/v1/organising"
ZONES = ("Europe/London", "America/New_York", "Australia/Sydney")
BY_MAIL = ("Cato", "Dido", "Elissa", "Fabius", "Gaius", "Hanno")
BY_BROWSER = ("Iulia", "Kaeso", "Livia", "Marcus", "Nerva", "Otho")
NEWCOMERS = ("Paulus", "Quintus", "Rufus", "Sabina", "Titus", "Urbana")
WEEKS = 6
MINUTES = {
    "makes the club": 3,
    "adds members from a file": 5,
    "pairs the round": 4,
    "looks at the desk": 1,
    "sends a letter again": 0.5,
    "writes words into the bulletin": 3,
}
"""What an act of the organiser takes, in minutes: estimates."""
MOST_MINUTES = 15


class Evening(Struct):
    """A club and its people: `mailed` has the addresses of those who play by mail; `diary` what Olga does by week."""

    server: RunningServer
    clock: ManualClock
    olga: Caller
    browsers: dict[str, Caller]
    mailed: dict[str, str]
    diary: list[tuple[int, str]]
    week: int = 0
    mails: int = 0

    async def does(self, act: str, path: str, body: Any = None) -> Any:
        """Olga does something, which is written down."""
        assert act in MINUTES
        self.diary.append((self.week, act))
        reply = await (self.olga.get(path) if body is None else self.olga.post(path, body))
        assert reply.status in (200, 201), reply
        return reply.json

    async def mail(self, name: str, token: str, text: str) -> str:
        """Somebody answers a letter by mail; what became of it."""
        self.mails += 1
        mail = EmailMessage()
        mail["From"], mail["To"] = self.mailed[name], self.server.running.acts.addresses.to(token)
        mail["Message-ID"] = f"<{self.mails}@example.net>"
        mail["Date"] = "Mon, 23 Nov 2026 12:00:00 +0000"
        mail.set_content(text)
        return (await self.server.mail.intake.accept(mail.as_bytes())).what

    def player(self, name: str) -> str:
        """The id of somebody's account."""
        account = accounts.by_name(self.server.running.store, name)
        assert account is not None
        return account.player

    async def order(self, name: str, battle: str, line: str) -> None:
        """Somebody orders: by answering their last letter about the battle, or in the browser."""
        if name in self.browsers:
            reply = await self.browsers[name].order(battle, line)
            assert reply.status == 200, reply
            return
        about = [row for row in self.letters(name) if row.battle == battle]
        if not about:  # the one letter about all their battles: it leads to each
            *_, seated = [row for row in self.letters(name) if row.kind.startswith(LetterKind.SEATED)]
            assert await self.mail(name, await self.reply(seated), f"board {battle}") == "command"
            about = [row for row in self.letters(name) if row.kind.startswith(LetterKind.ANSWER)]
        what = await self.mail(name, await self.reply(about[-1]), line)
        if what == "held":  # what gives a battle away is asked for once more
            asked = [row for row in self.letters(name) if row.kind.startswith(LetterKind.ANSWER)][-1]
            what = await self.mail(name, await self.reply(asked), "yes")
        assert what in ("played", "command"), what

    async def reply(self, row: outbox.Letter) -> str:
        """Read a letter; the token of the address to which it is answered."""
        composed = await self.server.mail.writer.compose(row)
        assert composed is not None
        await self.server.running.store.write(*composed.also, outbox.sent(row.id, self.clock.now()))
        return str(composed.message["Reply-To"]).partition("+")[2].partition("@")[0]

    def letters(self, name: str) -> list[outbox.Letter]:
        """The letters to somebody that have not been read."""
        player = self.player(name)
        return [row for row in outbox.unsent(self.server.running.store, 1000) if row.recipient == player]

    async def days(self, count: int) -> None:
        """Days pass, and with them what the server does by itself."""
        for _ in range(2 * count):
            self.clock.wait(hours=12)
            now = self.clock.now()
            await self.server.running.timekeeper.tick(now)
            await self.server.running.bulletins.tick(now)
            assert self.server.running.daily is not None
            await self.server.running.daily.tick(now)

    def minutes(self) -> dict[int, float]:
        """The organiser's minutes by week, by the estimate."""
        told: Counter[int] = Counter()
        for week, act in self.diary:
            told[week] += int(10 * MINUTES[act])
        return {week: tenths / 10 for week, tenths in sorted(told.items())}


async def first_evening(server: RunningServer, clock: ManualClock) -> Evening:
    """Olga makes the club; six are invited by letter and answer by mail, six get accounts from the same file."""
    evening = Evening(server, clock, await server.player("Olga"), {}, {}, [])
    club = await evening.does("makes the club", "/api/v1/clubs", {"club": "leeds", "name": "Leeds Night Owls"})
    zones = [ZONES[at % 3] for at in range(12)]
    evening.mailed = {name: f"{name.lower()}@example.net" for name in BY_MAIL}
    rows = [f"{name}, {evening.mailed[name]}, {zone}" for name, zone in zip(BY_MAIL, zones[:6], strict=True)]
    told = await evening.does("adds members from a file", f"{LEEDS}/roster", {"csv": "\n".join(rows)})
    assert [one["what"] for one in told["lines"]] == ["invited"] * 6
    for row in [one for one in outbox.unsent(server.running.store) if one.kind.startswith(LetterKind.CLUB_INVITE)]:
        composed = await server.mail.writer.compose(row)
        assert composed is not None
        name = next(one for one, at in evening.mailed.items() if at == composed.message["To"])
        await server.running.store.write(outbox.sent(row.id, clock.now()))
        token = server.running.acts.addresses.token(KIND, row.kind.partition(":")[2])
        assert await evening.mail(name, token, "accept") == "command"
    for name, zone in zip(BY_BROWSER, zones[6:], strict=True):
        await enters(evening, name, zone, club["token"])
    return evening


async def enters(evening: Evening, name: str, zone: str, token: str) -> None:
    """Somebody comes in by the entry link, in the browser."""
    caller = await evening.server.player(name)
    evening.browsers[name] = caller
    await evening.server.running.store.write(correspondents.save(Correspondent(caller.player, zone=zone)))
    assert (await caller.post(f"{LEEDS}/members", {"token": token})).status == 201


def pairs(names: list[str], week: int) -> Iterator[tuple[str, str]]:
    """Who meets whom: the circle method, with the first name fixed."""
    fixed, *others = names
    turned = others[week % len(others) :] + others[: week % len(others)]
    circle = [fixed, *turned]
    half = len(circle) // 2
    yield from zip(circle[:half], reversed(circle[half:]), strict=True)


async def a_week(evening: Evening, members: list[str], leaver: str, newcomer: str, token: str) -> None:
    """A round: five battles are fought, the sixth is left by somebody; a newcomer comes by the link."""
    paired = [(b, a) if a == leaver else (a, b) for a, b in pairs(members, evening.week)]
    listed = [{"seats": {"south": a, "north": b}, "scenario": "skirmish"} for a, b in paired]
    wanted = {"club": "leeds", "tag": f"round-{evening.week}", "pace": "1d+3d", "pairings": listed}
    opened = await evening.does("pairs the round", f"{BATTLES}/bulk", wanted)
    left = ""
    for battle, (south, north) in zip(opened["battles"], paired, strict=True):
        await evening.order(south, battle, "end turn")
        if north == leaver:
            left = battle
            continue
        await evening.order(north, battle, "resign")
        assert (await evening.server.running.battles.get(battle)).recording.battle.ended
    await evening.days(2)
    if leaver in evening.browsers:
        assert (await evening.browsers[leaver].ask("DELETE", f"{LEEDS}/members")).status == 200
    await enters(evening, newcomer, ZONES[evening.week % 3], token)
    await evening.days(3)
    for chore in (await evening.does("looks at the desk", DESK))["chores"]:
        for act in chore["acts"][:1]:
            await evening.does("sends a letter again", DESK, {"owner": chore["owner"], **act})
    await claims(evening, left, leaver)
    await evening.days(2)


async def claims(evening: Evening, battle: str, leaver: str) -> None:
    """Whoever waits for somebody who has gone claims the battle, once the time of the other is up."""
    live = await evening.server.running.battles.get(battle)
    (stayed,) = [seat.name for seat in live.recording.battle.seats.values() if seat.name != leaver]
    if stayed in evening.browsers:
        reply = await evening.browsers[stayed].post(f"{BATTLES}/{battle}/clock", {"do": "claim"})
        assert reply.status == 200, reply
    else:
        await evening.order(stayed, battle, "claim")
    assert live.recording.battle.ended


@pytest.mark.slow
@pytest.mark.rule("CAM-CLB-09")
async def test_twelve_players_six_weeks_and_the_organisers_minutes(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock, mail=True) as server:
        evening = await first_evening(server, clock)
        token = (await evening.olga.get(LEEDS)).json["token"]
        members = [*BY_MAIL, *BY_BROWSER]
        for week, (leaver, newcomer) in enumerate(zip(BY_BROWSER[:WEEKS], NEWCOMERS, strict=True), 1):
            evening.week = week
            await a_week(evening, members, leaver, newcomer, token)
            members[members.index(leaver)] = newcomer
            (row, *_) = (await evening.olga.get(f"{LEEDS}/bulletins")).json["bulletins"]
            words = {"do": "send", "words": f"Round {week} is fought."}
            await evening.does("writes words into the bulletin", f"{LEEDS}/bulletins/{row['place']}", words)
        table = (await evening.olga.get(f"{LEEDS}/table")).json["rows"]
        assert sum(row["played"] for row in table) >= 2 * 5 * WEEKS
        assert len(club_battles.of_club(server.running.store, "leeds")) == 6 * WEEKS
        assert evening.mails >= 20
        minutes = evening.minutes()
        assert set(minutes) == set(range(WEEKS + 1))
        assert max(minutes.values()) <= MOST_MINUTES
        assert len(evening.diary) == 2 + 4 * WEEKS, Counter(evening.diary)
