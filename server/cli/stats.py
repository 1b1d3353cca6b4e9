"""The command `phalera stats`.

Only typer is imported at the top, as in server.cli.main.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import typer

from server.cli.console import Failed, in_sentences, say, say_json_object, tell, watched
from server.cli.options import AsJson, Lang

if TYPE_CHECKING:
    from replay.battle_file import BattleFile
    from replay.reports.rollouts import WinningChance
    from replay.telling.luck import LuckRow

T = TypeVar("T")


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
    """Count draws, tests and losses, with luck and honours.

    Of many files each is told as soon as it is counted. One that cannot be read is named, and the others are told.
    """
    from msgspec.json import encode

    from replay.reports.luck import csv_lines

    def rolled(battle: "BattleFile") -> "list[WinningChance] | None":
        return played_on(battle, rollouts, seed, jobs) if rollouts else None

    if as_csv:
        weighed = FileCounts(files, lang, _weighed)
        for line in csv_lines(row for _, row in weighed):
            say(line)
        raise typer.Exit(weighed.code)
    if as_json:
        found = FileCounts(files, lang, lambda _, battle: _as_data(battle, rolled(battle), seed, lang))
        say_json_object((name, encode(data)) for name, data in found)
        raise typer.Exit(found.code)
    told = FileCounts(files, lang, lambda name, battle: _lines(name, battle, rolled(battle), (rollouts, seed), lang))
    for _, lines in told:
        say("\n".join(lines))
    raise typer.Exit(told.code)


class FileCounts(Generic[T]):
    """What is made of each of some battle files, with the file's name. Thousands of files take the memory of one: each
    is read, counted, handed on and forgotten. A file that fails is told on standard error and left out; `code` is then
    the exit code."""

    def __init__(self, files: Iterable[str], lang: str, make: "Callable[[str, BattleFile], T]") -> None:
        self._files = dict.fromkeys(files)
        self._lang = lang
        self._make = make
        self.code = 0

    def __iter__(self) -> Iterator[tuple[str, T]]:
        from replay import battle_file

        for name in self._files:
            try:
                made = self._make(name, battle_file.load(name, self._lang))
            except Exception as reason:
                code = tell(reason, self._lang)
                self.code = self.code or code
                continue
            yield name, made


def _lines(
    name: str, battle: "BattleFile", won: "list[WinningChance] | None", games: tuple[int, int], lang: str
) -> list[str]:
    from projections.statistics import battle_statistics
    from replay.reports import tables
    from replay.reports.rollouts import chance_lines

    statistics = battle_statistics(battle.ruleset, battle.events)
    lines = [*tables.statistics_lines(name, battle, statistics, lang)]
    return lines if won is None else [*lines, *chance_lines(won, *games, lang), ""]


def _weighed(_: str, battle: "BattleFile") -> "tuple[str, tuple[LuckRow, ...]]":
    from replay.telling.luck import luck_of

    return battle.log.header.battle, luck_of(battle.timeline)


def played_on(battle: "BattleFile", count: int, seed: int, jobs: int) -> "list[WinningChance]":
    """The winning chances at the start of each player-turn of a battle that is over.

    Raises: Failed
    """
    from replay.reports.rollouts import chances, games_of, rollouts

    if not battle.timeline.now.ended:
        raise Failed("Bots play on from the whole truth, which comes out when a battle ends; this one goes on.")
    played = rollouts(battle.timeline, battle.log.header.battle, count, seed, jobs)
    return chances(watched(played, games_of(battle.timeline, count)))


def _as_data(battle: "BattleFile", won: "list[WinningChance] | None", seed: int, lang: str) -> dict[str, Any]:
    from msgspec.structs import asdict

    from projections.statistics import battle_statistics
    from replay.reports.honours import honours_in
    from replay.reports.luck import as_data
    from replay.telling.luck import luck_of

    counted = asdict(battle_statistics(battle.ruleset, battle.events))
    luck = as_data(battle.ruleset.shown.tallied, luck_of(battle.timeline), battle.ruleset.seats)
    rolled = {} if won is None else {"rollouts": {"seed": seed, "turns": won}}
    return {**counted, "luck": luck, "honours": honours_in(battle, lang), **rolled}
