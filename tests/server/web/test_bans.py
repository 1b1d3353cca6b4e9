"""Nobody from a banned network is answered, whoever they are; health and this machine are."""

from pathlib import Path
from typing import Any

import pytest

from replay.writing.entropy import Entropy
from server.people.bans import planned
from server.store.tables import bans
from server.web.keys import BANS
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test
from tests.support.serving import BATTLES, RunningServer, serving
from tests.support.waiting import eventually

PROXY = ("127.0.0.1",)
HTML = {"Accept": "text/html"}


def came_from(address: str, **more: str) -> dict[str, str]:
    return {"X-Forwarded-For": address, **more}


async def ban(server: RunningServer, network: str, days: float = 0) -> None:
    """As the command does it, and the server has noticed."""
    entropy: Entropy = entropy_of_test()
    made = planned(network, days, "", server.running.clock.now(), entropy, trusted=())
    await server.running.store.write(bans.add(made))
    server.app[BANS].look()


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        ("203.0.113.0/24", "203.0.113.200", "203.0.114.1"),
        ("2001:db8:1::/48", "2001:db8:1:2::3", "2001:db8:2::3"),
        ("203.0.113.7", "::ffff:203.0.113.7", "203.0.113.8"),
    ],
)
async def test_only_those_in_the_network_are_refused(tmp_path: Path, network: str, inside: str, outside: str) -> None:
    async with serving(tmp_path, trusted_proxies=PROXY) as server:
        anna = await server.player("Anna")
        await ban(server, network)
        refused = await anna.get(BATTLES, came_from(inside))
        assert (refused.status, refused.code, refused.headers["Connection"]) == (403, "core.banned", "close")
        assert (await anna.get(BATTLES, came_from(outside))).status == 200
        for path in ("/", "/nowhere", "/static/page.css"):
            page = await server.stranger.get(path, came_from(inside, **HTML, **{"Accept-Language": "fr"}))
            assert (page.status, page.type, len(page.text) < 400) == (403, "text/html", True)
            assert "Cette adresse" in page.text and "X-Request-Id" in page.headers
        for path in ("/healthz", "/readyz"):
            assert (await server.stranger.get(path, came_from(inside))).status == 200
        figures = (await server.stranger.get("/metrics")).text
        assert "phalera_banned_networks 1.0" in figures
        assert 'phalera_refusals_total{code="core.banned"} 4.0' in figures


async def test_a_ban_ends_by_the_clock(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path, clock=clock, trusted_proxies=PROXY) as server:
        await ban(server, "203.0.113.7", days=1)
        assert (await server.stranger.get(BATTLES, came_from("203.0.113.7"))).status == 403
        clock.wait(days=1)
        assert (await server.stranger.get(BATTLES, came_from("203.0.113.7"))).status == 200
        assert len(server.app[BANS]) == 0


async def test_this_machine_and_the_proxy_are_never_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, trusted_proxies=("127.0.0.1", "192.0.2.9")) as server:
        await server.running.store.write(
            bans.add(bans.Ban("b1", "127.0.0.0/8", "", "", "")), bans.add(bans.Ban("b2", "192.0.2.0/24", "", "", ""))
        )
        server.app[BANS].look()
        assert (await server.stranger.get(BATTLES)).status == 200
        assert server.app[BANS].ban_of("192.0.2.9") is None
        assert server.app[BANS].ban_of("192.0.2.10") is not None


async def test_open_streams_from_there_end_and_others_go_on(tmp_path: Path) -> None:
    async with serving(tmp_path, trusted_proxies=PROXY) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)

        def watching(address: str) -> Any:
            return server.client.get(f"{BATTLES}/{battle}/stream", headers=came_from(address))

        async with watching("203.0.113.7") as theirs, watching("198.51.100.7") as other:
            assert await theirs.content.readline() == await other.content.readline() != b""
            await ban(server, "203.0.113.0/24")
            assert await theirs.content.read() == b"\n"
            assert (await anna.order(battle, "end")).status in (200, 422)
            assert not other.content.at_eof()


async def test_a_command_beside_the_server_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.lookout.LOOK_S", 0.01)
    async with serving(tmp_path, trusted_proxies=PROXY) as server:
        made = planned("203.0.113.7", 0, "", server.running.clock.now(), entropy_of_test(), trusted=())
        await server.running.store.write(bans.add(made))
        await eventually("the ban", lambda: len(server.app[BANS]))
        await server.running.store.write(bans.lift(made.network))
        await eventually("its end", lambda: not len(server.app[BANS]))
