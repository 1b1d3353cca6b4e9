"""Where a unit that is dragged over the board may end: legal, near to what is wished, measured by the rules."""

import pytest

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.free_ends import WishedEnd
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.orders.free_ends import free_ends
from domain.games.shot_to_pieces.orders.references import is_legal
from domain.games.shot_to_pieces.plane.contacts import abuts
from domain.games.shot_to_pieces.plane.gaps import distance
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from domain.log.chance import DrawReached, NoDraw
from domain.mechanics.plane import distance as apart
from domain.run.decide import beginning, decide, folded, opening
from tests.domain.games.shot_to_pieces.playing import corps, general, scenario, unit
from tests.domain.games.shot_to_pieces.random_battles import moments
from tests.support.lanes import thinned

SOUTH = corps(
    "I",
    unit("U1", 90, 30),
    unit("U2", 60, 30),
    unit("G1", 30, 30, "artillery_foot"),
    unit("V1", 120, 30, "cavalry_a"),
    general=general("GS", 90, 20),
    ap=12,
)
NORTH = corps("X", unit("X1", 90, 60), unit("X2", 120, 48), unit("X3", 60, 70), general=general("GN", 90, 110))
ORDERS, STEPS = 40, ("deployment", "charges", "moves")
"""Orders of a random battle that are played; the steps at whose opening units are wished to places."""


def at(step="moves", south=SOUTH, north=NORTH, **more):
    """The state at a step."""
    battle = scenario([south], [north], step=step, **more)
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, battle))
    return folded(RULESET, state, beginning(RULESET, state))


def ends(name, to=None, facing=None, act="", state=None, side="south"):
    """The ends for a wish, its place in centimetres, its facing in degrees."""
    place = None if to is None else (round(100 * to[0]), round(100 * to[1]))
    wish = WishedEnd(place, None if facing is None else 10 * facing, act)
    found = RULESET.orders.free_ends
    assert found is not None
    return found(state or at(), side, name, wish)


def best(*wish, **more):
    return ends(*wish, **more).ends[0]


def test_a_unit_ends_where_it_is_wished():
    """STP-MOV-01, STP-MOV-02: it faces where it goes."""
    end = best("U1", (94, 37))
    assert (end.at, end.act, end.order) == ((9400, 3700), "move", "U1 face 29.74 move 8.06")
    assert (end.facing, end.distance, end.cost) == (297, 806, 1)


def test_a_wish_beyond_reach_comes_as_far_as_the_unit_may():
    end = best("U1", (90, 59))
    assert end.order == "U1 move 15"
    assert best("U1", (150, 30)).distance == 1500


def test_the_facing_wished_for_is_kept_as_far_as_a_move_allows():
    """STP-MOV-02: at most 22.5 degrees off the way."""
    assert best("U1", (94, 40), facing=0).facing == 0
    aside = best("U1", (98, 30), facing=0)
    assert (aside.facing, aside.order) == (675, "U1 face 67.5 move 8 right 22.5")


def test_a_unit_put_beside_a_friend_stands_flank_to_flank():
    """STP-GEO-08."""
    near = corps("I", unit("U1", 90, 30), unit("U2", 86, 40), general=general("GS", 90, 20), ap=12)
    state = at(south=near)
    end = best("U1", (91, 40.5), state=state)
    assert end.act == "join"
    command = RULESET.orders.parse(end.order)
    there = decided(state, command).units
    assert abuts(there["U1"].base, there["U2"].base)


def decided(state, command, side="south"):
    """The state after an order."""
    return folded(RULESET, state, decide(RULESET, state, side, command, NoDraw()))


def test_a_place_behind_is_reached_backwards_too():
    """STP-MOV-06."""
    found = {end.order for end in ends("U1", (90, 27)).ends}
    assert {"U1 face 180 move 3", "U1 back 3"} <= found
    assert best("U1", (90, 27), facing=0).order == "U1 back 3"


def test_a_gun_is_prolonged_with_its_facing_kept():
    """STP-MOV-15."""
    assert best("G1", (33, 30), facing=0).order == "G1 prolong 3 90"


def test_a_wish_for_the_own_place_turns():
    """STP-ORD-02."""
    end = best("U1", (90, 30), facing=90)
    assert (end.order, end.act, end.distance) == ("U1 face 90", "stay", 0)
    assert ends("U1", (90, 30)).ends == ()


def test_a_unit_put_on_an_enemy_charges_it():
    """STP-CHG-01, STP-CHG-10: it ends on the edge that it strikes."""
    state = at("charges")
    end = best("V1", (120, 48), state=state)
    assert (end.act, end.order, end.at) == ("charge", "V1 charge X2", (12000, 4450))
    assert end.nearest[0].distance == 0
    assert [one.act for one in ends("V1", (120, 48), act="charge", state=state).ends] == ["charge"]


def test_each_end_tells_the_nearest_enemies():
    """STP-GEO-04: the bases, not their centres."""
    end = best("U1", (90, 40))
    assert [(one.unit, one.distance) for one in end.nearest] == [("X1", 1700), ("X2", 2648), ("X3", 3748)]


