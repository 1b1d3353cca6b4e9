"""All battles of an account on one stream: its own alone, and again from where it was."""

import json
from pathlib import Path
from typing import Any

import pytest

from server.web.api import account_stream
from tests.support.serving import RunningServer, serving

STREAM = "/api/v1/account/stream"


async def told(response: Any, count: int) -> list[tuple[int, str, int]]:
    """The next events of a stream: id, battle and number."""
    found: list[tuple[int, str, int]] = []
    position = 0
    while len(found) < count:
        line = (await response.content.readline()).decode().rstrip("\n")
        if line.startswith("id: "):
            position = int(line[4:])
        elif line.startswith("data: "):
            data = json.loads(line[6:])
            found.append((position, data["battle"], data["event"]["n"]))
    return found


async def test_all_one_s_battles_come_on_one_stream_and_nobody_else_s(server: RunningServer) -> None:
    anna, bob, cleo = [await server.player(name) for name in ("Anna", "Bob", "Cleo")]
    one, other = await server.battle(anna, bob), await server.battle(anna, cleo, readers="players")
    async with (
        server.client.get(STREAM, headers=anna.headers) as hers,
        server.client.get(STREAM, headers=bob.headers) as his,
    ):
        given = {battle: (await anna.order(battle, "end turn")).json["lines"][0]["events"] for battle in (other, one)}
        wanted = [(battle, event["n"]) for battle, events in given.items() for event in events]
        shown = await told(hers, len(wanted))
        assert [row[1:] for row in shown] == wanted
        assert [battle for _, battle, _ in await told(his, len(given[one]))] == [one] * len(given[one])


async def test_a_stream_goes_on_after_the_last_event_seen(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    n = (await anna.head(battle))["n"]
    async with server.client.get(STREAM, headers={**anna.headers, "Last-Event-ID": "0"}) as response:
        whole = await told(response, n)
    assert [number for _, _, number in whole] == list(range(1, n + 1))
    again = {**anna.headers, "Last-Event-ID": str(whole[2][0])}
    async with server.client.get(STREAM, headers=again) as response:
        assert await told(response, n - 3) == whole[3:]


async def test_an_event_is_told_as_the_battle_tells_it(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    async with server.client.get(STREAM, headers={**anna.headers, "Last-Event-ID": "0"}) as response:
        assert await response.content.readuntil(b"\n\n") == b": after 0\n\n"
        first = json.loads((await response.content.readuntil(b"\n\n")).partition(b"data: ")[2])
    async with server.client.get(f"/api/v1/battles/{battle}/stream?after=0", headers=anna.headers) as response:
        assert await response.content.readuntil(b"\n\n") == b": after 0\n\n"
        told_there = json.loads((await response.content.readuntil(b"\n\n")).partition(b"data: ")[2])
    assert first == {"battle": battle, "event": told_there}


async def test_who_has_missed_too_much_is_told_so(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_stream, "MOST_BEHIND", 2)
    anna, bob = await server.player("Anna"), await server.player("Bob")
    n = (await anna.head(await server.battle(anna, bob)))["n"]
    async with server.client.get(STREAM, headers={**anna.headers, "Last-Event-ID": "0"}) as response:
        assert await response.content.readuntil(b"\n\n") == b": after 0\n\n"
        assert await response.content.readuntil(b"\n\n") == account_stream.MISSED
        assert [number for _, _, number in await told(response, 2)] == [n - 1, n]


async def test_a_stranger_and_a_bad_place_are_refused(server: RunningServer) -> None:
    assert (await server.stranger.get(STREAM)).status == 401
    anna = await server.player("Anna")
    assert (await anna.get(STREAM, {"Last-Event-ID": "x"})).code == "core.bad-query"


async def test_a_stream_ends_with_the_token_and_leaves_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, heartbeat_s=3600) as server:
        anna = await server.player("Anna")
        before = len(server.running.battles.listeners)
        async with server.client.get(STREAM, headers=anna.headers) as response:
            assert len(server.running.battles.listeners) == before + 1
            assert (await anna.ask("DELETE", "/api/v1/access")).status in (200, 204)
            await response.content.read()
        assert len(server.running.battles.listeners) == before
