"""Disputes on a server: the same lines as orders, in a turn and out of it, by both sides and an umpire."""

from typing import Any

import pytest

from replay.proof import verify
from replay.proof.audit import AuditFault
from server.play.archive import import_battle
from server.play.live_battle import LiveBattle
from tests.support.flags import run_out
from tests.support.lanes import thinned
from tests.support.quarrelling import GAMES, quarrel
from tests.support.serving import BATTLES, Caller, RunningServer
from tests.support.waiting import eventually

ORDERS = "standing evade R6 never\nend turn"


async def three(server: RunningServer, **more: Any) -> tuple[Caller, Caller, Caller, str]:
    anna, bob, judge = [await server.player(name) for name in ("Anna", "Bob", "Judge")]
    return anna, bob, judge, await server.battle(anna, bob, **more)


async def live(server: RunningServer, battle: str) -> LiveBattle:
    return await server.running.battles.get(battle)


def codes(reply: Any) -> list[str]:
    return [line.get("code", line["status"]) for line in reply.json["lines"]]


async def test_a_take_back_is_asked_and_agreed(server: RunningServer) -> None:
    anna, bob, _, battle = await three(server)
    n = (await anna.view(battle))["n"]
    assert (await anna.order(battle, ORDERS)).status == 200
    assert (await bob.order(battle, "takeback")).code == "core.docket-no-order"
    assert (await anna.order(battle, "Reprise, je me suis trompée.")).status == 200
    assert codes(await bob.order(battle, "agree d1")) == ["accepted"]
    timeline = (await live(server, battle)).recording.timeline
    assert (timeline.now.game.rewinds, timeline.now.game.t) == (1, 1)
    assert timeline.counts(n)
    report = verify.verify(await server.stranger.export(battle))
    assert report.fault is None
    assert [act.what for act in report.listed] == ["settled", "rewound"]


async def test_an_umpire_is_named_by_name_and_rules_over_the_same_door(server: RunningServer) -> None:
    anna, bob, judge, battle = await three(server, readers="players")
    assert (await judge.get(f"{BATTLES}/{battle}")).status == 404
    assert codes(await anna.order(battle, "umpire judge\ndispute 1 conduct He was rude.")) == ["accepted"] * 2
    assert (await bob.order(battle, "agree umpire")).status == 200
    disputes = (await live(server, battle)).recording.battle.disputes
    assert (disputes.umpire, disputes.umpire_name) == (judge.player, "Judge")
    assert (await judge.get(f"{BATTLES}/{battle}")).status == 200
    assert (await bob.order(battle, "rule d1 none x")).code == "core.docket-not-umpire"
    assert (await judge.order(battle, "end turn")).code == "core.docket-umpire-orders"
    assert codes(await judge.order(battle, "answer d1 I have read it.\nrule d1 none It stands.")) == ["accepted"] * 2
    again = (await anna.order(battle, "umpire Judge@example.org")).code
    assert again == "core.docket-same-umpire"
    assert verify.verify(await judge.export(battle)).fault is None


async def test_nobody_is_named_who_is_not_known_or_plays(server: RunningServer) -> None:
    anna, _, _, battle = await three(server)
    assert (await anna.order(battle, "umpire Nobody Atall")).code == "core.docket-unknown-player"
    assert (await anna.order(battle, "umpire Bob")).code == "core.docket-own-battle"


async def test_a_line_that_begins_like_one_of_a_dispute_is_told_how_it_is_written(server: RunningServer) -> None:
    anna, _, _, battle = await three(server)
    reply = await anna.order(battle, "dispute the shot")
    assert (reply.status, codes(reply)) == (422, ["core.docket-line"])
    assert "dispute EVENT" in reply.json["lines"][0]["sentence"]


async def test_lines_of_disputes_are_not_tried(server: RunningServer) -> None:
    anna, _, _, battle = await three(server)
    reply = await anna.post(f"{BATTLES}/{battle}/preview", {"orders": "dispute 1 x"})
    assert codes(reply) == ["core.docket-not-tried"]


async def test_while_play_is_halted_nobody_is_to_act(server: RunningServer) -> None:
    anna, bob, _, battle = await three(server)
    assert (await bob.order(battle, "dispute 1 x\nhalt d1")).status == 200
    assert (await anna.view(battle))["to_act"] == []
    assert (await anna.order(battle, ORDERS)).code == "core.docket-halted"
    assert (await bob.order(battle, "go on d1")).status == 200
    assert (await anna.order(battle, ORDERS)).status == 200


