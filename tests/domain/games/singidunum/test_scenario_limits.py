"""A scenario of a player is bounded: its words, and how many units have to be looked at for each order."""

from typing import Any

import pytest

from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.games.singidunum.state.scenario import CODE, MOST_UNITS, load
from domain.mechanics.hex import name_at
from tests.support.looping import some


def scenario(name: str = "two-lines") -> dict[str, Any]:
    return parse_toml(scenario_text(CODE, name), name)


def units(count: int) -> list[dict[str, Any]]:
    return [
        {"id": f"XQ{at}", "type": "LI", "strength": 3, "hex": name_at(2 + at % 20, 2 + at // 20)} for at in range(count)
    ]


def refusal_of(table: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(Refusal) as refused:
        load(table)
    assert refused.value.code == "singidunum.bad-scenario"
    return refused.value.params["key"], refused.value.params["fault"]


@pytest.mark.rule("PRG-SCN-01")
def test_words_are_bounded() -> None:
    assert load(scenario() | {"title": "t" * 200}).title == "t" * 200
    assert refusal_of(scenario() | {"title": "t" * 201}) == ("title.length", "number")
    assert refusal_of(scenario() | {"title_fr": "t" * 201}) == ("title_fr.length", "number")
    table = scenario()
    table["sides"]["north"]["name"] = "n" * 101
    assert refusal_of(table) == ("sides.north.name.length", "number")
    table = scenario()
    table["sides"]["south"]["units"][0]["id"] = "S" + "1" * 20
    assert refusal_of(table)[1] == "id-form"


@pytest.mark.rule("PRG-SCN-01")
def test_a_side_has_so_many_units_at_most() -> None:
    table = scenario() | {"board": {"layout": "blank", "columns": 24, "rows": 12}}
    table["sides"]["north"]["units"] = []
    table["sides"]["south"]["units"] = units(MOST_UNITS)
    assert len(load(table).sides["south"].units) == MOST_UNITS
    table["sides"]["south"]["units"] = units(MOST_UNITS + 1)
    assert refusal_of(table) == ("sides.south.units", "number")


def test_each_packaged_battle_fits() -> None:
    for name in some(scenario_names(CODE)):
        opened = RULESETS[CODE].opening.load(scenario(name))
        assert all(2 * len(army.units) <= MOST_UNITS for army in opened.sides.values())  # type: ignore[attr-defined]
