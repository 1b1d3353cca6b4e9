"""Every line of a request is played exactly once, in order, and nothing of an unreadable request."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.events.battle import Seen
from replay.proof import chain, verify
from server.play.live_battle import LiveBattle
from server.play.service import OrderRequest
from server.store import StoreFailed
from server.store.tables import requests
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving
from tests.support.waiting import eventually

TURN = "standing evade R6 never\n# a comment\n\nstanding evade R3 always\nend turn"
"""Three orders that depend on no card."""


async def two(server: RunningServer) -> tuple[Caller, Caller, str]:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    return anna, bob, await server.battle(anna, bob)


def statuses(reply: Any) -> list[str]:
    return [line["status"] for line in reply.json["lines"]]


async def test_two_players_fight_over_http_and_the_file_verifies(server: RunningServer) -> None:
    anna, bob, battle = await two(server)
    for turn in range(6):
        mover = (anna, bob)[turn % 2]
        options = (await mover.get(f"{BATTLES}/{battle}/options")).json["options"]
        reply = await mover.order(battle, f"{options[0]['order']}\nend turn")
        assert reply.status in (200, 409), reply
        while (view := await mover.view(battle))["waiting"]:
            asked = (anna, bob)[view["waiting"]["side"] == "north"]
            answers = (await asked.get(f"{BATTLES}/{battle}/options")).json["options"]
            assert (await asked.order(battle, answers[-1]["order"])).status == 200
        if view["active"] == ("south", "north")[turn % 2]:
            assert (await mover.order(battle, "end turn")).status == 200
    content = await server.stranger.export(battle)
    report = verify.verify(content)
    assert report.fault is None, report
    assert len(chain.open_file(content).lines) == (await anna.view(battle))["n"]


async def test_an_accepted_line_comes_with_its_events_and_one_receipt(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    reply = await anna.order(battle, TURN)
    assert reply.status == 200
    assert statuses(reply) == ["accepted"] * 3
    events = [event for line in reply.json["lines"] for event in line["events"]]
    log = (await server.stranger.get(f"{BATTLES}/{battle}/events?after={events[0]['n'] - 1}")).text.splitlines()
    assert [event["hash"] in line for event, line in zip(events, log, strict=True)] == [True] * len(events)
    content = await server.stranger.export(battle)
    head = chain.require_prefix(chain.open_file(content), reply.json["receipt"])
    assert head.n == reply.json["n"] == events[-1]["n"]


async def test_a_repeated_request_is_answered_and_not_played_again(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    first = await anna.order(battle, TURN, "monday")
    again = await anna.order(battle, TURN, "monday")
    assert again.status == 200
    assert again.json["again"] and not first.json["again"]
    assert again.json["lines"] == first.json["lines"]
    assert again.json["n"] == first.json["n"]


async def test_requests_repeated_at_the_same_time_are_played_once(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    replies = await asyncio.gather(*(anna.order(battle, "R1 ahead", "monday") for _ in range(5)))
    assert {reply.json["n"] for reply in replies} == {(await anna.view(battle))["n"]}
    assert sum(not reply.json["again"] for reply in replies) == 1


async def test_a_key_used_with_another_body_is_refused(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    assert (await anna.order(battle, "R1 ahead", "monday")).status == 200
    reply = await anna.order(battle, "R2 ahead", "monday")
    assert (reply.status, reply.code) == (422, "core.key-reused")


async def test_a_key_is_used_up_by_a_battle(server: RunningServer) -> None:
    anna, bob, battle = await two(server)
    other = await server.battle(anna, bob)
    assert (await anna.order(battle, "R1 ahead", "monday")).status == 200
    assert (await anna.order(other, "R1 ahead", "monday")).code == "core.key-reused"


async def test_another_players_key_is_another_key(server: RunningServer) -> None:
    anna, bob, battle = await two(server)
    assert (await anna.order(battle, "end turn", "monday")).status == 200
    assert (await bob.order(battle, "end turn", "monday")).status == 200


async def test_a_recorded_refusal_is_repeated(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    first = await anna.order(battle, "X9 ahead", "monday")
    assert (first.status, first.code) == (422, "core.unknown-id")
    again = await anna.order(battle, "X9 ahead", "monday")
    assert again.json["lines"] == first.json["lines"]


async def test_a_refused_order_changes_nothing(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    before = await server.stranger.export(battle)
    assert (await anna.order(battle, "R1 charge A1")).status == 422
    assert (await anna.order(battle, "C1 ahead")).status == 422
    assert await server.stranger.export(battle) == before


async def test_one_line_that_cannot_be_read_stops_all(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    before = (await anna.view(battle))["n"]
    reply = await anna.order(battle, "R1 ahead\nR2 flies\nend turn\nnonsense")
    assert (reply.status, reply.code) == (422, "core.unreadable")
    assert statuses(reply) == ["not-played", "refused", "not-played", "refused"]
    assert [line["line"] for line in reply.json["lines"]] == [1, 2, 3, 4]
    assert (await anna.view(battle))["n"] == before


async def test_an_unknown_word_is_told_with_the_one_it_is_near_to(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    reply = await anna.order(battle, "R1 chrage Z9\nR1 flies")
    said = [str(line) for line in reply.json["lines"]]
    assert "“chrage” is not known. Did you mean “charge”?" in said[0]
    assert "Did you mean" not in said[1]


async def test_the_first_refusal_stops_the_script(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    reply = await anna.order(battle, "R1 ahead\nX9 ahead\nend turn")
    assert reply.status == 200
    assert statuses(reply) == ["accepted", "refused", "not-played"]
    assert reply.json["lines"][1]["code"] == "core.unknown-id"
    assert reply.json["lines"][1]["sentence"]
    assert reply.json["to_act"] == ["south"]


async def test_a_stale_expectation_is_a_conflict(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    n = (await anna.view(battle))["n"]
    reply = await anna.order(battle, "R1 ahead", expect=n - 1)
    assert (reply.status, reply.code) == (409, "core.stale")
    assert reply.json["params"] == {"expect": n - 1, "n": n}
    assert (await anna.order(battle, "R1 ahead\nR2 ahead", "monday", expect=n)).status == 200
    assert (await anna.order(battle, "R1 ahead\nR2 ahead", "monday", expect=n)).json["again"]


async def test_orders_out_of_turn_are_a_conflict(server: RunningServer) -> None:
    _, bob, battle = await two(server)
    reply = await bob.order(battle, "end turn")
    assert (reply.status, reply.code) == (409, "core.not-your-turn")


# --- phrases and seals


async def test_a_person_must_give_a_phrase(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    reply = await anna.order(battle, "R1 ahead", phrase="short")
    assert (reply.status, reply.code) == (422, "core.phrase-missing")
    line = f"phrase {PHRASE}\nR1 ahead"
    assert (await anna.order(battle, line, phrase="")).status == 200
    log = (await server.stranger.get(f"{BATTLES}/{battle}/events")).text
    assert f'"phrase":"{PHRASE}","side":"south","t":1' in log


async def test_a_contribution_alone_is_taken_once(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    await anna.sit(battle, "south")
    await bob.sit(battle, "north")
    assert (await anna.order(battle, "R1 ahead")).code == "core.waiting-for-contribution"
    assert (await bob.order(battle, "", "once")).status == 200
    assert (await bob.order(battle, "", "once")).json["again"]
    assert (await bob.order(battle, "", "twice")).code == "core.no-order"
    assert (await anna.order(battle, "R1 ahead")).status == 200


async def test_a_request_without_anything_is_refused(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    assert (await anna.order(battle, "# nothing", phrase="")).code == "core.no-order"


async def test_a_sealed_seat_gives_its_seals_in_order(server: RunningServer) -> None:
    from domain.log.fairness import seal_chain, seal_text

    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    seals = seal_chain(battle, "south", b"s" * 32, 20)
    assert (await anna.sit(battle, "south", mode="sealed", anchor="00")).code == "core.bad-anchor"
    assert (await anna.sit(battle, "south", mode="sealed", anchor=seals[0].hex())).status == 201
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
    assert (await bob.order(battle, "")).status == 200
    assert (await anna.order(battle, "R1 ahead")).code == "core.seal-missing"
    assert (await anna.order(battle, "R1 ahead", seal="nonsense")).code == "core.bad-seal"
    assert (await anna.order(battle, "R1 ahead", seal=seal_text(seals[2]))).code == "core.wrong-seal"
    assert (await anna.order(battle, "X9 ahead", seal="nonsense")).code == "core.unknown-id"
    assert (await anna.order(battle, "end turn", seal=seal_text(seals[1]))).status == 200
    assert (await bob.order(battle, "end turn")).status == 200
    assert (await anna.order(battle, f"seal {seal_text(seals[2])}\nend turn")).status == 200
    assert verify.verify(await server.stranger.export(battle)).fault is None


async def test_who_has_lost_a_book_begins_another_and_it_is_told(server: RunningServer) -> None:
    from domain.log.fairness import seal_chain, seal_text

    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    old, new = (seal_chain(battle, "south", letter * 32, 20) for letter in (b"s", b"t"))
    body = {"anchor": new[0].hex(), "seen": await anna.head(battle)}
    book = f"/api/v1/battles/{battle}/sides/south/book"
    assert (await anna.sit(battle, "south", mode="sealed", anchor=old[0].hex())).status == 201
    assert (await anna.post(book, body)).code == "core.not-begun"
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
    assert (await bob.order(battle, "")).status == 200
    assert (await anna.order(battle, "end turn", seal=seal_text(old[1]))).status == 200
    assert (await bob.order(battle, "end turn")).status == 200
    assert (await bob.post(book, body)).code == "core.not-your-side"
    assert (await bob.post(book.replace("south", "north"), body)).code == "core.no-book"
    assert (await anna.post(book, {**body, "anchor": "00"})).code == "core.bad-anchor"
    assert (await anna.post(book, {"anchor": new[0].hex()})).code == "core.seen-missing"
    assert (await anna.post(book, {**body, "anchor": old[2].hex()})).code == "core.seal-as-book"
    for _ in range(2):
        assert (await anna.post(book, body)).status == 200
    assert (await anna.order(battle, "end turn", seal=seal_text(new[1]))).code == "core.waiting-for-contribution"
    assert (await bob.order(battle, "")).status == 200
    assert (await anna.order(battle, "end turn", seal=seal_text(old[2]))).code == "core.wrong-seal"
    assert (await anna.order(battle, "end turn", seal=seal_text(new[1]))).status == 200
    report = verify.verify(await server.stranger.export(battle))
    assert report.fault is None
    assert [(act.what, act.who) for act in report.listed] == [("book", "south")]


async def test_two_books_do_not_begin_at_once(server: RunningServer) -> None:
    from domain.log.fairness import seal_chain, seal_text

    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    south, north, other = (seal_chain(battle, side, b"s" * 32, 20) for side in ("south", "north", "other"))
    assert (await anna.sit(battle, "south", mode="sealed", anchor=south[0].hex())).status == 201
    assert (await bob.sit(battle, "north", mode="sealed", anchor=north[0].hex())).status == 201
    seen = await anna.head(battle)
    books = f"/api/v1/battles/{battle}/sides"
    assert (await anna.post(f"{books}/south/book", {"anchor": other[0].hex(), "seen": seen})).status == 200
    answer = await bob.post(f"{books}/north/book", {"anchor": other[1].hex(), "seen": seen})
    assert (answer.status, answer.code) == (409, "core.other-book-waits")
    assert (await bob.order(battle, "", seal=seal_text(north[1]))).status == 200
    assert (await bob.post(f"{books}/north/book", {"anchor": other[1].hex(), "seen": seen})).status == 200


# --- decisions of the other side

EVADE = """
ruleset = "tts"
title = "A question to the other side"
[board]
columns = 8
rows = 6
[sides.south]
name = "South"
[[sides.south.corps]]
id = "I"
general = { id = "G1", attached = "R1", traits = ["commander", "senior"] }
camp = { box = "A1" }
units = [
  { id = "R1", type = "cavalry_javelin", box = "D2", facing = "N" },
  { id = "R2", type = "cavalry_javelin", box = "F2", facing = "N" },
  { id = "R3", type = "cavalry_javelin", box = "G2", facing = "N" },
]
[sides.north]
name = "North"
[[sides.north.corps]]
id = "I"
general = { id = "H1", attached = "L2" }
camp = { box = "A6" }
units = [
  { id = "L1", type = "cavalry_javelin", box = "D3", facing = "S" },
  { id = "L2", type = "cavalry_javelin", box = "H5", facing = "S" },
]
"""


CHARGE = "R1 charge D3\nR2 ahead\nR3 ahead"


async def asked(server: RunningServer) -> tuple[Caller, Caller, str, Any]:
    """A charge that makes the rules ask the north whether it evades; the rest of the script is parked."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    for _ in range(40):  # the charge needs a card
        battle = await server.battle(anna, bob, scenario="", scenario_toml=EVADE)
        reply = await anna.order(battle, CHARGE, battle)
        if reply.status == 200 and "parked" in statuses(reply):
            return anna, bob, battle, reply
    pytest.fail("no charge came so far as to ask")


