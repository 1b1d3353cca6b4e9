"""What names look like: those that a reader may take for one another have one look."""

import unicodedata

import pytest

from server.spelling.looks import is_invisible, look_of
from server.spelling.tables import looks, scripts
from tests.support.looping import some

ALIKE = (
    (
        "Alice",
        "\u0410lice",
        "Al\u0456ce",
        "AIice",
        "A1ice",
        "ALICE",
        "Ａｌｉｃｅ",
        " A lice ",
        "A\u200dlice",
        "Alice.",
        "-alice-",
    ),
    ("coco", "\u0441\u043e\u0441\u043e", "C0C0", "\u0441\u03bf\u0441\u03bf", "со\u034fсо"),
    ("Marius", "rnarius", "Ma\u1e5bius".replace("\u1e5b", "r"), "MARIUS"),
    ("Bob 1", "Bob l", "Bob I", "B0b |1".replace("|", "")),
    ("Zoë", "Zoe\u0308", "ZOË"),
)
UNALIKE = ("Alice", "Alicia", "Bob", "Zoë", "Zoe", "Anna", "Änna", "Marius", "Marcus", "田中", "山田", "Ωμέγα", "Иван")


@pytest.mark.parametrize("names", ALIKE, ids=lambda names: names[0])
def test_names_that_are_taken_for_one_another_have_one_look(names: tuple[str, ...]) -> None:
    assert {look_of(name) for name in names} == {look_of(names[0])} != {""}


def test_names_that_are_told_apart_have_looks_of_their_own() -> None:
    assert len({look_of(name) for name in UNALIKE}) == len(UNALIKE)


def test_a_look_is_its_own_look() -> None:
    for name in (*UNALIKE, *(one for names in ALIKE for one in names)):
        assert look_of(look_of(name)) == look_of(name)


def test_what_is_no_letter_has_no_look() -> None:
    assert [look_of(name) for name in ("", " ", "...", "-", "\u200d", "\u2800", "\u3164")] == [""] * 7


def test_the_tables_are_those_of_the_standard() -> None:
    """Rows of UTS 39's confusables.txt and of UAX 24's Scripts.txt, copied by hand."""
    known = {"\u0430": "a", "m": "rn", "0": "O", "1": "l", "I": "l", "\u0501": "d", "\u0561": "w", "\u2236": ":"}
    assert {letter: looks()[letter] for letter in known} == known
    assert {letter: scripts()[letter] for letter in "aЖωא한漢カ"} == dict(
        zip("aЖωא한漢カ", ("Latn", "Cyrl", "Grek", "Hebr", "Hang", "Hani", "Kana"), strict=True)
    )
    assert not {"\u115f", "\u3164", "\u202e", "♞", "\u2160"} & scripts().keys()


def test_no_letter_in_use_is_invisible() -> None:
    assert [f"{ord(one):04X}" for one in some(scripts()) if is_invisible(one)] == []
    assert all(unicodedata.category(one) != "Cf" for one in scripts())
