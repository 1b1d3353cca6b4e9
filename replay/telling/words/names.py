"""The names that packaged scenarios give to battles, sides and their parts, in the reader's language.

A scenario names things in English and may bring the same in another language beside it (`title_fr`, `name_fr`,
`history_fr`). A battle keeps the English names in its log; a reader of another language reads their own where
the packaged files have them. Names from a scenario that is not packaged stand as they are.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from domain.basics.data import LESSON, SCENARIOS, games, has_data, read_toml, scenario_names
from replay.telling.words.catalogue import ENGLISH


def name_in(name: str, lang: str) -> str:
    """The name of a battle, a side or a part of one in a language; as it is if there is none in that language."""
    return name if lang == ENGLISH else _names(lang).get(name, name)


@cache
def _names(lang: str) -> Mapping[str, str]:
    """{English name: name} of all packaged scenarios."""
    scenarios = [read_toml(game, SCENARIOS, f"{name}.toml") for game in games() for name in scenario_names(game)]
    scenarios += [read_toml(game, LESSON, "scenario.toml") for game in games() if has_data(game, LESSON)]
    return MappingProxyType({name: translated for scenario in scenarios for name, translated in _named(scenario, lang)})


def _named(table: Any, lang: str) -> Iterator[tuple[str, str]]:
    """(English name, name) of all that a table names in both languages, at any depth."""
    if isinstance(table, list):
        for row in table:
            yield from _named(row, lang)
    elif isinstance(table, dict):
        for key in ("title", "name"):
            if f"{key}_{lang}" in table:
                yield table[key], table[f"{key}_{lang}"]
        for inner in table.values():
            yield from _named(inner, lang)
