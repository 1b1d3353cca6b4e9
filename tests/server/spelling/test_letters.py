"""Which names may be written, and which name an office."""

import pytest

from server.spelling.letters import flaw_in
from server.spelling.reserved import is_reserved

FIT = (
    "Anna",
    "O’Neill",
    "Jean-François Müller",
    "Øre & Ægir",
    "Иван",
    "Ωμέγα",
    "田中 Taro",
    "たなか",
    "김 Kim",
    "עמית",
    "नेहा",
    "Guest 4f2a",
)
UNFIT = {
    "\u0410nna": "mixed",
    "Ann\u200da": "invisible",
    "\u202eannA": "invisible",
    "An\u115fna": "invisible",
    "Ann\ufe0fa": "invisible",
    "An\u2800na": "invisible",
    "♞ Anna": "letter",
    "\u24b6nna": "letter",
    "Anna ✔": "letter",
    "Ωmega": "mixed",
    "עbc": "mixed",
    "Anna 1\u0662": "mixed",
    "١ \u09e8": "mixed",
    "1 \u0be8": "digits",
    "a\u0301\u0302\u0303\u0304\u0306": "marks",
    "...": "empty",
}
OFFICES = (
    *("Umpire", "The Umpire", "S e r v e r", "ADMIN", "admín", "Adm1n", "Phalera", "Phalera-Team", "Bot", "Easy bot"),
    *("Modérateur", "moderateur", "L’arbitre", "Hôte", "nobody", "Personne", "South", ["le", "Nord"][1], "Guest"),
)


@pytest.mark.parametrize("name", FIT)
def test_a_name_in_one_script_is_fit(name: str) -> None:
    assert (flaw_in(name), is_reserved(name)) == ({}, False)


@pytest.mark.parametrize(("name", "fault"), UNFIT.items(), ids=ascii)
def test_a_letter_that_deceives_is_named(name: str, fault: str) -> None:
    assert flaw_in(name)["fault"] == fault


@pytest.mark.parametrize("name", OFFICES)
def test_an_office_is_nobodys_name(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize(
    "name", ["Abbot", "Hostilius", "Servilia", "Southey", "Bob the Brave", "Administratus", "Nordin"]
)
def test_a_name_that_only_begins_like_an_office_is_free(name: str) -> None:
    assert not is_reserved(name)