def test_cost_is_that_of_the_plan():
    """STP-ACT-03: two points beyond the radius of command."""
    far = corps("I", unit("U1", 90, 30), general=general("GS", 170, 20), ap=12)
    assert best("U1", (90, 35), state=at(south=far)).cost == 2


def test_a_barred_way_leads_beside_what_bars_it():
    """STP-GEO-21."""
    pond = {"id": "P1", "kind": "water", "outline": [[8900, 3400], [9100, 3400], [9100, 3800], [8900, 3800]]}
    state = at(terrain=[pond])
    end = best("U1", (90, 42), state=state)
    assert end.at[1] > 3800 and apart(end.at, (9000, 4200)) < 450


def test_nothing_wished_for_lists_ends_all_round_and_the_reach():
    found = ends("U1")
    assert len(found.reach) == 36
    assert found.reach[0] == (9000, 4500)
    assert found.reach[9] == (10500, 3000)
    assert {"U1 move 15", "U1 back 5", "U1 face 90 move 15", "U1 face 90 move 7.5"} <= {end.order for end in found.ends}
    assert ends("U1", (90, 40)).reach == ()


def test_generals_go_to_places_and_to_units():
    """STP-ACT-04."""
    state = at("generals")
    assert best("GS", (80, 15), state=state).order == "general GS to 80 15"
    joins = best("GS", (90, 30.5), state=state)
    assert (joins.order, joins.act, joins.facing, joins.outline) == ("general GS with U1", "join", None, ())
    far = best("GS", (170, 20), state=state)
    assert 2998 <= far.distance <= 3000
    assert len(ends("GS", state=state).reach) == 24


def test_who_may_not_move_has_no_ends():
    """STP-ACT-08, STP-SEQ-03."""
    state = decided(at(), RULESET.orders.parse("U1 move 3"))
    assert ends("U1", (90, 40), state=state).ends == ()
    assert ends("X1", (90, 50), side="north").ends == ()
    assert ends("U1", (90, 40), state=at("fire")) == ends("U1", state=at("fire"))


def test_an_army_is_deployed_in_its_strip():
    """STP-GAP-25: at the place, or as near to it as there is room."""
    loose = corps("I", unit("U1", 90, 10), unit("U2", 60, 10), general=general("GS", 90, 20))
    for one in loose["units"]:
        del one["at"]
    battle = scenario([loose], [NORTH])
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, battle))
    state = folded(RULESET, state, beginning(RULESET, state))
    while state.active != "south":
        state = decided(state, RULESET.orders.parse("done"), state.active)
    assert state.step == "deployment"
    assert best("U1", (50, 12), state=state).order == "deploy U1 at 50 12"
    assert best("U1", (50, 12), facing=45, state=state).order == "deploy U1 at 50 12 face 45"
    beyond = best("U1", (50, 80), state=state)
    assert beyond.act == "place" and 2000 <= beyond.at[1] <= state.options.deploy_depth_hcm
    placed = decided(state, RULESET.orders.parse("deploy U1 at 50 12"))
    beside = best("U2", (50, 12), state=placed)
    assert 300 <= apart(beside.at, (5000, 1200)) <= 600
    assert len(ends("U2", state=placed).reach) == 4


@pytest.mark.parametrize(("name", "code"), [("Z9", "core.unknown-id"), ("X1", "core.not-yours")])
def test_only_own_units_are_dragged(name, code):
    with pytest.raises(Refusal) as refused:
        ends(name, (90, 40))
    assert refused.value.code == code


@pytest.mark.parametrize("code", thinned(PERIODS, len(PERIODS)))
def test_every_end_is_one_that_its_order_leads_to(code):
    """In battles of every period: each order is canonical, legal, and ends where it is said to."""
    wished, looked = list[int](), set()
    for state, side, _ in moments(3000 + PERIODS.index(code), code, ORDERS):
        if not side or state.step not in STEPS or (state.k, state.step) in looked:
            continue
        looked.add((state.k, state.step))
        for one in state.of(side)[:4]:
            east, north = one.at
            wishes = WishedEnd((east + 700, north + 900)), WishedEnd(), WishedEnd((east - 900, north - 300), 450)
            found = free_ends(state, side, one.id, wishes[len(wished) % len(wishes)])
            wished.append(len(found.ends))
            for end in found.ends[:8]:
                check(state, side, one.id, end)
    assert all(any(wished[at::3]) for at in range(3)), "each kind of wish has ends"


def check(state, side, name, end):
    """Hold an end against the order itself."""
    command = RULESET.orders.parse(end.order)
    assert RULESET.orders.write(command, "en") == end.order
    try:
        after = folded(RULESET, state, decide(RULESET, state, side, command, NoDraw()))
    except DrawReached:
        return
    if end.act in ("move", "join", "stay", "place"):
        there = after.units[name]
        assert (there.at, (there.facing + 5) // 10 % 3600) == (end.at, end.facing)
        enemies = sorted(distance(there.base, enemy.base) for enemy in state.enemies(there))
        assert [one.distance for one in end.nearest] == enemies[:3]


def test_games_without_free_measure_have_none():
    assert {code for code, ruleset in RULESETS.items() if ruleset.orders.free_ends} <= {"stp"}
    assert is_legal(at(), "south", RULESET.orders.parse("U1 move 15"))
