"""Other words for an order are read as it is, and change no line that could be written before."""

import pytest

from domain.basics.spelling import plain_word
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.games.shot_to_pieces.state import vocabulary as stp
from domain.games.singidunum.state import vocabulary as singidunum
from domain.games.to_the_strongest.state import vocabulary as to_the_strongest
from domain.games.warmaster_shooting.orders import notation as warmaster
from domain.scripts.likeness import near_word, vocabulary
from domain.scripts.program import GiveOrder
from domain.scripts.reading import read

SYNONYMS = {
    "tts": to_the_strongest.SYNONYMS,
    "singidunum": singidunum.SYNONYMS,
    "warmaster-shooting": warmaster.SYNONYMS,
    "stp": stp.SYNONYMS,
}
FRENCH = {
    "tts": to_the_strongest.FRENCH,
    "singidunum": singidunum.FRENCH,
    "warmaster-shooting": warmaster.FRENCH,
    "stp": stp.FRENCH,
}


def order(ruleset: Ruleset, line: str) -> str:
    """The one order of a line, in canonical notation."""
    (step,) = read(line, ruleset.orders.parse, ruleset.orders.senses).program
    assert isinstance(step, GiveOrder)
    return ruleset.orders.write(ruleset.orders.parse(step.text), "en")


@pytest.mark.parametrize(
    ("code", "line", "meant"),
    [
        ("tts", "R2 -> D3", "R2 to D3"),
        ("tts", "R2→D3", "R2 to D3"),
        ("tts", "move R2 to D3", "R2 to D3"),
        ("tts", "déplace R2 vers D3", "R2 to D3"),
        ("tts", "R2 forward", "R2 ahead"),
        ("tts", "R2 attaquer D5", "R2 charge D5"),
        ("singidunum", "P1 -> E6", "P1 to E6"),
        ("singidunum", "move P1 to E6", "P1 to E6"),
        ("singidunum", "P1 charge E6", "P1 attack E6"),
        ("singidunum", "P1 tirer E6", "P1 shoot E6"),
        ("warmaster-shooting", "B1 shoots R2", "B1 shoot R2"),
        ("stp", "B1 shoots R2", "B1 fire R2"),
        ("stp", "B1 attaque R2", "B1 charge R2"),
        ("warmaster-shooting", "B1 attaque R2 to 10,20", "B1 charge R2 to 10,20"),
    ],
)
def test_what_people_type_is_the_order(code: str, line: str, meant: str) -> None:
    assert order(RULESETS[code], line) == meant


@pytest.mark.parametrize("code", RULESETS)
def test_an_alias_was_no_word_of_the_game_before(code: str) -> None:
    others = {word for words in SYNONYMS[code].values() for word in words.split()}
    french = FRENCH[code]
    words = vocabulary(RULESETS[code]).all | set(french) | {plain_word(word) for word in french.values()}
    assert others
    assert all(word == plain_word(word) for word in others)
    assert not others & words


@pytest.mark.parametrize("code", RULESETS)
def test_every_canonical_order_is_read_as_before(code: str) -> None:
    ruleset = RULESETS[code]
    examples = [form.example for chapter in ruleset.shown.help("en") for form in chapter.forms]
    assert examples
    for example in examples:
        command = ruleset.orders.parse(example)
        for lang in ("en", "fr"):
            assert ruleset.orders.parse(ruleset.orders.write(command, lang)) == command


@pytest.mark.parametrize(
    ("said", "near"),
    [("chrage", "charge"), ("shoort", "shoot"), ("turm", "turn"), ("charge", ""), ("xyzzy", ""), ("D3", "")],
)
def test_the_nearest_word_is_named(said: str, near: str) -> None:
    assert near_word(said, ["charge", "shoot", "turn", "a box or a unit"], vocabulary(RULESETS["tts"]).all) == near


def test_a_word_that_may_stand_there_goes_before_others() -> None:
    assert near_word("lfet", ["left", "right"], frozenset({"lefty"})) == "left"
    assert near_word("avanec", ["left"], frozenset({"avance"})) == "avance"
