"""A script is played once, whatever cuts it, and goes on at the right place."""

import asyncio
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, to_builtins
from msgspec.structs import replace

from domain.catalogue import RULESETS
from domain.contract.senses import Outcome, Senses
from domain.events.battle import Event, OrderAccepted
from domain.scripts import conditions, cursor
from replay.proof import verify
from replay.writing.entropy import SeededEntropy
from server.mail.outgoing.occasions import letters
from server.play.live_battles import LiveBattles
from server.play.script_view import BattleScriptView
from server.play.scripts import asks_preview, echo
from server.play.service import OrderRequest, OrderService
from server.rehearsal import RepeatableEntropy
from server.store import StoreFailed
from server.store.tables import outbox, requests
from tests.server.play.test_orders import EVADE, Fault, cut_before, statuses, two
from tests.support.drilling import FIELD
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

TTS = RULESETS["tts"]

SCRIPT = """
on replay: yes if needs at most 8, else no
repeat R1 ahead until it fails or needs more than 6
if it fails: try R4 ahead
else: repeat 2 R2 ahead
if last card is 6 or more
  R3 ahead
else
  try R9 ahead   # nobody
end if
try R3 charge H6
end turn
"""

SEED = "script 1"
"""With its cards the script asks for a replay on its way."""


async def log_of(server: RunningServer, battle: str) -> list[Any]:
    """The events without their time and hash."""
    text = (await server.stranger.get(f"{BATTLES}/{battle}/events")).text
    return [(event["type"], event["data"]) for event in map(json.loads, text.splitlines())]


def told(reply: Any) -> list[Any]:
    """What a request was told, without the time of its events."""
    keys = ("line", "status", "code", "times", "spans")
    return [[line.get(key) for key in keys] for line in reply.json["lines"]]


# --- repeats, conditions, policies

ENDS_OF_A_REPEAT = {
    "core.repeat-until": "tts.illegal-move",
    "core.repeat-failed": "tts.corps-ended",
    "tts.need-over-10": "tts.illegal-move",
}
"""How `repeat 3 R3 ahead until R3 at B4` may end, by the cards, and why `R3 ahead 9` cannot be then."""


