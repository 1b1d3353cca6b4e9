"""The command `phalera simulate`.

Only typer is imported at the top, as in server.cli.main.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.options import AsJson, Bot, Game, game_of, require_bot

if TYPE_CHECKING:
    from server.offline.simulate import GameResult


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command()(simulate)


@in_sentences
def simulate(
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Games of each scenario.")] = 200,
    seed: Annotated[int, typer.Option(help="The games follow from it.")] = 1,
    scenario: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FILE", help="A packaged battle or a scenario file. May be repeated."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All packaged battles.")] = False,
    south: Bot = "sensible",
    north: Bot = "sensible",
    mirror: Annotated[bool, typer.Option("--mirror", help="Play each game also with the bots exchanged.")] = False,
    ruleset: Game = "",
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Processes that play beside each other.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Let bots fight a battle many times, and count who wins.

    Nothing is stored and no file is written. The same seed gives the same games.
    """
    from server.offline import simulate as play

    code = game_of(ruleset).code
    if mirror and south == north:
        raise Failed("--mirror exchanges the bots: give --south and --north two different ones.", 2)
    tables = _tables(code, _wanted(code, scenario or [], every))
    bots = {"south": require_bot(south), "north": require_bot(north)}
    planned = play.games_of(code, tables, games, seed, bots, mirror)
    results = play.balances(_watched(play.play_all(planned, tables, jobs), len(planned)))
    if as_json:
        say_json({"seed": seed, "bots": bots, "mirror": mirror, "scenarios": results})
    else:
        say("\n".join(play.summary(results)))


def _wanted(ruleset: str, given: list[str], every: bool) -> list[str]:
    """The scenarios asked for, each once."""
    from domain.data import scenario_names

    if not (given or every):
        raise Failed("Which battle? Name it with --scenario, or take them all with --all.", 2)
    return list(dict.fromkeys([*given, *(scenario_names(ruleset) if every else ())]))


def _tables(ruleset: str, wanted: list[str]) -> dict[str, dict[str, Any]]:
    """The parsed scenarios by what they are called; a name that is not packaged is a file."""
    from domain.data import parse_toml, scenario_names, scenario_text
    from replay.battle_file import read_bytes
    from replay.lab.case_file import read_case
    from replay.lab.lab import UnreadableCase

    tables = {}
    for name in wanted:
        if name in scenario_names(ruleset) or not ("/" in name or name.endswith(".toml")):
            tables[name] = parse_toml(scenario_text(ruleset, name), name)
            continue
        try:
            tables[name] = read_case(read_bytes(name), name)
        except UnreadableCase as reason:
            raise Failed(f"{name}: {reason}", 2) from None
    return tables


def _watched(played: "Iterable[GameResult]", count: int) -> "Iterator[GameResult]":
    """The games as they come, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from played
        return
    with typer.progressbar(played, length=count, file=sys.stderr) as bar:
        yield from bar
