"""A position comes back equal, and one that cannot be is refused (docs/branches.md)."""

from copy import deepcopy

import msgspec
import pytest

from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.engine.positions import freeze
from domain.games.shot_to_pieces import RULESET
from domain.run.decide import folded, opening
from tests.domain.games.shot_to_pieces.playing import NORTH, SOUTH, found, play, scenario, unit
from tests.domain.games.shot_to_pieces.random_battles import moments
from tests.support.looping import some

SEEDS = (31, 32)


def plain(state):
    """A state as it stands in a log."""
    return msgspec.json.decode(msgspec.json.encode(freeze(state)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_state_comes_back_equal_and_the_same_may_be_ordered(seed):
    for number, (state, side, listed) in enumerate(some(moments(seed, most=40))):
        thawed = RULESET.thaw(plain(state))
        assert thawed == state
        assert list(thawed.units) == list(state.units)
        if side and number % 20 == 0:
            assert RULESET.orders.options(thawed, side) == listed


def held(data, name):
    """A mapping of a position, to be changed."""
    return dict(data[name])


def cavalry(data):
    held(data, "units")["NU0"]["type"] = "dragons"


def overlapping(data):
    units = held(data, "units")
    units["NU0"]["base"] = deepcopy(units["NU1"]["base"])


def far_away(data):
    held(data, "units")["NU0"]["base"]["at"] = [10**6, 0]


def without_corps(data):
    held(data, "units")["NU0"]["corps"] = "SI"


def renamed(data):
    held(data, "units")["NU0"]["id"] = "SU0"


def in_no_melee(data):
    held(data, "units")["NU0"]["melee"] = "M99"


def of_no_period(data):
    data["period"] = "ecw"


def overwhelmed(data):
    held(data, "units")["NU0"]["brittle"] = 3


def rich(data):
    held(data, "corps")["NI"]["ap"] = 99


def led_by_the_enemy(data):
    held(data, "generals")["GN2"]["unit"] = "SU0"


def in_an_unknown_step(data):
    data["step"] = "tea"


def bent(data):
    data["terrain"][0]["outline"][1] = data["terrain"][0]["outline"][0]


@pytest.mark.parametrize(
    "spoil",
    [
        *(cavalry, overlapping, far_away, without_corps, renamed, in_no_melee, of_no_period, overwhelmed, rich),
        *(led_by_the_enemy, in_an_unknown_step, bent),
    ],
)
def test_what_cannot_be_is_no_position(spoil):
    state = next(state for state, *_ in moments(5, "acw", most=1) if state.phase == "turns")
    data = plain(state)
    RULESET.thaw(deepcopy(data))
    spoil(data)
    with pytest.raises(Refusal) as refused:
        RULESET.thaw(data)
    assert refused.value.code == "core.bad-position"


# --- scripts


def test_a_script_may_ask_how_things_went_and_stand():
    """docs/scripts.md: a shot that hurts hits, one that does not misses; units are asked by id."""
    senses = RULESET.orders.senses
    assert senses.read_test(("X1", "is", "shaken")) == ("X1", "shaken")
    assert senses.read_test(("X1", "is", "blue")) is None
    battle = scenario([SOUTH], [{**NORTH, "units": [unit("X1", 90, 45)]}], step="fire", side="north")
    results = []
    for face in (4, 1):
        events = play(battle, "north: done", "south: U1 fire X1", "south: done", south=[face], north=[2])
        shot = convert(found(events, "FireResolved")[0], RULESET.events["FireResolved"])
        results.append(senses.outcome("south", [shot]).results)
    assert results == [{"passes", "hits"}, {"fails", "misses"}]
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, battle))
    assert senses.holds(state, "south", ("X1", "alive"))
    assert not senses.holds(state, "south", ("X1", "shaken"))
    with pytest.raises(Refusal):
        senses.holds(state, "south", ("Q9", "alive"))
