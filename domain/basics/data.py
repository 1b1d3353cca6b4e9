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

from msgspec import Struct

from domain.basics.errors import BrokenInvariant, Refusal
from domain.basics.installed import GAME, installed
from domain.basics.toml_limits import DEPTH_LIMIT, FILE_LIMIT, is_too_deep, is_too_large

CORE = "core"
"""The code under which the tables of the engine itself are read."""
CAMPAIGN = "campaign"
"""The code under which the tables of campaigns are read."""
OWN_GAMES = "domain.games."
LAST = 99
"""The place of a game that names none."""
SCENARIOS, CAMPAIGNS = "scenarios", "campaigns"
LESSON = "lesson"
"""The folder of a game's lesson: its `scenario.toml`, and its steps."""


class ScenarioMembers(Struct, frozen=True, forbid_unknown_fields=True):
    """Members that a part of a scenario file may have; unknown ones are refused by name."""


def read_toml(*path: str) -> dict[str, Any]:
    """The table in a packaged file: `read_toml("core", "rules.toml")`. The caller may change it."""
    return deepcopy(_table(path))


def read_beside(package: str, *path: str) -> dict[str, Any]:
    """The table in a file of a package, which need not be an installed game: a game reads its own tables while it is
    made, and in the tests of its parts.

    Raises: BrokenInvariant for a file that is not there or no table
    """
    try:
        return tomllib.loads(text_beside(package, *path))
    except tomllib.TOMLDecodeError as reason:
        raise BrokenInvariant(f"{package}/{'/'.join(path)}: {reason}") from reason


def text_beside(package: str, *path: str) -> str:
    """The text of a file of a package.

    Raises: BrokenInvariant for a file that is not there or no text
    """
    try:
        return files(package).joinpath(*path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as reason:
        raise BrokenInvariant(f"{package}/{'/'.join(path)}: {reason}") from reason


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
    return tuple(sorted(_folders().keys() - {CORE, CAMPAIGN}))


def package_of(ruleset: str) -> str:
    """The name of a game's package below `domain/games`; "" for a game that does not stand there."""
    module = installed()[ruleset][0].module if ruleset in games() else ""
    return module.removeprefix(OWN_GAMES) if module.startswith(OWN_GAMES) else ""


def names_in(ruleset: str, folder: str) -> tuple[str, ...]:
    """The names of the TOML files in a folder of a game's data, in alphabetical order; () without one."""
    place = _folders()[ruleset].joinpath(folder) if has_data(ruleset, folder) else None
    found = place.iterdir() if place is not None and place.is_dir() else ()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in found if entry.name.endswith(".toml")))


def place_of(ruleset: str) -> int:
    """Where a game stands among the others, as its `game.toml` has it; behind them for one that says nothing."""
    return int(_table((ruleset, GAME)).get("place", LAST)) if ruleset in _folders() else LAST


def scenario_names(ruleset: str) -> tuple[str, ...]:
    """The scenarios packaged for a ruleset (`tts`), in alphabetical order; () for a code that is unknown."""
    return _scenarios(ruleset) if ruleset in _folders() else ()


@cache
def _scenarios(ruleset: str) -> tuple[str, ...]:
    return names_in(ruleset, SCENARIOS)


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
    """The scenario of a game for players who have not chosen one.

    Rule:    CORE-FILE
    Raises:  Refusal core.no-scenarios for a game that brings none
    """
    return _named(ruleset, "first")


def demo_scenario(ruleset: str) -> str:
    """The scenario of a game that bots play to show it.

    Rule:    CORE-FILE
    Raises:  Refusal core.no-scenarios for a game that brings none
    """
    return _named(ruleset, "demo")


def _named(ruleset: str, use: str) -> str:
    if ruleset not in games():
        raise Refusal("core.no-scenarios", "CORE-FILE", ruleset=ruleset)
    return str(_table((ruleset, GAME))[use])


@cache
def scenario_text(ruleset: str, name: str) -> str:
    """A packaged scenario, as written.

    Rule:    CORE-FILE
    Raises:  Refusal `core.unknown-scenario`, with the known names
    """
    return _file(_scenario_path(ruleset, name)).read_text(encoding="utf-8")


def example_words(games: Iterable[str]) -> list[tuple[str, str, str]]:
    """The example files of campaigns as (word, code, name), by game: the word is `CODE/NAME`."""
    return [(f"{code}/{name}", code, name) for code in games for name in names_in(code, CAMPAIGNS)]


def example_text(word: str, games: Iterable[str]) -> str:
    """An example file of a campaign, named as `club-cup` or `tts/club-cup`; of several games the first that has it.

    Rule:    CORE-FILE
    Raises:  Refusal `campaign.no-such-example`, with the known words
    """
    known = example_words(games)
    found = [(code, name) for _, code, name in known if word in (name, f"{code}/{name}")]
    if not found:
        words = [short for short, *_ in known]
        raise Refusal("campaign.no-such-example", "CORE-FILE", example=word[:40], known=words)
    code, name = found[0]
    return _file((code, CAMPAIGNS, f"{name}.toml")).read_text(encoding="utf-8")


def scenario_table(ruleset: str, name: str) -> dict[str, Any]:
    """A packaged scenario as a table that the caller may change; it is parsed once.

    Rule:    CORE-FILE
    Raises:  Refusal `core.unknown-scenario`, with the known names
    """
    return read_toml(*_scenario_path(ruleset, name))


def _scenario_path(ruleset: str, name: str) -> tuple[str, ...]:
    names = scenario_names(ruleset)
    if name not in names:
        raise Refusal("core.unknown-scenario", "CORE-FILE", ruleset=ruleset, scenario=name, known=names)
    return ruleset, SCENARIOS, f"{name}.toml"


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
        raise BrokenInvariant(f"no game {code!r}: no installed package has data of it")
    return folder.joinpath(*rest)


@cache
def _folders() -> dict[str, Traversable]:
    """The data folder of each game by its code, the engine's as `core`, that of campaigns as `campaign`."""
    domain = files("domain")
    found = {CORE: domain.joinpath("engine"), CAMPAIGN: domain.joinpath("campaign", "data")}
    for code, rows in installed().items():
        folder = rows[0].folder() if len(rows) == 1 else None
        if folder is not None and folder.joinpath("data", GAME).is_file():
            found[code] = folder.joinpath("data")
    return found
