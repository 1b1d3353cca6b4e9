"""What an umpire may set, line by line, in both languages (docs/corrections.md)."""

import random

import pytest
from msgspec.structs import replace

from benchmarks.random_play import Dealt
from domain.basics.errors import Refusal
from domain.disputes.corrections import canonical, corrected, in_language
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.chapters.firing import FireLost
from domain.log.chance import NoDraw
from domain.run.decide import beginning, decide, evolve, folded, opening
from replay.telling.words.catalogue import find
from tests.domain.games.shot_to_pieces.playing import corps, scenario, unit
from tests.domain.games.shot_to_pieces.playing import general as led_by
from tests.support.looping import some

SOUTH = corps(
    "I", unit("U1", 90, 30, brittle=1), unit("U2", 98, 30, shaken=1), general={"id": "GS", "with": "U1"}, ap=3
)
NORTH = corps("X", unit("X1", 90, 32.25, formation="line"), general=led_by("GN", 90, 110), ap=3)
BATTLE = scenario([SOUTH], [NORTH], period="emp", step="moves", melee=[{"units": ["U1", "X1"]}])


def state():
    begun = folded(RULESET, RULESET.rules.initial, opening(RULESET, BATTLE))
    begun = folded(RULESET, begun, beginning(RULESET, begun))
    return replace(begun, t=1, mover="south")  # nothing is set before the first turn


def set_(line):
    """The state after a correction of one line."""
    before = state()
    text = canonical(RULESET, line)
    assert canonical(RULESET, in_language(RULESET, text, "fr")) == text
    for fact in corrected(RULESET, before, "d1", text):
        before = evolve(RULESET, before, fact.event, before.n + 1)
    return before


@pytest.mark.parametrize(
    ("line", "french", "expected"),
    [
        ("set U2 at 30,40.5 facing 90", "fixe U2 en 30,40.5 face 90", {"at": (3000, 4050), "facing": 9000}),
        ("set U1 shaken", "fixe U1 ébranlée", {"markers": 2, "brittle": 1}),
        ("set U1 brittle 2", "fixe U1 fragile 2", {"markers": 2, "brittle": 2}),
        ("set U2 steady", "fixe U2 ferme", {"markers": 0}),
        ("set U2 removed", "fixe U2 retiré", {"alive": False, "here": False}),
        ("set U2 formation line", "fixe U2 formation ligne", {"formation": "line"}),
    ],
)
def test_a_unit_is_as_the_umpire_says(line, french, expected):
    assert in_language(RULESET, canonical(RULESET, line), "fr") == french
    one = set_(line).units[line.split()[1]]
    assert {name: getattr(one, name) for name in expected} == expected


def test_who_is_moved_is_out_of_its_melee_and_a_general_is_alone():
    """STP-MEL-01: without charger there is none."""
    after = set_("set U1 at 30,30")
    assert (after.melees, after.units["X1"].melee, after.units["U1"].base.facing) == ((), "", 0)
    assert (set_("set GS at 50,50").generals["GS"].unit, set_("set GS at 50,50").generals["GS"].at) == (
        "",
        (5000, 5000),
    )


def test_a_line_of_formation_has_the_base_of_it():
    """STP-GEO-03."""
    assert (set_("set U2 formation march").units["U2"].base.width, set_("set I points 5").corps["I"].ap) == (200, 5)


def test_a_corps_has_the_order_that_the_umpire_says():
    """STP-CMD-01."""
    assert set_("set I hold").corps["I"].order == "hold"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("set Q9 removed", "core.unknown-id"),
        ("set U2 at 90,32", "stp.overlap"),
        ("set U2 at 0,0", "stp.leaves-table"),
        ("set U1 brittle 3", "core.correct-number"),
        ("set U2 formation battle", "stp.bad-formation"),
        ("set Q9 hold", "core.unknown-id"),
        ("set X1 removed", "core.correct-end"),
        ("set turn ended", "core.not-correctable"),
        ("set I points 21", "core.correct-number"),
    ],
)
def test_what_cannot_be_is_not_set(line, code):
    with pytest.raises(Refusal) as refused:
        set_(line)
    assert refused.value.code == code


def test_nothing_is_set_of_who_is_gone():
    """STP-RES-09."""
    gone = state()
    gone = replace(gone, units={**gone.units, "U2": replace(gone.units["U2"], alive=False)})
    with pytest.raises(Refusal) as refused:
        corrected(RULESET, gone, "d1", canonical(RULESET, "set U2 steady"))
    assert refused.value.code == "stp.unit-gone"


def test_each_fact_has_its_sentence():
    for kind in some(RULESET.corrections.facts):
        assert find(f"stp.{kind.__name__}", "en") and find(f"stp.{kind.__name__}", "fr")


def test_a_salvo_at_who_was_put_out_of_range_is_lost():
    """STP-SEQ-04."""
    south = corps("I", unit("U1", 90, 30), general=led_by("GS", 90, 10))
    north = corps("X", unit("X1", 90, 40), general=led_by("GN", 90, 110))
    made = folded(RULESET, RULESET.rules.initial, opening(RULESET, scenario([south], [north], step="fire")))
    made = folded(RULESET, made, beginning(RULESET, made))
    for side, line in (("south", "U1 fire X1"), ("south", "done")):
        made = folded(RULESET, made, decide(RULESET, made, side, RULESET.orders.parse(line), NoDraw()))
    made = replace(made, t=1, mover="north")
    moved = corrected(RULESET, made, "d1", canonical(RULESET, "set X1 at 90,100"))
    made = folded(RULESET, made, moved)
    facts = decide(RULESET, made, "north", RULESET.orders.parse("done"), Dealt(random.Random(1)))
    lost = [fact.event for fact in facts if isinstance(fact.event, FireLost)]
    assert lost == [FireLost("U1", "target-gone")]
