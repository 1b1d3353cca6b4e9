"""The options that several commands have, so that they are spelled and explained alike.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import UNUSABLE, Failed

if TYPE_CHECKING:
    from domain.ruleset import Ruleset

BOT_NAMES = "easy, sensible, strong or random."


def language(wanted: str) -> str:
    """A language that has a catalogue, also as `fr_FR.UTF-8`."""
    from replay.telling.words import LANGUAGES

    lang = wanted[:2].lower()
    if lang not in LANGUAGES:
        raise typer.BadParameter(f"there is no language “{wanted}” here; there are {', '.join(LANGUAGES)}.")
    return lang


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Out = Annotated[str, typer.Option(metavar="FILE", help="Where to write; - is standard output.")]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that exists.")]
Game = Annotated[
    str, typer.Option(metavar="GAME", help="The game, where the scenario does not tell it.", show_default=False)
]
Bot = Annotated[str, typer.Option(metavar="BOT", help=BOT_NAMES)]
DkimSelector = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        envvar="PHALERA_DKIM_SELECTOR",
        help="Sign letters (DKIM) with the key that the domain publishes under this name.",
        show_default=False,
    ),
]
DkimKey = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        envvar="PHALERA_DKIM_KEY",
        help="The file with that key; `phalera mail key` makes one.",
        show_default=False,
    ),
]
SettingsFile = Annotated[
    str,
    typer.Option(
        "--settings",
        metavar="FILE",
        envvar="PHALERA_SETTINGS",
        help="The limits, where they are not the usual ones; settings.toml in the data folder, if it is there.",
        show_default=False,
    ),
]
Lang = Annotated[
    str,
    typer.Option(metavar="en|fr", envvar="PHALERA_LANG", callback=language, help="The language of what is said."),
]


def game_of(code: str) -> "Ruleset":
    """The game that an option names, or the only one that there is.

    Raises: Failed, naming the choices
    """
    from domain.catalogue import RULESETS

    if not code and len(RULESETS) != 1:
        choices = ", ".join(f"{known} ({ruleset.title})" for known, ruleset in RULESETS.items())
        raise Failed(f"Which game? Name it with --ruleset: {choices}.", UNUSABLE)
    ruleset = RULESETS.get(code or next(iter(RULESETS)))
    if ruleset is None:
        raise Failed(f"There is no game “{code}” here; there are {', '.join(sorted(RULESETS))}.", UNUSABLE)
    return ruleset


def game_and_scenario(code: str, scenario: str) -> "tuple[Ruleset, str]":
    """The game that is meant, and its scenario without the game's code before it; "" for none. A scenario tells its
    game: a packaged one by its name, a file `….toml` by its `ruleset`.

    Raises: Failed; Refusal of the scenario
    """
    from domain.catalogue import RULESETS
    from domain.data import find_scenario
    from server.offline.match import FILE, read_scenario

    if code or not scenario:
        game = game_of(code)
        return game, scenario.removeprefix(f"{game.code}/")
    if scenario.endswith(FILE):
        return game_of(str(read_scenario(scenario).get("ruleset", ""))), scenario
    found, name = find_scenario(scenario, RULESETS)
    return RULESETS[found], name


def require_bot(name: str) -> str:
    """The name of a bot that there is.

    Raises: Failed
    """
    from domain.engine.bots import BOTS

    if name not in BOTS:
        raise Failed(f"There is no bot “{name}”; there are {', '.join(BOTS)}.", UNUSABLE)
    return name
