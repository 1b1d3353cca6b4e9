"""The clocks of a battle: what counts, who is on the move, what is left, what may be claimed."""

import hashlib
import tomllib
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.basics.data import scenario_text
from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, HOUR_MS, MINUTE_MS, PRESETS, Pace, canonical_pace, moment_of, pace_of, text_of
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.engine.state import OTHER, SIDES
from domain.events.battle import Fact, Rewound
from domain.log.record import Header
from domain.run.block_writer import Entered
from domain.run.seats import Seat
from domain.time import clock
from domain.time.clock import Clocks, SideClock, deadline_of, settled
from replay.writing.recording import Recording
from tests.support import messages
from tests.toys.duel import TOY

PHRASE = "a phrase of sixteen bytes"
MONDAY = moment_of("2026-11-23T00:00:00.000Z")
FRIDAY_NOON = moment_of("2026-11-27T12:00:00.000Z")


def refused(code: str):
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == f"core.{code}")


# --- paces


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("3d+7d", "3d+7d"),
        ("72h+168h", "3d+7d"),
        ("10m + 60m", "10m+1h"),
        (" 3D+7D  WEEKDAYS ", "3d+7d weekdays"),
        ("1d+0d", "1d+0d"),
        ("brisk", "1d+3d"),
        ("", ""),
        ("none", ""),
    ],
)
def test_a_pace_has_one_spelling(written: str, canonical: str) -> None:
    assert canonical_pace(written) == canonical
    assert canonical_pace(canonical) == canonical


@pytest.mark.parametrize(
    "written", ["3d", "3d+", "0d+7d", "-1d+7d", "3w+7d", "61d+7d", "3d+366d", "3d+7d weekends", "3.5d+7d", "٣d+7d", "x"]
)
def test_what_is_no_pace_is_refused(written: str) -> None:
    with refused("bad-pace"):
        pace_of(written)


def test_every_named_pace_is_written_as_it_should_be() -> None:
    assert [canonical_pace(pace) for pace in PRESETS.values()] == list(PRESETS.values())


@pytest.mark.slow
@given(st.datetimes().map(lambda when: f"{when.isoformat(timespec='milliseconds')}Z"))
def test_a_moment_is_a_time_stamp_and_back(at: str) -> None:
    assert text_of(moment_of(at)) == at


