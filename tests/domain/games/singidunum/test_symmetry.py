"""The rules know no direction: on a field that is mirrored or turned the same orders are legal."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.singidunum import RULESET
from domain.games.singidunum.chapters.retreats import retreat_hexes
from domain.games.singidunum.orders.options import ways
from domain.mechanics import hex as hexes
from domain.run.decide import beginning, evolve, opening
from tests.domain.mechanics.test_hex import mirrored, rotated

BOARD = {"layout": "blank", "columns": 24, "rows": 25}
FIELD = hexes.hexes_within((24, 25), "L12", 4)
"""So near the centre that the board has the images of all that can be reached."""
TYPES = ("EL9", "HI7", "AR5", "CV6", "LI3", "GE5")
KINDS = ("forest", "hill", "brush", "stakes")
IMAGES = {"mirrored": mirrored, "turned": rotated}


@st.composite
def fields(draw):
    """Units of both sides and markers on different hexes: ([(id, hex, activated)], {hex: kind})."""
    places = draw(st.lists(st.sampled_from(FIELD), min_size=3, max_size=12, unique=True))
    units = [
        (f"{draw(st.sampled_from('SN'))}{draw(st.sampled_from(TYPES))}-{at}", hex_, draw(st.booleans()))
        for at, hex_ in enumerate(places)
    ]
    free = [hex_ for hex_ in FIELD if hex_ not in places]
    markers = draw(st.dictionaries(st.sampled_from(free), st.sampled_from(KINDS), max_size=6))
    return units, markers


def started(units, markers, image=lambda hex_: hex_):
    """The state of a field, every hex of it put where its image is."""
    sides = {
        side: {
            "units": [
                {
                    "id": name,
                    "type": name[1:3],
                    "strength": int(name[3]),
                    "hex": image(hex_),
                    "state": "activated" if activated else "available",
                }
                for name, hex_, activated in units
                if name[0] == letter
            ]
        }
        for side, letter in (("south", "S"), ("north", "N"))
    }
    table = {
        "ruleset": RULESET.code,
        "first": "south",
        "board": BOARD,
        "sides": sides,
        "marker": [{"hex": image(hex_), "kind": kind} for hex_, kind in markers.items()],
    }
    state = RULESET.rules.initial
    for start in (lambda _: opening(RULESET, table), lambda begun: beginning(RULESET, begun)):
        for fact in start(state):
            state = evolve(RULESET, state, fact.event, state.n + 1)
    return state


def legal(state, image=lambda hex_: hex_):
    """What holds of each unit: where it may go, and where it may retreat to from each enemy, as images."""
    found = {}
    for unit in state.units.values():
        enemies = [other for other in state.units.values() if other.side != unit.side]
        goes = {image(way.to) for way in ways(state, unit)}
        back = {other.id: {image(to) for to in retreat_hexes(state, unit, [other.hex])} for other in enemies}
        found[unit.id] = (goes, back)
    return found


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(fields(), st.sampled_from(sorted(IMAGES)))
def test_moves_and_retreats_are_those_of_the_image(field, name):
    """PRG-BRD-02, -04, PRG-MOV-01, PRG-RET-02"""
    units, markers = field
    image = IMAGES[name]
    assert legal(started(units, markers), image) == legal(started(units, markers, image))


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(fields(), st.sampled_from(sorted(IMAGES)))
def test_orders_to_shoot_and_to_fight_are_those_of_the_image(field, name):
    """PRG-BRD-08, PRG-SHT-03, PRG-CBT-01: shots name units only, so the very orders must be the same."""

    def shots(state):
        return {o.order: o.odds for o in RULESET.orders.options(state, state.active) if o.kind == "shoot"}

    units, markers = field
    assert shots(started(units, markers)) == shots(started(units, markers, IMAGES[name]))
