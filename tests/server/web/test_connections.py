"""How many connections a stranger may hold, and how long one may stand idle."""

import asyncio
import errno
import logging
from pathlib import Path

import pytest

from server.limits import Limits
from server.web.connections import STALLED_S, Connection, Connections, quiet_about_files, quiet_about_requests
from server.web.networks import HOUSEHOLD_TIMES, counted_as, counted_in, is_within
from server.web.places import Doing
from tests.support.raw_http import Listening, listening, until_closed
from tests.support.waiting import LIMIT_S, eventually

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n", HEALTH])
async def test_a_connection_without_a_request_is_closed(tmp_path: Path, begun: bytes) -> None:
    idle_s = 1.0 if begun == HEALTH else 0.1  # a request has come by then, on a busy machine, too
    async with listening(tmp_path / "data", limits=Limits(idle_s=idle_s)) as server:
        answer = await server.say(begun)
        assert answer.startswith(b"HTTP/1.1 200") == (begun == HEALTH)
        await eventually("the connections", lambda: len(server.connections) == 0)


async def test_a_connection_that_waits_for_its_answer_is_not_idle(tmp_path: Path) -> None:
    async with listening(tmp_path / "data", limits=Limits(idle_s=0.5, body_s=LIMIT_S)) as server:
        _, writer = await server.connect()
        writer.write(
            b"POST /battles HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na="
        )
        await eventually("the request", lambda: server.connections.busy == 1)
        await asyncio.sleep(1.0)
        assert len(server.connections) == 1


async def busy(server: Listening) -> asyncio.StreamWriter:
    """A connection whose request is being answered: its body does not come."""
    _, writer = await server.connect()
    before = server.connections.busy
    writer.write(
        b"POST /battles HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na="
    )
    await eventually("the request", lambda: server.connections.busy == before + 1)
    return writer


LEARN = b"GET /learn HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


async def test_half_a_request_gives_way_to_a_whole_one(tmp_path: Path) -> None:
    limits = Limits(connections=3, idle_s=LIMIT_S, body_s=LIMIT_S)
    async with listening(tmp_path / "data", limits=limits) as server:
        at_work, held = await busy(server), []
        for _ in range(250):
            reader, writer = await server.connect()
            writer.write(b"GET / HT")
            held.append(reader)
        for _ in range(20):
            assert (await server.say(LEARN)).startswith(b"HTTP/1.1 200")
        assert len(server.connections.places) <= 3
        assert server.connections.places.gave_way[Doing.NEW] >= 247
        assert all(
            [await asyncio.wait_for(until_closed(reader), LIMIT_S) == b"" for reader in held[:200]]
        )  # oldest first
        assert server.connections.busy == 1 and not at_work.is_closing()


async def test_where_all_are_at_work_a_newcomer_is_refused_but_may_ask_how_the_server_does(tmp_path: Path) -> None:
    async with listening(tmp_path / "data", limits=Limits(connections=2, body_s=LIMIT_S)) as server:
        first, _ = await busy(server), await busy(server)
        assert (await server.say(LEARN)).startswith(b"HTTP/1.1 503")
        for path in (b"healthz", b"readyz"):
            reader, writer = await server.connect()
            for part in (b"GET /", path[:3], path[3:], b" HTTP/1.1\r\nHost: x\r\n\r\n"):
                writer.write(part)
                await asyncio.sleep(0)
            assert (await asyncio.wait_for(reader.readline(), LIMIT_S)).startswith(b"HTTP/1.1 200")
        assert (await server.say(b"GET /healthzz HTTP/1.1\r\n")).startswith(b"HTTP/1.1 503")
        assert server.connections.places.refused == {"server": 4}
        first.close()
        await eventually("the place", lambda: len(server.connections.places) == 1)
        assert (await server.say(LEARN)).startswith(b"HTTP/1.1 200")


async def test_who_says_nothing_keeps_no_place_for_that_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.web.connections.MOST_PROBES", 2)
    monkeypatch.setattr("server.web.connections.PROBE_S", LIMIT_S)
    async with listening(tmp_path / "data", limits=Limits(connections=1, body_s=LIMIT_S)) as server:
        await busy(server)
        silent = [await server.connect() for _ in range(5)]
        reader, writer = await server.connect()
        writer.write(HEALTH)
        assert (await asyncio.wait_for(reader.readline(), LIMIT_S)).startswith(b"HTTP/1.1 200")
        assert (await asyncio.wait_for(silent[0][0].readline(), LIMIT_S)).startswith(b"HTTP/1.1 503")


