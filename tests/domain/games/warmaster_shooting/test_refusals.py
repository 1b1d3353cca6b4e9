"""Each refusal of a case names the rule behind it (warmaster-shooting.md 3), and has a sentence in both languages."""

import tomllib

import pytest

from domain.basics.errors import Refusal
from domain.games.warmaster_shooting import RULESET
from domain.games.warmaster_shooting.chapters.targets import ShootWithStands, plan_of, why_not
from domain.games.warmaster_shooting.state.scenario import load
from domain.games.warmaster_shooting.state.setup import opened_state
from domain.games.warmaster_shooting.state.state import State
from replay.lab.lab import run_case
from replay.telling.words.catalogue import LANGUAGES
from tests.support.cases import GAMES, case_files
from tests.support.lanes import thinned
from tests.support.refusal_rules import RULES

CASES = [tomllib.loads(path.read_text(encoding="utf-8")) for path in case_files(GAMES / RULESET.code)]


@pytest.mark.parametrize("lang", thinned(LANGUAGES, 2))
def test_every_refusal_names_its_rule_and_says_why(lang):
    seen: dict[str, set[str]] = {}
    for case in filter(lambda case: case.get("reject"), CASES):
        for rejection in run_case(case, lang=lang).rejections:
            assert rejection.message and "{" not in rejection.message
            if rejection.code.startswith("wms."):
                seen.setdefault(rejection.code, set()).add(rejection.rule.removeprefix("WMS-"))
    assert seen == {code: rules for code, rules in RULES.items() if code.startswith("wms.")}


@pytest.mark.parametrize(
    ("enemies", "told"),
    [
        ([("B", [0, 305]), ("C", [40, 301]), ("D", [0, 400])], {"nearest": "C", "distance": 301, "range": 300}),
        ([], {"nearest": "", "distance": 0, "range": 300}),
    ],
)
def test_who_has_no_target_is_told_how_far_the_nearest_enemy_is(enemies, told):
    """WMS-TGT-02: range and distance of the nearest enemy that is not in combat; no enemy where all are."""
    engaged = {
        "id": "E",
        "profile": "bows",
        "engaged": True,
        "stands": [{"id": "E1", "at": [-90, 280], "facing": 1800}],
    }
    units = [
        {"id": name, "profile": "bows", "stands": [{"id": f"{name}1", "at": at, "facing": 1800}]}
        for name, at in enemies
    ]
    shooter = {"id": "A", "profile": "bows", "stands": [{"id": "A1", "at": [0, 0], "facing": 0}]}
    table = {
        "ruleset": RULESET.code,
        "title": "Too far",
        "sides": {"south": {"name": "Red", "units": [shooter]}, "north": {"name": "Blue", "units": [engaged, *units]}},
    }
    state = opened_state(State(), load(table))
    with pytest.raises(Refusal) as refused:
        plan_of(state, "south", ShootWithStands("A"))
    assert refused.value.code == "wms.no-target"
    assert refused.value.params == {"unit": "A", **told}
    assert why_not(state, state.units["A"]) == told
