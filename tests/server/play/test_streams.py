"""A stream shows every event once, resumes where it was, and lets the server stop."""

from pathlib import Path
from typing import Any

import pytest

from domain.basics.data import parse_toml, scenario_text
from domain.run.seats import Seat
from server.web import keys
from server.web.api.streams import EventStream
from server.web.keys import SERVER, STREAMS
from tests.support.raw_http import listening
from tests.support.serving import BATTLES, RunningServer, serving
from tests.support.waiting import eventually


async def frames(response: Any, count: int) -> list[tuple[int, str]]:
    """The next events of a stream: (id, data)."""
    found: list[tuple[int, str]] = []
    number = 0
    while len(found) < count:
        line = (await response.content.readline()).decode().rstrip("\n")
        if line.startswith("id: "):
            number = int(line[4:])
        elif line.startswith("data: "):
            found.append((number, line[6:]))
    return found


async def a_battle(server: RunningServer) -> tuple[Any, str]:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    return anna, await server.battle(anna, bob)


async def test_a_stream_shows_events_as_they_happen(server: RunningServer) -> None:
    anna, battle = await a_battle(server)
    async with server.client.get(f"{BATTLES}/{battle}/stream") as response:
        assert response.content_type == "text/event-stream"
        reply = await anna.order(battle, "end turn")
        events = reply.json["lines"][0]["events"]
        shown = await frames(response, len(events))
    assert [n for n, _ in shown] == [event["n"] for event in events]
    log = (await server.stranger.get(f"{BATTLES}/{battle}/events")).text.splitlines()
    assert [data for _, data in shown] == log[-len(events) :]


async def test_a_stream_goes_on_after_the_last_event_seen(server: RunningServer) -> None:
    _, battle = await a_battle(server)
    for headers, query in (({"Last-Event-ID": "3"}, ""), ({}, "?after=3")):
        async with server.client.get(f"{BATTLES}/{battle}/stream{query}", headers=headers) as response:
            assert [n for n, _ in await frames(response, 4)] == [4, 5, 6, 7]
    reply = await server.stranger.get(f"{BATTLES}/{battle}/stream", {"Last-Event-ID": "x"})
    assert (reply.status, reply.code) == (400, "core.bad-query")


@pytest.mark.slow
async def test_a_long_stream_comes_from_the_store(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        anna, battle = await a_battle(server)
        for _ in range(90):
            assert (await anna.order(battle, "standing evade R6 never")).status == 200
        async with server.client.get(f"{BATTLES}/{battle}/stream", headers={"Last-Event-ID": "0"}) as response:
            assert [n for n, _ in await frames(response, 185)] == list(range(1, 186))


async def test_a_quiet_stream_is_kept_open(tmp_path: Path) -> None:
    async with serving(tmp_path, heartbeat_s=0.05) as server:
        _, battle = await a_battle(server)
        async with server.client.get(f"{BATTLES}/{battle}/stream") as response:
            read = b""
            while read.count(b"still here") < 2:
                read += await response.content.readany()


async def test_open_streams_do_not_hold_a_stop_up(tmp_path: Path) -> None:
    async with serving(tmp_path, heartbeat_s=3600) as server:
        _, battle = await a_battle(server)
        responses = [await server.client.get(f"{BATTLES}/{battle}/stream") for _ in range(5)]
        assert len(server.app[STREAMS].bells) == 5
        await server.client.server.close()  # comes back although nobody has closed a stream
        for response in responses:
            await response.content.read()  # ended in order: of one cut off this would raise


async def test_a_stream_that_is_left_is_forgotten(server: RunningServer) -> None:
    anna, battle = await a_battle(server)
    response = await server.client.get(f"{BATTLES}/{battle}/stream")
    live = await server.running.battles.get(battle)
    assert live.listeners
    response.close()

    async def forgotten() -> bool:
        await anna.order(battle, "standing evade R6 never")
        return not live.listeners

    await eventually("nobody listens", forgotten)


async def test_all_who_watch_read_the_same_each_event_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "SENT_IN_A_ROW", 5)
    async with serving(tmp_path) as server:
        anna, battle = await a_battle(server)
        n = (await anna.head(battle))["n"]
        many = [await server.client.get(f"{BATTLES}/{battle}/stream") for _ in range(12)]
        orders = ("standing evade R6 never", "standing evade R6 always", "end turn")
        last = max([(await anna.order(battle, order)).json["n"] for order in orders])
        told = [await frames(response, last - n) for response in many]
        assert [at for at, _ in told[0]] == list(range(n + 1, last + 1))
        assert all(one == told[0] for one in told)
        for response in many:
            response.close()


async def test_who_does_not_speak_of_chunks_is_sent_none(tmp_path: Path) -> None:
    async with listening(tmp_path) as server:
        scenario = parse_toml(scenario_text("tts", "skirmish"), "skirmish")
        live = await server.app[SERVER].battles.open("tts", scenario, "public")
        reader, writer = await server.connect()
        writer.write(f"GET {BATTLES}/{live.id}/stream HTTP/1.0\r\nHost: x\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"chunked" not in head.lower()
        assert await reader.readuntil(b"\n\n") == b": after %d\n\n" % live.n
        before = live.n
        async with live.lock:
            await live.append(lambda recording, at: recording.join(Seat("south", "p" * 16, "Anna"), {}, at))
        assert (await reader.readuntil(b"\n\n")).startswith(b"id: %d\ndata: {" % (before + 1))


async def test_a_slow_reader_is_waited_for_and_misses_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        anna, battle = await a_battle(server)
        n = (await anna.head(battle))["n"]
        live = await server.running.battles.get(battle)
        async with server.client.get(f"{BATTLES}/{battle}/stream") as response:
            (stream,) = (
                found for one in live.listeners if isinstance(found := getattr(one, "__self__", None), EventStream)
            )
            await eventually("the stream waits", lambda: stream._transport is not None)
            stream._transport = Full()  # type: ignore[assignment]
            await anna.order(battle, "end turn")
            shown = await frames(response, live.n - n)
        assert [at for at, _ in shown] == list(range(n + 1, live.n + 1))


class Full:
    """A connection that still has something to send."""

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 1

    def write(self, content: bytes) -> None:
        raise AssertionError("it was written to")
