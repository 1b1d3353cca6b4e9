"""An answer is made once for what it shows; who has it already gets none; the room for answers is bounded."""

from typing import Any

import pytest

from server.web.api import battles
from server.web.kept import Kept, KeptAnswer, tag_of
from server.web.keys import KEPT
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, Caller, Reply, RunningServer


def test_answers_asked_for_longest_ago_make_room() -> None:
    kept = Kept(most_bytes=250)
    for name in "abacab":
        if kept.get(name) is None:
            kept.keep(name, KeptAnswer(bytes(60), packed=bytes(40)))
    assert [kept.get(name) is not None for name in "abc"] == [True, True, False]
    assert kept.bytes == 200


def test_what_is_kept_anew_takes_its_room_once() -> None:
    kept = Kept(most_bytes=250)
    for size in (100, 200, 50):
        kept.keep("a", KeptAnswer(bytes(size)))
    assert kept.bytes == 50


def test_what_is_larger_than_the_room_is_not_kept() -> None:
    kept = Kept(most_bytes=250)
    kept.keep("a", KeptAnswer(bytes(251)))
    assert (kept.get("a"), kept.bytes) == (None, 0)


# --- views


async def seated(server: RunningServer) -> tuple[Caller, Caller, str]:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    return anna, bob, await server.battle(anna, bob)


async def looked(caller: Caller, battle: str, tag: str = "", query: str = "") -> Reply:
    return await caller.get(f"{BATTLES}/{battle}{query}", {"If-None-Match": tag} if tag else None)


async def test_a_view_is_made_once_for_each_state(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bob, battle = await seated(server)
    made: list[Any] = []
    view_of = battles.view_of

    def counted(*given: Any) -> Any:
        made.append(given)
        return view_of(*given)

    monkeypatch.setattr(battles, "view_of", counted)
    for caller in (anna, anna, bob, server.stranger, anna, server.stranger):
        assert (await looked(caller, battle)).status == 200
    assert len(made) == 3
    assert (await looked(anna, battle, query="?lang=fr")).json["board"] != (await looked(anna, battle)).json["board"]
    assert len(made) == 4
    before = (await looked(anna, battle)).json
    await anna.order(battle, "end turn")
    after = (await looked(anna, battle)).json
    assert (before["n"], before["active"]) != (after["n"], after["active"])
    assert (await looked(anna, battle)).json == after
    assert len(made) == 5


async def test_who_has_the_newest_view_is_told_so(server: RunningServer) -> None:
    anna, bob, battle = await seated(server)
    first = await looked(anna, battle)
    tag = first.headers["ETag"]
    assert tag == tag_of(first.text.encode())
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        same = await looked(anna, battle, known)
        assert (same.status, same.text, same.headers["ETag"]) == (304, "", tag)
        assert same.headers["Cache-Control"] == "private, no-cache"
    assert (await looked(anna, battle, '"other"')).status == 200
    assert (await looked(bob, battle, tag)).status == 200
    await anna.order(battle, "end turn")
    newer = await looked(anna, battle, tag)
    assert newer.status == 200
    assert newer.headers["ETag"] != tag


async def test_a_clock_that_runs_makes_another_view(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, pace="steady")
    first = await looked(anna, battle)
    clock = server.running.clock
    assert isinstance(clock, ManualClock)
    clock.wait(minutes=1)
    later = await looked(anna, battle, first.headers["ETag"])
    assert later.status == 200
    assert first.json["clocks"]["south"]["left_s"] - later.json["clocks"]["south"]["left_s"] == 60


async def test_a_view_that_only_its_players_may_read_is_kept_from_others(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, readers="players")
    tag = (await looked(anna, battle)).headers["ETag"]
    for query in ("", "?side=south"):
        refused = await looked(server.stranger, battle, tag, query)
        assert refused.code == "core.unknown-battle"
    assert server.app[KEPT].bytes > 0
