"""Whose player-turn it is: both sides order within one, each action may be one, and a contribution is its mover's."""

import pytest
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.state import SIDES
from domain.events.battle import ContributionGiven, DecisionAsked, DieRolled, Fact, KeyDisclosed, OrderAccepted, Rewound
from domain.log.record import decode
from domain.run.block_writer import Entered
from domain.run.decide import require_allowed, to_act
from domain.run.inputs import Entry
from domain.run.timeline import catalogue_of
from replay.proof.audit import audit
from tests.support import messages
from tests.support.proving import findings
from tests.toys.duel import TOY, Dodge
from tests.toys.played import AT, PHRASE, events_of, recorded
from tests.toys.raid import RAID, START
from tests.toys.tug import TUG, Pull

ORDERS = ["south: raid", "north: loose", "north: rest", "south: loose"] * 4


@pytest.fixture(scope="module")
def content():
    return recorded(RAID, ORDERS)[1]


@pytest.fixture(scope="module")
def log(content):
    return events_of(RAID, content)


def given(log):
    return [(entry.event.side, entry.event.t) for entry in log if isinstance(entry.event, ContributionGiven)]


def test_both_sides_order_within_one_player_turn(log):
    orders = [(entry.event.side, entry.event.t) for entry in log if isinstance(entry.event, OrderAccepted)]
    assert orders[:4] == [("south", 1), ("north", 1), ("north", 2), ("south", 2)]


def test_each_player_turn_has_a_contribution_of_its_mover_alone(log):
    assert given(log)[:5] == [("south", 0), ("north", 0), ("south", 1), ("north", 2), ("south", 3)]


def test_a_battle_of_single_actions_is_proven_and_audited(content):
    found = findings(RAID, content)
    assert found.tally.draws > found.tally.bound and found.tally.draws == found.tally.checked + found.tally.bound
    assert audit(RAID, events_of(RAID, content)).judged >= 16


def test_the_key_of_an_action_comes_out_with_the_next(log):
    opened = [entry.event.index for entry in log if isinstance(entry.event, KeyDisclosed)]
    assert opened == list(range(9))


def test_what_is_owed_follows_the_mover():
    recording, _ = recorded(RAID, [])
    owed = []
    for order in ORDERS[:4]:
        side, _, text = order.partition(": ")
        owed.append([side for side in ("south", "north") if recording.battle.owes(side)])
        recording.adopt(recording.order(messages.entry(recording, side, text, side, phrase=PHRASE), AT))
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
    take(recording.contribute("south", messages.phrase(recording, PHRASE), AT))
    take(recording.order(arrows, AT))
    assert given(log)[-2:] == [("south", 1), ("north", 1)]
    assert [entry.event.scope for entry in log if isinstance(entry.event, DieRolled)][-1] == "dice:north/r1"


def test_a_game_says_for_whom_of_its_active_sides_it_waits():
    eager = replace(RAID, rules=replace(RAID.rules, active=lambda state: SIDES, awaited=lambda state: ("north",)))
    assert to_act(RAID, START) == ()
    assert to_act(eager, replace(START, phase="raids")) == ("north",)


def test_a_game_says_what_is_wrong_with_an_answer_to_another_question():
    """By default it has no question; a game may take it like any other order given while one waits, or only that of a
    side that is not asked."""

    def code(side="south", **first):
        ruleset = replace(TOY, orders=replace(TOY.orders, **first))
        asked = replace(TOY.rules.initial, phase="throws", waiting=DecisionAsked("north", "jump", "", ("yes", "no")))
        with pytest.raises(Refusal) as refused:
            require_allowed(ruleset, asked, side, Dodge("yes"))
        return refused.value.code

    assert [code(), code(waits_first=True)] == ["core.no-decision", "core.decision-pending"]
    assert [code(asked_first=True), code("north", asked_first=True)] == ["core.decision-pending", "core.no-decision"]


def test_an_order_goes_into_the_log_with_the_figures_that_it_comes_to():
    """What it comes to depends on the state in which it is given; the log reads back to the same."""
    spelled = replace(TUG, orders=replace(TUG.orders, spelled_out=lambda state, side, command: Pull(1)))
    _, content = recorded(spelled, ["south: heave"])
    texts = [entry.event.text for entry in events_of(spelled, content) if isinstance(entry.event, OrderAccepted)]
    assert texts == ["pull"]
    assert audit(spelled, events_of(spelled, content)).judged
