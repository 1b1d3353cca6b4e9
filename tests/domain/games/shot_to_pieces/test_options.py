"""The orders that are listed can be given, lead where they say, and always let the battle go on."""

import pytest
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.orders import unit_options
from domain.games.shot_to_pieces.orders.foresight import at_step
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from domain.log.chance import DrawReached, NoDraw
from domain.run.decide import beginning, decide, folded, opening
from tests.domain.games.shot_to_pieces.playing import corps, general, scenario, unit
from tests.domain.games.shot_to_pieces.random_battles import moments

LOOKS, ORDERS = 12, 40
"""At one state in so many every option is tried; orders of a battle that are played."""


@pytest.mark.parametrize("code", PERIODS)
def test_every_option_can_be_given_and_is_canonical(code):
    """In battles of every period, from the set-up on; no state is without one."""
    seen = set()
    for number, (state, side, listed) in enumerate(moments(1000 + PERIODS.index(code), code, ORDERS)):
        if not side:
            break
        assert listed, (state.step, state.waiting)
        for option in listed if number % LOOKS == 0 else listed[-1:]:
            command = RULESET.orders.parse(option.order)
            assert RULESET.orders.write(command, "en") == option.order
            try:
                decide(RULESET, state, side, command, NoDraw())
            except DrawReached:
                pass
            except Refusal as refusal:
                raise AssertionError((option.order, refusal.code, refusal.params)) from refusal
            seen.add(option.kind)
    assert "end" in seen and len(seen) > 2


def state_at(step, south, north, **more):
    battle = scenario(south, north, step=step, **more)
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, battle))
    return folded(RULESET, state, beginning(RULESET, state))


SOUTH = [corps("I", unit("U1", 90, 30), unit("U2", 94, 30), general=general("GS", 90, 10), ap=9)]
NORTH = [corps("X", unit("X1", 90, 55), general=general("GN", 90, 110))]


def test_a_move_says_how_far_the_unit_could_go_and_where_it_ends():
    """STP-MOV-01."""
    listed = RULESET.orders.options(state_at("moves", SOUTH, NORTH), "south")
    ahead = next(option for option in listed if option.order == "U1 move 15")
    assert ahead.limits == {"most_hcm": 1500}
    assert ahead.target
    assert (ahead.target.point, ahead.target.facing, ahead.target.act) == ((9000, 4500), 0, "move")
    assert not ahead.exhaustive


def test_units_in_contact_may_move_as_one():
    """STP-ACT-05: of all, or of those chosen."""
    state = state_at("moves", SOUTH, NORTH)
    assert "group U1 U2 move 15" in {option.order for option in RULESET.orders.options(state, "south")}
    chosen = RULESET.orders.groups.options(state, "south", ["U2", "U1"])
    assert [option.order for option in chosen] == ["group U2 U1 move 15"]


def test_orders_of_later_steps_are_listed_where_they_close_the_earlier():
    """STP-SEQ-07: moves while charges are declared, fire while units move."""
    early = {option.kind for option in RULESET.orders.options(state_at("formations", SOUTH, NORTH), "south")}
    assert early >= {"move", "end"}
    near = [corps("X", unit("X1", 90, 45), general=general("GN", 90, 110))]
    late = {option.kind for option in RULESET.orders.options(state_at("moves", SOUTH, near), "south")}
    assert late >= {"move", "fire", "general", "end"}


def test_what_a_later_step_finds_is_foreseen():
    """STP-MOR-05: units of broken corps have gone when the moves open."""
    broken = corps("II", unit("U3", 50, 30), size=1, loss_halves=2)
    others = [corps("III", unit("U4", 30, 30)), *SOUTH]
    state = state_at("fire", [broken, *others], NORTH, side="north")
    facts = decide(RULESET, state, "north", RULESET.orders.parse("done"), NoDraw())
    state = folded(RULESET, state, facts)
    assert state.corps["II"].broken
    for order in ("done", "done"):
        (side,) = RULESET.rules.active(state)
        try:
            state = folded(RULESET, state, decide(RULESET, state, side, RULESET.orders.parse(order), NoDraw()))
        except DrawReached:
            return
    then = at_step(state, "south", "moves")
    assert then
    assert then.units["U3"].at == (5000, 1500)


def test_who_cannot_act_may_have_been_meant_to():
    """What a click on a unit may have meant."""
    state = state_at("fire", SOUTH, NORTH)
    assert RULESET.orders.tried(state, "U1", "") == ("U1 fire X1",)


