"""What three seats may settle: all of them agree, one declines; and what the verifier says of each."""

from typing import Any

import pytest

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS
from domain.log.record import Recorded
from domain.run.terms import USUAL_TERMS, Terms
from replay.proof.verify import verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from tests.support.rechained import put_together, taken_apart
from tests.support.three_seats import GAMES, nth
from tests.toys.lots import LOTS, SEATS

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")

JUDGE = "p-judge"


class Three:
    """A battle of lots in which red is to act; `say` takes lines with who says them (`red: takeback`)."""

    def __init__(self, *, umpire: bool = False, pace: str = "") -> None:
        self.clock = SeededClock("three")
        terms = Terms(umpire=JUDGE, name="Judge") if umpire else USUAL_TERMS
        entropy = SeededEntropy("three")
        self.battle = OfflineBattle(LOTS, {"ruleset": "lots"}, self.clock, entropy, pace, terms)
        for seat in SEATS.names:
            self.battle.seat_person(seat, seat.title())

    def say(self, *lines: str) -> list[str]:
        """The types of what followed from the last line, disclosures left out."""
        events: tuple[Recorded, ...] = ()
        for line in lines:
            side, _, text = line.partition(": ")
            events = self.battle.order(side, text)
        hidden = ("OrderAccepted", "Unsealed", "KeyDisclosed", "MasterRevealed")
        return [one.type for one in events if one.type not in hidden]

    def refused(self, line: str) -> str:
        """The code with which a line is refused, "" if it is not."""
        try:
            self.say(line)
        except Refusal as refusal:
            return refusal.code
        return ""

    def fire(self, what: str, side: str) -> None:
        """A clock event, now."""
        self.battle._adopt(self.battle.recording.fire_clock(what, side, self.clock.now()))

    def holds(self) -> bool:
        """Whether nothing is wrong with the file."""
        report = verify(self.battle.file(), rulesets=GAMES)
        assert report.fault is None, report.fault
        return True

    @property
    def now(self) -> Any:
        """The battle."""
        return self.battle.recording.battle


# --- dockets


def test_a_remedy_is_agreed_when_all_three_have_offered_it():
    three = Three()
    three.say("red: hide 3", "green: dispute 1 rules so it was")
    assert three.say("green: offer d1 award blue") == ["RemedyOffered"]
    assert three.say("red: agree d1") == ["RemedyOffered"]
    assert three.now.disputes.docket("d1").is_open
    assert three.say("blue: agree d1") == ["RemedyOffered", "DisputeSettled", "BattleEnded"]
    assert (three.now.winner, three.now.how) == ("blue", "agreement")
    assert three.holds()


def test_two_who_agree_do_not_bind_the_third_who_has_offered_something_else():
    three = Three()
    three.say(
        "green: dispute 1 rules so it was", "green: offer d1 draw", "red: offer d1 award red", "blue: offer d1 draw"
    )
    assert three.now.disputes.docket("d1").is_open
    assert three.say("red: agree d1")[-1] == "BattleEnded"
    assert three.now.winner == ""
    assert three.holds()


def test_agreeing_is_to_what_another_seat_has_offered_last():
    three = Three()
    three.say("green: dispute 1 rules so it was", "green: offer d1 draw", "blue: offer d1 award green", "red: agree d1")
    offers = three.now.disputes.docket("d1").offers
    assert {side: one.what for side, one in offers.items()} == {
        "green": "draw",
        "blue": "award green",
        "red": "award green",
    }
    assert three.holds()


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_one_seat_that_declines_is_enough(seat):
    three = Three()
    three.say("green: dispute 1 rules so it was", "green: offer d1 draw", f"{seat}: decline d1")
    assert three.now.disputes.docket("d1").how == "declined"
    assert three.holds()


def test_a_take_back_needs_both_others():
    three = Three()
    three.say("red: hide 3", "red: takeback", "green: agree d1")
    assert three.now.game.hidden
    assert "Rewound" in three.say("blue: agree d1")
    assert three.now.game.hidden == {}
    assert [seat for seat, one in three.now.seats.items() if not one.stale] == [
        "blue"
    ]  # whose agreement brought their share
    for seat in ("red", "green"):
        three.battle.contribute(seat)
    three.say("red: hide 4")
    assert three.holds()


def test_a_seat_that_this_game_has_not_wins_nothing():
    three = Three(umpire=True)
    three.say("green: dispute 1 rules so it was")
    assert three.refused("green: offer d1 award south") == "core.parse"
    with pytest.raises(Refusal) as refused:
        LOTS.read("rule d1 award north")
    assert refused.value.code == "core.docket-line"


# --- the umpire


def test_an_umpire_is_named_when_all_three_want_them():
    three = Three()
    three.say(f"green: umpire {JUDGE}", "red: agree umpire")
    assert not three.now.disputes.umpire
    assert three.say("blue: agree umpire") == ["UmpireProposed", "UmpireNamed"]
    assert three.now.disputes.umpire == JUDGE
    assert three.holds()


def test_an_umpire_awards_the_battle_to_any_of_three():
    three = Three(umpire=True)
    three.say("green: dispute 1 rules so it was", "umpire: rule d1 award green")
    assert (three.now.winner, three.now.how) == ("green", "ruling")
    assert three.holds()