async def until(server: RunningServer, battle: str, wanted: Callable[[LiveBattle], bool]) -> None:
    """Wait until the battle is so."""

    async def is_so() -> bool:
        return wanted(await server.running.battles.get(battle))

    await eventually("the battle goes on", is_so)


async def test_a_decision_of_the_other_side_parks_the_rest(server: RunningServer) -> None:
    anna, bob, battle, reply = await asked(server)
    assert statuses(reply) == ["accepted", "parked", "parked"]
    assert (await anna.view(battle))["parked"] == ["R2 ahead", "R3 ahead"]
    assert (await bob.view(battle))["parked"] == []
    assert (await server.stranger.view(battle))["parked"] == []
    assert statuses(await anna.order(battle, CHARGE, battle)) == [
        "accepted",
        "parked",
        "parked",
    ]
    assert (await bob.order(battle, "evade no")).status == 200
    await until(server, battle, lambda table: not table.parked and not table.lock.locked())
    again = await anna.order(battle, CHARGE, battle)
    assert statuses(again)[0] == "accepted"
    assert statuses(again)[1] in ("accepted", "refused")
    assert requests.unfinished(server.running.store) == []


async def test_the_owners_next_order_drops_what_is_parked(server: RunningServer) -> None:
    anna, bob, battle, _ = await asked(server)
    assert (await anna.order(battle, "X9 ahead")).status in (409, 422)
    assert (await anna.view(battle))["parked"] == ["R2 ahead", "R3 ahead"]
    assert (await anna.order(battle, "standing evade R2 never")).status == 200
    assert (await anna.view(battle))["parked"] == []
    assert (await bob.order(battle, "evade no")).status == 200
    n = (await bob.view(battle))["n"]
    again = await anna.order(battle, CHARGE, battle)
    assert statuses(again) == ["accepted", "not-played", "not-played"]
    assert (await bob.view(battle))["n"] == n
    assert requests.unfinished(server.running.store) == []


