"""The play-aid sheets of a game that brings them as data: `data/aids/NAME.toml`.

A sheet has `title` and `footer`, and tables: each with `key`, `title`, and either `rules`, a list of rule IDs whose
sentences are printed, or `columns` (titles) and `rows` (lists of cells). Every text is `{ en = "…", fr = "…" }`, or
one text for all languages.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.basics.data import names_in, read_toml
from domain.basics.decoding import convert
from domain.basics.errors import BrokenInvariant
from domain.catalogue import RULESETS
from replay.aids.sheet import Column, Row, Sheet, Table, table_rows
from replay.telling.rulebook import rule
from replay.telling.words import ENGLISH

FOLDER = "aids"
Words = str | dict[str, str]


class TableFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as written: `rules`, or `columns` with `rows`."""

    key: str
    title: Words
    rules: tuple[str, ...] = ()
    columns: tuple[Words, ...] = ()
    rows: tuple[tuple[Words, ...], ...] = ()


class SheetFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet as written."""

    title: Words
    tables: tuple[TableFile, ...]
    footer: Words = ""
    landscape: bool = False


def sheet_names(ruleset: str) -> tuple[str, ...]:
    """The sheets among the data of a game."""
    return names_in(ruleset, FOLDER)


def packaged_sheet(ruleset: str, name: str, lang: str) -> Sheet:
    """A sheet of a game in a language; texts that it lacks in that one are English.

    Raises: BrokenInvariant naming the file and the member at fault
    """
    read = _sheet_file(f"{ruleset}/{FOLDER}/{name}.toml", read_toml(ruleset, FOLDER, f"{name}.toml"))
    title = RULESETS[ruleset].title
    tables = tuple(_table(ruleset, table, lang) for table in read.tables)
    return Sheet(name, lang, _in(read.title, lang), title, _in(read.footer, lang), tables, read.landscape)


def _sheet_file(file: str, table: Mapping[str, Any]) -> SheetFile:
    try:
        return convert(dict(table), SheetFile)
    except ValueError as reason:  # msgspec's ValidationError is one
        raise BrokenInvariant(f"{file}: {reason}") from None


def _table(ruleset: str, table: TableFile, lang: str) -> Table:
    title = _in(table.title, lang)
    if table.rules:
        told = [rule(ruleset, rule_id, lang) for rule_id in table.rules]
        columns = (Column("", weight="bold", share=2), Column("", share=7), Column("", weight="faint"))
        return Table(table.key, title, columns, table_rows(*((one.title, one.text, one.id) for one in told)))
    rows = tuple(Row(tuple(_in(cell, lang) for cell in row)) for row in table.rows)
    return Table(table.key, title, tuple(Column(_in(column, lang), share=1) for column in table.columns), rows)


def _in(words: Words, lang: str) -> str:
    return words if isinstance(words, str) else words.get(lang, words.get(ENGLISH, ""))