def test_a_substitute_for_a_seat_is_named_by_both_others_and_by_the_one_who_leaves():
    three = Three()
    three.say("red: substitute blue peve", "blue: substitute blue peve")
    assert not three.now.may_follow("blue", "peve")
    three.say("green: substitute blue peve")
    assert three.now.may_follow("blue", "peve")
    three.battle.seat_person("blue", "Eve", "peve")
    for seat in SEATS.names:
        if seat in three.now.owing:
            three.battle.contribute(seat)
    assert three.now.seats["blue"].player == "peve"
    assert three.holds()


# --- a draw that is offered


def test_a_draw_is_agreed_when_both_others_accept_it():
    three = Three()
    assert three.say("green: offer draw", "red: accept draw") == ["DrawAccepted"]
    assert three.refused("red: accept draw") == "core.no-draw-offer"
    assert three.refused("green: accept draw") == "core.no-draw-offer"
    assert three.say("blue: accept draw") == ["DrawAccepted", "BattleEnded"]
    assert (three.now.winner, three.now.how) == ("", "draw")
    assert three.holds()


def test_a_draw_that_one_seat_declines_is_off_for_all():
    three = Three()
    three.say("green: offer draw", "red: accept draw", "blue: decline draw")
    assert (three.now.game.draw_offer, three.now.game.draw_agreed) == ("", ())
    assert three.refused("red: accept draw") == "core.no-draw-offer"
    three.say("red: offer draw", "green: accept draw")
    assert three.now.winner is None
    assert three.holds()


# --- clocks


def timed() -> Three:
    return Three(umpire=True, pace="1d+1d")


def test_a_claim_needs_the_flags_of_both_others():
    three = timed()
    three.clock.wait(10 * DAY_MS)
    three.fire("deadline", "red")
    with pytest.raises(Refusal) as refused:
        three.fire("claim", "green")
    assert (refused.value.code, refused.value.params["side"]) == ("core.no-flag", "blue")
    assert three.holds()


def test_a_lost_flag_names_no_winner_of_several():
    three = timed()
    three.clock.wait(10 * DAY_MS)
    three.fire("deadline", "red")
    assert three.refused("umpire: flag red lost") == "core.docket-flag-several"
    three.say("umpire: flag red draw")
    assert (three.now.winner, three.now.how) == ("", "ruling")
    assert three.holds()


def test_clocks_pause_when_both_others_agree():
    three = timed()
    three.fire("pause-asked", "red")
    three.fire("pause", "green")
    clocks: Any = three.battle.recording.clocks
    assert (clocks.paused, clocks.asked, clocks.agreed) == (False, "red", ("green",))
    with pytest.raises(Refusal) as refused:
        three.fire("pause", "green")
    assert refused.value.code == "core.no-pause-asked"
    three.fire("pause", "blue")
    clocks = three.battle.recording.clocks
    assert clocks.paused
    assert three.holds()


# --- lies


def told(three: Three, change: Any) -> tuple[int, str, int]:
    """Where a lie about a battle is found, as what, and where it stands."""
    header, events = taken_apart(three.battle.file())
    at = change(events)
    fault = verify(put_together(header, events, three.battle.signer), rulesets={}).fault  # by the log alone
    assert fault is not None
    return fault.n, fault.what, at


def test_a_host_that_settles_without_the_third_seat_is_found_out():
    three = Three()
    three.say("green: dispute 1 rules so it was", "green: offer d1 draw", "red: agree d1", "blue: agree d1")

    def without_red(events):
        n = next(one["n"] for one in events if one["data"].get("remedy") == "draw" and one["by"] == "red")
        events[n - 1]["data"]["remedy"] = "none"
        return n

    n, what, at = told(three, without_red)
    assert (n, what) == (at, "no-authority")


@pytest.mark.parametrize("seat", SEATS.names)
def test_an_umpire_of_two_seats_is_no_umpire(seat):
    three = Three()
    three.say(*(f"{name}: umpire {JUDGE if name != seat else 'p-other'}" for name in SEATS.names))
    three.say(f"{seat}: umpire {JUDGE}")

    def as_before(events):
        named = nth(events, "UmpireNamed")
        last = events[named - 3]
        assert last["type"] == "OrderAccepted"
        last["data"]["text"] = "umpire p-other"
        events[named - 2]["data"]["player"] = "p-other"
        return named

    n, what, at = told(three, as_before)
    assert (n, what) == (at, "no-authority")


def test_a_ruling_of_a_lost_flag_against_several_is_found_out():
    three = timed()
    three.clock.wait(10 * DAY_MS)
    three.fire("deadline", "red")
    three.say("umpire: flag red draw")

    def lost(events):
        n = nth(events, "FlagRuled")
        events[n - 1]["data"]["effect"] = "lost"
        order = events[n - 2]["data"]
        order["text"] = "flag red lost"
        order["command"]["remedy"] = "lost"
        events[n]["data"]["winner"] = "green"
        return n

    n, what, at = told(three, lost)
    assert (n, what) == (at, "no-authority")
