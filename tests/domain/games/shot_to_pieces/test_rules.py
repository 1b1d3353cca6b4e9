"""The sentences of the rules: complete, in two languages, and those that code, tables and cases cite exist."""

import re
import tomllib
from pathlib import Path

import pytest

from domain.basics.data import read_beside
from domain.games.shot_to_pieces.state.profiles import PACKAGE

ROOT = Path(__file__).parents[4]
RULES = read_beside(PACKAGE, "data", "rules.toml")["rules"]
CITED = re.compile(r"STP-[A-Z0-9]{3,4}-(?:\d\d|SEL)\b")
HOW_MANY = {
    "GEN": 5,
    "GEO": 21,
    "SEQ": 10,
    "CMD": 7,
    "ACT": 11,
    "MOV": 16,
    "FRM": 6,
    "VIS": 3,
    "MOR": 5,
    "FIR": 10,
    "ART": 6,
    "RES": 14,
    "MEL": 20,
    "BLD": 3,
    "ZOC": 14,
    "CHG": 12,
    "EVD": 11,
    "OPT": 7,
    "WW1": 12,
    "ACW": 6,
    "AWI": 4,
    "EMP": 10,
    "GSC": 5,
    "ALG": 5,
    "F70": 6,
    "EVT": 22,
    "ORD": 12,
    "DEC": 2,
    "SCN": 3,
    "WIN": 4,
    "CASE": 3,
    "FAC": 60,
    "INT": 47,
    "GAP": 26,
}
"""How many rules each chapter has."""


def test_every_rule_has_its_line():
    found = {chapter: sum(rule.split("-")[1] == chapter for rule in RULES) for chapter in HOW_MANY}
    assert found == HOW_MANY
    assert sum(HOW_MANY.values()) == len(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_said_in_two_languages(rule):
    said = RULES[rule]
    assert said.keys() == {"title", "text", "title_fr", "text_fr", "source"}
    assert set(said["source"]) <= {"seed", "house"}
    assert said["text"].endswith(".") and said["text_fr"].endswith(".")
    assert said["text"] != said["text_fr"]
    assert "'" not in said["text_fr"] + said["title_fr"]
    assert len(said["title"]) <= 40 and len(said["text"]) <= 200


def cited_in(paths):
    return {rule for path in paths for rule in CITED.findall(path.read_text(encoding="utf-8"))}


def test_what_is_cited_exists():
    code = ROOT / "domain" / "games" / "shot_to_pieces"
    cited = cited_in(code.rglob("*.py")) | cited_in(code.rglob("*.toml"))
    assert cited <= RULES.keys()


def test_what_cases_are_about_exists():
    cases = list((Path(__file__).parents[3] / "cases" / "stp").rglob("*.toml"))
    assert cited_in(cases) <= RULES.keys()
    assert all(tomllib.loads(path.read_text(encoding="utf-8"))["ruleset"] == "stp" for path in cases)
