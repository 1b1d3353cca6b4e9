"""The options that several commands have, so that they are spelled and explained alike.

Only typer is imported at the top, as in server.cli.main.
"""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from server.cli.console import UNUSABLE, Failed

if TYPE_CHECKING:
    from domain.contract.ruleset import Ruleset

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
    from domain.basics.data import find_scenario
    from domain.catalogue import RULESETS
    from replay.writing.in_memory import FILE, read_scenario

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
    from domain.run.bots import BOTS

    if name not in BOTS:
        raise Failed(f"There is no bot “{name}”; there are {', '.join(BOTS)}.", UNUSABLE)
    return name


Options = TypeVar("Options", bound=tuple[Any, ...])


def with_options(options: type[Options]) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """A command that has many options takes them as one named tuple: its fields are the parameters that typer sees."""
    hints = get_type_hints(options, include_extras=True)
    usual: dict[str, Any] = vars(options)["_field_defaults"]
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=usual[name], annotation=hint) for name, hint in hints.items()
    ]

    def taking(command: Callable[[Options], None]) -> Callable[..., None]:
        @wraps(command)
        def run(**given: Any) -> None:
            command(options(**given))

        run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # inspect reads it
        run.__annotations__ = {**hints, "return": None}
        return run

    return taking


def bots_of(game: "Ruleset", first: str, others: str) -> dict[str, str]:
    """The bot of each side: one for the side that plays first, one for each of the others.

    Raises: Failed
    """
    bots = [require_bot(first), *(require_bot(others) for _ in game.seats.names[1:])]
    return dict(zip(game.seats.names, bots, strict=True))


def require_side(side: str, game: "Ruleset") -> None:
    """Refuse what is neither a side of a game nor `both`.

    Raises: Failed
    """
    if side not in (*game.seats.names, "both"):
        raise Failed(f"There is no side “{side}”: choose {', '.join(game.seats.names)} or both.", UNUSABLE)