async def test_a_script_is_told_line_by_line(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    reply = await anna.order(battle, "repeat 3 R3 ahead until R3 at B4\nif R3 at H1: stop\ntry R3 ahead 9\nend turn")
    assert reply.status == 200
    first, no, tried, last = reply.json["lines"]
    assert first["status"] == "accepted"
    assert tried["code"] == ENDS_OF_A_REPEAT[first["code"]]
    assert first["sentence"]
    spans = first.get("spans") or [[first["events"][0]["n"], first["events"][-1]["n"]]]
    assert len(spans) == first.get("times", 1)
    assert [event["n"] for event in first["events"]] == [n for a, b in spans for n in range(a, b + 1)]
    assert (no["status"], no["code"], no["params"]) == ("skipped", "core.condition-false", {"condition": "R3 at H1"})
    assert tried["status"] == "skipped" and "events" not in tried
    assert last["status"] == "accepted"
    assert reply.json["to_act"] == ["north"]
    assert verify.verify(await server.stranger.export(battle)).fault is None


async def test_a_plain_request_is_answered_as_ever(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    reply = await anna.order(battle, "standing evade R6 never\nX9 ahead\nend turn")
    accepted, refused, left = reply.json["lines"]
    assert set(accepted) == {"line", "order", "status", "events"}
    assert set(refused) == {"line", "order", "status", "code", "rule", "params", "sentence"}
    assert left == {"line": 3, "order": "end turn", "status": "not-played"}


async def test_an_order_to_another_corps_opens_it_under_the_same_line(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    reply = await anna.order(battle, "corps I\nR4 ahead\nend turn")
    assert statuses(reply) == ["accepted"] * 3
    assert (reply.json["lines"][1]["code"], reply.json["lines"][1]["times"]) == ("core.given-first", 2)
    given = [data for type_, data in await log_of(server, battle) if type_ == "OrderAccepted"]
    assert [(order["text"], order["line"]) for order in given] == [
        ("corps I", 1),
        ("corps II", 2),
        ("R4 ahead", 2),
        ("end turn", 3),
    ]


async def test_a_line_of_a_script_that_cannot_be_read_stops_all(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    n = (await anna.view(battle))["n"]
    reply = await anna.order(battle, "R1 ahead\nif it sulks: R2 ahead\nelse: R3 ahead\nrepeat R1 ahead")
    assert (reply.status, reply.code) == (422, "core.unreadable")
    assert [line["status"] for line in reply.json["lines"]] == ["not-played", "refused", "not-played", "refused"]
    assert (await anna.view(battle))["n"] == n


@pytest.mark.slow
async def test_what_only_asks_for_a_preview_is_not_played(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    n = (await anna.view(battle))["n"]
    text = "# may I?\naperçu\nrepeat R1 ahead until it fails\nif it fails: R2 ahead"
    reply = await anna.order(battle, text)
    assert (reply.status, reply.code) == (422, "core.preview-only")
    assert (
        asks_preview(text)
        and asks_preview(f"phrase {PHRASE}\n{text}")
        and not asks_preview("R1 ahead\npreview")
        and not asks_preview("")
    )
    outlook = await anna.post(f"{BATTLES}/{battle}/preview", {"orders": text})
    assert outlook.status == 200
    repeat, otherwise = outlook.json["lines"]
    assert repeat["accepted"] == outlook.json["playouts"]
    assert repeat["orders"] > repeat["accepted"]
    assert otherwise["accepted"] + otherwise["refused"] + otherwise["skipped"] == outlook.json["playouts"]
    assert otherwise["skipped"]  # the repeat may end at the edge of what is allowed
    assert outlook.json["first_draw"]["needed"] == 2
    assert (await anna.view(battle))["n"] == n


async def test_a_script_that_finds_nothing_to_do_does_nothing_again(server: RunningServer) -> None:
    anna, bob, battle = await two(server)
    n = (await anna.view(battle))["n"]
    text = "if R1 at H6: R1 ahead\nif medals south < 1: end turn"
    reply = await anna.order(battle, text, "monday")
    assert (reply.status, statuses(reply)) == (200, ["skipped", "skipped"])
    assert (await anna.order(battle, text, "monday")).json["again"]
    assert (await anna.order(battle, "end turn", "monday")).code == "core.key-reused"
    assert (await anna.order(battle, "end turn", "tuesday")).status == 200
    assert (await bob.order(battle, "end turn", "tuesday")).status == 200
    again = await anna.order(battle, text, "monday")
    assert told(again) == told(reply)
    assert (await anna.view(battle))["n"] > n


async def test_the_answers_to_a_repeated_key_do_not_change_with_the_battle(server: RunningServer) -> None:
    anna, bob, battle = await two(server)
    text = "R3 ahead\nif E5 is empty: R4 ahead\nelse: try R9 ahead\nif medals south < 3: end turn"
    reply = await anna.order(battle, text, "monday")
    n = (await anna.view(battle))["n"]
    for caller, orders in ((anna, "end turn"), (bob, "N2 ahead\nend turn"), (anna, "R1 ahead\nend turn")):
        await caller.order(battle, orders)
    assert (await anna.view(battle))["n"] > n
    assert told(await anna.order(battle, text, "monday")) == told(reply)
    assert requests.unfinished(server.running.store) == []


async def test_every_written_line_is_echoed(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    text = "# my turn\n\nif R1 at C2\n  R1 ahead\nelse\n  R2 ahead\nend if"
    played = await server.running.play.orders(OrderRequest(battle, "south", anna.player, "mail", text, PHRASE), "k")
    lines = echo(text, played.outcomes)
    assert [(line.number, line.text) for line in lines] == [
        (1, "# my turn"),
        (3, "if R1 at C2"),
        (4, "  R1 ahead"),
        (5, "else"),
        (6, "  R2 ahead"),
        (7, "end if"),
    ]
    assert [line.outcome.status if line.outcome else "" for line in lines] == [
        "",
        "accepted",
        "accepted",
        "",
        "skipped",
        "",
    ]


async def test_a_script_sees_no_more_than_its_side(server: RunningServer, monkeypatch: Any) -> None:
    anna, _, battle = await two(server)
    live = await server.running.battles.get(battle)
    seen = []
    senses = live.ruleset.orders.senses

    def holds(known: Any, side: str, test: tuple[str, ...]) -> bool:
        seen.append(known == live.ruleset.secrets.known(live.game, "south"))
        return senses.holds(known, side, test)

    orders = replace(live.ruleset.orders, senses=replace(senses, holds=holds))
    monkeypatch.setattr(live.recording, "ruleset", replace(live.ruleset, orders=orders))
    assert (await anna.order(battle, "if E4 is empty: R1 ahead")).status == 200
    assert seen == [True]


# --- crashes


TRIED = "try R9 ahead\nif it is refused: R3 ahead; offer draw\nelse: end turn\nif R1 at H1: end turn"
"""The first that is recorded is a refusal, and its end is known only after its last order."""


async def played_whole(folder: Path, script: str = SCRIPT) -> tuple[str, str, list[Any], list[Any], int]:
    """A battle in which the script is played without a fault; and, beside it, the folder as it was before."""
    async with serving(folder, RepeatableEntropy(SEED, 1)) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob, scenario="", scenario_toml=FIELD)
        token, player = anna.headers["Authorization"].partition(" ")[2], anna.player
        shutil.copytree(folder, folder.parent / "before")
        live = await server.running.battles.get(battle)
        appends = await counting(live)
        reply = await anna.order(battle, script, "monday")
        assert reply.status == 200
        assert {"accepted", "skipped"} <= set(statuses(reply))
        assert requests.unfinished(server.running.store) == []
        log = await log_of(server, battle)
        assert {data["kind"] for kind, data in log if kind == "DecisionMade"} == (
            {"replay"} if script == SCRIPT else set()
        )
        assert told(await anna.order(battle, script, "monday")) == told(reply)
        return f"{battle} {token} {player}", battle, log, told(reply), appends[0]


async def counting(live: Any) -> list[int]:
    """Counts the appends from here on."""
    append, calls = live.append, [0]

    async def counted(*given: Any) -> Any:
        calls[0] += 1
        return await append(*given)

    live.append = counted
    return calls


@pytest.mark.parametrize("script", [SCRIPT, TRIED])
@pytest.mark.slow
async def test_a_script_cut_at_any_append_leads_to_the_same_log(tmp_path: Path, script: str) -> None:
    who, battle, log, answers, appends = await played_whole(tmp_path / "whole", script)
    _, token, player = who.split()
    assert appends >= 5
    for cut in range(1, appends + 1):
        folder = tmp_path / f"cut{cut}"
        shutil.copytree(tmp_path / "before", folder)
        async with serving(folder) as server:
            live = await server.running.battles.get(battle)
            seen = live.recording.newest_head()
            orders = OrderRequest(battle, "south", player, "api", script, PHRASE, seen=seen)
            await cut_before(server, battle, cut)
            with pytest.raises(Fault):
                await server.running.play.orders(orders, "monday")
        async with serving(folder) as server:
            anna = Caller(server.client, token, player)
            if cut > (1 if script == SCRIPT else 2):  # nothing is kept of one cut before its first append
                assert await log_of(server, battle) == log, cut
                assert requests.unfinished(server.running.store) == []
            again = await anna.order(battle, script, "monday", seen=to_builtins(seen))
            assert told(again) == answers, cut
            assert await log_of(server, battle) == log, cut
            assert verify.verify(await server.stranger.export(battle)).fault is None


@pytest.mark.slow
async def test_a_failing_disk_cuts_a_script_and_its_repetition_goes_on(tmp_path: Path) -> None:
    who, battle, log, answers, appends = await played_whole(tmp_path / "whole")
    _, token, player = who.split()
    shutil.copytree(tmp_path / "before", tmp_path / "failing")
    async with serving(tmp_path / "failing") as server:
        anna = Caller(server.client, token, player)
        live = await server.running.battles.get(battle)
        submit, calls = live.store.submit, 0

        def failing(append: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls % 2:
                raise StoreFailed("disk full")
            return submit(append)

        live.store.submit = failing  # type: ignore[method-assign]
        reply = await anna.order(battle, SCRIPT, "monday")
        while reply.status == 503:
            assert calls < 3 * appends
            reply = await anna.order(battle, SCRIPT, "monday")
        assert told(reply) == answers
        assert calls > appends
        assert await log_of(server, battle) == log


# --- decisions of the other side

CHARGE = """
on replay: no
if R1 at D2
repeat 3 R1 charge D3 until R1 at H1
try R2 ahead
else
R3 ahead
end if
if medals south > 0: end turn
"""


async def asked(server: RunningServer) -> tuple[Caller, Caller, str, Any]:
    """The charge makes the rules ask the north; the script waits in the middle of a repeat within an `if`."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    for _ in range(40):
        battle = await server.battle(anna, bob, scenario="", scenario_toml=EVADE)
        reply = await anna.order(battle, CHARGE, battle)
        if "parked" in statuses(reply):
            return anna, bob, battle, reply
    pytest.fail("no charge came so far as to ask")


async def test_a_script_waits_in_the_middle_and_goes_on_there(tmp_path: Path) -> None:
    async with serving(tmp_path, SeededEntropy("goes-on")) as server:
        anna, bob, battle, reply = await asked(server)
        assert statuses(reply) == ["accepted", "accepted", "parked", "parked", "skipped", "parked"]
        waiting = ["on replay: no", "repeat 3 R1 charge D3 until R1 at H1", "try R2 ahead"]
        waiting.append("if medals south > 0: end turn")
        assert (await anna.view(battle))["parked"] == waiting
        assert (await bob.view(battle))["parked"] == []
        assert told(await anna.order(battle, CHARGE, battle)) == told(reply)
    async with serving(tmp_path) as server:
        anna.client = bob.client = server.client
        assert (await anna.view(battle))["parked"] == waiting
        for _ in range(3):  # each charge of the repeat may ask
            assert (await bob.order(battle, "evade no")).status == 200
            await server.running.play.close()
            if not (await anna.view(battle))["parked"]:
                break
        again = await anna.order(battle, CHARGE, battle)
        status = dict(zip((line["line"] for line in again.json["lines"]), statuses(again), strict=True))
        assert (status[4], status[7]) == ("accepted", "skipped")
        assert status[9] in ("accepted", "refused")
        assert again.json["lines"][2]["code"]  # how the repeat ended
        assert requests.unfinished(server.running.store) == []
        assert told(await anna.order(battle, CHARGE, battle)) == told(again)
        assert verify.verify(await server.stranger.export(battle)).fault is None


@pytest.mark.slow
async def test_the_owners_next_order_drops_a_script_that_waits(server: RunningServer) -> None:
    anna, bob, battle, _ = await asked(server)
    assert (await anna.order(battle, "standing evade R2 never")).status == 200
    assert (await anna.view(battle))["parked"] == []
    assert (await bob.order(battle, "evade no")).status == 200
    n = (await bob.view(battle))["n"]
    again = await anna.order(battle, CHARGE, battle)
    assert "parked" not in statuses(again) and statuses(again)[-1] == "not-played"
    assert (await bob.view(battle))["n"] == n
    assert requests.unfinished(server.running.store) == []


async def parked(server: RunningServer, anna: Caller, bob: Caller, text: str) -> str:
    """A battle in which a script of Anna's waits for Bob: one of chance, so several are tried."""
    for _ in range(40):
        battle = await server.battle(anna, bob, scenario="", scenario_toml=EVADE)
        if "parked" in statuses(await anna.order(battle, text, battle)):
            return battle
    raise AssertionError("Bob was never asked")


async def test_a_script_that_was_dropped_is_told_the_same_before_and_after_the_answer(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    text = "R1 charge D3\nif medals north > 0: R2 ahead\nelse: R3 ahead\nstop if R1 at D2"
    battle = await parked(server, anna, bob, text)
    assert (await anna.order(battle, "standing evade R2 never")).status == 200
    dropped = await anna.order(battle, text, battle)
    assert statuses(dropped) == ["accepted", *["not-played"] * 3]
    assert (await bob.order(battle, "evade no")).status == 200
    assert told(await anna.order(battle, text, battle)) == told(dropped)


async def test_a_script_that_waited_and_ended_without_another_order_is_told_so_again(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    text = "R1 charge D3\nif medals north > 90: R2 ahead\nstop if medals north < 90"
    battle = await parked(server, anna, bob, text)
    assert (await bob.order(battle, "evade no")).status == 200
    await server.running.play.close()
    ended = await anna.order(battle, text, battle)
    assert statuses(ended) == ["accepted", "skipped", "accepted"]
    assert told(await anna.order(battle, text, battle)) == told(ended)
    assert requests.unfinished(server.running.store) == []


async def test_that_a_script_has_gone_on_is_posted_with_its_end(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.running.battles, "letters", letters)
    anna, bob, battle, _ = await asked(server)
    posted = {letter.id for letter in outbox.unsent(server.running.store, 1000)}

    async def fails(*statements: Any) -> None:
        raise StoreFailed("the disk is full")

    monkeypatch.setattr(server.running.store, "write", fails)  # nothing is left to be written afterwards
    for _ in range(3):
        assert (await bob.order(battle, "evade no")).status == 200
        await server.running.play.close()
        if not (await anna.view(battle))["parked"]:
            break
    assert requests.unfinished(server.running.store) == []
    told = [letter for letter in outbox.unsent(server.running.store, 1000) if letter.id not in posted]
    assert ("turn", anna.player) in [(letter.kind, letter.recipient) for letter in told]


# --- what a script looks at


async def test_others_are_served_between_the_conditions_of_a_script(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _, battle = await two(server)
    judged = longest = 0

    async def others() -> None:
        nonlocal judged
        while True:
            judged = 0
            await asyncio.sleep(0)

    def is_so(*given: Any) -> bool:
        nonlocal judged, longest
        judged += 1
        longest = max(longest, judged)
        return false(*given)

    false = conditions.is_so
    monkeypatch.setattr(cursor, "is_so", is_so)
    tests = " or ".join(["R1 ahead needs more than 20"] * 24)
    task = asyncio.ensure_future(others())
    reply = await anna.order(battle, "\n".join([f"stop if {tests}"] * 10 + ["R1 ahead"]))
    task.cancel()
    assert statuses(reply) == ["skipped"] * 10 + ["accepted"]
    assert longest == 24


async def test_a_script_looks_at_events_as_its_side_may_see_them(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other side's sealed orders are no ground for a condition."""
    anna, bob, battle = await two(server)
    assert (await anna.order(battle, "standing evade R6 never")).status == 200
    assert (await bob.order(battle, "standing evade N3 never")).status == 200
    seen: dict[str, Any] = {}

    def outcome(side: str, events: Sequence[Event]) -> Outcome:
        seen.update({event.side: event.text for event in events if isinstance(event, OrderAccepted)})
        return Outcome()

    monkeypatch.setattr(BattleScriptView, "ruleset", replace(TTS, orders=replace(TTS.orders, senses=Senses(outcome))))
    table = await server.running.battles.get(battle)
    BattleScriptView(table, "south", table.n).it(1)
    assert seen == {"south": "standing evade R6 never", "north": UNSET}


# --- another process


async def overtaking(server: RunningServer, battle: str, player: str, line: str) -> None:
    """Another process plays an order of the battle; ours has not heard of it."""
    ours = server.running.battles
    theirs = OrderService(LiveBattles(ours.settings, ours.store, ours.clock, ours.entropy, ours.keys))
    await theirs.orders(OrderRequest(battle, "south", player, "page", line, PHRASE))
    await theirs.close()


async def test_a_script_that_was_overtaken_looks_again_before_its_first_order(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    text = "if R1 ahead needs at least 1: standing evade R6 never\nelse: standing evade R6 always"
    await overtaking(server, battle, anna.player, "end turn")  # whereupon R1 may not move any more
    reply = await anna.order(battle, text, "overtaken")
    assert statuses(reply) == ["skipped", "accepted"]
    assert told(await anna.order(battle, text, "overtaken")) == told(reply)


async def test_what_an_order_expects_is_asked_of_the_battle_that_takes_it(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    n = (await anna.view(battle))["n"]
    await overtaking(server, battle, anna.player, "standing evade R6 never")
    assert (await anna.order(battle, "end turn", "late", expect=n)).code == "core.stale"


async def test_a_stop_waits_for_nothing_that_is_done(server: RunningServer) -> None:
    play = server.running.play
    done = asyncio.ensure_future(asyncio.sleep(0))
    await done
    play._tasks.add(done)  # as between its end and the call that takes it out
    stop = asyncio.ensure_future(play.close())
    for _ in range(3):
        await asyncio.sleep(0)
    assert stop.done()
