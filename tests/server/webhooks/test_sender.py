"""A body goes to the address that was checked, and little of the answer is read."""

import asyncio
import ssl
from collections.abc import Sequence
from pathlib import Path

import pytest
from aiohttp import web

from server.webhooks.sender import MOST_READ, HookSender, NetPlace
from tests.support.receiving import HOST, certified, never, receiving

URL = f"https://{HOST}/in?room=1"
NEAR, INSIDE = "127.0.0.2", "127.0.0.3"
"""An address that stands for the public Internet, and one that stands for what is behind it."""


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    return certified(tmp_path_factory.mktemp("tls"))


class Names:
    """A name server that gives one answer after another, the last for ever."""

    def __init__(self, *answers: Sequence[NetPlace]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    async def __call__(self, host: str, port: int) -> Sequence[NetPlace]:
        self.asked.append((host, port))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def sender_of(names: Names, trusted: ssl.SSLContext, timeout_s: float = 10.0) -> HookSender:
    """A sender for whom the addresses of a test are public, but for `INSIDE`."""
    return HookSender(names, lambda address: address == NEAR, trusted, timeout_s)


async def test_a_body_is_posted_over_tls(tls: tuple[ssl.SSLContext, ssl.SSLContext]) -> None:
    async with receiving(tls[0], address=NEAR) as receiver:
        names = Names([NetPlace(NEAR, receiver.port)])
        answered = await sender_of(names, tls[1]).send(URL, b"{}", {"Phalera-Delivery": "1"})
    assert answered == (204, "", 0) and answered.is_taken
    ((path, headers, body),) = receiver.got
    assert (path, body, headers["Host"], headers["Phalera-Delivery"]) == ("/in?room=1", b"{}", HOST, "1")
    assert names.asked == [(HOST, 443)]


async def test_a_name_that_leads_inside_is_not_connected_to(tls: tuple[ssl.SSLContext, ssl.SSLContext]) -> None:
    async with receiving(tls[0], address=INSIDE) as inside, receiving(tls[0], address=NEAR) as receiver:
        for places in (
            [NetPlace(INSIDE, inside.port)],
            [NetPlace(NEAR, receiver.port), NetPlace(INSIDE, inside.port)],
        ):
            answered = await sender_of(Names(places), tls[1]).send(URL, b"{}", {})
            assert answered == (0, "private-address", 0)
        assert not inside.got and not receiver.got


async def test_a_name_that_leads_elsewhere_the_second_time_is_not_followed(
    tls: tuple[ssl.SSLContext, ssl.SSLContext],
) -> None:
    async with receiving(tls[0], address=INSIDE) as inside, receiving(tls[0], address=NEAR) as receiver:
        names = Names([NetPlace(NEAR, receiver.port)], [NetPlace(INSIDE, inside.port)])
        sender = sender_of(names, tls[1])
        assert (await sender.send(URL, b"{}", {})).code == 204
        assert len(names.asked) == 1
        assert (await sender.send(URL, b"{}", {})).error == "private-address"
        assert (len(receiver.got), len(inside.got)) == (1, 0)


async def test_loopback_is_shut_without_further_words(tls: tuple[ssl.SSLContext, ssl.SSLContext]) -> None:
    async with receiving(tls[0]) as receiver:
        names = Names([NetPlace("127.0.0.1", receiver.port)])
        answered = await HookSender(names, tls=tls[1]).send(URL, b"{}", {})
    assert answered.error == "private-address" and not receiver.got


async def test_the_system_looks_names_up_and_what_is_here_is_shut() -> None:
    sender = HookSender()
    try:
        assert (await sender.send("https://localhost/", b"{}", {})).error == "private-address"
        assert (await sender.send("https://127.0.0.1/", b"{}", {})).error == "private-address"
    finally:
        sender.close()


async def test_a_redirect_is_not_followed(tls: tuple[ssl.SSLContext, ssl.SSLContext]) -> None:
    async def elsewhere(request: web.Request) -> web.Response:
        return web.Response(status=307, headers={"Location": f"https://{HOST}/other"})

    async with receiving(tls[0], elsewhere, NEAR) as receiver:
        answered = await sender_of(Names([NetPlace(NEAR, receiver.port)]), tls[1]).send(URL, b"{}", {})
    assert answered.code == 307 and not answered.is_taken
    assert len(receiver.got) == 1


async def test_an_answer_without_end_is_read_no_further_than_its_limit(
    tls: tuple[ssl.SSLContext, ssl.SSLContext],
) -> None:
    sent = 0

    async def endless(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            while sent < 1000 * MOST_READ:
                await response.write(bytes(MOST_READ))
                sent += MOST_READ
        except ConnectionError:
            pass
        return response

    async with receiving(tls[0], endless, NEAR) as receiver:
        answered = await sender_of(Names([NetPlace(NEAR, receiver.port)]), tls[1]).send(URL, b"{}", {})
    assert answered.is_taken
    assert sent < 200 * MOST_READ, "what the sockets of a machine hold back, and no more"


async def test_who_does_not_answer_is_left_after_a_time(tls: tuple[ssl.SSLContext, ssl.SSLContext]) -> None:
    async with receiving(tls[0], never, NEAR) as receiver:
        answered = await sender_of(Names([NetPlace(NEAR, receiver.port)]), tls[1], 0.2).send(URL, b"{}", {})
    assert answered == (0, "timeout", 0)


async def test_a_name_server_that_does_not_answer_is_left_after_a_time(
    tls: tuple[ssl.SSLContext, ssl.SSLContext],
) -> None:
    async def silent(host: str, port: int) -> Sequence[NetPlace]:
        await asyncio.Event().wait()
        raise AssertionError

    assert (await HookSender(silent, tls=tls[1], timeout_s=0.1).send(URL, b"{}", {})).error == "timeout"


async def test_what_fails_is_named(tls: tuple[ssl.SSLContext, ssl.SSLContext], tmp_path: Path) -> None:
    async def unknown(host: str, port: int) -> Sequence[NetPlace]:
        raise OSError

    assert (await HookSender(unknown).send(URL, b"{}", {})).error == "unknown-host"
    assert (await sender_of(Names([]), tls[1]).send(URL, b"{}", {})).error == "unknown-host"
    async with receiving(tls[0], address=NEAR) as receiver:
        place = NetPlace(NEAR, receiver.port)
        assert (await sender_of(Names([place]), ssl.create_default_context()).send(URL, b"{}", {})).error == "tls"
        other = f"https://other.example/{HOST}"
        assert (await sender_of(Names([place]), tls[1]).send(other, b"{}", {})).error == "tls"
    assert (await sender_of(Names([place]), tls[1]).send(URL, b"{}", {})).error == "no-answer"


@pytest.mark.parametrize(
    ("status", "wait", "seconds"),
    [(429, "7", 7), (503, "99999", 3600), (429, "Wed, 21 Oct 2026 07:28:00 GMT", 0), (429, "-1", 0), (500, "7", 0)],
)
async def test_a_receiver_may_ask_for_a_pause(
    tls: tuple[ssl.SSLContext, ssl.SSLContext], status: int, wait: str, seconds: int
) -> None:
    async def busy(request: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Retry-After": wait})

    async with receiving(tls[0], busy, NEAR) as receiver:
        answered = await sender_of(Names([NetPlace(NEAR, receiver.port)]), tls[1]).send(URL, b"{}", {})
    assert answered == (status, "", seconds)
