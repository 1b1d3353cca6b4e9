"""A running battle is watched in a real terminal, by its address alone."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.serving import RunningServer
from tests.support.terminal import ROOT, Terminal, terminal
from tests.support.waiting import LIMIT_S

pytestmark = pytest.mark.slow


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Terminal]:
    with terminal(tmp_path) as found:
        yield found


async def test_a_stranger_watches_a_public_battle(server: RunningServer, tmux: Terminal, tmp_path: Path) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    address = str(server.client.make_url(f"/battles/{battle}"))

    async def until(text: str) -> str:
        return await asyncio.to_thread(tmux.until, text)

    await asyncio.to_thread(tmux.start, (80, 24), "replay", address, HOME=str(tmp_path / "home"))
    live = await server.running.battles.get(battle)
    await until(f"LIVE Event {live.n} of {live.n} ")
    assert (await anna.order(battle, "end turn")).status == 200
    await until(f"LIVE Event {live.n} of {live.n} ")
    await asyncio.to_thread(tmux.press, "Home")
    await until(f"LIVE Event 1 of {live.n} ")
    assert (await bob.order(battle, "resign")).status == 200
    assert f"ENDED Event 1 of {live.n} " in await until("more; End goes there.")
    await asyncio.to_thread(tmux.press, "End")
    await until("North resigns")
    await asyncio.to_thread(tmux.press, "q")
    await asyncio.to_thread(tmux.until_it_ends)


async def test_in_a_pipe_it_is_told_as_far_as_it_has_come(server: RunningServer, tmp_path: Path) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    address = str(server.client.make_url(f"/battles/{battle}"))
    environment = {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}

    def told(url: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "server.cli", "replay", url]
        return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False, env=environment)

    done = await asyncio.to_thread(told, address)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Anna takes South." in done.stdout
    gone = await asyncio.to_thread(told, address.replace(battle, "nobody00"))
    assert gone.returncode == 1
    assert "core.unknown-battle" in gone.stderr
    wrong = await asyncio.to_thread(told, "ftp://example.org/battles/x")
    assert (wrong.returncode, len(wrong.stderr.splitlines())) == (2, 1)
