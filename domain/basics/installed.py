"""The games that are installed: entry points of the group `phalera.games`, Phalera's own among them.

An entry point is named for the code of a game; its value is `MODULE:NAME`, where the `Ruleset` stands. Beside that
module may stand the folders `data`, `locale`, `cases` and `golden` of the game (docs/adding-a-ruleset.md). Nothing of
a game is imported here. The one place in `domain` that asks what is installed: the answer is read once.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module, metadata
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal

GROUP = "phalera.games"
OWN = "phalera"
"""The distribution of Phalera itself."""
GAME = "game.toml"
"""The file in the `data` folder of a game that names its code."""


class Installed(Struct, frozen=True):
    """An entry point: the code of a game, where its `Ruleset` is, and the distribution that brings it."""

    code: str
    module: str
    name: str
    distribution: str
    version: str

    def folder(self) -> Traversable | None:
        """The folder of its module, which need not be imported for it; None for a module that cannot be found."""
        try:
            spec = find_spec(self.module)
        except (ImportError, ValueError):
            return None
        if spec is None or spec.submodule_search_locations is None:
            return None
        reader = getattr(spec.loader, "get_resource_reader", lambda name: None)(self.module)
        return None if reader is None else reader.files()

    def load(self) -> Any:
        """What the entry point names.

        Raises: Refusal core.broken-game, with the distribution and the reason
        """
        try:
            return getattr(import_module(self.module), self.name)
        except Exception as reason:  # a game from outside may fail in any way
            raise self.broken(f"{type(reason).__name__}: {reason}") from reason

    def broken(self, reason: str) -> Refusal:
        """The refusal of a game that cannot be used."""
        about = f"{self.distribution} {self.version}".strip()
        return Refusal("core.broken-game", "CORE-OPEN", game=self.code, distribution=about, reason=reason)


def found(path: Sequence[str] | None = None) -> dict[str, tuple[Installed, ...]]:
    """All entry points of the group by code, in the order of the search path; those of `path` alone if it is given.

    A code that several distributions have is there with all of them. A work tree that has not been installed since
    its list of entry points was written has the games in its folder.
    """
    searched = metadata.distributions() if path is None else metadata.distributions(path=[*path])
    by_distribution: dict[str, list[Installed]] = {}
    for distribution in searched:
        rows = [row for row in distribution.entry_points if row.group == GROUP]
        name = distribution.metadata["Name"] if rows else ""
        if rows and name not in by_distribution:  # the first on the path is the one that would be imported
            by_distribution[name] = [_row(row, name, distribution.version) for row in rows]
    if path is None and OWN not in by_distribution:
        by_distribution[OWN] = _in_the_folder()
    listed: dict[str, tuple[Installed, ...]] = {}
    for row in (row for name in sorted(by_distribution, key=_own_first) for row in by_distribution[name]):
        listed[row.code] = (*listed.get(row.code, ()), row)
    return listed


@cache
def installed() -> Mapping[str, tuple[Installed, ...]]:
    """What `found` finds, asked once."""
    return found()


def the_one(code: str, among: Mapping[str, tuple[Installed, ...]]) -> Installed:
    """The entry point of a game.

    Raises: KeyError for an unknown code; Refusal core.two-games where several distributions bring one
    """
    row, *others = among[code]
    if others:
        known = [f"{one.distribution} {one.version}".strip() for one in (row, *others)]
        raise Refusal("core.two-games", "CORE-OPEN", game=code, known=known)
    return row


def _row(entry: metadata.EntryPoint, distribution: str, version: str) -> Installed:
    module, _, name = entry.value.partition(":")
    return Installed(entry.name, module.strip(), name.strip() or "RULESET", distribution, version)


def _own_first(distribution: str) -> tuple[bool, str]:
    return distribution != OWN, distribution


def _in_the_folder() -> list[Installed]:
    rows = []
    for entry in sorted(files("domain").joinpath("games").iterdir(), key=lambda entry: entry.name):
        named = entry.joinpath("data", GAME)
        if named.is_file():
            code = tomllib.loads(named.read_text(encoding="utf-8"))["code"]
            rows.append(Installed(code, f"domain.games.{entry.name}", "RULESET", OWN, ""))
    return rows
