"""The page of campaigns has every key of a file, every line that a cup takes, and every refusal."""

import ast
import re
from pathlib import Path

import pytest
from msgspec.structs import fields

from domain.campaign import config, map_config
from domain.campaign.orders import ARMY, CLUB, FORMS, FRENCH, MAP
from domain.campaign.theatre import carry, linked
from tests.support.looping import some

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "campaigns.md").read_text(encoding="utf-8")
CODE = re.compile(r"campaign\.[a-z]+(?:-[a-z]+)+|campaign\.(?:ended|begun|full)")
TABLES = [
    config.CampaignConfig,
    config.EntryTerms,
    config.ForceSize,
    config.CupTerms,
    config.PointTable,
    config.LadderTerms,
    config.CampaignTime,
    config.BattleTerms,
    config.PressTerms,
    config.SeasonTerms,
    carry.CarryTerms,
    linked.SideTerms,
    linked.LinkedTerms,
    linked.Node,
    linked.NodeBattle,
    map_config.MapTable,
    map_config.AreaRow,
    map_config.PowerRow,
    map_config.ForceRow,
]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_every_key_of_a_file_is_on_the_page(table):
    keys = {field.encode_name for field in fields(table)}
    assert {key for key in some(keys) if not re.search(rf"[`\[{{ ]{key}\b", PAGE)} == set()


def test_every_line_that_a_cup_takes_is_there_in_both_languages():
    verbs = {*FORMS} - ARMY - MAP - CLUB - {"ready", "wait", "say"}
    for verb in some(verbs):
        assert re.search(rf"`{verb}\b", PAGE), verb
        assert re.search(rf"`{FRENCH.get(verb, verb)}\b", PAGE), verb


def test_every_refusal_of_the_rules_is_there():
    codes = {
        node.value
        for path in (ROOT / "domain" / "campaign").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value)
    }
    assert {code for code in some(codes) if f"`{code}`" not in PAGE} == set()