async def test_one_address_may_not_take_all_connections(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=2, body_s=LIMIT_S)
    async with listening(tmp_path / "data", limits=limits) as server:
        await busy(server)
        await busy(server)
        assert (await server.say(LEARN)).startswith(b"HTTP/1.1 503")
        assert server.connections.places.refused == {"address": 1}


async def test_a_trusted_proxy_holds_as_many_as_there_are(tmp_path: Path) -> None:
    limits = Limits(connections_per_address=1)
    async with listening(tmp_path / "data", limits=limits, trusted_proxies=("127.0.0.0/8",)) as server:
        for _ in range(3):
            await server.connect()
        await eventually("the connections", lambda: len(server.connections) == 3)


def test_addresses_are_counted_by_what_one_subscriber_has() -> None:
    assert counted_as("2001:db8:1:2::5") == counted_as("2001:db8:1:2:ffff::1")
    assert counted_as("2001:db8:1:2::5") != counted_as("2001:db8:1:3::5")
    assert counted_as("::ffff:192.0.2.7") == counted_as("192.0.2.7") == "192.0.2.7"
    assert counted_as("") == ""
    assert counted_in("2001:db8:1:2::5") == (("2001:db8:1:2::/64", 1), ("2001:db8:1::/56", HOUSEHOLD_TIMES))
    assert counted_in("192.0.2.7") == (("192.0.2.7", 1),)
    assert counted_in("") == ()


def test_networks_hold_addresses() -> None:
    assert is_within("192.0.2.7", ("192.0.2.0/24",))
    assert is_within("::ffff:192.0.2.7", ("192.0.2.7",))
    assert not is_within("192.0.3.7", ("192.0.2.0/24", "::1"))
    assert not is_within("nonsense", ("192.0.2.0/24",))


async def test_a_lack_of_open_files_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.get_running_loop()
    quiet_about_files(loop)
    for _ in range(100):
        loop.call_exception_handler({"message": "accept", "exception": OSError(errno.EMFILE, "Too many open files")})
    said = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in said] == ["no connection can be taken: Too many open files"]
    assert not said[0].exc_info
    loop.set_exception_handler(None)


# --- clients that read nothing


class SlowReader:
    """A transport whose client takes what it likes."""

    def __init__(self) -> None:
        self.unsent = 0
        self.is_open = True

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def abort(self) -> None:
        self.is_open = False


async def test_who_reads_nothing_of_what_is_sent_is_hung_up_on() -> None:
    client, now = SlowReader(), asyncio.get_running_loop().time()
    connection = Connection(Connections(Limits()), lambda: None)  # type: ignore[arg-type, return-value]
    connection._transport = client  # type: ignore[assignment]
    for after_s, unsent in ((0.0, 0), (50.0, 5_000), (100.0, 4_000), (150.0, 4_000), (159.0, 3_999), (218.0, 4_200)):
        client.unsent = unsent
        connection.close_if_stalled(now + after_s)
        assert client.is_open, after_s
    connection.close_if_stalled(now + 159.0 + STALLED_S + 1.0)
    assert not client.is_open


async def test_an_answer_that_nobody_reads_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.connections.STALLED_S", 0.1)
    async with listening(tmp_path / "data", limits=Limits(idle_s=0.2)) as server:
        _, writer = await server.connect()
        writer.write(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 200)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await eventually("the connection is closed", lambda: len(server.connections) == 0)


# --- requests that cannot be read


async def test_a_request_that_cannot_be_read_is_one_line_of_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    quiet_about_requests()
    async with listening(tmp_path / "data") as server:
        with caplog.at_level(logging.INFO):
            answer = await server.say(b"GET /login/a-secret-token HTTP/1.1\nHost: x\n\n")
        assert answer.split(b" ", 2)[1] == b"400"
        (said,) = [record for record in caplog.records if record.name == "aiohttp.server"]
        assert (said.levelno, said.getMessage(), said.exc_info) == (logging.INFO, "a request cannot be read", None)
        assert "a-secret-token" not in repr(vars(said))
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            await server.say(b"GET / HTTP/1.1\nHost: x\n\n")
        assert not caplog.records
