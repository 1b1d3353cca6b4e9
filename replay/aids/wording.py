"""The words of a game's sheets, and what the sheets of all games have in the same way: footers, and tables of rules.

Headings and short names are in `words.toml` in the game's package of sheets; the content of a rule comes from the
rulebook of the game, the table that `phalera why` quotes.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from domain.contract.ruleset import Ruleset
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.telling.rulebook import Rule, rule

LED = Column("", share=1, weight="led")


def led(title: str, text: str) -> str:
    """A cell with a title at its head, for a column that is LED."""
    end = "" if title.endswith(("?", "!")) else "."
    return f"{title}{end}\n{text.replace('`', '')}"


class Wording:
    """The words of the sheets of a game; `package` has its `words.toml`."""

    def __init__(self, ruleset: Ruleset, package: str) -> None:
        self.ruleset = ruleset
        self.package = package

    def word(self, key: str, lang: str, **gaps: object) -> str:
        """A word or sentence of the sheets, its gaps filled."""
        return words_of(self.package)[key][lang].format(**gaps)

    def rule_in_words(self, rule_id: str, lang: str) -> Rule:
        """A rule of the game."""
        return rule(self.ruleset.code, rule_id, lang)

    def rules_table(self, key: str, title: str, rules: Iterable[str], lang: str) -> Table:
        """Rules one below the other: title, content, ID."""
        told = [self.rule_in_words(rule_id, lang) for rule_id in rules]
        return Table(
            key,
            title,
            (Column("", weight="bold", share=2), Column("", share=7), Column("", weight="faint")),
            table_rows(*((one.title, one.text, one.id) for one in told)),
        )

    def led_table(self, key: str, title: str, rules: Iterable[str], lang: str) -> Table:
        """Rules one close below the other, each with its title at its head."""
        told = [self.rule_in_words(rule_id, lang) for rule_id in rules]
        return Table(key, title, (LED,), table_rows(*((led(one.title, one.text),) for one in told)), tight=True)

    def sheet(self, key: str, lang: str, *tables: Table, landscape: bool = False) -> Sheet:
        """A sheet of the game: its words `footer` and `key` are the footer and the title."""
        footer = self.word("footer", lang, version=self.ruleset.version)
        return Sheet(key, lang, self.word(key, lang), self.ruleset.title, footer, tables, landscape)


@cache
def words_of(package: str) -> Mapping[str, Mapping[str, str]]:
    """All words of a package of sheets: {key: {language: text}}."""
    return dict(_flat(tomllib.loads(files(package).joinpath("words.toml").read_text("utf-8")), ""))


def _flat(table: Mapping[str, object], before: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Flatten a table: TOML reads [a] and [a.b] as nested; here each stands for itself."""
    said = {lang: text for lang, text in table.items() if isinstance(text, str)}
    if said:
        yield before, said
    for name, inside in table.items():
        if isinstance(inside, dict):
            yield from _flat(inside, f"{before}.{name}" if before else name)
