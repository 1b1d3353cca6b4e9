"""What the scene shows of markers and units."""

import pytest

from domain.games.singidunum import RULESET
from tests.domain.games.singidunum.test_board import scenario, started, unit


def scene(**given):
    return RULESET.shown.view(started(scenario(**given)), "south")


def units(**of_south):
    north = {"units": [unit("NHI7", "H2")]}
    return {"south": {"units": [unit("SHI7", "E9", **of_south)]}, "north": north}


def marks(shown, name="SHI7"):
    return {mark.kind for token in shown.tokens if token.id == name for mark in token.marks}


@pytest.mark.parametrize(("active", "kind"), [(True, "stakes"), (False, "fallen_stakes")])
def test_stakes_that_are_down_look_otherwise(active, kind):
    """PRG-EXT-TER-03"""
    shown = scene(sides=units(), marker=[{"hex": "E5", "kind": "stakes", "active": active}])
    assert {cell.id: cell.kind for cell in shown.cells}["E5"] == kind


@pytest.mark.parametrize("state", ["available", "activated"])
def test_a_unit_that_has_acted_is_spent(state):
    """PRG-SEQ-02"""
    shown = scene(sides=units(state=state))
    spent = {token.id: token.spent for token in shown.tokens}
    assert spent == {"SHI7": state == "activated", "NHI7": False}
    assert ("activated" in marks(shown)) == (state == "activated")


def test_strength_is_shown_where_the_id_does_not_tell_it():
    """PRG-ARM-05"""
    assert "force" not in marks(scene(sides=units()))
    shown = scene(sides=units(id="GUARD"))
    assert "force" in marks(shown, "GUARD")


def test_who_may_not_burn_is_told_in_the_enemy_base_alone():
    """PRG-VP-05"""
    assert "no-burn" not in marks(scene(sides=units(no_burn="hit")))
    assert "no-burn" in marks(scene(sides=units(no_burn="hit", hex="E1")))
