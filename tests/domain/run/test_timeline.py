"""A fold with rewinds and openings is what a fold without shortcuts gives, and costs no more than its length."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from domain.basics.errors import BrokenInvariant
from domain.events.battle import BattleBegan, Event, Rewound, SideJoined, StandingOrderSet, Unsealed
from domain.log.record import Recorded, opened
from domain.run import timeline as module
from domain.run.seats import Battle, evolve_battle, rewound
from domain.run.timeline import KEYFRAME_EVERY, Timeline, WrongReference, is_within, vault_of
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.toys.raid import RAID, PointsWon

AT = "2026-01-01T00:00:00.000Z"
BEGINNING = (SideJoined("south", "Ann"), SideJoined("north", "Bo"), BattleBegan())
SEALED = "00" * 32
OPENED = {"unit": "", "value": "yes"}


def log_of(events: Sequence[Event]) -> list[Recorded]:
    return [
        Recorded(n, AT, "server", "x", type(event).__name__, event) for n, event in enumerate([*BEGINNING, *events], 1)
    ]


def fed(log: Sequence[Recorded], vault: Any = None) -> Timeline:
    timeline = Timeline(RAID, vault)
    for recorded in log:
        timeline.feed(recorded)
    return timeline


def naive(log: Sequence[Recorded]) -> list[Battle]:
    """The battle after each event, by a fold that keeps every state and is told what the log opens."""
    vault = vault_of(list(log))
    states = [Battle(0, RAID.rules.initial, rules=RAID.version)]
    for recorded in log:
        event, before = recorded.event, states[-1]
        if isinstance(event, Rewound):
            rewinds = sum(isinstance(earlier.event, Rewound) for earlier in log[: recorded.n])
            states.append(rewound(states[event.to], before, recorded.n, rewinds))
            continue
        is_sealed = getattr(event, "sealed", UNSET) is not UNSET
        whole = opened(event, vault[recorded.n]) if is_sealed and recorded.n in vault else event
        states.append(evolve_battle(RAID, before, whole, recorded.n, is_sealed))
    return states


def naive_voided(log: Sequence[Recorded]) -> set[int]:
    counting: list[int] = []
    for recorded in log:
        if isinstance(recorded.event, Rewound):
            counting = [n for n in counting if n <= recorded.event.to]
        counting.append(recorded.n)
    return {recorded.n for recorded in log} - set(counting)


def events_from(choices: Sequence[tuple[str, int]]) -> list[Event]:
    """Events in which every rewind goes back to one that counts, and every opening opens something sealed."""
    events: list[Event] = []
    counting, sealed = list(range(1, len(BEGINNING) + 1)), list[int]()
    for kind, pick in choices:
        n = len(BEGINNING) + len(events) + 1
        if kind == "rewind":
            places = counting[len(BEGINNING) - 1 :]
            to = places[pick % len(places)]
            counting = [place for place in counting if place <= to]
            events.append(Rewound(to))
        elif kind == "seal":
            sealed.append(n)
            events.append(StandingOrderSet("south", f"topic {pick % 3}", sealed=SEALED))
        elif kind == "open" and sealed:
            of = sealed.pop(pick % len(sealed))
            events.append(Unsealed(of, "00", {"unit": "", "value": str(pick)}))
        else:
            events.append(PointsWon("north", pick % 7))
        counting.append(n)
    return events


CHOICES = st.lists(
    st.tuples(st.sampled_from(["points", "points", "rewind", "seal", "open"]), st.integers(0, 1000)), max_size=40
)


@pytest.fixture
def evolutions(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many evolutions there have been so far."""
    made = 0

    def counted(*given: Any) -> Battle:
        nonlocal made
        made += 1
        return evolve_battle(*given)

    monkeypatch.setattr(module, "evolve_battle", counted)
    return lambda: made


# --- what it gives


