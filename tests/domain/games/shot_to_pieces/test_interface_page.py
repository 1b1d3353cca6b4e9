"""docs/rules/shot-to-pieces.md agrees with the code: options, words of orders, codes, scenario, periods, traits."""

import re
import tomllib
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from domain.basics.spelling import plain_word
from domain.games import shot_to_pieces
from domain.games.shot_to_pieces.chapters.drawn_events import EVENT
from domain.games.shot_to_pieces.orders.notation import STANDING, parse
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.scenario import load as opened_by
from domain.games.shot_to_pieces.state.scenario_file import Kind
from domain.games.shot_to_pieces.state.state import Options
from domain.games.shot_to_pieces.state.vocabulary import ALIASES, FRENCH, PERIODS, TRAITS
from replay.telling.words.catalogue import find

GAME = Path(shot_to_pieces.__file__).parent
PAGE = (Path(__file__).parents[4] / "docs" / "rules" / "shot-to-pieces.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## \d+ .*$", PAGE, flags=re.M)
"""The head of the page, then its sections by number."""
IN_FRENCH = SECTIONS[2].partition("### In French")[2].partition("###")[0]
ROW = re.compile(r"^\| `(\w+)` \|(.*)\|$", re.M)


def quoted(text):
    """What stands in backquotes."""
    return re.findall(r"`([^`]+)`", text)


def pairs():
    """English and French words of the table, each a list of those in one cell."""
    rows = [row.strip("| ").split(" | | ") for row in IN_FRENCH.splitlines() if row.startswith("| `")]
    return [tuple(map(quoted, half.strip("| ").split(" | "))) for row in rows for half in row if "`" in half]


def test_the_page_lists_every_option_in_order_with_its_default():
    rows = {name: rest.split(" | ")[1].strip("` ") for name, rest in ROW.findall(SECTIONS[1])}
    fields = msgspec.structs.fields(Options)
    assert list(rows) == [field.name for field in fields]
    assert rows == {field.name: _shown(field.default) for field in fields}


def _shown(default):
    return "–" if default is msgspec.NODEFAULT or default == {} else str(default).lower()


def test_the_french_words_of_the_page_are_read():
    words = [pair for english, french in pairs() for pair in zip(english, french, strict=False)]
    single = {french: english for english, french in words if " " not in english + french}
    assert single.pop("vers") == "towards", "which French has one word for, with `to` (STP-ORD-10)"
    assert single == {french: ALIASES[plain_word(french)] for french in single}


def test_the_page_has_every_word_of_an_order():
    shown = {word for english, _ in pairs() for text in english for word in text.split()}
    assert set(FRENCH) <= shown


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("U1 ahead 8", "U1 devant toi 8"),
        ("U1 to contact C1", "U1 au contact de C1"),
        ("U1 to short of C1", "U1 à portée courte de C1"),
        ("U1 to max of C1", "U1 à portée maximale de C1"),
        ("U1 along W1", "U1 le long de W1"),
        ("U1 level with U2", "U1 à hauteur de U2"),
        ("U1 turn left", "U1 tourne gauche"),
        ("end turn", "fin du tour"),
    ],
)
def test_the_french_orders_of_several_words_are_read(english, french):
    asked = {plain_word(word) for word in french.split() if word.islower()}
    assert asked <= {plain_word(word) for _, words in pairs() for text in words for word in text.split()} | {"8"}
    assert parse(english) == parse(french)


def test_the_codes_of_the_page_are_those_with_which_orders_are_refused():
    codes = {code for code in quoted(SECTIONS[3]) if re.fullmatch(r"(stp|core)\.[a-z0-9-]+", code)}
    sources = "".join(path.read_text() for path in GAME.rglob("*.py"))
    refused = set(re.findall(r'Refusal\(\s*"(stp\.[a-z0-9-]+)"', sources))
    assert not refused - codes, "give it a place among the refusals of the page"
    assert not {code for code in codes if code.startswith("stp.") and f'"{code}"' not in sources}
    assert not {code for code in codes if find(code, "en") is None}, "codes without a sentence"


def test_the_decisions_of_the_page_are_those_of_the_game():
    rows = re.findall(r"^\| `([a-z-]+)` \|", SECTIONS[2].partition("### Decisions")[2], re.M)
    assert set(rows) == set(STANDING) - {"fire", "orders"} | {EVENT}


def test_the_scenario_of_the_page_opens_a_battle():
    (scenario,) = re.findall(r"```toml\n(.*?)```", SECTIONS[5], re.S)
    opened = opened_by(tomllib.loads(scenario))
    assert (opened.title, opened.period, len(opened.terrain)) == ("Example", "acw", 3)
    (kinds,) = re.findall(r'kind = "wood"\s+# ([a-z ]+):', scenario)
    assert [*kinds.split(), "wall", "hedge", "stream"] == list(get_args(Kind))


def test_the_periods_of_the_page_have_their_types_and_weapons():
    rows = {code: [quoted(cell) for cell in rest.split(" | ")[1:]] for code, rest in ROW.findall(SECTIONS[6])}
    assert rows == {code: [list(period(code).types), list(period(code).weapons)] for code in PERIODS}


def test_the_page_lists_every_trait():
    listed = quoted(SECTIONS[6].partition("Traits of any period:")[2].partition(".")[0])
    assert listed == sorted(TRAITS)
