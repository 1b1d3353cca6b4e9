"""CORE-DSP-12 in a file: who takes over a seat was named for it, and by whom it was held was not there."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from msgspec import UNSET

from domain.events.battle import ClockFired, SideLeft, SubstituteAgreed
from domain.run.seats import Battle
from replay.proof import verdict
from replay.proof.verify import verify
from tests.domain.disputes.test_substitutes import EVE, flag_falls, waiting
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import MadeBattle
from tests.replay.proof.test_authority import playing, with_umpire

of = pytest.mark.parametrize
Step = Callable[[MadeBattle], object]


def names(by: str, seat: str, player: str = "new", silent: bool = False) -> Step:
    """Somebody names a substitute; without a seat as earlier releases had it."""

    def step(made: MadeBattle) -> None:
        agreed = SubstituteAgreed(by, player, seat=seat or UNSET, silent=silent or UNSET)
        made.plain_order(by, agreed, text=f"substitute {seat} {player}".replace("  ", " "), ordinary=False)

    return step


def leave(reason: str) -> Step:
    return lambda made: made.alone(SideLeft("north", reason), "north")


def flag(side: str) -> Step:
    return lambda made: made.alone(ClockFired("deadline", side))


def later(days: int) -> Step:
    """All that follows stands so many days later."""

    def step(made: MadeBattle) -> None:
        made.at = _written(made.at, days)

    return step


def _written(at: str, days: int) -> str:
    moment = datetime.fromisoformat(at) + timedelta(days=days)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + at[-4:]


ASKS, AGREES, RULES_IT = names("north", "north"), names("south", "north"), names("umpire", "north")
SILENT = names("umpire", "north", silent=True)
GIVEN, GONE = leave("substitute"), leave("gone")


@of(
    ("steps", "what"),
    [
        ((ASKS, AGREES, GIVEN), ""),
        ((RULES_IT, ASKS, GIVEN), ""),
        ((ASKS, GIVEN), "substitute-not-agreed"),
        ((AGREES, GIVEN), "seat-present"),
        ((RULES_IT, GIVEN), "seat-present"),
        ((names("umpire", "south"), GIVEN), "substitute-not-agreed"),
        ((names("umpire", "south"), ASKS, GIVEN), "substitute-not-agreed"),
        ((ASKS, names("umpire", "north", "another"), GIVEN), "substitute-not-agreed"),
        ((ASKS, RULES_IT, names("umpire", "north", "another"), GIVEN), "substitute-not-agreed"),
        ((RULES_IT, ASKS, names("north", "north", "another"), GIVEN), "seat-present"),
        # whom the host says to have left: as before
        ((AGREES, GONE), ""),
        ((GONE,), "substitute-not-agreed"),
        # lines of earlier releases name no seat, and are judged as before
        ((names("south", ""), GIVEN), ""),
        ((names("umpire", ""), GIVEN), ""),
        ((names("umpire", "", "another"), GIVEN), "substitute-not-agreed"),
        # silence, in a battle with clocks
        ((flag("north"), SILENT, GIVEN), ""),
        ((flag("north"), names("south", "north", silent=True), GIVEN), ""),
        ((RULES_IT, flag("north"), GIVEN), "seat-present"),
        ((flag("north"), SILENT, names("north", "south", "any"), GIVEN), "seat-present"),
        ((flag("north"), SILENT, names("north", "south", "any"), flag("north"), GIVEN), "seat-present"),
    ],
)
def test_a_seat_is_given_by_whom_it_takes(steps: tuple[Step, ...], what: str):
    made = with_umpire(playing(pace="1d+1d"))
    for step in steps:
        step(made)
    n = made.join("north", "new")
    assert fault_of(made) == ((what, n) if what else ("", 0))


@of("seat", ["north", "south"])
def test_nobody_is_said_to_be_silent_whose_flag_has_not_fallen(seat: str):
    made = with_umpire(playing(pace="1d+1d"))
    flag("south" if seat == "north" else "north")(made)
    names("umpire", seat, silent=True)(made)
    assert fault_of(made) == ("seat-not-silent", made.find("SubstituteAgreed"))


def test_nobody_is_silent_of_their_own_seat():
    made = playing(pace="1d+1d")
    flag("north")(made)
    names("north", "north", silent=True)(made)
    assert fault_of(made) == ("seat-not-silent", made.find("SubstituteAgreed"))


@of(("days", "what"), [(29, "seat-not-silent"), (30, "")])
def test_without_clocks_thirty_days_are_silence(days: int, what: str):
    made = with_umpire(playing())
    later(days)(made)
    names("umpire", "north")(made)
    names("umpire", "north", silent=True)(made)
    assert fault_of(made) == ((what, len(made.log)) if what else ("", 0))


def test_the_line_names_the_seat_of_the_fact():
    made = with_umpire(playing())
    for by, seat, text in (("umpire", "north", "substitute south new"), ("umpire", UNSET, "substitute north new")):
        lie = with_umpire(playing())
        lie.plain_order(by, SubstituteAgreed(by, "new", seat=seat), text=text, ordinary=False)
        assert fault_of(lie) == ("no-authority", lie.find("SubstituteAgreed"))
    names("umpire", "north")(made)
    assert_right(made)


def test_the_verdict_says_why_a_seat_was_given():
    made = with_umpire(playing(pace="1d+1d"))
    for step in (flag("north"), SILENT, GIVEN):
        step(made)
    made.join("north", "new")
    report = assert_right(made)
    listed = [(act.what, act.authority) for act in report.listed[-2:]]
    assert listed == [("left", "host"), ("substitute-silent", "umpire")]
    said = " ".join(verdict.lines(report))
    assert "whose player was silent by the times of the log" in said
    assert "s’était tu d’après les heures du journal" in " ".join(verdict.lines(report, "fr"))


# --- with the rules at hand


def test_a_host_that_gives_away_the_seat_of_one_who_is_there_is_found_out(monkeypatch: pytest.MonkeyPatch):
    """The flag had fallen and was lifted by the umpire: by the types of the log alone nobody sees that."""
    battle, side = waiting()
    flag_falls(battle, side)
    battle.say(f"umpire: substitute {side} {EVE}", f"umpire: flag {side} more")
    with monkeypatch.context() as lies:
        lies.setattr(Battle, "may_follow", lambda battle, side, player, silent=0: True)
        battle.battle.seat_person(side, "Eve", EVE)
    fault = verify(battle.battle.file()).fault
    assert fault is not None
    assert (fault.what, fault.n) == ("seat-present", battle.n)


def test_a_host_that_calls_somebody_silent_who_has_more_time_is_found_out(monkeypatch: pytest.MonkeyPatch):
    battle, side = waiting()
    flag_falls(battle, side)
    battle.say(f"umpire: flag {side} more")
    with monkeypatch.context() as lies:
        lies.setattr("domain.time.silence.silent_side", lambda *rest: frozenset({side}))
        battle.say(f"umpire: substitute {side} {EVE}")
    fault = verify(battle.battle.file()).fault
    assert fault is not None
    assert (fault.what, fault.n) == ("event-differs", battle.n)
