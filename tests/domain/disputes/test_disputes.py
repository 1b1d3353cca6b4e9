"""CORE-DSP-01 … 10: what may be said in a dispute, by whom, and what follows at once."""

import pytest

from domain.basics.errors import Refusal
from domain.basics.pace import moment_of, text_of
from domain.contract.dispute_lines import LONGEST_TEXT
from domain.engine.dockets import AGREED, DECLINED, LAPSED, RULED, WITHDRAWN, Said
from domain.events.battle import CardDrawn, DisputeAnswered
from domain.run.inputs import Entry
from tests.support.disputing import DAY_MS, JUDGE, Disputed

of = pytest.mark.parametrize


# --- CORE-DSP-01: what a docket is about


def test_a_docket_is_about_an_event_that_counts():
    battle = Disputed()
    n = battle.play()
    order, raised, *_ = battle.say(f"north: dispute {n} rules The box was taken.")
    assert (getattr(order.event, "text", ""), raised.type) == (f"dispute {n} rules The box was taken.", "DisputeRaised")
    docket = battle.docket()
    assert (docket.id, docket.side, docket.about, docket.kind, docket.text) == (
        "d1",
        "north",
        n,
        "rules",
        "The box was taken.",
    )
    assert docket.is_open
    battle.assert_right()


def test_a_docket_is_not_about_what_has_not_happened_or_does_not_count():
    battle = Disputed()
    n = battle.play()
    assert battle.refused(f"north: dispute {battle.n + 1} x") == "core.docket-event"
    battle.say("south: takeback", "north: agree d1")
    assert battle.refused(f"north: dispute {n} x") == "core.docket-event"
    battle.assert_right()


def test_what_is_said_of_a_docket_that_is_not_there_is_refused():
    battle = Disputed()
    assert battle.refused("south: answer d1 hello") == "core.docket-unknown"
    battle.say("south: dispute 1 x", "south: withdraw d1")
    assert battle.refused("north: answer d1 hello") == "core.docket-closed"


def test_both_sides_and_the_umpire_answer():
    battle = Disputed(umpire=True)
    battle.say("south: dispute 1 time Too late.", "north: answer d1 It was not.", "umpire: answer d1 I look at it.")
    said = [one.event for one in battle.battle.events() if isinstance(one.event, DisputeAnswered)]
    assert [(event.by, event.text) for event in said] == [("north", "It was not."), ("umpire", "I look at it.")]
    battle.assert_right()


# --- CORE-DSP-02: how many


def test_a_side_has_one_open_docket_about_an_event_and_three_at_most():
    battle = Disputed()
    battle.play(2)
    battle.say("south: dispute 1 x")
    assert battle.refused("south: dispute 1 x") == "core.docket-again"
    battle.say("north: dispute 1 x", "south: dispute 2 x", "south: dispute 3 x")
    assert battle.refused("south: dispute 4 x") == "core.docket-too-many"
    battle.say("south: withdraw d1", "south: dispute 1 y")
    assert [docket.id for docket in battle.now.disputes.open] == ["d2", "d3", "d4", "d5"]
    battle.assert_right()


# --- CORE-DSP-03: play goes on, unless it is halted


def test_play_goes_on_while_a_docket_is_open():
    battle = Disputed()
    n = battle.play()
    battle.say(f"north: dispute {n} x")
    battle.play(2)
    battle.assert_right()


def test_a_halt_stops_the_orders_until_its_raiser_goes_on():
    battle = Disputed()
    n = battle.play()
    battle.say(f"north: dispute {n} x", "north: halt d1")
    with pytest.raises(Refusal, match="docket-halted"):
        battle.play()
    assert battle.refused("south: resign") == "core.docket-halted"
    assert battle.refused("south: go on d1") == "core.docket-not-raiser"
    battle.say("south: answer d1 I see.", "north: go on d1")
    battle.play()
    assert battle.refused("north: go on d1") == "core.docket-not-halted"
    battle.assert_right()


