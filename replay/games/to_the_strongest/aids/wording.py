"""The words of the play-aid sheets of To the Strongest!, and how they write numbers and reasons."""

from collections.abc import Iterable, Mapping

from domain.games.to_the_strongest import RULESET
from domain.mechanics.modifiers import Factor
from replay.aids.wording import Wording, words_of
from replay.telling.words.catalogue import find

MINUS = "\N{MINUS SIGN}"
PACKAGE = "replay.games.to_the_strongest.aids"
_WORDING = Wording(RULESET, PACKAGE)
word, rule_in_words, rules_table, sheet = _WORDING.word, _WORDING.rule_in_words, _WORDING.rules_table, _WORDING.sheet


def words() -> Mapping[str, Mapping[str, str]]:
    """All words: {key: {language: text}}."""
    return words_of(PACKAGE)


def signed(number: int) -> str:
    """A modifier: `+1`, `−2`."""
    return f"{MINUS}{-number}" if number < 0 else f"+{number}"


def at_least(number: int) -> str:
    """A card needed: `6+`."""
    return f"{number}+"


def reasons(whys: Iterable[str], lang: str) -> str:
    """Reasons of factors, in the words of the log."""
    return ", ".join(find(f"why.{why}", lang) or why for why in whys)


def lines_of(factors: Mapping[str, Factor]) -> dict[tuple[str, int], list[str]]:
    """Factors as lines (rule, plus), each with its reasons."""
    lines: dict[tuple[str, int], list[str]] = {}
    for factor in factors.values():
        lines.setdefault((factor.rule, factor.plus), []).append(factor.why)
    return lines
