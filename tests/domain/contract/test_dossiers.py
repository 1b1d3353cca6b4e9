"""The dossier of a unit says what its rules say, in both languages."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.data import SCENARIOS, read_toml, scenario_names
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.engine.state import SIDES
from domain.games.singidunum.chapters.shooting import ShootUnit, plan_shot
from domain.games.to_the_strongest.chapters.command import is_served
from domain.games.to_the_strongest.chapters.shooting import Shoot as Shot
from domain.games.to_the_strongest.chapters.shooting import require_shot
from domain.games.to_the_strongest.chapters.zones import holders
from domain.games.to_the_strongest.state.state import enemies_in, kind
from domain.run.decide import evolve, opening
from replay.telling.words import LANGUAGES
from replay.telling.words.sentences import fragment, phrase
from tests.support.scenes import in_full_swing

BOARDS = [(code, name) for code in sorted(RULESETS) for name in scenario_names(code)]


def opened(code: str, name: str) -> Any:
    ruleset = RULESETS[code]
    state: Any = ruleset.rules.initial
    for n, fact in enumerate(opening(ruleset, read_toml(code, SCENARIOS, f"{name}.toml")), 1):
        state = evolve(ruleset, state, fact.event, n)
    return state


def fields(code: str, state: Any, unit: str) -> dict[str, tuple[str, ...]]:
    return {field.kind: field.cells for field in RULESETS[code].shown.table.dossier(state, unit).fields}


@pytest.mark.parametrize(("code", "name"), BOARDS)
def test_every_unit_of_every_scenario_has_its_values_in_words(code: str, name: str) -> None:
    state = opened(code, name)
    shown = RULESETS[code].shown
    cells = {cell.id for cell in shown.view(state, "").cells}
    for unit in state.units.values():
        dossier = shown.table.dossier(state, unit.id)
        assert dossier.values, unit.id
        for value in dossier.values:
            said = {lang: fragment(value.id, value.params, lang) for lang in LANGUAGES}
            assert all(value.id not in words and "{" not in words for words in said.values()), said
            assert len(set(said.values())) == len(LANGUAGES), said
        for field in dossier.fields:
            assert cells.issuperset(field.cells)
            assert field.kind in shown.table.fields
    assert shown.table.dossier(state, "nobody").values == ()


def test_a_zone_holds_whom_the_rules_hold() -> None:
    state = in_full_swing()
    held = 0
    for unit in state.units.values():
        if unit.alive and unit.box:
            zone = fields("tts", state, unit.id).get("control", ("",))[0]
            for enemy in enemies_in(state, zone, unit.side) if zone else ():
                if unit.id in [holder.id for holder in holders(state, enemy)]:
                    held += 1
        for holder in holders(state, unit) if unit.alive else ():
            assert fields("tts", state, holder.id)["control"] == (unit.box,)
    assert held


def test_a_unit_reaches_whom_it_may_shoot_at() -> None:
    state = in_full_swing()
    out_of_reach = {"tts.out-of-range", "tts.out-of-arc", "tts.no-line-of-sight"}
    answers = set()
    for unit in state.units.values():
        if not (unit.alive and unit.box and kind(unit).weapon):
            continue
        loaded = replace(unit, ammo=2, shifted=False)
        for box in {enemy.box for enemy in state.units.values() if enemy.side != unit.side and enemy.box}:
            try:
                require_shot(state, loaded, Shot(unit.id, box))
                is_reached = True
            except Refusal as refusal:
                assert refusal.code in out_of_reach
                is_reached = False
            assert is_reached == (box in fields("tts", state, unit.id)["shoot"]), (unit.id, box)
            answers.add(is_reached)
    assert answers == {True, False}


def test_who_is_served_stands_in_the_field_of_the_general() -> None:
    state, answers = in_full_swing(), set()
    for general in state.generals.values():
        there = fields("tts", state, general.id).get("command", ())
        for unit in state.units.values():
            if unit.alive and unit.box:
                assert is_served(state, unit, general) == (unit.box in there)
                answers.add(unit.box in there)
    assert answers == {True, False}


def test_archers_reach_where_they_could_shoot_at_an_enemy() -> None:
    state = opened("singidunum", "two-lines")
    archers, target = state.units["SAR6"], state.units["NHI6"]
    answers = set()
    for cell in RULESETS["singidunum"].shown.view(state, "").cells:
        if cell.id in state.places:
            continue
        places = {hex_: name for hex_, name in state.places.items() if name != target.id} | {cell.id: target.id}
        moved = replace(state, places=places, units={**state.units, target.id: replace(target, hex=cell.id)})
        try:
            plan_shot(moved, archers.side, ShootUnit(archers.id, target.id))
            is_reached = True
        except Refusal as refusal:
            if refusal.code == "singidunum.shooter-in-contact":
                continue
            is_reached = False
        assert is_reached == (cell.id in fields("singidunum", moved, archers.id)["shoot"]), cell.id
        answers.add(is_reached)
    assert answers == {True, False}


@pytest.mark.parametrize(("code", "name"), BOARDS)
def test_both_sides_are_told_what_wins(code: str, name: str) -> None:
    state = opened(code, name)
    table = RULESETS[code].shown.table
    for side in SIDES:
        told = table.to_win(state, side)
        assert told is not None
        said = [phrase(told.id, told.params, lang) for lang in LANGUAGES]
        assert not any(told.id in words or "{" in words for words in said), said
    assert table.to_win(state, "") is None
    assert table.to_win(replace(state, winner="south"), "south") is None
    for coins in table.coins(state).values():
        assert 0 <= coins.left <= coins.full


def test_stands_of_a_unit_have_the_arcs_that_are_drawn_in_its_phase() -> None:
    state = opened("warmaster-shooting", "two-lines")
    shown = RULESETS["warmaster-shooting"].shown
    drawn = shown.view(state, "").arcs
    arcs = [arc for unit in state.units for field in shown.table.dossier(state, unit).fields for arc in field.arcs]
    assert arcs
    assert set(drawn) <= set(arcs)
