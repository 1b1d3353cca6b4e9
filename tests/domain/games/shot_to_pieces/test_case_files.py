"""What a case of this game says, and when it fails."""

import pytest

from domain.games.shot_to_pieces import RULESET
from replay.lab.lab import run_case
from tests.domain.games.shot_to_pieces.playing import corps, found, general, play, scenario, unit

FAR = unit("X9", 170, 115)
SHOT = {"type": "FireResolved", "data": {"firer": "U1", "attack": 5, "defence": 6}}


def battle(south, north, *, code="acw", step="fire", side="south", options=None, **more):
    own = corps("I", *south, general=general("GS", 90, 10), ap=9)
    other = corps("X", *north, general=general("GN", 90, 110), ap=9)
    given = scenario([own], [other], period=code, step=step, side=side, first="north", **more)
    return given | {"options": options or {}}


CASE = battle([unit("U1", 90, 30)], [unit("X1", 90, 40, facing=0)]) | {
    "dice": {"south": [2], "north": [3]},
    "orders": ["south: U1 fire X1", "south: done"],
    "expect": [{"type": "FireDeclared"}, SHOT],
}


def failures(**changes):
    return run_case({**CASE, **changes}, {RULESET.code: RULESET}).failures


# --- dice


def test_a_case_that_comes_out_has_no_failures():
    """STP-CASE-01, STP-CASE-02."""
    assert failures() == []


@pytest.mark.parametrize(
    ("dice", "word"),
    [
        ({"south": [2]}, "draws more from dice:north"),
        ({"south": [], "north": [3]}, "draws more from dice:south"),
        ({"south": [2, 1], "north": [3]}, "not used up"),
        ({"south": [5], "north": [3]}, "dice:south that never counts 5"),
        ({"south": [0], "north": [3]}, "dice:south that never counts 0"),
    ],
)
def test_dice_too_few_too_many_or_impossible_are_a_failure(dice, word):
    """STP-CASE-01: a missing list is empty."""
    assert any(word in failure for failure in failures(dice=dice, expect=[]))


def test_of_a_die_with_a_table_the_lowest_face_of_the_value_falls():
    """STP-CASE-01: and every die tells its face, a plain one too."""
    south, north = [unit("G1", 90, 20, "rockets")], [unit("X1", 90, 30, facing=0)]
    for value, face in ((-2, 1), (-1, 2), (0, 3), (1, 6)):
        events = play(battle(south, north, code="alg"), "south: G1 fire X1", "south: done", south=[value, 1], north=[4])
        thrown = [(data["purpose"], data["value"], data["face"]) for data in found(events, "DieRolled")]
        assert thrown == [("rocket", value, face), ("fire", 1, 1), ("resilience", 4, 4)]


def test_dice_before_the_first_order_of_the_mover_are_open():
    """STP-CASE-01: in one list with those after it."""
    given = battle([unit("U1", 90, 30)], [unit("X1", 90, 45, facing=0)], step="activation")
    events = play(given, "south: U1 fire X1", "south: end turn", south=[2, 1], north=[4])
    scopes = [(data["scope"], data["index"], data["purpose"]) for data in found(events, "DieRolled")]
    assert scopes == [
        ("open:south", 1, "activation"),
        ("dice:south", 1, "fire"),
        ("dice:north", 1, "resilience"),
    ]


def fallen(events):
    return [(data["purpose"], data["scope"].partition(":")[2]) for data in found(events, "DieRolled")]


def test_dice_are_those_of_the_owner_of_the_unit():
    """STP-CASE-03: those of fire, standing, survival, rash charges, leaders, points."""
    horse, light = unit("V1", 90, 30, "cavalry_a"), unit("X1", 90, 45, "skirmisher")
    orders = ("south: V1 charge X1 rash", "south: done", "north: evade no", "south: pursue place")
    events = play(battle([horse], [light], step="charges"), *orders, south=[6], north=[1, 6])
    assert fallen(events) == [("rash", "south"), ("stand", "north"), ("survive", "north")]
    given = battle([unit("U1", 90, 30)], [unit("X1", 90, 40, facing=0, brittle=2), FAR])
    given["sides"]["north"]["corps"][0]["general"] = {"id": "GN", "with": "X1"}
    events = play(given, "south: U1 fire X1", "south: done", south=[4], north=[2, 6])
    assert fallen(events) == [("fire", "south"), ("resilience", "north"), ("leader-lost", "north")]


def test_dice_of_events_choices_and_aircraft_are_those_of_the_side_whose_phase_it_is():
    """STP-CASE-03."""
    south = [unit("U1", 30, 30), unit("U2", 60, 30), unit("U3", 90, 30)]
    given = battle(south, [unit("X1", 90, 60)], step="melee", side="north", options={"d20_events": True})
    events = play(given, south=[2, 3, 1])
    assert fallen(events) == [("event", "south"), ("event-random", "south"), ("activation", "south")]
    given = battle([unit("U1", 80, 30)], [unit("X1", 80, 60)], code="ww1")
    given["sides"]["south"]["strafes"] = 1
    events = play(given, "south: strafe from 60 0 to 60 120", south=[6, 2, 6, 1], north=[4])
    assert fallen(events) == [
        ("strafe-side", "south"),
        ("strafe-shift", "south"),
        ("strafe-friend", "south"),
        ("fire", "south"),
        ("resilience", "north"),
    ]


# --- what is compared


@pytest.mark.parametrize(
    "changes",
    [
        {"expect": [SHOT, {"type": "FireDeclared"}]},
        {"expect": [SHOT, SHOT]},
        {"expect": [SHOT | {"by": "north"}]},
        {"expect": [SHOT | {"rule": "STP-FIR-05"}]},
        {"expect": [{"type": "FireResolved", "data": {"attack_factors": [{}]}}]},
        {"expect": [{"type": "FireResolved", "data": {"units": ["U1", "U2"]}}]},
        {"absent": [{"type": "FireResolved"}]},
        {"orders": ["south: U1 fire X9", *CASE["orders"]]},
        {"reject": [{"order": 1, "code": "stp.no-lane"}], "dice": {}, "expect": []},
        {"final": {"units": {"U1": {"alive": False}}}},
        {"final": {"corps": {"I": {"ap": 8}}}},
        {"final": {"winner": "south"}},
    ],
    ids=str,
)
def test_what_is_wanted_and_not_so_is_a_failure(changes):
    """STP-CASE-02: events in order, each with all that is listed; nested lists whole; unlisted orders are accepted."""
    assert len(failures(**changes)) >= 1


def test_what_is_not_given_is_not_compared():
    """STP-CASE-02."""
    final = {"units": {"U1": {"alive": True}}, "corps": {"I": {"ap": 9, "order": "advance"}}}
    assert failures(expect=[SHOT], final=final) == []
    assert (
        failures(orders=["south: U1 fire X9", *CASE["orders"]], reject=[{"order": 1, "code": "core.unknown-id"}]) == []
    )
