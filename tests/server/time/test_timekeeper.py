"""The server does what is due, once, and nothing that is not."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.data import parse_toml, scenario_text
from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, HOUR_MS, moment_of
from domain.events.battle import ClockFired, Fact
from domain.log import record
from replay.proof import notes
from replay.proof.verify import verify
from server.people.players import Player
from server.play.archive import export_battle
from server.play.seating import seat_bot, take_side
from server.store.tables import absences
from server.time.timekeeper import claim, end_vacation, pause, plan_vacation, resume, rungs, vacations_of
from tests.server.time.correspondence import Post, posting
from tests.support.clock import START, ManualClock
from tests.support.verdicts import WHILE_IT_RUNS


@pytest.fixture
async def post(tmp_path: Path) -> AsyncIterator[Post]:
    async with posting(tmp_path / "data") as running:
        yield running


def refused(code: str):
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == f"core.{code}")


def kinds(post: Post, *starts: str) -> list[tuple[str, str]]:
    """Who got which letter."""
    return [(letter.recipient, letter.kind) for letter in post.letters(*starts)]


# --- reminders and flags


@pytest.mark.parametrize(
    ("granted_h", "expected"),
    [
        (240, ["half", "24h", "2h"]),
        (48, ["24h", "2h"]),  # half of it is 24 h too
        (30, ["half", "2h"]),
        (3, ["2h"]),
        (2, ["half"]),
        (50, ["24h", "2h"]),
    ],
)
def test_the_ladder_leaves_out_what_would_say_nothing_new(granted_h: int, expected: list[str]) -> None:
    assert [name for name, _ in rungs(granted_h * HOUR_MS)] == expected


async def test_who_does_not_move_is_reminded_three_times_and_then_flagged(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "3d+7d")
    since = live.n
    begun = post.clock.moment
    await post.wait(30 * DAY_MS)
    reminders = post.letters("reminder:")
    assert [(letter.recipient, letter.kind) for letter in reminders] == [
        (anna.id, f"reminder:{rung}:{since}") for rung in ("half", "24h", "2h")
    ]
    due = [5 * DAY_MS, 9 * DAY_MS, 10 * DAY_MS - 2 * HOUR_MS]
    assert [moment_of(letter.created) - begun for letter in reminders] == due
    assert kinds(post, "flag:") == [(anna.id, "flag:south"), (bob.id, "flag:south")]
    assert [moment_of(letter.created) - begun for letter in post.letters("flag:")] == [10 * DAY_MS] * 2
    assert live.clock(post.clock.now())["south"].flagged
    assert not live.recording.battle.ended


async def test_reminders_that_were_missed_are_not_made_up_for(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "3d+7d")
    post.clock.wait(10 * DAY_MS - HOUR_MS)  # the server was down
    for _ in range(3):
        await post.keeper.tick(post.clock.now())
    assert kinds(post, "reminder:") == [(anna.id, f"reminder:2h:{live.n}")]
    assert kinds(post, "flag:") == []


async def test_a_new_question_has_reminders_of_its_own(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "1d+1d")
    await post.wait(DAY_MS + HOUR_MS)
    await post.order(live.id, "south")
    await post.order(live.id, "north")
    second = live.n
    await post.wait(DAY_MS)
    numbers = [kind.rpartition(":")[2] for _, kind in kinds(post, "reminder:") if kind.startswith("reminder:24h")]
    assert len(set(numbers)) == len(numbers) == 2
    assert numbers[-1] == str(second)


async def test_a_battle_without_a_pace_is_left_alone(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "")
    before = live.n
    assert await post.keeper.tick(post.clock.wait(400 * DAY_MS)) == ""
    assert (live.n, live.clock(post.clock.now())) == (before, {})
    assert kinds(post, "reminder:", "flag:") == []


async def test_nobody_is_told_where_no_mail_is_sent(post: Post) -> None:
    post.battles.letters = None
    live = await post.battle(await post.player("Anna"), await post.player("Bob"))
    await post.wait(20 * DAY_MS)
    assert live.clock(post.clock.now())["south"].flagged
    assert post.letters() == []


async def test_a_restart_repeats_nothing_and_forgets_nothing(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna, bob = await post.player("Anna"), await post.player("Bob")
        battle, since = (live := await post.battle(anna, bob)).id, live.n
        await post.wait(6 * DAY_MS)
    for _ in range(4):
        async with posting(tmp_path / "data", clock) as post:
            await post.wait(2 * DAY_MS)
            await post.keeper.tick(clock.now())
    async with posting(tmp_path / "data", clock) as post:
        assert [kind for _, kind in kinds(post, "reminder:")] == [
            f"reminder:{rung}:{since}" for rung in ("half", "24h", "2h")
        ]
        assert len(kinds(post, "flag:")) == 2
        assert (await post.battles.get(battle)).clock(clock.now())["south"].flagged


# --- claims


async def test_a_claim_lets_the_flag_fall_if_nobody_saw_it_fall(post: Post) -> None:
    anna, bob, eve = [await post.player(name) for name in ("Anna", "Bob", "Eve")]
    live = await post.battle(anna, bob, "1d+1d")
    with refused("no-flag"):
        await claim(live, bob.id)
    post.clock.wait(2 * DAY_MS)
    with refused("not-seated"):
        await claim(live, eve.id)
    with refused("no-flag"):
        await claim(live, anna.id)
    assert await claim(live, bob.id) == "claim"
    assert (live.game.winner, live.game.how) == ("north", "time")
    assert sorted(kinds(post, "end")) == sorted([(anna.id, "end"), (bob.id, "end")])
    with refused("battle-ended"):
        await claim(live, bob.id)


async def test_who_is_out_of_time_himself_cannot_claim_though_nobody_saw_it(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    scenario = parse_toml(scenario_text("tts", "skirmish"), "skirmish")
    live = await post.battles.open("tts", scenario, "link", "1d+1d")
    await take_side(live, "south", anna)
    await take_side(live, "north", bob)  # both owe their share of the chance: both clocks run
    post.clock.wait(2 * DAY_MS)
    with refused("own-flag"):
        await claim(live, bob.id)


async def test_without_a_clock_there_is_nothing_to_claim(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "")
    for deed in (claim, pause, resume):
        with refused("no-clock"):
            await deed(live, bob.id)


async def test_a_battle_won_on_time_is_verified(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "1d+1d weekdays")
    await pause(live, anna.id)
    await pause(live, bob.id)
    await post.wait(DAY_MS)
    await resume(live, bob.id)
    await plan_vacation(post.battles, anna.id, "", "2026-11-26")
    await post.wait(9 * DAY_MS)
    await claim(live, bob.id)
    report = verify(export_battle(post.store, post.battles.keys, live.id))
    assert (report.exit, report.fault) == (0, None)
    events = [recorded.event for recorded in live.recording.timeline.events]
    whats = [event.what for event in events if isinstance(event, ClockFired)]
    assert whats == ["pause-asked", "pause", "pause-over", "vacation", "vacation-over", "deadline", "claim"]


async def lied(post: Post, table, change) -> str:
    """What `verify` names in a log that its own host has written otherwise, signatures and all."""
    events = [change(recorded) for recorded in table.recording.timeline.events]
    header = replace(table.recording.header, key=post.battles.keys.current.key)
    head = record.first_hash(record.encode_header(header))
    file, heads = [record.encode_header(header)], [head]
    for at, recorded in enumerate((event for event in events if event is not None), 1):
        event = recorded.event
        if (seen := getattr(event, "seen", UNSET)) is not UNSET:  # each order quotes a head: the lie changes that, too
            event = replace(event, seen=replace(seen, hash=heads[seen.n].hex()))
        line = record.encode(at, recorded.at, Fact(recorded.by, recorded.rule, event))
        head = record.next_hash(head, line)
        heads.append(head)
        file.append(record.splice_hash(line, head))
    origin = notes.origin(header.host, table.id)
    note = notes.sign_head(post.battles.keys.current, notes.Head(origin, len(heads) - 1, head))
    file.append(record.checkpoint_line(note))
    fault = verify(b"\n".join(file) + b"\n").fault
    return "" if fault is None else f"{fault.what}: {fault.sentence}"


async def test_a_flag_that_fell_too_early_is_named(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "1d+1d")
    await post.wait(2 * DAY_MS)
    await claim(live, bob.id)
    assert await lied(post, live, lambda recorded: recorded) == ""

    def early(recorded):
        return replace(recorded, at="2026-11-24T23:59:59.000Z") if recorded.type == "ClockFired" else recorded

    named = await lied(post, live, early)
    assert named.startswith("not-allowed: ")
    assert named.endswith("The time of South is not up: 1 second to go. [CORE-CLOCK]")
    unfallen = lambda recorded: None if getattr(recorded.event, "what", "") == "deadline" else recorded  # noqa: E731
    assert "Nothing says that the flag" in await lied(post, live, unfallen)

    def shorter(recorded):
        if recorded.n != 1:
            return recorded
        return replace(recorded, event=replace(recorded.event, pace="2d+1d"))

    assert "is not up: 86400 seconds" in await lied(post, live, shorter)

    def nonsense(recorded):
        return recorded if recorded.n != 1 else replace(recorded, event=replace(recorded.event, pace="24h+1d"))

    assert "is not a pace" in await lied(post, live, nonsense)

    def by_the_other(recorded):
        return replace(recorded, by="south") if getattr(recorded.event, "what", "") == "claim" else recorded

    assert (await lied(post, live, by_the_other)).startswith("other-author")


async def test_a_changed_byte_is_named_as_ever(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "1d+1d")
    await post.wait(2 * DAY_MS)
    await claim(live, bob.id)
    content = export_battle(post.store, post.battles.keys, live.id)
    place = content.index(b'"what":"deadline"')
    at = content.rindex(b'"at":"2026-11-25T', 0, place)
    report = verify(content[:at] + b'"at":"2026-11-26T' + content[at + 17 :])
    assert report.fault is not None
    assert report.fault.what == "wrong-hash"


# --- pauses


async def test_a_pause_is_asked_agreed_and_ended_by_letter(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "1d+1d")
    assert await pause(live, anna.id) == "pause-asked"
    with refused("pause-asked"):
        await pause(live, anna.id)
    assert await pause(live, bob.id) == "pause"
    await post.wait(60 * DAY_MS)
    assert not live.clock(post.clock.now())["south"].flagged
    assert await resume(live, bob.id) == "pause-over"
    with refused("not-paused"):
        await resume(live, anna.id)
    assert kinds(post, "pause:") == [
        (bob.id, "pause:asked:south"),
        (anna.id, "pause:agreed:north"),
        (anna.id, "pause:over:north"),
    ]
    await post.wait(3 * DAY_MS - 1)
    assert not live.clock(post.clock.now())["south"].flagged
    await post.wait(1)
    assert live.clock(post.clock.now())["south"].flagged


async def test_a_pause_lifts_a_flag_that_nobody_saw_fall(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "1d+1d")
    post.clock.wait(2 * DAY_MS)
    await pause(live, anna.id)
    await pause(live, bob.id)
    await resume(live, bob.id)
    await post.keeper.tick(post.clock.now())
    face = live.clock(post.clock.now())["south"]
    assert (face.flagged, face.left_s) == (False, 86400)


async def test_who_is_given_time_by_a_pause_is_reminded_again(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob, "3d+7d")
    await post.wait(11 * DAY_MS)
    assert live.clock(post.clock.now())["south"].flagged
    before = len(kinds(post, "reminder:"))
    await pause(live, anna.id)
    await pause(live, bob.id)
    await resume(live, bob.id)
    await post.wait(5 * DAY_MS)
    again = [kind for _, kind in kinds(post, "reminder:")][before:]
    assert [kind.split(":")[1] for kind in again] == ["half", "24h", "2h"]


async def test_a_bot_agrees_to_a_pause_at_once(post: Post) -> None:
    live = await post.opened(await post.player("Anna"), "1d+1d")
    await seat_bot(live, "north", "sensible", post.battles.entropy, Player("p1", "Anna"))
    assert await pause(live, live.recording.battle.seats["south"].player) == "pause"
    assert live.clock(post.clock.now())["south"].paused


# --- vacations


async def test_a_vacation_stops_the_clocks_of_all_battles_also_of_those_that_begin_meanwhile(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    first = await post.battle(anna, bob, "1d+1d")
    await plan_vacation(post.battles, anna.id, "2026-11-24", "2026-11-30")
    assert not first.clock(post.clock.now())["south"].away
    await post.wait(DAY_MS)
    second = await post.battle(bob, anna, "1d+1d")
    await post.wait(HOUR_MS)
    now = post.clock.now()
    assert (first.clock(now)["south"].away, second.clock(now)["north"].away) == (True, True)
    assert (first.clock(now)["north"].away, second.clock(now)["south"].away) == (False, False)
    await post.wait(7 * DAY_MS)
    now = post.clock.now()
    assert not first.clock(now)["south"].away
    assert first.clock(now)["south"].deadline == "2026-12-02T00:00:00.000Z"
    assert second.clock(now)["south"].flagged
    assert absences.open_of(post.store, anna.id) == []
    assert kinds(post, "absence:") == [
        (bob.id, "absence:begun:south"),
        (bob.id, "absence:begun:north"),
        (bob.id, "absence:over:south"),
        (bob.id, "absence:over:north"),
    ]


async def test_a_vacation_planned_in_time_holds_though_the_server_slept_through_its_beginning(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna, bob = await post.player("Anna"), await post.player("Bob")
        battle = (await post.battle(anna, bob, "1d+1d")).id
        await plan_vacation(post.battles, anna.id, "2026-11-24", "2026-12-05")
    clock.wait(5 * DAY_MS)
    async with posting(tmp_path / "data", clock) as post:
        await post.keeper.tick(clock.now())
        face = (await post.battles.get(battle)).clock(clock.now())["south"]
        assert (face.away, face.flagged, face.left_s) == (True, False, 86400)


async def test_who_was_out_of_time_before_his_vacation_is_flagged(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna, bob = await post.player("Anna"), await post.player("Bob")
        battle = (await post.battle(anna, bob, "1d+1d")).id
        await plan_vacation(post.battles, anna.id, "2026-11-26", "2026-12-05")
    clock.wait(5 * DAY_MS)
    async with posting(tmp_path / "data", clock) as post:
        await post.keeper.tick(clock.now())
        face = (await post.battles.get(battle)).clock(clock.now())["south"]
        assert (face.away, face.flagged) == (True, True)


async def test_nobody_claims_in_a_vacation_that_the_server_slept_through(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna, bob = await post.player("Anna"), await post.player("Bob")
        battle = (await post.battle(anna, bob, "1d+1d")).id
        await plan_vacation(post.battles, anna.id, "2026-11-24", "2026-12-05")
    clock.wait(5 * DAY_MS)
    async with posting(tmp_path / "data", clock) as post:
        live = await post.battles.get(battle)
        with refused("no-flag"):
            await claim(live, bob.id)  # before the timekeeper has looked
        face = live.clock(clock.now())["south"]
        assert (face.away, face.flagged) == (True, False)


async def test_a_vacation_that_the_server_slept_through_whole_saves_from_the_flag(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna, bob = await post.player("Anna"), await post.player("Bob")
        battle = (await post.battle(anna, bob, "1d+1d")).id
        await plan_vacation(post.battles, anna.id, "2026-11-24", "2026-11-26")
    clock.wait(5 * DAY_MS)
    async with posting(tmp_path / "data", clock) as post:
        await post.keeper.tick(clock.now())
        live = await post.battles.get(battle)
        face = live.clock(clock.now())["south"]
        assert (face.away, face.flagged, face.left_s) == (False, False, 86400)
        await post.wait(DAY_MS)
        assert live.clock(clock.now())["south"].flagged  # once
        report = verify(export_battle(post.store, post.battles.keys, battle))
        assert (report.fault, report.exit) == (None, WHILE_IT_RUNS)


async def test_coming_back_early_starts_the_clocks(post: Post) -> None:
    anna, bob = await post.player("Anna"), await post.player("Bob")
    live = await post.battle(anna, bob)
    planned = await plan_vacation(post.battles, anna.id, "now", "2026-12-01")
    assert planned.begins == START
    await post.wait(2 * DAY_MS)
    await end_vacation(post.battles, anna.id)
    await post.keeper.tick(post.clock.now())
    assert not live.clock(post.clock.now())["south"].away
    with refused("no-vacation"):
        await end_vacation(post.battles, anna.id)


async def test_a_planned_vacation_can_be_given_up_and_costs_nothing(post: Post) -> None:
    anna = await post.player("Anna")
    planned = await plan_vacation(post.battles, anna.id, "2026-12-01", "2026-12-14")
    with refused("no-vacation"):
        await end_vacation(post.battles, anna.id, planned.id + 1)
    await end_vacation(post.battles, anna.id, planned.id)
    assert vacations_of(post.battles, anna.id) == []
    again = await plan_vacation(post.battles, anna.id, "2026-12-01", "2026-12-14")
    assert (again.begins, again.ends) == ("2026-12-01T00:00:00.000Z", "2026-12-15T00:00:00.000Z")


@pytest.mark.parametrize(
    ("begins", "ends", "code"),
    [
        ("2026-12-01", "2026-12-15", "vacation-too-long"),
        ("2026-12-05", "2026-12-01", "bad-dates"),
        ("2026-11-01", "2026-11-10", "bad-dates"),
        ("2028-01-01", "2028-01-10", "bad-dates"),
        ("2026-02-30", "2027-01-10", "bad-dates"),
        ("tomorrow", "2026-12-01", "bad-dates"),
        ("2026-12-01", "", "bad-dates"),
        ("2026-13-01", "2026-12-01", "bad-dates"),
    ],
)
async def test_what_is_no_vacation_is_refused(post: Post, begins: str, ends: str, code: str) -> None:
    anna = await post.player("Anna")
    with refused(code):
        await plan_vacation(post.battles, anna.id, begins, ends)
    assert vacations_of(post.battles, anna.id) == []


async def test_thirty_days_a_year_are_the_most_and_a_day_lies_between_two(post: Post) -> None:
    anna = await post.player("Anna")
    await plan_vacation(post.battles, anna.id, "2027-01-01", "2027-01-14")
    with refused("vacation-overlaps"):
        await plan_vacation(post.battles, anna.id, "2027-01-10", "2027-01-20")
    with refused("vacation-overlaps"):
        await plan_vacation(post.battles, anna.id, "2027-01-15", "2027-01-20")
    for last in ("2026-12-31", "2027-01-01"):
        with refused("vacation-overlaps"):
            await plan_vacation(post.battles, anna.id, "2026-12-30", last)
    await plan_vacation(post.battles, anna.id, "2027-01-16", "2027-01-29")
    with refused("vacation-used-up") as refusal:
        await plan_vacation(post.battles, anna.id, "2027-03-01", "2027-03-03")
    assert refusal.value.params["left"] == 2
    await plan_vacation(post.battles, anna.id, "2027-03-01", "2027-03-02")
    await plan_vacation(post.battles, anna.id, "2026-12-20", "2026-12-29")  # another year


# --- after a start


async def test_only_battles_that_have_gone_on_are_read_after_a_start(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna, bob = await post.player("Anna"), await post.player("Bob")
        still, goes_on, new = [(await post.battle(anna, bob)).id for _ in range(3)]
        await post.opened(anna, "3d+7d")
        await post.keeper.tick(clock.now())
        planned = {battle: post.keeper._battles[battle].due for battle in (still, goes_on, new)}
        await post.order(goes_on, "south")
    async with posting(tmp_path / "data", clock) as post:
        await post.keeper.tick(clock.now())
        assert {live.id for live in post.battles.live()} == {goes_on}
        assert post.keeper._battles[still].due == planned[still]
        await post.wait(6 * DAY_MS)
        assert {kind for _, kind in kinds(post, "reminder:")} >= {f"reminder:half:{(await post.battles.get(still)).n}"}


@pytest.mark.parametrize("content", [b"", b"nothing"])
async def test_what_is_planned_is_found_again_without_the_file(tmp_path: Path, content: bytes) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna, bob = await post.player("Anna"), await post.player("Bob")
        battle = (await post.battle(anna, bob)).id
        await post.keeper.tick(clock.now())
        due = post.keeper._battles[battle].due
    path = tmp_path / "data" / "times.db"
    if content:
        with closing(sqlite3.connect(path)) as db:
            db.execute("UPDATE kept SET content=?", (content,))
            db.commit()
    else:
        path.unlink()
    async with posting(tmp_path / "data", clock) as post:
        await post.keeper.tick(clock.now())
        assert post.keeper._battles[battle].due == due


async def test_a_battle_that_is_over_is_not_kept(tmp_path: Path) -> None:
    clock = ManualClock()
    async with posting(tmp_path / "data", clock) as post:
        anna, bob = await post.player("Anna"), await post.player("Bob")
        battle = (await post.battle(anna, bob)).id
        await post.keeper.tick(clock.now())
        await post.order(battle, "south", "resign")
        await post.keeper.tick(clock.now())
    with closing(sqlite3.connect(tmp_path / "data" / "times.db")) as db:
        assert db.execute("SELECT battle FROM kept").fetchall() == []