def test_a_side_halts_twice_in_a_battle_and_the_umpire_as_often_as_they_like():
    battle = Disputed(umpire=True)
    battle.say("north: dispute 1 x")
    for _ in range(2):
        battle.say("north: halt d1", "umpire: go on d1")
    assert battle.refused("north: halt d1") == "core.docket-halts"
    assert battle.refused("south: halt d1") == "core.docket-not-raiser"
    for _ in range(3):
        battle.say("umpire: halt d1", "umpire: go on d1")
    battle.assert_right()


@of("end", ["north: withdraw d1", "south: decline d1"])
def test_a_halt_ends_with_its_docket(end: str):
    battle = Disputed()
    battle.say("north: dispute 1 x", "north: halt d1", end)
    assert not battle.now.is_halted
    battle.play()
    battle.assert_right()


def test_no_clock_runs_while_play_is_halted():
    battle = Disputed(pace="1d+1d")
    battle.play()
    (side,) = battle.battle.to_act
    battle.say("north: dispute 1 x", "north: halt d1")
    before = battle.battle.recording.clock(battle.clock.now())[side]
    battle.clock.wait(30 * DAY_MS)
    with pytest.raises(Refusal, match="docket-halted"):
        battle.battle.fire_clock("deadline", side)
    after = battle.battle.recording.clock(battle.clock.now())[side]
    assert (after.left_s, after.running) == (before.left_s, False)
    battle.say("north: go on d1")
    assert battle.battle.recording.clock(battle.clock.now())[side].running
    battle.clock.wait(3 * DAY_MS)
    battle.battle.fire_clock("deadline", side)
    battle.assert_right()


# --- CORE-DSP-04: what both sides say in the same words


def test_a_remedy_that_both_offer_takes_effect_at_once():
    battle = Disputed()
    to = battle.n
    n = battle.play()
    battle.play()
    battle.say(f"north: dispute {n} x", f"north: offer d1 rewind {to} Let us begin again.")
    assert battle.docket().offers["north"] == Said(f"rewind {to}", battle.n)
    events = battle.say(f"south: offer d1 rewind {to}")
    assert battle.types(events) == ["OrderAccepted", "RemedyOffered", "DisputeSettled", "Rewound", "ContributionGiven"]
    assert (battle.docket().how, battle.docket().remedy) == (AGREED, f"rewind {to}")
    report = battle.assert_right()
    assert [act.what for act in report.listed] == ["settled", "rewound"]


def test_after_a_rewind_the_game_is_as_it_was_and_goes_on_with_other_draws():
    battle = Disputed()
    battle.play(3)
    to, then = battle.n, battle.now.game
    battle.play(4)
    battle.say("north: dispute 1 x", f"south: offer d1 rewind {to}", "north: agree d1")
    now = battle.now.game
    assert (now.t, now.phase, now.active, now.rewinds) == (then.t, then.phase, then.active, 1)
    for _ in range(8):
        battle.play()
    behind = list(battle.battle.events())[battle.docket().closed :]
    scopes = {one.event.scope for one in behind if isinstance(one.event, CardDrawn)}
    assert scopes
    assert all(scope.endswith("/r1") for scope in scopes)
    battle.assert_right()


def test_the_newest_offer_counts():
    battle = Disputed()
    battle.say("south: dispute 1 x", "south: offer d1 draw", "south: offer d1 none", "north: offer d1 draw")
    assert battle.docket().is_open
    battle.say("south: agree d1")
    assert (battle.now.game.winner, battle.now.game.how) == ("", "agreement")
    battle.assert_right()


