"""Each refusal of a case names the rule behind it (warmaster-shooting.md 3), and has a sentence in both languages."""

import tomllib

import pytest

from domain.games.warmaster_shooting import RULESET
from replay.lab.lab import run_case
from replay.telling.words.catalogue import LANGUAGES
from tests.support.cases import GAMES, case_files
from tests.support.refusal_rules import RULES

CASES = [tomllib.loads(path.read_text(encoding="utf-8")) for path in case_files(GAMES / RULESET.code)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_names_its_rule_and_says_why(lang):
    seen: dict[str, set[str]] = {}
    for case in filter(lambda case: case.get("reject"), CASES):
        for rejection in run_case(case, lang=lang).rejections:
            assert rejection.message and "{" not in rejection.message
            if rejection.code.startswith("wms."):
                seen.setdefault(rejection.code, set()).add(rejection.rule.removeprefix("WMS-"))
    assert seen == {code: rules for code, rules in RULES.items() if code.startswith("wms.")}