async def test_a_parked_script_outlives_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        anna, bob, battle, _ = await asked(server)
    async with serving(tmp_path) as server:
        anna.client = bob.client = server.client
        assert (await anna.view(battle))["parked"] == ["R2 ahead", "R3 ahead"]
        assert (await bob.order(battle, "evade no")).status == 200
        await until(server, battle, lambda table: not table.parked)
        assert requests.unfinished(server.running.store) == []


# --- crashes


class Fault(Exception):
    """The process dies here."""


async def test_a_request_cut_by_a_crash_goes_on_at_the_start(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        anna, bob, battle = await two(server)
        head = await anna.head(battle)
        script = "standing evade R6 never\nend turn"
        orders = OrderRequest(battle, "south", anna.player, "api", script, PHRASE, seen=Seen(**head))
        await cut_before(server, battle, 2)
        with pytest.raises(Fault):
            await server.running.play.orders(orders, "monday")
    async with serving(tmp_path) as server:
        anna.client = bob.client = server.client
        view = await anna.view(battle)
        assert view["to_act"] == ["north"]
        n = view["n"]
        again = await anna.order(battle, script, "monday", seen=head)
        assert statuses(again) == ["accepted", "accepted"]
        assert (await anna.view(battle))["n"] == n
        assert requests.unfinished(server.running.store) == []


async def test_a_failure_of_the_disk_is_a_503_and_the_repetition_goes_on(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    submit = server.running.store.submit
    live = await server.running.battles.get(battle)
    calls = 0

    def failing(append: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise StoreFailed("disk full")
        return submit(append)

    live.store.submit = failing  # type: ignore[method-assign]
    body = "standing evade R6 never\nend turn"
    reply = await anna.order(battle, body, "monday")
    assert reply.status == 503
    assert reply.code == "core.store-failed"
    assert statuses(await anna.order(battle, body, "monday")) == ["accepted", "accepted"]
    assert verify.verify(await server.stranger.export(battle)).exit == verify.NOT_ALL_JUDGED


async def test_another_process_was_faster(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    live = await server.running.battles.get(battle)
    ours = live.recording
    theirs = live._recalled()
    assert (await anna.order(battle, "R1 ahead")).status == 200
    live.recording = theirs  # as if this process had not heard of it
    assert ours.battle.n > theirs.battle.n
    assert (await anna.order(battle, "standing evade R6 never")).status == 200
    assert live.recording.battle.n == ours.battle.n + 2
    assert verify.verify(await server.stranger.export(battle)).exit == verify.NOT_ALL_JUDGED


async def cut_before(server: RunningServer, battle: str, line: int) -> None:
    """Let the process die before the append of a line."""
    live = await server.running.battles.get(battle)
    append = live.append
    calls = 0

    async def dying(*given: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == line:
            raise Fault
        return await append(*given)

    live.append = dying  # type: ignore[method-assign, assignment]


async def test_a_line_that_another_process_has_played_is_answered_from_its_record(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    live = await server.running.battles.get(battle)
    before = live._recalled()
    seen = before.newest_head()
    assert (await anna.order(battle, "standing evade R6 never", "monday")).status == 200
    n = live.n
    live.recording = before
    orders = OrderRequest(battle, "south", anna.player, "api", "standing evade R6 never", PHRASE, seen=seen)
    server.running.play._known = lambda *_: None  # type: ignore[method-assign]  # it was not there yet when we looked
    played = await server.running.play.orders(orders, "monday")
    assert [(outcome.status, outcome.last) for outcome in played.outcomes] == [("accepted", n)]
    assert live.n == n


async def test_one_order_is_known_by_its_command_alone(server: RunningServer) -> None:
    anna, bob, battle = await two(server)
    other = await server.battle(anna, bob)
    assert (await anna.order(battle, "# why\nend turn", "monday")).status == 200
    assert server.running.store.rows("SELECT count(*) FROM requests") == [(0,)]
    assert (await anna.order(battle, "# why\nend turn", "monday")).json["again"]
    assert (await anna.order(battle, "end turn", "monday")).code == "core.key-reused"
    replies = await asyncio.gather(
        anna.order(battle, "standing evade R6 never", "tuesday"),
        anna.order(other, "standing evade R6 never", "tuesday"),
    )
    assert sorted(reply.status for reply in replies) == [200, 422]


async def test_the_text_of_a_request_goes_with_its_last_line(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    text = f"{TURN}\n# {'x' * 10_000}"
    first = await anna.order(battle, text, "monday")
    assert statuses(first) == ["accepted"] * 3
    assert server.running.store.rows("SELECT body, done FROM requests") == [(battle.encode(), 1)]
    assert (await anna.order(battle, text, "monday")).json["lines"] == first.json["lines"]
    assert (await anna.order(battle, TURN, "monday")).code == "core.key-reused"


async def test_a_single_order_is_looked_for_only_if_it_does_not_go_in(server: RunningServer, monkeypatch) -> None:
    anna, _, battle = await two(server)
    looked: list[str] = []
    known = server.running.play._known

    def noted(orders: OrderRequest, key: str, body: bytes) -> Any:
        looked.append(key)
        return known(orders, key, body)

    monkeypatch.setattr(server.running.play, "_known", noted)
    first = await anna.order(battle, "R1 ahead", "monday")
    assert (first.status, looked) == (200, [])
    assert (await anna.order(battle, "R1 ahead", "monday")).json["lines"] == first.json["lines"]  # the id is taken
    assert (await anna.order(battle, "end turn", "tuesday")).status == 200
    assert (await anna.order(battle, "end turn", "tuesday")).json["again"]  # the rules refuse it: not their turn
    assert (await anna.order(battle, "R1 ahead", "tuesday")).code == "core.key-reused"
    assert (await anna.order(battle, "R1 nowhere to be read", "tuesday")).code == "core.key-reused"
    assert looked == ["monday", "tuesday", "tuesday", "tuesday"]


async def test_a_repetition_is_answered_while_the_disk_is_full(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    first = await anna.order(battle, "R1 ahead", "monday")
    live = await server.running.battles.get(battle)
    submit = live.store.submit

    def full(append: Any) -> Any:
        raise StoreFailed("disk full")

    live.store.submit = full  # type: ignore[method-assign]
    again = await anna.order(battle, "R1 ahead", "monday")
    assert (again.status, again.json["again"], again.json["lines"]) == (200, True, first.json["lines"])
    assert (await anna.order(battle, "end turn", "tuesday")).status == 503
    live.store.submit = submit  # type: ignore[method-assign]
    assert (await anna.order(battle, "end turn", "tuesday")).status == 200
