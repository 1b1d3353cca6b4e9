"""From header version 3 on a seat with a key signs what its player does beside orders, and the file holds."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, text_of
from domain.log import record
from domain.run.signed_lines import is_bare
from domain.time.clock import fired
from replay.proof.verify import Report, verify
from tests.server.play.test_signed_seats import KEY, OTHER_KEY, SIGNER, send, signature
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, PHRASE, Caller, Reply, RunningServer, serving

SEVEN = {"days": 7}


class Time:
    """The clock of the server of a test, and the server."""

    def __init__(self, server: RunningServer, clock: ManualClock) -> None:
        self.server, self.clock = server, clock

    async def wait(self, days: int) -> None:
        """So many days pass."""
        self.clock.wait(days=days)
        await self.server.running.timekeeper.tick(self.clock.now())


@pytest.fixture
async def time(tmp_path: Path) -> AsyncIterator[Time]:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock, opens=record.PBEM_2_1) as server:
        yield Time(server, clock)


async def word(caller: Caller, battle: str, serial: int, text: str, **more: Any) -> dict[str, Any]:
    """What a program sends of its player's word."""
    seen = await caller.head(battle)
    return {"seen": seen, "signature": signature(battle, seen, serial, b"", text, **more)}


async def act(caller: Caller, battle: str, do: str, serial: int, text: str, **more: Any) -> Reply:
    body = {"do": do, **more, **(await word(caller, battle, serial, text) if serial else {})}
    return await caller.post(f"{BATTLES}/{battle}/clock", body)


