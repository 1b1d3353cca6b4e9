"""Whose player-turn it is: both sides order within one, each action may be one, and a contribution is its mover's."""

import pytest

from domain.engine.errors import Refusal
from domain.engine.events import ContributionGiven, Fact, NonceDisclosed, OrderAccepted, Rewound, TurnBegan
from domain.engine.inputs import Entered, Entry
from domain.engine.timeline import catalogue_of
from domain.log.record import decode
from replay.proof import draws
from replay.proof.audit import audit
from replay.proof.seats import SeatFault, Seats
from tests.toys.played import AT, PHRASE, battle_id, events_of, recorded
from tests.toys.raid import RAID

ORDERS = ["south: raid", "north: loose", "north: rest", "south: loose"] * 4


@pytest.fixture(scope="module")
def log():
    return events_of(RAID, recorded(RAID, ORDERS)[1])


def given(log):
    return [(entry.event.side, entry.event.t) for entry in log if isinstance(entry.event, ContributionGiven)]


def test_both_sides_order_within_one_player_turn(log):
    orders = [(entry.event.side, entry.event.t) for entry in log if isinstance(entry.event, OrderAccepted)]
    assert orders[:4] == [("south", 1), ("north", 1), ("north", 2), ("south", 2)]


def test_each_player_turn_has_a_contribution_of_its_mover_alone(log):
    assert given(log)[:5] == [("south", 0), ("north", 0), ("south", 1), ("north", 2), ("south", 3)]


def test_a_battle_of_single_actions_is_proven_and_audited(log):
    report = draws.check_draws(battle_id(RAID), log, lambda deck: None)
    assert (report.proven, report.unproven) == (tuple(range(1, 9)), ())
    assert audit(RAID, log).judged >= 16


def test_the_nonces_of_an_action_come_out_with_the_next(log):
    opened = [entry.event.t for entry in log if isinstance(entry.event, NonceDisclosed)]
    assert opened == [t for t in range(1, 9) for _ in ("dice:south", "dice:north")]


def test_what_is_owed_follows_the_mover():
    recording, _ = recorded(RAID, [])
    owed = []
    for order in ORDERS[:4]:
        side, _, text = order.partition(": ")
        owed.append([side for side in ("south", "north") if recording.battle.owes(side)])
        recording.adopt(recording.order(Entry(side, text, side, "api", phrase=PHRASE), AT))
    assert owed == [["south"], [], ["north"], []]


def test_after_a_rewind_into_a_reply_the_mover_contributes_anew():
    recording, file = recorded(RAID, ORDERS[:3])
    log = list(events_of(RAID, file))
    reply = next(entry.n for entry in log if entry.type == "ReplyBegan")

    def take(batch):
        recording.adopt(batch)
        log.extend(decode(line, catalogue_of(RAID)) for _, line, _ in batch.rows)

    back = Fact("server", Rewound.RULE, Rewound(reply))
    take(recording.prepare([Entered(back, back)], AT))
    arrows = Entry("north", "loose", "north", "api", phrase=PHRASE)
    with pytest.raises(Refusal, match="waiting-for-contribution"):
        recording.order(arrows, AT)
    take(recording.contribute("south", PHRASE, AT))
    take(recording.order(arrows, AT))
    assert given(log)[-2:] == [("south", 1), ("north", 0)]
    assert draws.check_draws(battle_id(RAID), log, lambda deck: None).draws == 6
    assert audit(RAID, log).judged == 15


def test_a_draw_of_a_player_turn_needs_its_movers_contribution(log):
    seats = Seats(battle_id(RAID))
    events = {entry.type: entry for entry in reversed(log)}
    seats.opened(1, events["BattleOpened"].event)
    for entry in log[1:]:
        if entry.type == "SideJoined":
            seats.joined(entry.n, entry.event)
    seats.began(4)
    for entry in log:
        if isinstance(entry.event, ContributionGiven) and entry.event.t == 0:
            seats.contributed(entry.n, entry.event)
            seats.follow(None)
    seats.turn_began(9, TurnBegan("south", 1))
    with pytest.raises(SeatFault, match="draw-before-contribution") as fault:
        seats.for_draw(10, 1, "dice:south")
    assert fault.value.details["side"] == "south"


def test_a_player_turn_does_not_open_twice():
    seats = Seats(battle_id(RAID))
    seats.turn_began(1, TurnBegan("south", 1, 4))
    seats.turn_began(2, TurnBegan("north", 1))
    with pytest.raises(SeatFault, match="bad-turn"):
        seats.turn_began(3, TurnBegan("south", 1, 5))
    seats.rewound(1)
    seats.turn_began(4, TurnBegan("south", 1, 5))
