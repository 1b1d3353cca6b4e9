"""A toy with three seats runs through lab, log, seals and folds: the machine says nothing of two."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.commands import Resign
from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.run.timeline import Timeline, vault_of
from replay.lab.lab import UnreadableCase, run_case
from tests.support import messages
from tests.support.looping import some
from tests.support.three_seats import GAMES, HIDING, THROWING, lots_file
from tests.toys import played
from tests.toys.lots import LOTS, SEATS
from tests.toys.played import AT, recorded

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")


def case(orders, **more):
    return {"ruleset": "lots", "orders": orders, "dice": {"red": [6], "green": [2], "blue": [3]}, **more}


# --- lab


def test_a_case_of_three_seats_runs_in_the_lab():
    wanted = [{"type": "DieRolled", "data": {"scope": f"dice:{seat}"}} for seat in SEATS.names]
    result = run_case(case(HIDING + THROWING, expect=wanted, final={"winner": "red", "turn": 2}), GAMES)
    assert result.ok, result.failures


def test_a_case_names_no_seat_but_those_of_its_game():
    with pytest.raises(UnreadableCase, match="`red:` or `green:` or `blue:`"):
        run_case(case(["south: hide 3"]), GAMES)


# --- log and seals


def test_a_battle_begins_when_the_last_of_three_seats_is_taken():
    recording, _ = recorded(LOTS, [])
    kinds = [one.type for one in recording.timeline.events]
    assert kinds[:6] == ["BattleOpened", *["SideJoined"] * 3, "BattleBegan", "PhaseBegan"]
    assert kinds[-3:] == ["ContributionGiven"] * 3


def test_the_first_event_binds_a_chain_for_the_hand_of_each_seat():
    recording, _ = recorded(LOTS, [])
    keys: Any = getattr(recording.timeline.events[0].event, "keys", None)
    assert sorted(keys.anchors) == ["hand:blue", "hand:green", "hand:red", "public"]


def test_nothing_is_drawn_before_all_three_have_contributed():
    recording, _ = recorded(LOTS, HIDING)
    seats = dict(recording.battle.seats)
    assert recording.battle.may_draw(SEATS)
    for seat in SEATS.names:
        fewer = {name: one for name, one in seats.items() if name != seat}
        assert not type(recording.battle)(0, None, seats=fewer).may_draw(SEATS)


def test_a_secret_of_one_seat_is_kept_from_both_others_and_opened_at_the_end():
    recording, content = recorded(LOTS, HIDING)
    assert b'"number"' not in content
    for seat in SEATS.names:
        found = {of: number for of, (number, _) in recording.known(seat).hidden.items()}
        assert found == {"red": 0, "green": 0, "blue": 0} | {seat: {"red": 3, "green": 5, "blue": 1}[seat]}
    assert {number for number, _ in recording.known(NOBODY).hidden.values()} == {0}
    assert lots_file().count(b'"type":"Unsealed"') == 6  # three numbers, and the orders that chose them


def test_options_do_not_depend_on_what_two_others_hide():
    one, _ = recorded(LOTS, ["red: hide 3", "green: hide 5"])
    other, _ = recorded(LOTS, ["red: hide 1", "green: hide 2"])
    assert LOTS.orders.options(one.known("blue"), "blue") == LOTS.orders.options(other.known("blue"), "blue")


def test_what_a_seat_folds_from_the_log_and_its_own_secrets_is_what_it_is_shown():
    recording, content = recorded(LOTS, HIDING)
    events = played.events_of(LOTS, content)
    for seat in (*SEATS.names, NOBODY):
        own = {n: part for n, part in recording.timeline.vault.items() if recording.vault[n].seat == seat}
        timeline = Timeline(LOTS, own)
        for event in events:
            timeline.feed(event)
        assert timeline.now.game == recording.known(seat)


def test_the_log_opens_everything_at_the_end():
    recording, content = recorded(LOTS, HIDING + THROWING)
    events = played.events_of(LOTS, content)
    timeline = Timeline(LOTS, vault_of(list(events)))
    for event in some(events):
        timeline.feed(event)
    assert timeline.now == recording.battle
    assert recording.battle.ended


# --- resigning is the game's


def test_who_resigns_is_out_and_the_others_go_on():
    recording, _ = recorded(LOTS, [*HIDING, "green: resign", "red: throw", "blue: throw"])
    assert recording.battle.game.out == ("green",)
    assert recording.battle.winner in ("red", "blue")


def test_a_game_of_three_that_does_not_say_what_resigning_does_is_refused():
    decisions = {kind: one for kind, one in LOTS.orders.decisions.items() if kind is not Resign}
    with pytest.raises(ValueError, match="lots: a game of 3 seats"):
        replace(LOTS, orders=replace(LOTS.orders, decisions=decisions))


def test_the_last_seat_left_has_won():
    recording, _ = recorded(LOTS, [*HIDING, "blue: resign", "green: resign"])
    assert (recording.battle.winner, recording.battle.how) == ("red", "resignation")


def test_a_seat_orders_in_its_own_turn_alone():
    recording, _ = recorded(LOTS, [])
    with pytest.raises(Refusal) as refused:
        recording.order(messages.entry(recording, "blue", "hide 2", "blue", phrase=played.PHRASE), AT)
    assert refused.value.code == "core.not-your-turn"
