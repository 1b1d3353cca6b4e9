"""The command `phalera stats`.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.console import Failed, in_sentences, say, say_json, watched
from server.cli.options import AsJson, Lang

if TYPE_CHECKING:
    from projections.statistics import BattleStatistics
    from replay.battle_file import BattleFile
    from replay.reports.rollouts import WinningChance


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command()(stats)


@in_sentences
def stats(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Battle files.", show_default=False)],
    rollouts: Annotated[
        int, typer.Option(metavar="N", min=0, help="Winning chances: let bots play on from each turn, N times.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="The games of --rollouts follow from it.")] = 1,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Processes that play beside each other.")] = 2,
    lang: Lang = "en",
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the draws with something at stake as CSV.")] = False,
) -> None:
    """Count draws, tests and losses, with luck and honours."""
    from projections.statistics import battle_statistics
    from replay import battle_file
    from replay.reports import tables
    from replay.reports.luck import csv_lines
    from replay.reports.rollouts import chance_lines
    from replay.telling.luck import luck_of

    battles = {name: battle_file.load(name, lang) for name in files}
    if as_csv:
        say("\n".join(csv_lines({battle.log.header.battle: luck_of(battle.timeline) for battle in battles.values()})))
        return
    counted = {name: battle_statistics(battle.ruleset, battle.events) for name, battle in battles.items()}
    won = {name: played_on(battle, rollouts, seed, jobs) for name, battle in battles.items() if rollouts}
    if as_json:
        found = {name: _as_data(battle, counted[name], lang) for name, battle in battles.items()}
        for name, chances in won.items():
            found[name]["rollouts"] = {"seed": seed, "turns": chances}
        say_json(found)
        return
    for name, statistics in counted.items():
        say("\n".join(tables.statistics_lines(name, battles[name], statistics, lang)))
        if name in won:
            say("\n".join(chance_lines(won[name], rollouts, seed, lang)) + "\n")


def played_on(battle: "BattleFile", count: int, seed: int, jobs: int) -> "list[WinningChance]":
    """The winning chances at the start of each player-turn of a battle that is over.

    Raises: Failed
    """
    from replay.reports.rollouts import chances, games_of, rollouts

    if not battle.timeline.now.ended:
        raise Failed("Bots play on from the whole truth, which comes out when a battle ends; this one goes on.")
    played = rollouts(battle.timeline, battle.log.header.battle, count, seed, jobs)
    return chances(watched(played, games_of(battle.timeline, count)))


def _as_data(battle: "BattleFile", statistics: "BattleStatistics", lang: str) -> dict[str, Any]:
    from msgspec.structs import asdict

    from replay.reports.honours import honours_in
    from replay.reports.luck import as_data
    from replay.telling.luck import luck_of

    luck = as_data(battle.ruleset.shown.tallied, luck_of(battle.timeline))
    return {**asdict(statistics), "luck": luck, "honours": honours_in(battle, lang)}