async def joined(server: RunningServer, pace: str = "2d+1d") -> tuple[Caller, Caller, str]:
    """The south has a key and has joined with it, serial 1."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open(pace=pace)
    assert (await anna.sit(battle, "south", signer=SIGNER, **await word(anna, battle, 1, "join Anna"))).status == 201
    return anna, bob, battle


async def playing(server: RunningServer, pace: str = "2d+1d") -> tuple[Caller, Caller, str]:
    """The battle has begun, and both have contributed; the south has come to serial 2."""
    anna, bob, battle = await joined(server, pace)
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
    assert (await send(anna, battle, [], 2)).status == 200
    return anna, bob, battle


async def reported(server: RunningServer, battle: str) -> Report:
    report = verify(await server.stranger.export(battle))
    assert report.fault is None, report.fault
    return report


async def last(server: RunningServer, battle: str) -> Any:
    live = await server.running.battles.get(battle)
    return live.recording.timeline.events[-1].event


@pytest.mark.parametrize(
    ("text", "serial", "key", "code"),
    [
        ("join Bob", 1, KEY, "core.bad-signature"),
        ("join Anna", 2, KEY, "core.stale-serial"),
        ("join Anna", 1, OTHER_KEY, "core.bad-signature"),
        ("", 0, KEY, "core.signature-missing"),
    ],
)
async def test_a_side_is_taken_with_a_key_by_its_signature(
    time: Time, text: str, serial: int, key: Any, code: str
) -> None:
    anna = await time.server.player("Anna")
    battle = await anna.open()
    said = await word(anna, battle, serial, text, key=key) if serial else {}
    assert (await anna.sit(battle, "south", signer=SIGNER, **said)).code == code
    assert not (await anna.view(battle))["seats"]


async def test_a_signed_side_is_given_back_by_its_signature_alone_and_taken_again_with_the_next_serial(
    time: Time,
) -> None:
    anna, _, battle = await joined(time.server)
    side = f"{BATTLES}/{battle}/sides/south"
    assert (await anna.ask("DELETE", side)).code == "core.signature-missing"
    stale = await anna.post(f"{side}/leave", await word(anna, battle, 1, "leave"))
    assert (stale.code, stale.json["params"]["next"]) == ("core.stale-serial", 2)
    assert (await anna.post(f"{side}/leave", await word(anna, battle, 2, "claim"))).code == "core.bad-signature"
    assert (await anna.post(f"{side}/leave", await word(anna, battle, 2, "leave"))).status == 200
    again = {"signer": SIGNER, **await word(anna, battle, 1, "join Anna")}
    assert (await anna.sit(battle, "south", **again)).code == "core.stale-serial"
    again = {"signer": SIGNER, **await word(anna, battle, 3, "join Anna")}
    assert (await anna.sit(battle, "south", **again)).status == 201
    assert (await anna.view(battle))["seats"]["south"]["serial"] == 3


async def test_a_claim_is_signed_and_the_flag_is_listed_as_the_hosts_clock(time: Time) -> None:
    anna, _bob, battle = await playing(time.server)
    assert (await send(anna, battle, ["end turn"], 3)).status == 200
    await time.wait(days=4)
    assert (await act(anna, battle, "claim", 0, "")).code == "core.signature-missing"
    assert (await act(anna, battle, "claim", 4, "leave")).code == "core.bad-signature"
    assert (await act(anna, battle, "claim", 3, "claim")).code == "core.stale-serial"
    assert (await act(anna, battle, "claim", 4, "claim")).status == 200
    report = await reported(time.server, battle)
    assert [(one.what, one.authority) for one in report.listed] == [("clock-deadline", "clock"), ("own-claim", "own")]
    assert report.ended


async def test_a_pause_of_some_days_is_asked_for_by_a_signed_line_and_ends_by_itself(time: Time) -> None:
    anna, bob, battle = await playing(time.server)
    assert (await act(anna, battle, "pause", 3, "pause 7d")).code == "core.bad-clock-line"
    assert (await act(anna, battle, "pause", 3, "pause 8d", **SEVEN)).code == "core.bad-signature"
    assert (await act(anna, battle, "pause", 3, "pause 7d", **SEVEN)).status == 200
    assert (await act(bob, battle, "pause", 0, "")).status == 200
    await time.wait(days=6)
    assert (await anna.view(battle))["clocks"]["south"]["paused"]
    await time.wait(days=1)
    assert not (await anna.view(battle))["clocks"]["south"]["paused"]
    told = [(one.what, one.authority) for one in (await reported(time.server, battle)).listed]
    assert told == [("own-pause-asked", "own"), ("clock-pause", "host"), ("clock-pause-over", "host")]


async def test_a_signed_seat_agrees_to_a_pause_by_its_signature(time: Time) -> None:
    anna, bob, battle = await playing(time.server)
    assert (await act(bob, battle, "pause", 0, "")).status == 200
    assert (await act(anna, battle, "pause", 0, "")).code == "core.signature-missing"
    assert (await act(anna, battle, "pause", 3, "pause accept")).status == 200
    assert (await reported(time.server, battle)).listed[-1].what == "own-pause"


async def test_the_clock_of_a_signed_seat_stands_for_a_vacation_that_its_player_has_signed(time: Time) -> None:
    anna, _, battle = await playing(time.server)
    begins, ends = (text_of(time.clock.moment + days * DAY_MS) for days in (1, 5))
    span, line = {"begins": begins, "ends": ends}, f"vacation {begins} {ends}"
    assert (await act(anna, battle, "vacation", 3, line, **span)).code == "core.no-vacation"
    assert (await anna.post("/api/v1/vacations", span)).status == 201
    assert (await act(anna, battle, "vacation", 3, line, **span)).status == 200
    assert (await act(anna, battle, "vacation", 4, line, **span)).code == "core.already-away"
    await time.wait(days=3)
    shown = (await anna.view(battle))["clocks"]["south"]
    assert (shown["away"], shown["left_s"]) == (True, 2 * 86400)
    await time.wait(days=3)
    shown = (await anna.view(battle))["clocks"]["south"]
    assert (shown["away"], shown["left_s"]) == (False, 86400)
    await time.wait(days=1)
    told = [(one.what, one.authority) for one in (await reported(time.server, battle)).listed]
    assert told == [("own-vacation", "own"), ("clock-deadline", "clock")]


async def test_a_vacation_that_is_over_is_not_signed_any_more(time: Time) -> None:
    _, _, battle = await playing(time.server)
    held, now = (await time.server.running.battles.get(battle)).recording, time.clock.moment
    line = f"vacation {text_of(now - 5 * DAY_MS)} {text_of(now - DAY_MS)}"
    with pytest.raises(Refusal) as refused:
        fired(held.clocks, held.ruleset, held.battle, "vacation", "south", text_of(now), line)
    assert refused.value.code == "core.vacation-passed"


async def test_a_vacation_that_its_player_has_not_signed_stops_no_clock_of_a_signed_seat(time: Time) -> None:
    anna, _, battle = await playing(time.server)
    span = {"begins": text_of(time.clock.moment), "ends": text_of(time.clock.moment + 5 * DAY_MS)}
    assert (await anna.post("/api/v1/vacations", span)).status == 201
    await time.wait(days=4)
    assert (await anna.view(battle))["clocks"]["south"]["flagged"]
    assert [one.what for one in (await reported(time.server, battle)).listed] == ["clock-deadline"]


async def test_a_plain_seat_goes_on_without_signatures(time: Time) -> None:
    _, bob, battle = await playing(time.server)
    assert (await act(bob, battle, "pause", 1, "pause 7d")).code == "core.not-signed-here"
    assert (await act(bob, battle, "pause", 0, "", **SEVEN)).code == "core.bad-clock-line"
    assert (await act(bob, battle, "pause", 0, "")).status == 200
    assert is_bare(await last(time.server, battle))
    await reported(time.server, battle)
