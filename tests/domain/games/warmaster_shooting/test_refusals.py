"""Each refusal of a case names the rule behind it (warmaster-shooting.md 3), and has a sentence in both languages."""

import tomllib

import pytest

from domain.games.warmaster_shooting import RULESET
from replay.lab.lab import run_case
from replay.telling.words.catalogue import LANGUAGES
from tests.support.cases import GAMES, case_files

RULES = {
    "wms.not-nearest": {"WMS-TGT-03", "WMS-TGT-04", "WMS-TGT-05"},
    "wms.bad-removal": {"WMS-CAS-02"},
    "wms.not-in-queue": {"WMS-SEQ-05"},
    "wms.was-in-contact": {"WMS-CCF-02"},
    "wms.single-stands": {"WMS-SEQ-03", "WMS-CCF-08"},
    "wms.unit-gone": {"WMS-CAS-03"},
    "wms.no-missiles": {"WMS-SEQ-01"},
    "wms.already-shot": {"WMS-SEQ-01"},
    "wms.engaged": {"WMS-SEQ-02", "WMS-CCF-10"},
    "wms.not-a-target": {"WMS-TGT-01", "WMS-CCF-10"},
    "wms.not-its-stand": {"WMS-TGT-07"},
    "wms.no-target": {"WMS-TGT-02"},
    "wms.cannot-charge": {"WMS-CCF-10"},
    "wms.confused": {"WMS-CNF-07"},
    "wms.too-far": {"WMS-CCF-10"},
    "wms.off-table": {"WMS-CCF-10"},
    "wms.path-blocked": {"WMS-CCF-10"},
    "wms.no-contact": {"WMS-CCF-10"},
}
"""Code to the rules that it may name."""
CASES = [tomllib.loads(path.read_text(encoding="utf-8")) for path in case_files(GAMES / RULESET.code)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_names_its_rule_and_says_why(lang):
    seen: dict[str, set[str]] = {}
    for case in filter(lambda case: case.get("reject"), CASES):
        for rejection in run_case(case, lang=lang).rejections:
            assert rejection.message and "{" not in rejection.message
            if rejection.code.startswith("wms."):
                seen.setdefault(rejection.code, set()).add(rejection.rule)
    assert seen == RULES
