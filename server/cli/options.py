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
Game = Annotated[str, typer.Option(metavar="GAME", help="The game, if not the usual one.", show_default=False)]
Bot = Annotated[str, typer.Option(metavar="BOT", help=BOT_NAMES)]
Lang = Annotated[
    str,
    typer.Option(metavar="en|fr", envvar="PHALERA_LANG", callback=language, help="The language of what is said."),
]


def game_of(code: str) -> "Ruleset":
    """The game that an option names, the usual one if it names none.

    Raises: Failed
    """
    from domain.catalogue import RULESETS, USUAL_GAME

    ruleset = RULESETS.get(code or USUAL_GAME)
    if ruleset is None:
        raise Failed(f"There is no game “{code}” here; there are {', '.join(sorted(RULESETS))}.", UNUSABLE)
    return ruleset


def require_bot(name: str) -> str:
    """The name of a bot that there is.

    Raises: Failed
    """
    from domain.engine.bots import BOTS

    if name not in BOTS:
        raise Failed(f"There is no bot “{name}”; there are {', '.join(BOTS)}.", UNUSABLE)
    return name
