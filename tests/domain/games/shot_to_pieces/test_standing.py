"""Standing orders: what acts without a question is in the log with what set it (chapters ORD, DEC)."""

import pytest

from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.orders.standing import spared_by, standing_orders, usual
from domain.log.chance import NoDraw
from domain.run.decide import beginning, decide, folded, opening
from tests.domain.games.shot_to_pieces.playing import SOUTH, corps, found, general, names, play, scenario, unit

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.catalogue.MissingSentence")
FAR = [corps("X", unit("X1", 90, 105), general=general("GN", 90, 110))]


def test_orders_that_are_kept_have_no_step():
    """STP-ORD-12, STP-DEC-02, STP-SEQ-01: it names the event that set it, in every turn."""
    events = play(
        scenario([SOUTH], FAR),
        "north: standing orders keep",
        "south: standing orders keep",
        "south: done",
        "south: end turn",
        "north: end turn",
        "south: end turn",
        "north: standing orders ask",
        "north: end turn",
        "north: done",
        final={"turn": 3},
    )
    applied = found(events, "StandingApplied")
    assert [(data["side"], data["topic"]) for data in applied] == [
        ("north", "orders"),
        ("south", "orders"),
        ("north", "orders"),
        ("south", "orders"),
    ]
    assert len({data["set_by"] for data in applied}) == 2
    assert [data["side"] for data in found(events, "TurnBegan", step="orders")] == ["south", "north"]


def test_fire_is_declared_held_or_left_to_the_side():
    """STP-ORD-12, STP-SEQ-08, STP-DEC-02: a unit's own order beats one for all."""
    north = [corps("X", unit("X1", 90, 45), unit("X2", 50, 45), unit("X3", 130, 45), general=general("GN", 90, 110))]
    south = [corps("I", unit("U1", 90, 30), unit("U2", 50, 30), unit("U3", 130, 30))]
    battle = scenario(south, north, step="fire", side="north", turn=1)
    events = play(
        battle,
        "south: standing fire all hold",
        "south: standing fire U1 nearest",
        "north: done",
        south=[1],
        north=[4],
    )
    declared = found(events, "FireDeclared")
    assert [(data["unit"], data["target"], data["standing"]) for data in declared] == [("U1", "X1", True)]
    held = found(events, "StandingApplied")
    assert [(data["side"], data["topic"]) for data in held] == [("south", "fire")]
    assert held[0]["set_by"] != declared[0]["set_by"]
    assert not found(events, "StepBegan", side="south", step="fire")


def test_the_usual_ones_are_given_by_one_word():
    """STP-ORD-11."""
    events = play(scenario(), "north: standing usual", "south: usual", "south: done")
    values = [(data["topic"], data["value"]) for data in found(events, "StandingOrderSet", side="north")]
    assert values == [
        ("evade", "close"),
        ("reroll", "ask"),
        ("advance", "never"),
        ("pursue", "place"),
        ("fire", "nearest"),
        ("fire-order", "declared"),
        ("orders", "keep"),
    ]
    assert found(events, "StandingApplied")[0]["topic"] == "orders"


def after(*orders):
    """The state after some orders of the south."""
    facts = opening(RULESET, scenario())
    state = folded(RULESET, RULESET.rules.initial, facts)
    state = folded(RULESET, state, beginning(RULESET, state))
    for order in orders:
        state = folded(RULESET, state, decide(RULESET, state, "south", RULESET.read(order), NoDraw()))
    return state


def test_those_in_force_are_listed_as_they_are_written():
    """STP-DEC-02: `ask` is listed where it exempts a unit from an order for all, and nowhere else."""
    state = after("standing evade U1 ask", "standing fire all nearest", "standing fire U1 ask", "standing pursue full")
    assert standing_orders(state, "south") == (
        "standing fire all nearest",
        "standing fire U1 ask",
        "standing pursue full",
    )
    assert standing_orders(state, "south", "fr")[0] == "consigne tire tous plus-proche"
    assert standing_orders(state, "north") == ()


def test_the_usual_ones_are_orders_that_can_be_given():
    """STP-ORD-11."""
    state = after()
    assert standing_orders(after(*usual(state, "south")), "south") == usual(state, "south")


def test_who_wants_to_be_asked_again_is_named_when_that_changes_what_happens():
    """STP-ORD-12: the order that takes back an open one is opened by the step that it brings about."""
    north = [corps("X", unit("X1", 90, 45), unit("X2", 50, 45), general=general("GN", 90, 110))]
    south = [corps("I", unit("U1", 90, 30), unit("U2", 50, 30))]
    battle = scenario(south, north, step="fire", side="north")
    events = play(
        battle,
        "south: standing fire all hold",
        "south: standing fire U2 ask",
        "north: done",
        "south: done",
        "south: done",
    )
    opened = found(events, "StepBegan", side="south", step="fire")
    assert len(opened) == 1
    assert opened[0]["opens"] == [2 + names(events).index("StandingOrderSet")]


def test_what_would_spare_a_side_the_next_mail():
    """STP-DEC-02: its fire in the other's phase and its general orders; in its own phase it is asked anyhow."""
    north = [corps("X", unit("X1", 90, 45), general=general("GN", 90, 110))]
    battle = scenario([corps("I", unit("U1", 90, 30), unit("U2", 80, 30))], north, step="fire", side="north")

    def stood(given, *lines):
        state = folded(RULESET, RULESET.rules.initial, opening(RULESET, given))
        state = folded(RULESET, state, beginning(RULESET, state))
        for line in lines:
            side, _, order = line.partition(": ")
            state = folded(RULESET, state, decide(RULESET, state, side, RULESET.read(order), NoDraw()))
        return state

    asked = stood(battle, "north: done")
    assert (asked.active, asked.side) == ("south", "north")
    assert [spared_by(asked, side) for side in ("south", "north")] == ["standing fire all nearest", ""]
    assert spared_by(stood(battle), "north") == ""
    alone = stood(battle, "south: standing fire all hold", "south: standing fire U1 ask", "north: done")
    assert (alone.active, spared_by(alone, "south")) == ("south", "")
    assert spared_by(stood(scenario([SOUTH], FAR, step="orders")), "south") == "standing orders keep"
