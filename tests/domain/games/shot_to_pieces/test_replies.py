"""Who must fire back, and what is left of a salvo when somebody has fired (STP-FIR-05)."""

import pytest
from msgspec.structs import replace

from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.chapters.replies import fired, repliers
from domain.games.shot_to_pieces.chapters.targets import DEAD_ZONE, range_to
from domain.games.shot_to_pieces.state.state import NEVER, Salvo, Shaken, changed
from domain.run.decide import beginning, folded, opening
from tests.domain.games.shot_to_pieces.playing import corps, general, scenario, unit


def facing(*enemies, south=(), **more):
    """South's U1 in the step of fire, and enemies; every base as it is placed."""
    own = corps("I", unit("U1", 90, 30), *south, general=general("GS", 90, 10), ap=6)
    other = corps("X", *enemies, general=general("GN", 90, 110), ap=6)
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, scenario([own], [other], step="fire", **more)))
    return folded(RULESET, state, beginning(RULESET, state))


def declared(state, *salvoes):
    return replace(state, salvoes=tuple(Salvo(f"S{at}", *one) for at, one in enumerate(salvoes, start=1)))


def back(state, name="X1", firer="U1", **how):
    """Who replies to a shot at a unit."""
    return repliers(state, state.units[firer], state.units[name], **how)


BARRED = unit("X1", 90, 47, formation="line"), unit("S1", 90, 45, "skirmisher")
"""A line that may be fired at past the men in front of its middle, from where its own lane would start."""


@pytest.mark.rule("STP-FIR-05")
def test_who_is_fired_over_bars_a_reply_to_indirect_fire_alone():
    barred = facing(*BARRED, period="emp")
    assert back(barred) == ("X1",)
    assert back(barred, is_indirect=True) == ()
    assert back(facing(unit("X1", 90, 47)), is_indirect=True) == ("X1",)


@pytest.mark.rule("STP-FIR-05")
def test_nobody_beside_joins_who_has_not_declared():
    assert back(facing(unit("X1", 90, 45), unit("X2", 94, 45))) == ("X1",)


@pytest.mark.rule("STP-FIR-05")
def test_who_declared_at_the_firer_joins_unless_shaken_or_out_of_range_since():
    state = declared(facing(unit("X1", 90, 45), unit("X2", 94, 45)), ("north", ("X2",), "U1"))
    assert back(state) == ("X1", "X2")
    assert back(changed(state, "X2", shaken=(Shaken(1, "fire"),))) == ("X1",)
    far = declared(facing(unit("X1", 90, 45), unit("X2", 94, 45, weapon="musket")), ("north", ("X2",), "U1"))
    assert range_to(far.units["X2"], far.units["U1"]) > 1000
    assert back(far) == ("X1",)


@pytest.mark.rule("STP-FIR-05")
def test_a_salvo_replies_whole_beyond_those_who_touch():
    units = [unit(f"X{at}", 86 + 4 * at, 45) for at in (1, 2, 3)]
    state = declared(facing(*units), ("north", ("X1", "X2", "X3"), "U1"))
    assert back(state) == ("X1", "X2", "X3")


@pytest.mark.rule("STP-EMP-08")
@pytest.mark.rule("STP-FIR-05")
def test_the_other_half_of_a_large_battalion_joins_undeclared():
    halves = [unit("X1", 90, 44, traits=["large"]), unit("X2", 94, 44, traits=["large"])]
    assert back(facing(*halves, unit("X3", 86, 44), period="emp")) == ("X1", "X2")


@pytest.mark.rule("STP-FIR-05")
def test_who_has_declared_at_somebody_else_does_not_reply():
    state = facing(unit("X1", 90, 45), unit("X2", 70, 45), south=[unit("U2", 86, 30)])
    assert back(declared(state, ("north", ("X1",), "U2"))) == ()
    assert back(declared(state, ("north", ("X1",), "U2"), ("north", ("X2",), "U2"))) == ()
    assert back(declared(state, ("north", ("X2",), "U2"))) == ("X1",)
    joining = facing(unit("X1", 90, 45), unit("X2", 94, 45), south=[unit("U2", 86, 30)])
    assert back(declared(joining, ("north", ("X2",), "U1"), ("north", ("X2",), "U2"))) == ("X1",)


@pytest.mark.rule("STP-FIR-05")
def test_a_reply_reaches_as_far_as_the_weapon():
    at_most = facing(unit("X1", 90, 53))
    assert range_to(at_most.units["X1"], at_most.units["U1"]) == 2000
    assert back(at_most) == ("X1",)
    assert back(facing(unit("X1", 90, 53.01))) == ()


@pytest.mark.rule("STP-WW1-08")
@pytest.mark.parametrize(("short", "expected"), [(1, ()), (0, ("X1",)), (-100, ("X1",))])
@pytest.mark.rule("STP-FIR-05")
def test_a_bombardment_gun_replies_from_its_dead_zone_on(short, expected):
    gun = unit("X1", 90, 33.5 + (DEAD_ZONE - short) / 100, "bombardment_60", traits=["emplaced"])
    state = facing(gun, period="ww1")
    assert range_to(state.units["X1"], state.units["U1"]) == DEAD_ZONE - short
    assert back(state) == expected


@pytest.mark.rule("STP-FIR-05")
def test_who_fires_again_in_a_phase_keeps_when_it_fired_before():
    state = changed(facing(unit("X1", 90, 45)), "U1", fired_k=1)
    state = replace(state, k=3)
    once = fired(state, ("U1",)).units["U1"]
    assert (once.fired_k, once.fired_earlier_k, once.shots) == (3, 1, 1)
    twice = fired(fired(state, ("U1",)), ("U1",)).units["U1"]
    assert (twice.fired_k, twice.fired_earlier_k, twice.shots) == (3, 1, 2)
    assert state.units["U1"].fired_earlier_k == NEVER


@pytest.mark.rule("STP-FIR-05")
def test_who_fires_leaves_the_salvo_that_is_named_or_its_first():
    state = declared(
        facing(unit("X1", 90, 45), south=[unit("U2", 94, 30)]),
        ("south", ("U1", "U2"), "X1"),
        ("south", ("U1",), "X1"),
    )
    assert [(one.id, one.units) for one in fired(state, ("U1",)).salvoes] == [("S1", ("U2",)), ("S2", ("U1",))]
    assert [(one.id, one.units) for one in fired(state, ("U1",), "S2").salvoes] == [("S1", ("U1", "U2"))]
