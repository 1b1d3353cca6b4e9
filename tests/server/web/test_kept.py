"""An answer is made once for what it shows; a reader who has it already gets none; the room for answers is bounded."""

import re
from typing import Any

import pytest

from server.web.api import battles
from server.web.kept import KeptAnswer, KeptAnswers, tag_of
from server.web.keys import KEPT
from server.web.pages.battle import showing as pages
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, Caller, Reply, RunningServer


def test_answers_asked_for_longest_ago_make_room() -> None:
    kept = KeptAnswers(most_bytes=250)
    for name in "abacab":
        if kept.get(name) is None:
            kept.keep(name, KeptAnswer(bytes(60), packed=bytes(40)))
    assert [kept.get(name) is not None for name in "abc"] == [True, True, False]
    assert kept.bytes == 200


def test_what_is_kept_anew_takes_its_room_once() -> None:
    kept = KeptAnswers(most_bytes=250)
    for size in (100, 200, 50):
        kept.keep("a", KeptAnswer(bytes(size)))
    assert kept.bytes == 50


def test_what_is_larger_than_the_room_is_not_kept() -> None:
    kept = KeptAnswers(most_bytes=250)
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
    clock = server.running.machine
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


# --- pages


async def page_of(caller: Caller, battle: str, tag: str = "", query: str = "") -> Reply:
    known = {"If-None-Match": tag} if tag else {}
    return await caller.get(f"/battles/{battle}{query}", {"Accept": "text/html", **known})


KEY = re.compile(r'name="key" value="(\w+)"')


async def test_all_strangers_read_the_same_page_and_are_told_if_they_have_it(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _, battle = await seated(server)
    first = await page_of(server.stranger, battle)
    tag = first.headers["ETag"]
    assert tag.startswith('W/"')
    monkeypatch.setattr(pages, "page_of", None)  # fails if it is called
    assert (await page_of(server.stranger, battle)).text == first.text
    same = await page_of(server.stranger, battle, tag)
    assert (same.status, same.text, same.headers["ETag"]) == (304, "", tag)
    monkeypatch.undo()
    assert (await page_of(server.stranger, battle, tag, "?lang=fr")).status == 200
    await anna.order(battle, "end turn")
    newer = await page_of(server.stranger, battle, tag)
    assert newer.status == 200
    assert newer.headers["ETag"] != tag


async def test_each_page_with_an_order_box_has_a_key_of_its_own(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob, battle = await seated(server)
    first = await page_of(anna, battle)
    monkeypatch.setattr(pages, "page_of", None)  # fails if it is called
    again = await page_of(anna, battle)
    assert "ETag" not in first.headers  # who has it may have used its key
    keys = [set(KEY.findall(reply.text)) for reply in (first, again)]
    assert all(len(found) == 1 for found in keys) and keys[0] != keys[1]
    assert KEY.sub("", first.text).replace(min(keys[0]), "") == KEY.sub("", again.text).replace(min(keys[1]), "")
    assert pages.KEY_MARK.decode() not in again.text
    monkeypatch.undo()
    assert "Bob" in (await page_of(bob, battle)).text


async def test_a_page_is_not_kept_for_another_reader(server: RunningServer) -> None:
    anna, _, battle = await seated(server)
    carla = await server.player("Carla")
    texts = [(await page_of(caller, battle)).text for caller in (server.stranger, carla, server.stranger, anna)]
    assert [">Carla</a>" in text for text in texts] == [False, True, False, False]
    assert texts[0] == texts[2]


async def test_a_tried_order_does_not_stand_on_the_next_page(server: RunningServer) -> None:
    anna, _, battle = await seated(server)
    form = {"orders": "R1 nonsense", "do": "preview", "side": "south", "key": "0" * 16}
    tried = await anna.ask("POST", f"/battles/{battle}/orders", {"Sec-Fetch-Site": "same-origin"}, data=form)
    assert "R1 nonsense" in tried.text
    assert KEY.search(tried.text)
    assert "R1 nonsense" not in (await page_of(anna, battle)).text


async def test_a_page_is_compressed_for_who_can_read_that(server: RunningServer) -> None:
    anna, _, battle = await seated(server)
    for caller in (anna, server.stranger, server.stranger):
        plain = await caller.get(f"/battles/{battle}", {"Accept-Encoding": "identity"})
        small = await caller.get(f"/battles/{battle}", {"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in plain.headers
        assert small.headers["Content-Encoding"] == "gzip"
        assert KEY.sub("", small.text)[:500] == KEY.sub("", plain.text)[:500]
        assert int(small.headers["Content-Length"]) < len(plain.text) // 4
