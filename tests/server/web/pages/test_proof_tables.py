"""What the check of the proof in a browser knows: made from the games and the catalogues, and as they are."""

import json
from typing import Any

import pytest
from msgspec.json import encode as to_json

from domain.catalogue import RULESETS
from domain.contract.sealed_rows import SealedRow
from replay.telling.words.catalogue import LANGUAGES
from server.web.pages.proof_tables import game_table
from server.web.pages.proof_words import words_script
from tests.proof_tables import MADE, STATIC
from tests.support.looping import some
from tests.support.three_seats import GAMES


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_script_that_is_made_is_made_anew(name: str) -> None:
    assert (STATIC / name).read_text() == MADE[name](), "python -m tests.proof_tables"


@pytest.mark.parametrize("code", sorted(RULESETS))
def test_decks_go_by_the_options_of_the_first_event(code: str) -> None:
    draws = RULESETS[code].draws
    table = json.loads(to_json(game_table(RULESETS[code])))
    usual = json.loads(to_json(draws.decks({"options": {}})))
    assert table["decks"][0] == [{}, usual]
    for options, decks in table["decks"][1:]:
        assert decks != usual
        assert decks == json.loads(to_json(draws.decks({"options": options})))


def test_a_card_mode_of_tts_that_changes_the_decks_is_in_the_table() -> None:
    decks = RULESETS["tts"].draws.decks
    modes = [
        mode for mode in ("exhaust", "shuffle", "d10", "other") if decks({"options": {"deck_mode": mode}}) != decks({})
    ]
    assert modes == [options["deck_mode"] for options, _ in game_table(RULESETS["tts"])["decks"] if options]


@pytest.mark.parametrize(
    ("when", "given", "right"),
    [
        ((), ({}, 3, {}, None), True),
        (({"option blind": (True,), "t": (0,)},), ({"options": {"blind": True}}, 0, {}, None), True),
        (({"option blind": (True,), "t": (0,)},), ({"options": {"blind": 1}}, 0, {}, None), False),
        (({"option blind": (True,), "t": (0,)},), ({"options": {"blind": True}}, 1, {}, None), False),
        (({"member deck": ("x",)},), ({}, 0, {"deck": "x"}, None), True),
        (({"member deck": ("x",)},), ({}, 0, {}, None), False),
        (({"content what": ("x",)},), ({}, 0, {}, None), True),
        (({"content what": ("x",)},), ({}, 0, {}, {"what": "y"}), False),
        (({"content what": ("x",)}, {"t": (0,)}), ({}, 0, {}, {"what": "y"}), True),
    ],
)
def test_what_may_be_sealed_is_said_in_plain_data(when: Any, given: Any, right: bool) -> None:
    assert SealedRow(("a",), when=when).allowed(*given) is right


def test_every_game_that_is_installed_has_a_table() -> None:
    script = (STATIC / "proof_tables.js").read_text()
    for code in some(sorted(RULESETS)):
        assert f'\n"{code}": {{"version":"{RULESETS[code].version}"' in script


@pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")
def test_a_verdict_has_words_for_the_seats_of_each_game() -> None:
    """For those that no catalogue names the script says the name; `known` has only what there is a sentence for."""
    text = words_script(GAMES)
    words = json.loads(text.partition("WORDS = ")[2].rstrip(";\n"))
    for lang in some(sorted(LANGUAGES)):
        assert {"red", "green", "blue", "umpire", "server"} == words[lang]["sides"]["side"].keys()
        assert words[lang]["sides"]["~side"]["green"] == "green"
        assert words[lang]["sides"]["known"].keys() == {"all", "stranger"}
    usual = json.loads(words_script().partition("WORDS = ")[2].rstrip(";\n"))
    assert usual["en"]["sides"]["known"].keys() == {"all", "stranger", "north", "south"}
