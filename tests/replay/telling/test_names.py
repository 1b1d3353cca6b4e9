"""Battles, sides and corps of the packaged scenarios have one name in French, and readers of French hear it."""

import pytest

from domain.basics.data import read_toml, scenario_names
from replay.telling.words.names import name_in
from replay.telling.words.sentences import inline


def named():
    """(scenario, English, French) of every battle, side and corps; French is None where the file brings none."""
    for scenario in scenario_names("tts"):
        table = read_toml("tts", "scenarios", f"{scenario}.toml")
        yield scenario, table["title"], table.get("title_fr")
        for side in table["sides"].values():
            for row in (side, *side["corps"]):
                yield scenario, row["name"], row.get("name_fr")


def test_every_name_of_a_packaged_battle_has_its_french():
    assert [(scenario, english) for scenario, english, french in named() if not french] == []


def test_a_name_is_the_same_in_all_battles():
    spoken: dict[str, set[str]] = {}
    for _, english, french in named():
        spoken.setdefault(english, set()).add(french)
    assert {english: found for english, found in spoken.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("name", "lang", "told"),
    [
        ("Cannae, 216 BC", "fr", "Cannes, 216 av. J.-C."),
        ("Numidians (Hanno)", "fr", "Numides (Hannon)"),
        ("Numidians (Hanno)", "en", "Numidians (Hanno)"),
        ("A battle of my own", "fr", "A battle of my own"),
        ("Cannae, 216 BC", "xx", "Cannae, 216 BC"),
    ],
)
def test_a_name_is_told_in_the_readers_language(name, lang, told):
    assert name_in(name, lang) == told
    assert inline("{name:name}", {"name": name}, lang) == told
