"""What lets a player in ends by itself, is listed with its last use, and can be taken back."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from replay.writing.clock import later
from server.cli.main import main
from server.people import players
from server.store.tables import accounts, tokens
from server.web import auth
from server.web.auth import COOKIE
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, Caller, RunningServer, serving
from tests.support.waiting import eventually

TOKENS, SESSIONS = "/api/v1/tokens", "/api/v1/sessions"


class Said:
    """What `phalera player` said, and its exit code."""

    def __init__(self, *arguments: object, typed: str = "") -> None:
        result = CliRunner().invoke(main, ["player", *map(str, arguments)], input=typed)
        self.code, self.out, self.err = result.exit_code, result.stdout, result.stderr


@pytest.fixture(autouse=True)
def no_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """A revoked token is refused at once."""
    monkeypatch.setattr(auth, "TRUST_S", 0.0)


async def session_of(server: RunningServer, caller: Caller) -> dict[str, str]:
    """The headers of a browser in which a player is logged in."""
    running = server.running
    token, issued = players.new_token(running.clock, running.entropy, caller.player, "session")
    await running.store.write(issued)
    return {"Cookie": f"{COOKIE}={token}", "Sec-Fetch-Site": "same-origin"}


async def mine(caller: Caller) -> list[Any]:
    reply = await caller.get(TOKENS)
    assert reply.status == 200, reply
    return list(reply.json["tokens"])


def is_refused(reply: Any) -> bool:
    return bool(reply.status == 401 and reply.code in ("core.bad-token", "core.not-signed-in"))


# --- over HTTP


async def test_an_api_token_ends_after_a_year(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        anna = await server.player("Anna")
        clock.wait(days=364)
        assert (await anna.get(f"{BATTLES}?mine")).status == 200
        clock.wait(days=1)
        assert is_refused(await anna.get(f"{BATTLES}?mine"))


async def test_tokens_are_listed_without_what_opens_doors(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await session_of(server, anna)
    told = await mine(anna)
    assert sorted(one["kind"] for one in told) == ["api", "session"]
    assert anna.headers["Authorization"].removeprefix("Bearer ") not in json.dumps(told)
    assert {one["id"] for one in told}.isdisjoint(one["id"] for one in await mine(bob))
    assert is_refused(await server.stranger.get(TOKENS))


async def test_the_last_use_is_written_once_an_hour(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        anna, store = await server.player("Anna"), server.running.store

        def seen() -> str | None:
            return next(one.seen for one in tokens.of_player(store, anna.player) if one.kind == "api")

        async def used_at(at: str) -> None:
            await anna.get(f"{BATTLES}?mine")
            await eventually("the use is recorded", lambda: seen() == at)

        first = clock.now()
        await used_at(first)
        jobs = store.counts.jobs
        clock.wait(minutes=59)
        for _ in range(5):
            await anna.get(f"{BATTLES}?mine")
        assert (seen(), store.counts.jobs) == (first, jobs)
        await used_at(clock.wait(minutes=1))


async def test_one_token_is_revoked_and_the_others_stay(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    browser = await session_of(server, anna)
    (session,) = [one["id"] for one in await mine(anna) if one["kind"] == "session"]
    assert (await bob.ask("DELETE", f"{TOKENS}/{session}")).code == "core.no-token"
    assert (await server.stranger.get(f"{BATTLES}?mine", browser)).status == 200
    reply = await anna.ask("DELETE", f"{TOKENS}/{session}")
    assert [one["kind"] for one in reply.json["tokens"]] == ["api"]
    assert is_refused(await server.stranger.get(f"{BATTLES}?mine", browser))
    assert (await anna.get(f"{BATTLES}?mine")).status == 200
    assert (await anna.ask("DELETE", f"{TOKENS}/{session}")).code == "core.no-token"


async def test_who_logs_out_everywhere_is_nowhere(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    browsers = [await session_of(server, anna) for _ in range(2)]
    other = await session_of(server, bob)
    page = await server.stranger.get("/settings", browsers[0])
    assert page.text.count("A browser: logged in on 2026-11-23") == 2
    form = {"everywhere": "yes", "sure": "yes"}
    reply = await server.stranger.ask("POST", "/logout", browsers[0], data=form, allow_redirects=False)
    assert reply.status == 303
    assert all([is_refused(await server.stranger.get(f"{BATTLES}?mine", browser)) for browser in browsers])
    assert is_refused(await anna.get(f"{BATTLES}?mine"))
    assert (await server.stranger.get(f"{BATTLES}?mine", other)).status == 200
    assert (await bob.ask("DELETE", SESSIONS)).status == 200
    assert is_refused(await server.stranger.get(f"{BATTLES}?mine", other))
    assert (await bob.get(f"{BATTLES}?mine")).status == 200


# --- by the host


@pytest.mark.slow
async def test_a_host_revokes_what_was_lost(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder) as server:
        anna = await server.player("Anna")
        browser = await session_of(server, anna)
        told = json.loads(Said("tokens", "Anna", "--json", "--data", folder).out)
        assert sorted(one["kind"] for one in told) == ["api", "login", "session"]
        (lost,) = [one["id"] for one in told if one["kind"] == "api"]
        assert lost in Said("tokens", "anna", "--data", folder).out
        assert Said("revoke", "Anna", lost, "--data", folder).code == 0
        assert is_refused(await anna.get(f"{BATTLES}?mine"))
        assert (await server.stranger.get(f"{BATTLES}?mine", browser)).status == 200
        assert "no token" in Said("revoke", "Anna", lost, "--data", folder).err
        assert "2 tokens" in Said("revoke", "Anna", "--data", folder).out
        assert is_refused(await server.stranger.get(f"{BATTLES}?mine", browser))
        assert Said("token", "Anna", "--days", "1", "--data", folder).code == 0
        (new,) = [one for one in tokens.of_player(server.running.store, anna.player) if one.kind == "api"]
        assert new.expires is not None and new.expires < later(new.created, 2 * 24 * 3600)


async def test_a_banned_player_gets_in_by_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder) as server:
        anna = await server.player("Anna")
        browser = await session_of(server, anna)
        assert Said("ban", "Anna", "--data", folder).code == 0
        assert is_refused(await anna.get(f"{BATTLES}?mine"))
        assert is_refused(await server.stranger.get(f"{BATTLES}?mine", browser))
        assert tokens.of_player(server.running.store, anna.player) == []
        assert accounts.by_email(server.running.store, "Anna@example.org") == []
        assert "banned 20" in Said("list", "--data", folder).out
        assert "nothing to change" in Said("ban", "Anna", "--data", folder).err
        assert "no longer banned" in Said("token", "Anna", "--data", folder).out
        assert "banned" not in Said("list", "--data", folder).out
        (again,) = accounts.by_email(server.running.store, "Anna@example.org")
        assert again.player == anna.player


async def test_a_session_of_a_banned_player_opens_nothing(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await server.running.store.write(accounts.ban(anna.player, server.running.clock.now()))
    assert is_refused(await anna.get(f"{BATTLES}?mine"))


@pytest.mark.slow
async def test_a_host_gives_and_takes_the_role(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    for name in ("Anna", "Bob"):
        assert "Nobody administers" in Said("add", name, f"{name}@example.org", "--data", folder).out
    assert Said("role", "Anna", "administrator", "--data", folder).code == 0
    assert "administers" not in Said("add", "Carla", "carla@example.org", "--data", folder).out
    told = {one["name"]: one["role"] for one in json.loads(Said("list", "--json", "--data", folder).out)}
    assert told == {"Anna": "administrator", "Bob": "player", "Carla": "player"}
    for refused in (("ban", "Anna"), ("remove", "Anna", "--yes")):
        assert "take the role from them first" in Said(*refused, "--data", folder).err
    assert Said("role", "Bob", "administrator", "--data", folder).code == 0
    assert "plain player" in Said("role", "Anna", "player", "--data", folder).out
    assert "Nobody administers" in Said("role", "Bob", "player", "--data", folder).out
    assert "administrator" not in Said("list", "--data", folder).out
    assert Said("ban", "Anna", "--data", folder).code == 0
    assert Said("role", "Anna", "administrator", "--data", folder).code == 1


@pytest.mark.slow
async def test_a_removed_player_is_in_no_list_but_in_the_logs(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        assert Said("remove", "Anna", "--data", folder, typed="n\n").code == 1
        assert Said("remove", "Anna", "--yes", "--data", folder).code == 0
        assert is_refused(await anna.get(f"{BATTLES}?mine"))
        assert "Anna" not in Said("list", "--data", folder).out
        assert "no player" in Said("token", "Anna", "--data", folder).err
        assert (await bob.view(battle))["seats"]["south"]["name"] == "Anna"
        await asyncio.sleep(0)
        assert (await server.player("Anna")).player != anna.player
