"""The words of the sheets of Shot to Pieces: their own, those of its catalogue, those of its rules, and figures."""

import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.shown.dossier import SMOOTH
from domain.games.shot_to_pieces.state.profiles import Period
from replay.aids.measure import NO_BREAK
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.aids.wording import LED, Wording, led, words_of
from replay.telling.rulebook import Rule
from replay.telling.words.catalogue import game_catalogue

PACKAGE = "replay.games.shot_to_pieces.aids"
_WORDING = Wording(RULESET, PACKAGE)
word = _WORDING.word
MARGIN = 22.0
"""Of the pages of these sheets, in points."""
_LENGTH = re.compile(r"(\d) (cm|metres|mètres|centimetres|degrees|degrés)\b")
NONE, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"


def words() -> Mapping[str, Mapping[str, str]]:
    """All words: {key: {language: text}}."""
    return words_of(PACKAGE)


def rule_in_words(rule_id: str, lang: str) -> Rule:
    """A rule of the game; its lengths do not end a line between number and unit."""
    told = _WORDING.rule_in_words(rule_id, lang)
    return replace(told, text=_LENGTH.sub(rf"\1{NO_BREAK}\2", told.text))


def called(msgid: str, lang: str) -> str:
    """What the game calls something, in its own catalogue.

    Raises: KeyError for what it has no word for
    """
    catalogue = game_catalogue(RULESET.code, lang)
    assert catalogue is not None, "the game brings its words"
    return catalogue.texts[msgid][0]


def type_name(key: str, lang: str) -> str:
    """A type of troops."""
    return capital(called(f"type.{key}", lang))


def weapon_name(held: Period, key: str, lang: str) -> str:
    """A weapon, as it is called in a period."""
    return called(f"stp.weapon.{SMOOTH.get(held.code, {}).get(key, key)}", lang)


def capital(text: str) -> str:
    """A text with a capital at its head."""
    return text[:1].upper() + text[1:]


def centimetres(hcm: int, lang: str) -> str:
    """A length in cm, without unit: `15`, `3.33`, `3,33`."""
    said = f"{hcm / 100:.2f}".rstrip("0").rstrip(".")
    return said.replace(".", ",") if lang == "fr" else said


def signed(number: int) -> str:
    """A number with its sign."""
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number else "0"


def rules_table(key: str, rules: Iterable[str], lang: str) -> Table:
    """Rules one below the other, each with its title at its head; `key` is also that of the title."""
    told = [rule_in_words(rule_id, lang) for rule_id in rules]
    rows = [(led(one.title, one.text),) for one in told]
    return Table(key, word(key, lang), (LED,), table_rows(*rows), tight=True)


def sentences(key: str, rules: Iterable[str], lang: str) -> Table:
    """Rules one below the other, their sentences alone."""
    rows = [(rule_in_words(rule_id, lang).text,) for rule_id in rules]
    return Table(key, word(key, lang), (Column("", share=1),), table_rows(*rows), tight=True)


def sheet(held: Period, kind: str, lang: str, *tables: Table) -> Sheet:
    """A sheet of a period; `kind` is `turn` or `fire`."""
    period = held.title_fr if lang == "fr" else held.title
    title = word(kind, lang, period=period)
    footer = word("footer", lang, version=RULESET.version)
    return Sheet(f"{held.code}-{kind}", lang, title, RULESET.title, footer, tables, margin=MARGIN)
