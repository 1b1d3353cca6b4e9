"""docs/rules/to-the-strongest.md agrees with the code: options, words of orders, codes, the example of a scenario."""

import re
import tomllib
from pathlib import Path

import msgspec

from domain.basics.spelling import plain_word
from domain.games import to_the_strongest
from domain.games.to_the_strongest.state.scenario import load as opened_by
from domain.games.to_the_strongest.state.state import Options
from domain.games.to_the_strongest.state.vocabulary import ALIASES
from replay.telling.words.catalogue import find
from tests.support.refusal_rules import RULES

GAME = Path(to_the_strongest.__file__).parent
PAGE = (Path(__file__).parents[4] / "docs" / "rules" / "to-the-strongest.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## \d+ .*$", PAGE, flags=re.M)
"""The head of the page, then its sections by number."""


def test_the_page_lists_every_option_in_order():
    named = [word for row in re.findall(r"^\| (`[^|]*) \|", SECTIONS[1], re.M) for word in re.findall(r"`(\w+)`", row)]
    assert named == [field.name for field in msgspec.structs.fields(Options)]


def test_the_french_words_of_the_page_are_read():
    rows = [row.strip("| ").split(" | | ") for row in SECTIONS[2].splitlines() if row.startswith("| `")]
    pairs = [pair.split(" | ") for row in rows for pair in row if pair.strip("| ")]
    words = {word for _, french in pairs for text in re.findall(r"`([^`]+)`", french) for word in text.split()}
    unread = {word for word in words if plain_word(word) not in ALIASES} - {"O", "tour", "du", "nulle"}
    english = {word for pair in pairs for text in re.findall(r"`([^`]+)`", pair[0]) for word in text.split()}
    assert not unread - english, "French words that no alias has, and that are not English ones"


def test_the_codes_of_the_page_are_those_with_which_orders_are_refused():
    codes = set(re.findall(r"`((?:tts|core)\.[a-z0-9-]+)`", SECTIONS[3]))
    sources = [GAME / "adjudication.py", *(GAME / "chapters").glob("*.py")]
    raised = {code for path in sources for code in re.findall(r'Refusal\(\s*"(tts\.[a-z-]+)"', path.read_text())}
    own = {code for code in RULES if code.startswith(("tts.", "core."))}  # other games have pages of their own
    assert not (own | raised) - codes, "give it a place among the refusals of the page"
    assert not {code for code in codes if find(code, "en") is None}, "codes without a sentence"


def test_the_scenario_of_the_page_opens_a_battle():
    (scenario,) = re.findall(r"```toml\n(.*?)```", SECTIONS[5], re.S)
    assert opened_by(tomllib.loads(scenario)).title == "Example"