def test_only_what_was_offered_and_seen_can_be_agreed_to():
    battle = Disputed()
    battle.say("south: dispute 1 x")
    assert battle.refused("north: agree d1") == "core.docket-no-offer"
    head = battle.battle.recording.newest_head
    seen = head()
    battle.say("south: offer d1 none")
    battle.battle.recording.newest_head = lambda: seen  # type: ignore[method-assign]
    assert battle.refused("north: agree d1") == "core.docket-unseen"
    battle.battle.recording.newest_head = head  # type: ignore[method-assign]
    battle.say("north: agree d1")
    battle.assert_right()


def test_a_docket_is_declined_by_the_other_side_and_withdrawn_by_its_raiser():
    battle = Disputed()
    battle.say("south: dispute 1 x")
    assert battle.refused("south: decline d1") == "core.docket-own"
    assert battle.refused("north: withdraw d1") == "core.docket-not-raiser"
    battle.say("north: decline d1", "south: dispute 1 y", "south: withdraw d2")
    assert [docket.how for docket in battle.now.disputes.dockets] == [DECLINED, WITHDRAWN]
    assert battle.refused("north: offer d1 none") == "core.docket-closed"
    battle.assert_right()


@of(("remedy", "winner"), [("draw", ""), ("award south", "south"), ("award north", "north")])
def test_a_remedy_may_end_the_battle(remedy: str, winner: str):
    battle = Disputed()
    battle.say("south: dispute 1 x", f"south: offer d1 {remedy}", "north: agree d1")
    assert (battle.now.ended, battle.now.winner) == (True, winner)
    assert battle.assert_right().ended


# --- CORE-DSP-05: the umpire rules


def test_an_umpire_rules_and_their_ruling_takes_effect():
    battle = Disputed(umpire=True)
    to = battle.n
    n = battle.play()
    battle.say(f"north: dispute {n} x")
    events = battle.say(f"umpire: rule d1 rewind {to} The box was taken.")
    assert battle.types(events) == ["OrderAccepted", "RulingGiven", "DisputeSettled", "Rewound"]
    assert [one.by for one in events[:4]] == ["umpire", "umpire", "server", "server"]
    assert (battle.docket().how, battle.docket().remedy) == (RULED, f"rewind {to}")
    assert [act.what for act in battle.assert_right().listed] == ["umpire", "ruling", "settled", "rewound"]


@of("close", ["south: withdraw d1", ""])
def test_an_umpire_rules_also_on_what_was_withdrawn_but_once(close: str):
    battle = Disputed(umpire=True)
    battle.say("south: dispute 1 x", *([close] if close else []), "umpire: rule d1 none It stands.")
    assert battle.docket().remedy == "none"
    assert battle.refused("umpire: rule d1 draw") == "core.docket-closed"
    battle.assert_right()


def test_what_both_have_agreed_is_not_ruled_on():
    battle = Disputed(umpire=True)
    battle.say("south: dispute 1 x", "south: offer d1 none", "north: agree d1")
    assert battle.refused("umpire: rule d1 draw") == "core.docket-closed"


def test_with_an_umpire_a_dispute_is_theirs_to_close():
    battle = Disputed(umpire=True)
    battle.play()
    battle.say("south: dispute 1 x")
    assert battle.refused("north: decline d1") == "core.docket-umpires"
    battle.say("south: takeback", "north: decline d2")
    assert battle.docket("d2").how == DECLINED


@of(("remedy", "winner"), [("draw", ""), ("award north", "north")])
def test_a_ruling_may_end_the_battle(remedy: str, winner: str):
    battle = Disputed(umpire=True)
    battle.say("south: dispute 1 x", f"umpire: rule d1 {remedy} So be it.")
    assert (battle.now.winner, battle.now.game.how) == (winner, "ruling")
    battle.assert_right()


# --- CORE-DSP-07: where play goes back to


