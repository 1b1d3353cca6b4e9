"""What an order costs, and what a corps may spend on it: the points and the quota, each with its figures."""

import pytest

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.chapters.points import (
    ELSE,
    FREE,
    NEAR,
    Payment,
    is_payable,
    price,
    quota_of,
    require_payable,
)
from domain.games.shot_to_pieces.state.state import Corps
from domain.run.decide import folded, opening
from tests.domain.games.shot_to_pieces.playing import corps, general, scenario, unit


def battle(*units, **more):
    """The state at the start of the moves of a corps of the south."""
    own = corps("I", *units, general=general("GS", 90, 0), **more)
    given = scenario([own], [corps("X", unit("X1", 90, 110), general=general("GN", 20, 110))], step="moves")
    return folded(RULESET, RULESET.rules.initial, opening(RULESET, given))


def refusal(state, payment):
    """The code, rule and figures with which a payment is refused."""
    with pytest.raises(Refusal) as refused:
        require_payable(state, payment)
    assert not is_payable(state, payment)
    return refused.value.code, refused.value.rule, dict(refused.value.params)


def test_an_order_costs_two_points_beyond_the_radius_of_command():
    """STP-ACT-03, STP-GEO-10: the nearest of a group counts, 50 cm is inside."""
    state = battle(unit("U1", 90, 51.5), unit("U2", 90, 60), unit("U3", 20, 51.52))
    one, two = state.units["U1"], state.units["U2"]
    assert (price(state, [one]), price(state, [two]), price(state, [one, two])) == (1, 2, 1)
    just = battle(unit("U1", 90, 51.51))
    assert price(just, [just.units["U1"]]) == 2


def test_points_that_are_missing_are_told():
    """STP-ACT-03."""
    state = battle(unit("U1", 90, 30), ap=1)
    assert is_payable(state, Payment("I", "U1", "move", 1, NEAR))
    assert is_payable(state, Payment("I", "U1", "move", 0, ELSE))
    params = {"unit": "U1", "corps": "I", "cost": 2, "left": 1}
    assert refusal(state, Payment("I", "U1", "move", 2, NEAR)) == ("stp.insufficient-points", "STP-ACT-03", params)


@pytest.mark.parametrize(
    ("order", "quota", "rule", "allowed"), [("advance", ELSE, "STP-CMD-03", 3), ("hold", NEAR, "STP-CMD-04", 3)]
)
def test_what_a_general_order_does_not_allow_is_told(order, quota, rule, allowed):
    """STP-CMD-03 less than half of the points for other orders; STP-CMD-04 a third for advances, rounded up."""
    state = battle(unit("U1", 90, 30), ap=8, order=order)
    assert is_payable(state, Payment("I", "U1", "move", allowed, quota))
    params = {"unit": "U1", "corps": "I", "order": order, "cost": allowed + 1, "spent": 0, "allowed": allowed}
    assert refusal(state, Payment("I", "U1", "move", allowed + 1, quota)) == ("stp.order-quota", rule, params)


def test_what_is_in_no_quota_has_all_the_points():
    """STP-CMD-03, STP-CMD-04."""
    corps = Corps("I", "south", rolled=7, spent_near=2, spent_else=1)
    assert quota_of(corps, FREE) == quota_of(corps, NEAR) == (0, 7)
    assert quota_of(corps, ELSE) == (1, 3)
