"""What no client would send gets a clear refusal: never a fault, and never a traceback in the log."""

import logging
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest

from server.limits import Limits
from server.web import bodies
from server.web.auth import COOKIE
from tests.support.raw_http import Listening, listening
from tests.support.serving import BATTLES, RunningServer
from tests.support.waiting import eventually

FORM = b"Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"
LONG = "0" * 20 + "9" * 5000


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


# --- headers and addresses


async def test_a_token_of_bytes_that_are_no_text_is_unknown(tmp_path: Path) -> None:
    async with listening(tmp_path / "data") as server:
        asked = b"GET /api/v1/battles HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%b\r\n\r\n"
        assert status_of(await server.say(asked % b"Authorization: Bearer \xff")) == 401


async def test_a_session_of_bytes_that_are_no_text_is_a_stranger_s(tmp_path: Path) -> None:
    async with listening(tmp_path / "data") as server:
        cookie = b"Cookie: " + COOKIE.encode() + b"=\xff"
        assert (
            status_of(await server.say(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + cookie + b"\r\n\r\n"))
            == 200
        )


@pytest.mark.parametrize("number", [LONG, "0" * 20 + "9" * 25, "9" * 17, "-1", "٣"])
async def test_a_number_that_is_none_is_refused(server: RunningServer, number: str) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    for path in (
        f"{BATTLES}?limit={number}",
        f"{BATTLES}/{battle}/events?after={number}",
        f"{BATTLES}/{battle}/stream?after={number}",
        f"{BATTLES}/{battle}/board?n={number}",
        f"/battles/{battle}?n={number}",
    ):
        reply = await server.stranger.get(path)
        assert (reply.status, reply.code) == (400, "core.bad-query"), path


async def test_an_origin_that_is_no_address_is_another_site(server: RunningServer) -> None:
    reply = await server.stranger.ask("POST", "/battles", {"Origin": "http://["}, data={"name": "Anna"})
    assert (reply.status, reply.code) == (403, "core.cross-site")


# --- bodies


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
async def test_a_body_that_is_said_to_be_compressed_is_refused(server: RunningServer, encoding: str) -> None:
    anna = await server.player("Anna")
    headers = {"Content-Encoding": encoding, "Content-Type": "application/json"}
    reply = await anna.ask("POST", BATTLES, headers, data=b"not compressed at all")
    assert (reply.status, reply.code) == (415, "core.bad-encoding")


async def gone_in_the_middle(server: Listening, head: bytes, caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log says of a client that goes away in the middle of its body."""
    _, writer = await server.connect()
    writer.write(b"POST /battles HTTP/1.1\r\nHost: x\r\n" + head)
    await writer.drain()
    await eventually("the request", lambda: server.connections.busy == 1)
    writer.transport.abort()
    await eventually("the connections", lambda: len(server.connections) == 0)
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("framing", [b"Content-Length: 100\r\n\r\na=", b"Transfer-Encoding: chunked\r\n\r\n4\r\na="])
async def test_a_client_that_goes_away_in_its_body_is_no_fault(
    tmp_path: Path, framing: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with listening(tmp_path / "data") as server:
        assert await gone_in_the_middle(server, FORM + framing, caplog) == []
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_client_that_goes_before_its_request_is_begun_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by the simulator: the framework says `RuntimeError` then, which looked like a fault of ours."""
    monkeypatch.setattr(bodies, "server_of", Mock())
    request = Mock(headers={}, transport=None, read=AsyncMock(side_effect=RuntimeError("Connection closed.")))
    with pytest.raises(ConnectionResetError):
        await bodies.bytes_of(request)
    request.transport = object()
    with pytest.raises(RuntimeError):
        await bodies.bytes_of(request)


async def test_a_body_that_does_not_come_is_given_up(tmp_path: Path) -> None:
    async with listening(tmp_path / "data", limits=Limits(body_s=0.05)) as server:
        answer = await server.say(b"POST /battles HTTP/1.1\r\nHost: x\r\n" + FORM + b"Content-Length: 100\r\n\r\na=")
    assert status_of(answer) == 408
    assert b"core.too-slow" in answer


@pytest.mark.parametrize("charset", ["punycode", "utf-16", "idna", "no-such-charset"])
async def test_the_charset_of_a_form_is_not_the_senders_choice(server: RunningServer, charset: str) -> None:
    """Python's decoder of punycode takes the square of its length: seconds for the largest body."""
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": f"application/x-www-form-urlencoded; charset={charset}"}
    form = b"scenario=tts%2Fcannae&side=north&name=%C3%89ve-Marie"
    reply = await server.client.post("/battles", data=form, headers=headers, allow_redirects=False)
    assert reply.status == 303, await reply.text()
    view = await server.stranger.get(f"/api/v1{reply.headers['Location']}")
    assert view.json["seats"]["north"]["name"] == "\N{LATIN CAPITAL LETTER E WITH ACUTE}ve-Marie"


MULTIPART = b"--x\r\nContent-Disposition: form-data; name=%b\r\n\r\n%b\r\n--x--\r\n"


@pytest.mark.parametrize(
    ("media", "content"),
    [
        ("multipart/form-data; boundary=x", MULTIPART % (b"_charset_", b"rot13") * 2),
        ("multipart/form-data; boundary=x", b"--x\r\n" + b"X: y\r\n" * 20_000 + b"\r\nwords\r\n--x--\r\n"),
        ("application/json", b"{}"),
        ("application/x-www-form-urlencoded", b"name=%FF"),
        ("application/x-www-form-urlencoded", b"name=\xff"),
        ("application/x-www-form-urlencoded", b"a=1&" * 1000),
    ],
)
async def test_what_is_no_form_of_ours_is_refused(server: RunningServer, media: str, content: bytes) -> None:
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": media}
    reply = await server.stranger.ask("POST", "/battles", headers, data=content)
    assert (reply.status, reply.code) == (422, "core.bad-request")


# --- what an answer gives away


async def test_no_answer_names_versions_or_lets_a_browser_run_anything(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    for path, accept in (
        (f"{BATTLES}/{battle}/board", "image/svg+xml"),
        (f"{BATTLES}/{battle}", "application/json"),
        (f"{BATTLES}/none", "application/json"),
    ):
        headers = (await server.stranger.get(path, {"Accept": accept})).headers
        assert headers["Server"] == "phalera"
        assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert headers["X-Content-Type-Options"] == "nosniff"


async def test_nor_does_the_answer_to_what_cannot_be_read(tmp_path: Path) -> None:
    async with listening(tmp_path / "data") as server:
        answer = await server.say(b"GET / HTTP/1.1\nHost: x\n\n")
    assert status_of(answer) == 400
    assert b"Server: phalera\r\n" in answer and b"aiohttp" not in answer
