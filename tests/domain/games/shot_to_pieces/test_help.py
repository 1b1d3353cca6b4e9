"""How orders are written, by example: each example is read, and reads back."""

import tomllib
from pathlib import Path

import pytest

from domain.games import shot_to_pieces
from domain.games.shot_to_pieces import RULESET

HELP = tomllib.loads((Path(shot_to_pieces.__file__).parent / "data" / "help.toml").read_text(encoding="utf-8"))
EXAMPLES = [order["example"] for chapter in HELP["chapter"] for order in chapter["orders"]]


@pytest.mark.parametrize("line", EXAMPLES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_example_is_read_and_reads_back(line, lang):
    command = RULESET.orders.parse(line)
    assert RULESET.orders.parse(RULESET.orders.write(command, lang)) == command


def test_every_example_is_in_canonical_notation():
    assert [line for line in EXAMPLES if RULESET.orders.write(RULESET.orders.parse(line), "en") != line] == []


def test_newcomers_are_shown_a_few():
    first = [order["example"] for chapter in HELP["chapter"] for order in chapter["orders"] if order.get("first")]
    assert 8 <= len(first) <= 16