async def test_what_waits_for_an_answer_is_dropped_when_play_goes_back(server: RunningServer) -> None:
    anna, bob, _, battle = await three(server)
    assert (await anna.order(battle, ORDERS)).status == 200
    await anna.order(battle, "takeback")
    playing = await live(server, battle)
    assert (await bob.order(battle, "agree d1")).status == 200
    assert playing.parked == {}


async def test_a_bot_answers_a_take_back_by_itself(server: RunningServer) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    await anna.sit(battle, "south", phrase="sixteen bytes of my own")
    assert (await anna.post(f"{BATTLES}/{battle}/sides/north", {"bot": "easy"})).status in (200, 201)
    await anna.order(battle, "standing evade R6 never")
    await anna.order(battle, "takeback")
    playing = await live(server, battle)
    await eventually("the bot's answer", lambda: bool(playing.recording.battle.disputes.dockets[0].how))
    assert playing.recording.battle.disputes.dockets[0].how == "agreed"


async def test_an_umpire_may_be_named_with_the_opening(server: RunningServer) -> None:
    judge = await server.player("Judge")
    anna = await server.player("Anna")
    battle = await anna.open(umpire="Judge", takebacks="never", disputes_days=10)
    now = (await live(server, battle)).recording.battle.disputes
    assert (now.umpire, now.takebacks, now.days) == (judge.player, "never", 10)
    assert (await judge.sit(battle, "south")).code == "core.docket-own-battle"


# --- over their own addresses


async def test_a_dispute_over_its_own_addresses_goes_to_a_ruling(server: RunningServer) -> None:
    anna, bob, judge, battle = await three(server, umpire="Judge")
    to = (await anna.view(battle))["n"]
    await anna.order(battle, ORDERS)
    path = f"{BATTLES}/{battle}/disputes"

    async def post(who: Caller, where: str, **body: Any) -> Any:
        return await who.post(f"{path}{where}", {"seen": await who.head(battle), **body})

    assert (await post(bob, "", about=to + 1, kind="facts", text="It was mine.")).status == 200
    assert (await post(anna, "/d1/answers", text="It was not.")).status == 200
    assert (await post(bob, "/d1/offers", remedy=f"rewind {to}", text="Again?")).status == 200
    assert (await post(anna, "/d1/answers", say="decline")).code == "core.docket-umpires"
    docket = (await server.stranger.get(f"{path}/d1")).json
    assert [(one["by"], one["what"]) for one in docket["said"]] == [
        ("north", "raised"),
        ("south", "answered"),
        ("north", "offered"),
    ]
    assert docket["offers"]["north"]["remedy"] == f"rewind {to}"
    assert (await post(anna, "/d1/ruling", remedy="none", text="Mine.")).code == "core.docket-not-umpire"
    assert (await post(judge, "/d1/ruling", remedy=f"rewind {to}", text="Play it again.")).status == 200
    shown = (await anna.get(path)).json
    assert (shown["umpire_name"], shown["dockets"][0]["how"]) == ("Judge", "ruled")
    assert (await server.stranger.get(f"{path}/d2")).code == "core.docket-unknown"
    assert verify.verify(await anna.export(battle)).fault is None


async def test_a_remedy_that_is_none_is_refused(server: RunningServer) -> None:
    anna, _, _, battle = await three(server)
    await anna.order(battle, "dispute 1 x")
    body = {"remedy": "hang them", "seen": await anna.head(battle)}
    reply = await anna.post(f"{BATTLES}/{battle}/disputes/d1/offers", body)
    assert (reply.status, codes(reply)) == (422, ["core.docket-line"])


async def test_what_a_ruling_says_of_an_ended_battle_counts(server: RunningServer) -> None:
    anna, bob, _, battle = await three(server)
    await anna.order(battle, "resign")
    assert ((await anna.view(battle))["winner"], (await anna.view(battle))["how"]) == ("north", "resignation")
    await anna.order(battle, "dispute 1 conduct x\noffer d1 draw")
    await bob.order(battle, "agree d1")
    assert ((await anna.view(battle))["winner"], (await anna.view(battle))["how"]) == ("", "ruling")


async def test_an_umpire_sets_facts_in_lines_behind_the_ruling(server: RunningServer) -> None:
    anna, _, judge, battle = await three(server, umpire="Judge")
    await anna.order(battle, "dispute 1 facts A medal was lost.")
    reply = await judge.order(battle, "rule d1 correct It was miscounted.\nset medals south 5")
    assert reply.status == 200, reply
    now = await live(server, battle)
    assert now.ruleset.shown.tally(now.game)["south"] == 5
    report = verify.verify(await judge.export(battle))
    assert (report.fault, report.corrected) == (None, 1)