def test_play_goes_back_only_to_where_somebody_was_to_act():
    battle = Disputed()
    battle.play(2)
    battle.say("south: dispute 1 x")
    began = next(one.n for one in battle.battle.events() if one.type == "BattleBegan")
    order = next(one.n for one in battle.battle.events() if one.type == "OrderAccepted")
    brought = order - 1  # the contribution that the order brings
    for to in (1, began - 1, order, brought, battle.n, battle.n + 5):
        assert battle.refused(f"south: offer d1 rewind {to}") == "core.docket-rewind-point", to


def test_a_refused_rewind_names_the_nearest_place_before_it():
    battle = Disputed()
    to = battle.n
    n = battle.play()
    battle.play()
    battle.say("south: dispute 1 x")
    with pytest.raises(Refusal) as caught:
        battle.say(f"south: offer d1 rewind {n}")
    assert caught.value.params["nearest"] == to


def test_a_docket_about_what_is_taken_back_lapses():
    battle = Disputed()
    to = battle.n
    n = battle.play()
    battle.say(f"north: dispute {n} x", "south: dispute 1 y", "south: takeback", "north: agree d3")
    assert [docket.how for docket in battle.now.disputes.dockets] == [LAPSED, "", AGREED]
    assert battle.docket("d3").remedy == f"rewind {to}"
    battle.assert_right()


# --- CORE-DSP-08: taking back


def test_a_take_back_goes_to_before_the_last_order_of_its_side():
    battle = Disputed()
    battle.play()
    to = battle.n
    n = battle.play()
    side = getattr(list(battle.battle.events())[n - 1].event, "side", "")
    other = {"south": "north", "north": "south"}[side]
    battle.say(f"{side}: takeback Wrong unit.")
    docket = battle.docket()
    assert (docket.kind, docket.about, docket.asked, docket.text) == ("takeback", n, f"rewind {to}", "Wrong unit.")
    battle.say(f"{other}: agree d1")
    assert battle.docket().how == AGREED
    assert not battle.battle.recording.timeline.counts(n)
    battle.assert_right()


def test_there_must_be_something_to_take_back_and_it_must_be_allowed():
    battle = Disputed()
    assert battle.refused("north: takeback") == "core.docket-no-order"
    battle = Disputed(takebacks="never")
    battle.play()
    assert battle.refused("south: takeback") == "core.docket-no-takebacks"
    battle.assert_right()


def test_what_was_taken_back_is_not_taken_back_again():
    battle = Disputed()
    battle.play()
    battle.say("south: takeback", "north: agree d1")
    assert battle.refused("south: takeback") == "core.docket-no-order"
    battle.play()
    battle.say("south: takeback", "north: agree d2")
    battle.assert_right()


# --- CORE-DSP-09: when the battle is over


def ended(**more: object) -> Disputed:
    battle = Disputed(umpire=True, **more)  # type: ignore[arg-type]
    battle.play(2)
    battle.say("south: resign")
    return battle


def test_an_ended_battle_is_disputed_for_some_days():
    battle = ended(days=10)
    battle.clock.wait(9 * DAY_MS)
    battle.say("south: dispute 3 conduct He played for me.")
    battle.clock.wait(2 * DAY_MS)
    assert battle.refused("south: dispute 1 x") == "core.docket-too-late"
    battle.assert_right()


@of(("late_ms", "code"), [(0, ""), (1, "core.docket-too-late")])
def test_the_days_of_an_ended_battle_are_whole_days(late_ms: int, code: str):
    battle = ended(days=10)
    end = next(one.at for one in battle.battle.events() if one.type == "BattleEnded")
    at = text_of(moment_of(end) + 10 * DAY_MS + late_ms)
    seen = battle.battle.recording.newest_head()
    entry = Entry("south", "dispute 1 conduct x", "south-person", "cli", key="0" * 16, seen=seen)
    try:
        battle.battle.recording.order(entry, at)
        said = ""
    except Refusal as refusal:
        said = refusal.code
    assert said == code