def test_saturday_and_sunday_do_not_count() -> None:
    pace = pace_of("1d+0d weekdays")
    assert pace is not None
    assert pace.counted(FRIDAY_NOON, FRIDAY_NOON + 3 * DAY_MS) == DAY_MS
    assert text_of(pace.after(FRIDAY_NOON, DAY_MS)) == "2026-11-30T12:00:00.000Z"
    assert text_of(pace.after(FRIDAY_NOON, DAY_MS // 2)) == "2026-11-28T00:00:00.000Z"  # Friday midnight
    assert text_of(pace.after(FRIDAY_NOON + DAY_MS, 1)) == "2026-11-30T00:00:00.001Z"  # from Saturday on
    assert pace.counted(FRIDAY_NOON + DAY_MS, FRIDAY_NOON + DAY_MS + HOUR_MS) == 0


@given(
    st.integers(0, 4 * 365 * DAY_MS),
    st.integers(0, 40 * DAY_MS),
    st.integers(0, 40 * DAY_MS),
    st.sampled_from([True, False]),
)
def test_time_counts_the_same_in_one_piece_and_in_two(start: int, first: int, second: int, weekdays: bool) -> None:
    pace = Pace(DAY_MS, DAY_MS, weekdays)
    between, end = start + first, start + first + second
    assert pace.counted(start, between) + pace.counted(between, end) == pace.counted(start, end)
    assert pace.counted(start, pace.after(start, first)) == first
    assert pace.after(start, first) == start or pace.counted(start, pace.after(start, first) - 1) == first - 1


# --- a battle


def small_battle() -> tuple[Ruleset, dict[str, object]]:
    return RULESETS["tts"], tomllib.loads(scenario_text("tts", "skirmish"))


class Timed:
    """A battle whose moments are given; they count from a Monday, in milliseconds."""

    def __init__(self, pace: str, phrases: bool = True, toy: bool = False) -> None:
        ruleset, scenario = (TOY, {"ruleset": "toy"}) if toy else small_battle()
        self.at = MONDAY
        header = Header(
            "clock001", self.now, "phalera-battle", "h.example", "h.example+0+key", ruleset.version, ruleset.code, 2
        )
        salts = (hashlib.sha256(b"%d" % at).digest() for at in range(1 << 30))
        self.recording = Recording(header, b"\x02" * 32, ruleset, salts.__next__)
        self.lines: list[tuple[bytes, bytes]] = []
        self.take(self.recording.open(scenario, "public", self.now, pace))
        for side in SIDES:
            given = messages.phrases(self.recording, SIDES if phrases else (), PHRASE)
            self.take(self.recording.join(Seat(side, f"p-{side}", side.title()), given, self.now))

    @property
    def now(self) -> str:
        return text_of(self.at)

    def take(self, batch) -> None:
        self.recording.adopt(batch)
        self.lines += [(line, hash_) for _, line, hash_ in batch.rows]

    def wait(self, span_ms: int) -> "Timed":
        self.at += span_ms
        return self

    def order(self, side: str, text: str) -> None:
        given = messages.entry(self.recording, side, text, f"p-{side}", phrase=PHRASE)
        self.take(self.recording.order(given, self.now))

    def contribute(self, side: str) -> None:
        self.take(self.recording.contribute(side, messages.phrase(self.recording, PHRASE), self.now))

    def fire(self, what: str, side: str) -> None:
        self.take(self.recording.fire_clock(what, side, self.now))

    def face(self, side: str):
        return self.recording.clock(self.now)[side]

    def left(self, side: str) -> int:
        clocks = self.recording.clocks
        assert clocks is not None
        now = clock.clocks_at(clocks, self.recording.ruleset, self.recording.battle, self.now)
        return now.watches[side].left_ms


def test_a_battle_without_a_pace_has_no_clocks() -> None:
    battle = Timed("")
    assert battle.recording.clocks is None
    assert battle.recording.clock(battle.now) == {}
    assert b"pace" not in battle.lines[0][0]
    for what in ("claim", "deadline", "pause-asked"):
        with refused("no-clock"):
            battle.fire(what, "south")


def test_the_clock_of_the_side_on_the_move_runs() -> None:
    battle = Timed("3d+7d").wait(2 * DAY_MS)
    south, north = battle.face("south"), battle.face("north")
    assert (south.running, south.left_s, south.deadline) == (True, 8 * 86400, text_of(MONDAY + 10 * DAY_MS))
    assert (north.running, north.left_s, north.deadline, north.since) == (False, 10 * 86400, "", 0)
    assert south.since == len(battle.lines)


def test_who_has_moved_gets_the_increment_and_never_more_than_he_began_with() -> None:
    battle = Timed("3d+7d").wait(DAY_MS)
    battle.order("south", "end turn")
    battle.wait(6 * DAY_MS)
    assert (battle.left("south"), battle.left("north")) == (10 * DAY_MS, 4 * DAY_MS)  # 9 + 3, but 10 is the most
    battle.order("north", "end turn")
    assert (battle.left("south"), battle.left("north")) == (10 * DAY_MS, 7 * DAY_MS)


def test_an_order_that_leaves_the_move_where_it_was_gives_nothing() -> None:
    battle = Timed("3d+7d").wait(5 * DAY_MS)
    battle.order("south", "standing evade always")
    assert battle.left("south") == 5 * DAY_MS


def test_a_flag_falls_when_the_time_is_up_and_not_before() -> None:
    battle = Timed("1d+1d").wait(2 * DAY_MS - 1)
    assert battle.face("south").left_s == 0
    with refused("time-left"):
        battle.fire("deadline", "south")
    with refused("no-flag"):
        battle.fire("claim", "north")
    battle.wait(1).fire("deadline", "south")
    assert battle.face("south").flagged
    assert not battle.recording.battle.ended
    with refused("time-left"):
        battle.fire("deadline", "south")
    with refused("no-flag"):
        battle.fire("claim", "south")


def test_a_claim_ends_the_battle_and_opens_its_secrets() -> None:
    battle = Timed("1d+1d")
    battle.order("south", "standing evade always")
    battle.wait(3 * DAY_MS).fire("deadline", "south")
    battle.fire("claim", "north")
    now = battle.recording.battle
    assert (now.game.winner, now.game.how, now.revealed, dict(now.sealed)) == ("north", "time", True, {})
    assert battle.recording.clock(battle.now) == {}
    with refused("battle-ended"):
        battle.fire("claim", "north")


def test_who_moves_before_the_claim_has_the_increment_and_no_more() -> None:
    battle = Timed("1d+4d").wait(9 * DAY_MS)
    battle.fire("deadline", "south")
    battle.order("south", "end turn")
    assert (battle.left("south"), battle.face("south").flagged) == (DAY_MS, False)
    with refused("no-flag"):
        battle.fire("claim", "north")


def test_who_is_flagged_himself_cannot_claim() -> None:
    battle = Timed("1d+1d", phrases=False).wait(3 * DAY_MS)  # both owe their contribution
    battle.fire("deadline", "south")
    battle.fire("deadline", "north")
    with refused("own-flag"):
        battle.fire("claim", "north")
    battle.contribute("north")
    battle.fire("claim", "north")
    assert battle.recording.battle.game.winner == "north"


def test_a_contribution_that_is_missing_holds_the_battle_up() -> None:
    battle = Timed("3d+7d", phrases=False).wait(DAY_MS)
    assert (battle.face("south").running, battle.face("north").running) == (True, True)
    battle.contribute("south")
    assert (battle.face("south").running, battle.face("north").running) == (False, True)
    battle.wait(DAY_MS).contribute("north")
    assert (battle.face("south").running, battle.face("north").running) == (True, False)
    assert (battle.left("south"), battle.left("north")) == (10 * DAY_MS, 10 * DAY_MS)


def test_the_time_for_a_decision_is_that_of_the_side_asked() -> None:
    battle = Timed("1d+1d", toy=True)
    for side in SIDES:
        battle.order(side, "choose bold")
    for side in SIDES * 2:
        battle.order(side, "walk 200")
    thrower = "south"
    battle.order(thrower, "throw")
    while battle.recording.battle.game.waiting is None:
        thrower = OTHER[thrower]
        battle.order(thrower, "throw")
    asked = battle.recording.battle.game.waiting.side
    battle.wait(DAY_MS // 2)
    assert (battle.face(asked).running, battle.face(OTHER[asked]).running) == (True, False)
    assert battle.left(asked) == 2 * DAY_MS - DAY_MS // 2


# --- vacations and pauses


def test_a_vacation_stops_one_clock() -> None:
    battle = Timed("3d+7d").wait(DAY_MS)
    battle.fire("vacation", "south")
    battle.wait(14 * DAY_MS)
    face = battle.face("south")
    assert (face.running, face.away, face.deadline, face.left_s) == (False, True, "", 9 * 86400)
    with refused("already-away"):
        battle.fire("vacation", "south")
    with refused("not-away"):
        battle.fire("vacation-over", "north")
    battle.fire("vacation-over", "south")
    assert battle.wait(DAY_MS).left("south") == 8 * DAY_MS


def test_a_vacation_over_a_weekend_costs_no_more_than_one() -> None:
    battle = Timed("3d+0d weekdays").wait(4 * DAY_MS + DAY_MS // 2)  # Monday to Friday noon: 4.5 days, 3 are there
    assert battle.left("south") == 0
    battle = Timed("5d+0d weekdays").wait(4 * DAY_MS)  # Friday
    battle.fire("vacation", "south")
    battle.wait(2 * DAY_MS).fire("vacation-over", "south")  # Sunday
    battle.wait(DAY_MS)  # Monday
    assert battle.left("south") == DAY_MS
    assert battle.face("south").deadline == "2026-12-01T00:00:00.000Z"


def test_a_vacation_does_not_lift_a_flag_but_saves_from_one_that_nobody_saw_fall() -> None:
    battle = Timed("1d+1d").wait(3 * DAY_MS)
    battle.fire("deadline", "south")
    battle.fire("vacation", "south")
    assert battle.face("south").flagged
    late = Timed("1d+1d").wait(3 * DAY_MS)
    late.fire("vacation", "south")
    assert (late.left("south"), late.face("south").flagged) == (DAY_MS, False)


def test_a_pause_needs_both_and_either_ends_it() -> None:
    battle = Timed("1d+3d").wait(DAY_MS)
    with refused("no-pause-asked"):
        battle.fire("pause", "south")
    with refused("not-paused"):
        battle.fire("pause-over", "south")
    battle.fire("pause-asked", "south")
    with refused("pause-asked"):
        battle.fire("pause-asked", "south")
    with refused("no-pause-asked"):
        battle.fire("pause", "south")
    battle.wait(DAY_MS).fire("pause", "north")
    battle.wait(30 * DAY_MS)
    assert battle.face("south").paused
    assert battle.face("north").paused
    assert battle.left("south") == 2 * DAY_MS  # asking alone stops nothing
    with refused("paused"):
        battle.fire("pause-asked", "north")
    battle.fire("pause-over", "north")
    assert battle.wait(DAY_MS).left("south") == 2 * DAY_MS  # a day to get back to the table
    assert battle.wait(DAY_MS // 2).left("south") == 2 * DAY_MS - DAY_MS // 2


def test_who_asked_for_a_pause_may_take_it_back() -> None:
    battle = Timed("1d+3d")
    battle.fire("pause-asked", "south")
    battle.fire("pause-over", "north")
    with refused("no-pause-asked"):
        battle.fire("pause", "north")
    assert battle.wait(HOUR_MS).left("south") == 4 * DAY_MS - HOUR_MS  # and no grace was given


@pytest.mark.parametrize("asker", ["south", "north"])
def test_a_pause_asked_for_lapses_when_the_move_is_its_askers_again(asker: str) -> None:
    """Or it would save a flag of much later from the claim."""
    battle = Timed("1d+3d")
    battle.fire("pause-asked", asker)
    battle.order("south", "end turn")
    if asker == "south":
        battle.order("north", "end turn")
    with refused("no-pause-asked"):
        battle.fire("pause", OTHER[asker])
    battle.fire("pause-asked", asker)  # and may be asked for again


def test_a_pause_lifts_a_flag() -> None:
    battle = Timed("1d+1d").wait(3 * DAY_MS)
    battle.fire("deadline", "south")
    battle.fire("pause-asked", "south")
    battle.fire("pause", "north")
    with refused("paused"):
        battle.fire("claim", "north")
    battle.fire("pause-over", "south")
    assert (battle.left("south"), battle.face("south").flagged) == (DAY_MS, False)


def test_a_rewind_gives_everybody_an_increment() -> None:
    battle = Timed("1d+1d").wait(3 * DAY_MS)
    battle.fire("deadline", "south")
    fact = Fact("server", Rewound.RULE, Rewound(5))
    battle.take(battle.recording.prepare([Entered(fact, fact)], battle.now))
    assert (battle.left("south"), battle.left("north"), battle.face("south").flagged) == (DAY_MS, 2 * DAY_MS, False)


def test_what_the_clock_does_not_know_is_refused() -> None:
    battle = Timed("1d+1d")
    for what, side in (("party", "south"), ("claim", "west")):
        with refused("bad-clock"):
            battle.fire(what, side)


def test_a_clock_never_runs_backwards() -> None:
    battle = Timed("3d+7d").wait(2 * DAY_MS)
    battle.order("south", "standing evade always")
    battle.wait(-2 * DAY_MS)
    assert battle.left("south") == 8 * DAY_MS
    battle.order("south", "standing evade never")
    assert battle.wait(3 * DAY_MS).left("south") == 7 * DAY_MS


# --- properties

WHATS = ("deadline", "vacation", "vacation-over", "pause-asked", "pause", "pause-over")


@dataclass
class Sum:
    """What a side has had: all that was given to it and taken, reckoned apart from the fold."""

    left: dict[str, int] = field(default_factory=dict)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.sampled_from(["1d+2d", "3d+7d weekdays", "10m+1h"]),
    st.lists(
        st.tuples(
            st.integers(0, 3 * DAY_MS),
            st.sampled_from(["end turn", "standing evade always", *WHATS]),
            st.sampled_from(SIDES),
        ),
        max_size=25,
    ),
)
def test_whatever_happens_time_is_conserved(pace: str, steps: list[tuple[int, str, str]]) -> None:
    battle = Timed(pace)
    most = pace_of(pace).most_ms  # type: ignore[union-attr]
    for span, what, side in steps:
        before = {of: battle.left(of) for of in SIDES}
        faces = {of: battle.face(of) for of in SIDES}
        battle.wait(span)
        counted = pace_of(pace).counted(battle.at - span, battle.at)  # type: ignore[union-attr]
        for of in SIDES:
            assert 0 <= battle.left(of) <= most
            lost = before[of] - battle.left(of)
            still = battle.recording.clocks.still_until  # type: ignore[union-attr]
            if not faces[of].running:
                assert lost == 0
            elif still <= battle.at - span:
                assert lost == min(counted, before[of])
            else:
                assert 0 <= lost <= min(counted, before[of])
        try:
            battle.fire(what, side) if what in WHATS else battle.order(side, what)
        except Refusal:
            continue
    again = Recording(battle.recording.header, b"\x02" * 32, battle.recording.ruleset, lambda: bytes(32))
    again.recall(battle.lines, battle.recording.vault)
    assert again.clocks == battle.recording.clocks
    assert again.clock(battle.now) == battle.recording.clock(battle.now)


@pytest.mark.slow
@given(st.lists(st.integers(0, DAY_MS), max_size=20), st.booleans())
def test_looking_at_a_clock_often_changes_nothing(spans: list[int], weekdays: bool) -> None:
    pace = Pace(DAY_MS, 3 * DAY_MS, weekdays)
    often = once = Clocks(pace, MONDAY, {side: SideClock(pace.most_ms) for side in SIDES})
    now = MONDAY
    for span in spans:
        now += span
        often = settled(often, ("south",), 7, now)
    if spans:
        once = settled(once, ("south",), 7, now)
        assert often == once
        assert deadline_of(often, often.watches["south"]) == pace.after(MONDAY, pace.most_ms)


def test_the_units_are_what_they_say() -> None:
    assert (pace_of("10m+1h"), pace_of("2h+3d")) == (Pace(10 * MINUTE_MS, HOUR_MS), Pace(2 * HOUR_MS, 3 * DAY_MS))
