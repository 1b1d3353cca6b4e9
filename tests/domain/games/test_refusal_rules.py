"""Refusals of every game name the rule that forbids, as the table has it. A case compares only their code."""

import tomllib

import pytest

from replay.lab.lab import Rejection, run_case
from tests.support.cases import GAMES, case_files
from tests.support.lanes import thinned
from tests.support.refusal_rules import RULES, wrong_rules

REFUSING = [path for path in case_files(GAMES) if "[[reject]]" in path.read_text() and path.parent.name != "campaign"]


@pytest.mark.parametrize("path", thinned(REFUSING, 4), ids=lambda path: path.relative_to(GAMES).as_posix())
def test_a_refusal_names_the_rule_that_forbids(path):
    assert list(wrong_rules(run_case(tomllib.loads(path.read_text())).rejections)) == []


@pytest.mark.slow
def test_every_code_of_the_table_is_seen_in_a_case():
    seen = {entry["code"] for path in REFUSING for entry in tomllib.loads(path.read_text())["reject"]}
    assert RULES.keys() - seen == set()


def test_a_wrong_rule_is_noticed():
    wrong = Rejection(1, "tts.no-ammo", "TTS-SHT-03", "")
    assert list(wrong_rules([wrong])) == ["tts.no-ammo names TTS-SHT-03, not SHT-05"]