@pytest.mark.slow
@given(CHOICES, st.sampled_from([1, 2, 5, KEYFRAME_EVERY]))
def test_every_state_is_that_of_a_fold_without_keyframes(choices, every):
    log = log_of(events_from(choices))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "KEYFRAME_EVERY", every)
        timeline = fed(log)
        states = naive(log)
        assert timeline.now == states[-1]
        assert [timeline.at(n) for n in range(len(log) + 1)] == states
        half = len(log) // 2
        assert list(timeline.along()) == list(zip(states, log, strict=False))
        assert list(timeline.along(half + 1, len(log) - 1)) == list(zip(states, log, strict=False))[half:-1]
        assert fed(log, vault_of(log)).now == states[-1]


@pytest.mark.slow
@given(CHOICES)
def test_a_stranger_who_looks_at_each_event_knows_what_is_open_by_then(choices):
    log = log_of(events_from(choices))
    timeline = Timeline(RAID)
    for recorded in some(log):
        timeline.feed(recorded)
        assert timeline.now == naive(log[: recorded.n])[-1]


@pytest.mark.slow
@given(CHOICES)
def test_what_a_rewind_cuts_off_does_not_count(choices):
    log = log_of(events_from(choices))
    spans = fed(log).voided()
    assert {n for first, last in spans for n in range(first, last + 1)} == naive_voided(log)
    assert spans == sorted(spans)
    assert all(is_within(spans, n) == (n in naive_voided(log)) for n in range(len(log) + 2))


# --- beginning in the middle


@pytest.mark.slow
@given(CHOICES, st.data())
def test_a_resumed_timeline_goes_on_as_if_it_had_been_there_from_the_start(choices, data):
    log = log_of(events_from(choices))
    cut = data.draw(st.integers(0, len(log)))
    vault, whole = vault_of(log), fed(log, vault_of(log))
    asked = 0

    def past():
        nonlocal asked
        asked += 1
        return log[:cut]

    resumed = Timeline.resumed(RAID, fed(log[:cut], vault).milestone, past, vault)
    for recorded in log[cut:]:
        resumed.feed(recorded)
        assert resumed.now == whole.at(recorded.n)
    assert (resumed.voided(), len(resumed.events)) == (whole.voided(), len(log))
    assert asked <= any(isinstance(recorded.event, Rewound) for recorded in log[cut:])
    assert list(resumed.events[cut:]) == log[cut:]
    assert [resumed.at(n) for n in range(len(log) + 1)] == [whole.at(n) for n in range(len(log) + 1)]
    assert list(resumed.events) == log
    assert asked <= 1


def test_nothing_of_the_past_is_read_for_what_comes_behind_it():
    log = log_of([PointsWon("south", 1)] * 20)

    def past():
        raise AssertionError("nobody has asked for it")

    resumed = Timeline.resumed(RAID, fed(log[:10]).milestone, past)
    for recorded in log[10:]:
        resumed.feed(recorded)
    assert resumed.at(10) == fed(log).at(10)
    assert next(reversed(resumed.events)) == resumed.events[-1] == resumed.events[22] == log[22]
    assert resumed.events[10:] == resumed.events[-13:] == log[10:]
    assert resumed.events[5:5] == []
    with pytest.raises(IndexError):
        resumed.events[23]


def test_a_past_folded_elsewhere_is_taken_over_once():
    log = log_of([PointsWon("south", 1)] * 20)
    resumed = Timeline.resumed(RAID, fed(log[:10]).milestone, lambda: log[:10])
    resumed.feed(log[10])
    before = resumed.fold_past()
    assert resumed.missing == 10
    resumed.take_past(before)
    resumed.take_past(before)
    assert (resumed.missing, list(resumed.events)) == (0, log[:11])
    assert resumed.at(4) == fed(log).at(4)


# --- what cannot be


@pytest.mark.parametrize("to", [-1, 0, 5, 6, 2**40])
def test_a_rewind_to_nothing_itself_or_the_future_is_named(to):
    with pytest.raises(WrongReference) as caught:
        fed(log_of([PointsWon("south", 1), Rewound(to)]))
    assert (caught.value.n, caught.value.what, caught.value.to) == (5, "bad-rewind", to)


def test_a_rewind_to_what_does_not_count_any_more_is_named():
    with pytest.raises(WrongReference, match="bad-rewind, event 4"):
        fed(log_of([PointsWon("south", 1), Rewound(3), Rewound(4)]))


