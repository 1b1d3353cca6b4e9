"""A scenario larger than any battle is refused, key and bound named, before anything is made of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.games.to_the_strongest.armies.army import read_army
from domain.games.to_the_strongest.state import scenario_limits as limits
from domain.games.to_the_strongest.state.scenario import load
from domain.log.limits import INTEGER_LIMIT
from replay.telling.words import LANGUAGES
from server.words import sentence_of
from tests.support.looping import some

PAGE = Path(__file__).parents[4] / "docs" / "rules" / "to-the-strongest.md"
Change = Callable[[dict[str, Any]], Any]


def skirmish() -> dict[str, Any]:
    return parse_toml(scenario_text("tts", "skirmish"), "skirmish")


def refusal_of(table: dict[str, Any]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        load(table)
    return refused.value


@pytest.mark.rule("TTS-SCN-02")
@pytest.mark.parametrize("option", sorted(limits.OPTIONS))
def test_an_option_has_a_least_and_a_greatest_value(option: str) -> None:
    least, most = limits.OPTIONS[option]
    for value in (least, most):
        assert key_at_fault(skirmish() | {"options": {option: value}}) != f"options.{option}"
    for value in (least - 1, most + 1, INTEGER_LIMIT, 1 << 200):
        refusal = refusal_of(skirmish() | {"options": {option: value}})
        assert refusal.code == "tts.bad-scenario"
        assert refusal.params["key"].endswith(option)
        assert "{" not in "".join(sentence_of(refusal, lang) for lang in LANGUAGES)


def key_at_fault(table: dict[str, Any]) -> str:
    try:
        load(table)
    except Refusal as refusal:
        return str(refusal.params["key"])
    return ""


def corps(table: dict[str, Any]) -> Any:
    return table["sides"]["south"]["corps"]


def south(table: dict[str, Any]) -> Any:
    return table["sides"]["south"]


def crowd(table: dict[str, Any]) -> None:
    corps(table)[0]["units"] = [{"id": f"Q{n}Q", "type": "legionaries"} for n in range(limits.LENGTHS["units"])]


TOO_LARGE: dict[str, tuple[Change, str, str]] = {
    "units": (crowd, "sides.south.units", "too-many"),
    "corps": (lambda table: corps(table).extend([{"id": f"C{n}"} for n in range(12)]), "sides.south.corps", "too-many"),
    "stratagems": (lambda table: south(table).update(stratagems=["water"] * 21), "sides.south.stratagems", "too-many"),
    "terrain": (lambda table: table.update(terrain=[{"box": "A1", "kind": "wood"}] * 401), "terrain", "too-many"),
    "board": (lambda table: table.update(board={"columns": 20, "rows": 21}), "board", "too-many-boxes"),
    "edge": (lambda table: table.update(edge=[{"between": ["A1", "A2"], "kind": "stream"}] * 801), "edge", "too-many"),
    "sources": (lambda table: table.update(sources=["x"] * 21), "sources", "too-many"),
    "a source": (lambda table: table.update(sources=["x" * 501]), "sources", "too-long"),
    "title": (lambda table: table.update(title="x" * 201), "title", "too-long"),
    "title_fr": (lambda table: table.update(title_fr="x" * 201), "title_fr", "too-long"),
    "history": (lambda table: table.update(history="x" * 8001), "history", "too-long"),
    "name": (lambda table: table["sides"]["north"].update(name="x" * 101), "sides.north.name", "too-long"),
    "corps name": (lambda table: corps(table)[0].update(name="x" * 101), "sides.south.corps.name", "too-long"),
    "corps id": (lambda table: corps(table)[0].update(id="x" * 25), "sides.south.corps.id", "too-long"),
    "unit id": (lambda table: corps(table)[0]["units"][0].update(id="x" * 25), "sides.south.corps.id", "too-long"),
    "extras": (lambda table: corps(table)[0]["units"][0].update(extras=["x"] * 21), "R1.extras", "too-many"),
    "traits": (lambda table: corps(table)[0]["general"].update(traits=["x"] * 21), "G1.traits", "too-many"),
    "fortified": (lambda table: corps(table)[0]["camp"].update(fortified=["N"] * 5), "I.fortified", "too-many"),
    "camp": (lambda table: corps(table)[0].update(camp={"boxes": 1 << 53}), "sides.south.corps", "too-many-camps"),
    "ammo": (lambda table: corps(table)[0]["units"][0].update(ammo=21), "R1.ammo", "range"),
    "lance": (lambda table: corps(table)[0]["units"][0].update(lance=-2), "R1.lance", "range"),
    "medals": (lambda table: south(table).update(medals=0), "sides.south.medals", "range"),
    "wound": (
        lambda table: table["options"].update(wound_table={"killed": 3, "serious": 14, "light": 8}),
        "options.wound_table",
        "range",
    ),
}  # fmt: skip


@pytest.mark.rule("TTS-SCN-02")
@pytest.mark.parametrize("name", sorted(TOO_LARGE))
def test_what_is_too_large_is_refused_by_key(name: str) -> None:
    change, key, fault = TOO_LARGE[name]
    table = skirmish()
    load(table)
    change(table)
    refusal = refusal_of(table)
    assert (refusal.code, refusal.params["key"], refusal.params["fault"]) == ("tts.bad-scenario", key, fault)


def test_each_packaged_battle_fits_several_times_over() -> None:
    for name in some(scenario_names("tts")):
        opened = RULESETS["tts"].opening.load(parse_toml(scenario_text("tts", name), name))
        for army in opened.sides.values():  # type: ignore[attr-defined]  # of this game
            assert 2 * len(army.corps) <= limits.LENGTHS["corps"]
            assert 3 * sum(len(one.units) for one in army.corps) <= limits.LENGTHS["units"]


def test_the_page_of_the_format_has_every_bound() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("### Limits")[2]
    for key, (least, most) in limits.OPTIONS.items():
        assert f"| `{key}` | {max(least, 0)} to {most} |" in section
    for key, most in {**limits.LENGTHS, **limits.TEXTS}.items():
        assert any(f"`{key}`" in line and f"{most:,}" in line for line in section.splitlines()), key


@pytest.mark.parametrize(
    "army",
    [
        {"corps": [{"id": f"C{n}"} for n in range(13)]},
        {"corps": [{"id": "I", "units": [{"id": f"Q{n}", "troop": "x"} for n in range(61)]}]},
        {"corps": [{"id": "I", "camp": {"boxes": 11}}]},
        {"name": "x" * 101},
        {"corps": [{"id": "I", "general": {"id": "G1", "traits": ["x"] * 21}}]},
    ],
)
def test_an_army_is_bounded_too(army: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        read_army(army)
    assert refused.value.code == "tts.bad-army"
