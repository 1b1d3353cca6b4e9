"""The command `phalera simulate`.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say, say_json, watched
from server.cli.options import AsJson, Bot, Game, bots_of, game_and_scenario

if TYPE_CHECKING:
    from domain.contract.ruleset import Ruleset


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
    from domain.run.bots import played_by
    from replay.writing.in_memory import scenario_table
    from server.offline import simulate as play

    if mirror and south == north:
        raise Failed("--mirror exchanges the bots: give --south and --north two different ones.", UNUSABLE)
    game, wanted = _wanted(ruleset, scenario or [], every)
    tables = {name: scenario_table(game, name) for name in wanted}
    bots = {side: played_by(game, bot) for side, bot in bots_of(game, south, north).items()}
    planned = play.games_of(game.code, tables, games, seed, bots, mirror)
    results = play.balances(watched(play.play_all(planned, tables, jobs), len(planned)))
    if as_json:
        say_json({"seed": seed, "bots": bots, "mirror": mirror, "scenarios": results})
    else:
        say("\n".join(play.summary(results)))


def _wanted(ruleset: str, given: list[str], every: bool) -> "tuple[Ruleset, list[str]]":
    """The game, and the scenarios asked for, each once."""
    from domain.basics.data import scenario_names

    if not (given or every):
        raise Failed("Which battle? Name it with --scenario, or take them all with --all.", UNUSABLE)
    meant = [game_and_scenario(ruleset, name) for name in given or [""]]
    game = meant[0][0]
    if any(other is not game for other, _ in meant):
        raise Failed("These are battles of more than one game: simulate one at a time.", UNUSABLE)
    return game, list(
        dict.fromkeys([*(name for _, name in meant if name), *(scenario_names(game.code) if every else ())])
    )