@pytest.mark.parametrize("of", [-1, 0, 3, 5, 6])
def test_an_opening_of_nothing_sealed_is_named(of):
    with pytest.raises(WrongReference, match="bad-opening"):
        fed(log_of([StandingOrderSet("south", "evade", sealed=SEALED), Unsealed(of, "00", {})]))


def test_a_refused_event_leaves_the_timeline_as_it_was():
    timeline = fed(log_of([PointsWon("south", 1)]))
    with pytest.raises(BrokenInvariant):
        timeline.feed(Recorded(5, AT, "server", "x", "Rewound", Rewound(5)))
    timeline.feed(Recorded(5, AT, "server", "x", "Rewound", Rewound(3)))
    assert timeline.voided() == [(4, 4)]


# --- what it costs


def rewinds_of_rewinds(length: int) -> list[Event]:
    """Each goes back to the former."""
    return [Rewound(len(BEGINNING) + at) for at in range(length)]


def nested_takings_back(length: int) -> list[Event]:
    """Many events, then rewinds that each go back one event further."""
    half = length // 2
    return [
        *(PointsWon("south", 1) for _ in range(half)),
        *(Rewound(len(BEGINNING) + half - at) for at in range(1, half)),
    ]


def to_and_fro(length: int) -> list[Event]:
    """An order and its taking back, again and again, to one event that is far from a keyframe."""
    events: list[Event] = [PointsWon("south", 1) for _ in range(100)]
    while len(events) < length:
        events += PointsWon("north", 1), Rewound(len(BEGINNING) + 100)
    return events


def openings_in_every_block(length: int) -> list[Event]:
    """All sealed first; then each block opens one of them, the oldest first."""
    half = length // 3
    sealed = [StandingOrderSet("south", f"{at % 5}", sealed=SEALED) for at in range(half)]
    blocks = [
        (PointsWon("north", 1), Unsealed(len(BEGINNING) + at, "00", {"unit": "", "value": "yes"}))
        for at in range(1, half + 1)
    ]
    return [*sealed, *(event for block in blocks for event in block)]


@pytest.mark.parametrize(
    "make", thinned([rewinds_of_rewinds, nested_takings_back, to_and_fro, openings_in_every_block], 4)
)
def test_a_log_costs_as_much_as_it_is_long(make, evolutions):
    costs = []
    for length in (400, 800, 1_600):
        before, log = evolutions(), log_of(make(length))
        fed(log).voided()
        costs.append((evolutions() - before) / len(log))
    assert costs[-1] <= 2 * KEYFRAME_EVERY
    assert costs[-1] <= 1.5 * max(costs[0], KEYFRAME_EVERY)


def test_rewinds_do_not_fold_one_through_the_other(evolutions):
    log = log_of(rewinds_of_rewinds(3_000))
    timeline = fed(log)
    assert timeline.now.game.rewinds == 3_000
    assert evolutions() < len(log)
    before = evolutions()
    timeline.at(2_000)
    assert evolutions() == before


def test_what_is_opened_at_once_is_folded_once(evolutions):
    sealed = [StandingOrderSet("south", f"{at}", sealed=SEALED) for at in range(300)]
    opening = [Unsealed(len(BEGINNING) + at, "00", {"unit": "", "value": "yes"}) for at in range(1, 301)]
    log = log_of([*sealed, *opening])
    assert len(fed(log).now.game.standing) == 300
    assert evolutions() <= 2 * len(log)


def test_who_goes_on_from_where_they_looked_last_pays_for_what_is_between(evolutions):
    timeline = fed(log_of([PointsWon("north", 1) for _ in range(100)]))
    timeline.at(60)
    before = evolutions()
    timeline.at(63)
    assert evolutions() - before == 3


def test_what_was_looked_at_before_an_opening_is_folded_again():
    sealed = StandingOrderSet("south", "evade", sealed=SEALED)
    log = log_of([sealed, PointsWon("north", 1), PointsWon("north", 2), Unsealed(len(BEGINNING) + 1, "00", OPENED)])
    timeline = fed(log[:-1])
    timeline.at(len(log) - 3)
    timeline.feed(log[-1])
    assert timeline.at(len(log) - 2) == naive(log)[len(log) - 2]