def test_an_ended_battle_is_never_taken_back():
    battle = ended()
    battle.say("south: dispute 3 x")
    for line in ("south: takeback", "south: halt d1", "south: offer d1 rewind 20", "umpire: rule d1 rewind 20 x"):
        assert battle.refused(line) == "core.docket-battle-over"


@of(("remedy", "winner"), [("draw", ""), ("award south", "south"), ("none", "north")])
@of("who", ["umpire", "both"])
def test_a_ruling_stands_beside_the_result_and_counts(remedy: str, winner: str, who: str):
    battle = ended()
    battle.say("south: dispute 3 x")
    if who == "umpire":
        battle.say(f"umpire: rule d1 {remedy} It was so.")
    else:
        battle.say(f"south: offer d1 {remedy}", "north: agree d1")
    assert (battle.now.winner, battle.now.game.winner) == (winner, "north")
    assert [one.type for one in battle.battle.events()].count("BattleEnded") == 1
    battle.assert_right()


# --- CORE-DSP-10: nobody rules in their own battle


def test_an_umpire_is_named_by_both_sides():
    battle = Disputed()
    battle.say(f"south: umpire {JUDGE}")
    assert battle.now.disputes.umpire == ""
    assert battle.refused("south: agree umpire") == "core.docket-no-proposal"
    battle.say("north: agree umpire")
    assert (battle.now.disputes.umpire, battle.now.disputes.umpires) == (JUDGE, (JUDGE,))
    assert battle.refused(f"south: umpire {JUDGE}") == "core.docket-same-umpire"
    battle.say("south: dispute 1 x", "umpire: rule d1 none Nothing.")
    battle.assert_right()


@of("line", ["south: umpire north-person", "south: umpire south-person"])
def test_nobody_rules_in_their_own_battle(line: str):
    assert Disputed().refused(line) == "core.docket-own-battle"


def test_nobody_agrees_to_an_umpire_whom_they_have_not_seen():
    battle = Disputed()
    seen = battle.battle.recording.newest_head()
    battle.say("south: umpire judge")
    entry = Entry("north", "agree umpire", "north-person", "cli", key="0" * 16, seen=seen)
    with pytest.raises(Refusal) as refused:
        battle.battle.recording.order(entry, battle.clock.now())
    assert refused.value.code == "core.docket-unseen-umpire"
    battle.assert_right()


def test_a_text_is_not_longer_than_a_log_has_it():
    assert Disputed().refused(f"south: dispute 1 conduct {'x' * (LONGEST_TEXT + 1)}") == "core.docket-text"


@of("line", ["south: umpire Anna Weiss", "south: substitute north ?"])
def test_an_umpire_is_a_player(line: str):
    assert Disputed().refused(line) == "core.docket-unknown-player"


def test_only_the_umpire_rules_and_gives_no_orders():
    battle = Disputed(umpire=True)
    battle.say("south: dispute 1 x")
    assert battle.refused("south: rule d1 none x") == "core.docket-not-umpire"
    assert battle.refused("umpire: offer d1 none") == "core.docket-sides-only"
    assert battle.refused("umpire: resign") == "core.docket-umpire-orders"


def test_a_former_umpire_rules_no_more():
    battle = Disputed(umpire=True)
    battle.say("south: umpire pother", "north: agree umpire", "south: dispute 1 x", "umpire: rule d1 none x")
    assert battle.battle.recording.battle.disputes.umpires == (JUDGE, "pother")
    battle.assert_right()


def test_a_bot_agrees_to_a_take_back_before_a_draw_and_to_nothing_else():
    battle = Disputed(bot="easy")
    order = next(
        option.order
        for option in battle.battle.ruleset.orders.options(battle.known("south"), "south")
        if not option.odds
    )
    battle.say(f"south: {order}", "south: dispute 1 x", "south: offer d1 none")
    assert battle.refused("north: agree d1") == "core.docket-bot"
    assert battle.refused(f"north: umpire {JUDGE}") == "core.docket-bot"
