"""The words of the play-aid sheets of To the Strongest!

Headings and short names come from words.toml, the content of a rule from the rulebook of the game: the
table that `phalera why` quotes.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from domain.games.to_the_strongest import RULESET
from domain.mechanics.modifiers import Factor
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.telling.rulebook import Rule, rule
from replay.telling.words.catalogue import find

MINUS = "\N{MINUS SIGN}"


def word(key: str, lang: str, **gaps: object) -> str:
    """A word or sentence of the sheets, its gaps filled."""
    return words()[key][lang].format(**gaps)


@cache
def words() -> dict[str, dict[str, str]]:
    """All words: {key: {language: text}}."""
    table = tomllib.loads(files("replay.games.to_the_strongest.aids").joinpath("words.toml").read_text("utf-8"))
    return dict(_flat(table, ""))


def _flat(table: dict[str, object], before: str) -> Iterable[tuple[str, dict[str, str]]]:
    """Flatten a table: TOML reads [a] and [a.b] as nested; here each stands for itself."""
    said = {lang: text for lang, text in table.items() if isinstance(text, str)}
    if said:
        yield before, said
    for name, inside in table.items():
        if isinstance(inside, dict):
            yield from _flat(inside, f"{before}.{name}" if before else name)


def rule_said(rule_id: str, lang: str) -> Rule:
    """A rule of the game."""
    return rule(RULESET.code, rule_id, lang)


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


def rules_table(key: str, title: str, rules: Iterable[str], lang: str) -> Table:
    """Rules one below the other: title, content, ID."""
    told = [rule_said(rule_id, lang) for rule_id in rules]
    return Table(
        key,
        title,
        (Column("", weight="bold", share=2), Column("", share=7), Column("", weight="faint")),
        table_rows(*((one.title, one.text, one.id) for one in told)),
    )


def sheet(key: str, lang: str, *tables: Table, landscape: bool = False) -> Sheet:
    """A sheet of this game."""
    footer = word("footer", lang, version=RULESET.version)
    return Sheet(key, lang, word(key, lang), RULESET.title, footer, tables, landscape)
