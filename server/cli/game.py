"""The commands `phalera games` and `phalera game`: the games that are installed, a new one, and whether one is whole.

Only typer is imported at the top, as in server.cli.main.
"""

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from server.cli.console import FAILED, UNUSABLE, Failed, in_sentences, say, say_json
from server.cli.options import AsJson, Lang

game = typer.Typer(help="A game of your own: begin one, check one.", no_args_is_help=True)


def add_to(main: typer.Typer) -> None:
    """Put the commands beside the others."""
    main.command()(games)
    main.add_typer(game, name="game")


@in_sentences
def games(lang: Lang = "en", as_json: AsJson = False) -> None:
    """List the installed games, and what has brought each.

    Code, title, version of the rules, distribution with its version, and bots.
    A game that cannot be used is listed with the reason; then the exit code is 1.
    """
    from domain.catalogue import RULESETS

    rows = [_row(code, lang) for code in RULESETS]
    if as_json:
        say_json({"games": rows})
    else:
        for row in rows:
            say("  ".join([row["game"].ljust(20), row.get("title") or row["fault"], *_where(row)]))
    if any("fault" in row for row in rows):
        raise typer.Exit(FAILED)


def _row(code: str, lang: str) -> dict[str, Any]:
    from domain.basics.errors import Refusal
    from domain.basics.installed import installed
    from domain.catalogue import RULESETS
    from domain.run.bots import offered
    from replay.telling.words import refusal_sentence

    found = installed()[code][0]
    about = {"game": code, "distribution": found.distribution, "version": found.version}
    try:
        ruleset = RULESETS[code]
    except Refusal as refusal:
        return {**about, "fault": refusal_sentence(refusal, lang)}
    told = {"title": ruleset.title, "rules": ruleset.version, "source": found.module, "bots": offered(ruleset)}
    return {**about, **told}


def _where(row: dict[str, Any]) -> list[str]:
    if "fault" in row:
        return []
    by = f"{row['distribution']} {row['version']}".strip()
    return [f"rules {row['rules']}", by, row["source"], f"bots {', '.join(row['bots'])}"]


@game.command()
@in_sentences
def new(
    code: Annotated[str, typer.Argument(metavar="CODE", help="Its code, as `duel`: in orders, files and addresses.")],
    out: Annotated[str, typer.Option(metavar="DIR", help="Where; else a folder of that name here.")] = "",
) -> None:
    """Write a new game: a small duel with its words, cases and tests, to be changed rule by rule."""
    from server.cli.new_game import write_new

    folder = Path(out or code)
    write_new(code, folder)
    say(f"{folder}: a game “{code}”. Next: cd {folder}, pip install -e ., phalera game check")


@game.command()
@in_sentences
def check(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The game; else that of the folder here.")] = "",
    as_json: AsJson = False,
) -> None:
    """Check an installed game: what it can do, what it lacks and would get by it, and what does not hold.

    The exit code is 1 if something does not hold. A missing ability is no fault.
    """
    named = code or _code_here()
    # a process of its own: the checks stand above the command line, and a game under test may do anything
    done = subprocess.run([sys.executable, "-m", "phalera.testing", named, *["--json"] * as_json], check=False)
    if done.returncode:
        raise typer.Exit(done.returncode)


def _code_here() -> str:
    """The code of the one game that the project in this folder brings.

    Raises: Failed
    """
    import tomllib

    try:
        table = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
        codes = [*table["project"]["entry-points"]["phalera.games"]]
    except (OSError, ValueError, KeyError, TypeError):
        codes = []
    if len(codes) != 1:
        raise Failed("Which game? Name its code, or be in the folder of a project that brings one.", UNUSABLE)
    return str(codes[0])