async def test_an_umpire_rules_on_a_fallen_flag_over_the_api(server: RunningServer) -> None:
    anna, bob, judge, battle = await three(server, umpire="Judge", pace="live")
    said = {"flag": "south", "effect": "lost", "text": "Asleep.", "seen": await judge.head(battle)}
    path = f"{BATTLES}/{battle}/disputes/flags"
    assert (await judge.post(path, said)).code == "core.docket-no-flag"
    playing = await live(server, battle)
    await run_out(server, playing)
    said["seen"] = await judge.head(battle)
    assert (await bob.post(path, said)).code == "core.docket-not-umpire"
    assert codes(await judge.post(path, said)) == ["accepted"]
    view = await anna.view(battle)
    assert (view["winner"], view["how"]) == ("north", "ruling")
    report = verify.verify(await judge.export(battle))
    assert (report.fault, report.listed[-1].what) == (None, "flag")


async def test_lists_and_views_count_the_open_dockets(server: RunningServer) -> None:
    anna, bob, judge, battle = await three(server, umpire="Judge")
    await anna.order(battle, "dispute 1 x")
    view = await bob.view(battle)
    assert (view["disputed"], view["umpire"]) == (1, "Judge")
    for caller, judging in ((anna, False), (judge, True)):
        (one,) = (await caller.get(f"{BATTLES}?mine")).json["battles"]
        assert (one["battle"], one["disputed"], one["judging"]) == (battle, 1, judging)


async def test_a_docket_has_the_verdict_of_the_rules(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bob, _, battle = await three(server)
    to = (await anna.view(battle))["n"]
    await anna.order(battle, "R1 ahead")
    await bob.order(battle, f"dispute {to + 2} x\ndispute 1 y")
    path = f"{BATTLES}/{battle}/disputes"
    assert [docket["verdict"] for docket in (await bob.get(path)).json["dockets"]] == [None, None]
    verdict = (await bob.get(f"{path}/d1")).json["verdict"]
    assert (verdict["differs"], verdict["to"]) == (0, 0)
    assert "follows from the rules installed" in verdict["said"]
    french = (await bob.get(f"{path}/d1", {"Accept-Language": "fr"})).json["verdict"]["said"]
    assert "découle" in french
    fault = AuditFault(to + 3, "event-differs")

    def differs(*_: object) -> None:
        raise fault

    monkeypatch.setattr("replay.reports.disputed.audit", differs)
    await anna.order(battle, "answer d1 So?")
    verdict = (await bob.get(f"{path}/d1")).json["verdict"]
    assert (verdict["differs"], verdict["to"]) == (to + 3, to)
    assert f"rewind {to}" in verdict["said"]


@pytest.mark.parametrize("name", thinned(GAMES, len(GAMES)))
async def test_a_battle_full_of_rulings_is_taken_in_shown_and_given_out(server: RunningServer, name: str) -> None:
    battle = quarrel(name)
    if not battle.now.ended:
        battle.say("south: resign")
    winner = battle.now.game.winner
    other = "south" if winner == "north" else "north"
    battle.say("south: dispute 1 conduct Fourth.", f"umpire: rule d4 award {other} After all.")
    content = battle.battle.file()
    id_ = import_battle(server.running.store, content)
    stranger = server.stranger
    assert verify.verify(await stranger.export(id_)).fault is None
    for path in ("", "/disputes", "/disputes/d1", "/disputes/d3", "/statistics", "/events", "/board"):
        assert (await stranger.get(f"{BATTLES}/{id_}{path}")).status == 200, path
    for path in ("", "/disputes", "/disputes/d1", "/disputes/d3"):
        page = await stranger.get(f"/battles/{id_}{path}", {"Accept": "text/html"})
        assert page.status == 200, path
    view = await stranger.view(id_)
    playing = await live(server, id_)
    assert (view["winner"], view["clocks"], view["disputed"]) == (other, {}, 0)
    assert playing.recording.battle.disputes.result == f"award {other}"
    (listed,) = (await stranger.get(f"{BATTLES}?ended")).json["battles"]
    assert (listed["winner"], listed["disputed"]) == (other, 0)
    shown = (await stranger.get(f"{BATTLES}/{id_}/statistics")).json
    assert shown["honours"] is not None
