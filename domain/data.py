"""Packaged catalogues and scenarios, read once.

The only place in `domain` that reads anything: files of the package, once each. A player's own
files are read outside and come in as text (`parse_toml`).
"""

import tomllib
from collections.abc import Iterable
from copy import deepcopy
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from domain.engine.errors import BrokenInvariant, Refusal
from domain.toml_limits import DEPTH_LIMIT, FILE_LIMIT, is_too_deep, is_too_large

CORE = "core"
"""The code under which the tables of the engine itself are read."""
GAME = "game.toml"
"""The file in the `data` folder of a game that names its code."""
SCENARIOS = "scenarios"
LESSON = "lesson"
"""The folder of a game's lesson: its `scenario.toml`, and its steps."""


def read_toml(*path: str) -> dict[str, Any]:
    """The table in a packaged file: `read_toml("core", "rules.toml")`. The caller may change it."""
    return deepcopy(_table(path))


def has_data(*path: str) -> bool:
    """Whether a game has a packaged file or folder: code and path below its data folder."""
    code, *rest = path
    folder = _folders().get(code)
    if folder is None:
        return False
    found = folder.joinpath(*rest)
    return found.is_file() or found.is_dir()


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """The table in a text supplied by a player; `name` is their name for it.

    Rule:    CORE-FILE
    Raises:  Refusal `core.file-too-large`, `core.file-too-deep`; `core.bad-toml`, with the parser's reason
    """
    if is_too_large(text):
        raise Refusal("core.file-too-large", "CORE-FILE", file=name, most=FILE_LIMIT)
    if is_too_deep(text):
        raise Refusal("core.file-too-deep", "CORE-FILE", file=name, most=DEPTH_LIMIT)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as reason:  # TOMLDecodeError is a ValueError; so is a number too long
        raise Refusal("core.bad-toml", "CORE-FILE", file=name, reason=str(reason)) from None


def games() -> tuple[str, ...]:
    """The codes of the games that have a `data` folder, in alphabetical order."""
    return tuple(sorted(_folders().keys() - {CORE}))


def package_of(ruleset: str) -> str:
    """The name of a game's package below `domain/games`; "" for a code that no `data` folder names."""
    return _packages().get(ruleset, "")


def scenario_names(ruleset: str) -> tuple[str, ...]:
    """The scenarios packaged for a ruleset (`tts`), in alphabetical order; () for a code that is unknown."""
    return _scenarios(ruleset) if ruleset in _folders() else ()


@cache
def _scenarios(ruleset: str) -> tuple[str, ...]:
    folder = _folders()[ruleset].joinpath(SCENARIOS)
    if not folder.is_dir():
        return ()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def find_scenario(word: str, games: Iterable[str]) -> tuple[str, str]:
    """Code of the game and name of a packaged scenario, named as `cannae` or `tts/cannae`.

    Rule:    CORE-FILE
    Raises:  Refusal `core.unknown-scenario`; `core.which-scenario` for a name in more than one of the games
    """
    known = scenario_words(games)
    found = [(short, code, name) for short, code, name in known if word in (name, f"{code}/{name}")]
    if not found:
        raise Refusal("core.unknown-scenario", "CORE-FILE", scenario=word[:40], known=[short for short, *_ in known])
    if len(found) > 1:
        raise Refusal("core.which-scenario", "CORE-FILE", scenario=word, known=[short for short, *_ in found])
    return found[0][1:]


def scenario_words(games: Iterable[str]) -> list[tuple[str, str, str]]:
    """All packaged scenarios as (word, code, name): the shortest word by which `find_scenario` finds each."""
    known = [(code, name) for code in games for name in scenario_names(code)]
    names = [name for _, name in known]
    return [(name if names.count(name) == 1 else f"{code}/{name}", code, name) for code, name in known]


def first_scenario(ruleset: str) -> str:
    """The scenario of a game for players who have not chosen one."""
    return str(_table((ruleset, GAME))["first"])


def demo_scenario(ruleset: str) -> str:
    """The scenario of a game that bots play to show it."""
    return str(_table((ruleset, GAME))["demo"])


@cache
def scenario_text(ruleset: str, name: str) -> str:
    """A packaged scenario, as written.

    Rule:    CORE-FILE
    Raises:  Refusal `core.unknown-scenario`, with the known names
    """
    names = scenario_names(ruleset)
    if name not in names:
        raise Refusal("core.unknown-scenario", "CORE-FILE", ruleset=ruleset, scenario=name, known=names)
    return _file((ruleset, SCENARIOS, f"{name}.toml")).read_text(encoding="utf-8")


@cache
def _table(path: tuple[str, ...]) -> dict[str, Any]:
    try:
        return tomllib.loads(_file(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as reason:
        raise BrokenInvariant(f"{'/'.join(path)}: {reason}") from reason


def _file(path: tuple[str, ...]) -> Traversable:
    code, *rest = path
    folder = _folders().get(code)
    if folder is None:
        raise BrokenInvariant(f"no game {code!r}: no folder below domain/games names it")
    return folder.joinpath(*rest)


@cache
def _folders() -> dict[str, Traversable]:
    """The data folder of each game by its code, and the engine's as `core`."""
    games = files("domain").joinpath("games")
    folders = {code: games.joinpath(package, "data") for code, package in _packages().items()}
    return {CORE: files("domain").joinpath("engine"), **folders}


@cache
def _packages() -> dict[str, str]:
    """The package of each game that has a data folder, by the game's code."""
    found: dict[str, str] = {}
    for entry in files("domain").joinpath("games").iterdir():
        named = entry.joinpath("data", GAME)
        if named.is_file():
            found[tomllib.loads(named.read_text(encoding="utf-8"))["code"]] = entry.name
    return found