def test_the_halves_of_a_large_battalion_act_together():
    """STP-EMP-10: they move as a group, also where others stand beside them, and fire one salvo."""
    halves = [unit("U1", 90, 30, traits=["large"]), unit("U2", 94, 30, traits=["large"])]
    south = [corps("I", *halves, unit("U3", 98, 30), general=general("GS", 90, 10), ap=9)]
    near = [corps("X", unit("X1", 92, 42), general=general("GN", 90, 110))]
    orders = {option.order for option in RULESET.orders.options(state_at("moves", south, near, period="emp"), "south")}
    assert orders >= {"fire U1 U2 at X1", "fire U2 U1 at X1"}
    assert not any(order.startswith(("U1 ", "U2 ")) for order in orders)
    far = [corps("X", unit("X1", 92, 60), general=general("GN", 90, 110))]
    orders = {option.order for option in RULESET.orders.options(state_at("moves", south, far, period="emp"), "south")}
    assert orders >= {"group U1 U2 move 15", "group U1 U2 U3 move 15"}


def test_who_stands_behind_a_friend_may_step_to_its_flanks():
    """STP-MOV-04."""
    south = [corps("I", unit("U1", 90, 30), unit("U2", 90, 27), general=general("GS", 90, 10), ap=9)]
    orders = {option.order for option in RULESET.orders.options(state_at("moves", south, NORTH), "south")}
    assert orders >= {"U2 beside U1 left", "U2 beside U1 right"}


def test_who_is_far_away_matters_where_it_does():
    """STP-MOV-12: a strategic move stops at the friction zone, though nobody else is near."""
    south = [corps("I", unit("U1", 90, 30), general=general("GS", 90, 10), strategic=True)]
    north = [corps("X", unit("X1", 90, 88), general=general("GN", 90, 110))]
    state = state_at("moves", south, north)
    orders = {option.order for option in RULESET.orders.options(state, "south") if option.kind == "move"}
    for order in orders:
        decide(RULESET, state, "south", RULESET.orders.parse(order), NoDraw())
    assert "U1 move 22.5" not in orders and any(order.startswith("U1 move 1") for order in orders)


def test_a_general_order_tells_its_odds():
    """STP-CMD-02: two dice make at most 7 in 21 of 36 ways."""
    chief = general("GC", 90, 5, quality="good", commander=True)
    south = [
        corps("I", unit("U1", 90, 30), general=chief),
        corps("II", unit("U2", 50, 30), general=general("G2", 50, 20)),
    ]
    listed = {option.order: option for option in RULESET.orders.options(state_at("orders", south, NORTH), "south")}
    held = listed["order II hold"]
    assert (held.needed, held.odds, held.how) == (7, (21, 36), "at-most")


def test_the_moves_of_a_unit_are_the_same_if_only_those_near_are_looked_at(monkeypatch):
    """STP-ZOC-01, -07, STP-MOV-12."""
    tried = 0
    for state, side, _ in moments(60, most=40):
        if not side or state.step not in ("charges", "formations", "moves") or state.waiting:
            continue
        for one in state.of(side)[::3]:
            near = list(unit_options.move_options(state, one))
            with monkeypatch.context() as patched:
                patched.setattr(unit_options, "vicinity", lambda state, *_: state)
                assert list(unit_options.move_options(state, one)) == near
            tried += len(near)
    assert tried > 50


def test_a_brigade_of_one_unit_is_listed_once():
    """STP-OPT-07: from the reserve it may be sent as a unit and as a brigade."""
    chief = general("GC", 90, 5, commander=True)
    south = [
        corps("I", unit("U1", 90, 30, brigade="B1"), unit("U3", 86, 30), general=chief),
        corps("II", unit("U2", 80, 30), general=general("G2", 80, 20)),
    ]
    state = state_at("orders", south, NORTH, options={"army_reserve": True, "detachment": True})
    listed = [option.order for option in RULESET.orders.options(state, "south") if option.kind == "detach"]
    assert listed == ["detach U1 to II", "detach U3 to II"]


def test_a_charge_that_is_due_is_listed_once_and_last():
    """STP-ZOC-05: whoever threatens a flank has to charge before the step can be closed."""
    near = [corps("X", unit("X1", 90, 38, facing=9000), general=general("GN", 90, 110))]
    state = state_at("charges", [corps("I", unit("U1", 90, 30), ap=9)], near)
    orders = [option.order for option in RULESET.orders.options(state, "south")]
    assert orders[-1] == "U1 charge X1" and len(set(orders)) == len(orders)


def test_a_run_over_two_enemies_in_column_is_listed_once():
    """STP-WW1-11: straight up the table over each."""
    north = [
        corps("X", unit("X1", 90, 55), unit("X2", 90, 65), unit("X3", 70, 55), general=general("GN", 90, 110)),
    ]
    state = replace(state_at("fire", SOUTH, north, period="ww1"), strafes={"south": 1})
    runs = [option for option in RULESET.orders.options(state, "south") if option.kind == "strafe"]
    assert [(run.order, run.target.unit) for run in runs if run.target] == [
        ("strafe from 90 0 to 90 120", "X1"),
        ("strafe from 70 0 to 70 120", "X3"),
    ]
