"""Checks of proof and of what is kept: the file verifies, cases come out, golden battles are still judged right."""

import tomllib

from domain.contract.ruleset import NOBODY
from domain.events.battle import CardDrawn, DieRolled, Fact
from domain.log import record
from domain.run.timeline import catalogue_of
from phalera.testing.check import asked
from phalera.testing.game import Game, require
from replay.battle_file import parse
from replay.lab.lab import run_case
from replay.proof import verdict
from replay.proof.verify import NOT_ALL_JUDGED, OK, OTHER_RULES, verify


@asked()
def its_file_is_verified(game: Game) -> None:
    """chain, draws and every consequence of the battle hold before the verifier"""
    report = verify(game.content)
    require(report.fault is None and report.exit in (OK, NOT_ALL_JUDGED), " ".join(verdict.lines(report)))


@asked()
def each_event_reads_back(game: Game) -> None:
    """the line of each event is the same bytes after it was read"""
    catalogue = catalogue_of(game.ruleset)
    for line in game.battle.log.lines:
        told = record.decode(line, catalogue)
        again = record.encode(told.n, told.at, Fact(told.by, told.rule, told.event))
        require(again == line, f"other bytes: {line[:80]!r}")


@asked("trials")
def chance_falls_in_it(game: Game) -> None:
    """a battle of it draws a card or rolls a die, as a game with tests does"""
    drawn = [entry for entry in game.battle.events if isinstance(entry.event, CardDrawn | DieRolled)]
    require(drawn, "no card was drawn and no die was rolled")


@asked("secrets")
def a_file_hides_what_is_secret(game: Game) -> None:
    """what a side knows hangs on nothing that was hidden from it: known again, it is the same"""
    state = game.battle.timeline.now.game
    known = game.ruleset.secrets.known
    for side in (*game.ruleset.seats.names, NOBODY):
        require(known(known(state, side), side) == known(state, side), f"known twice differs from known once: {side}")


@asked("cases")
def every_case_comes_out(game: Game) -> None:
    """each case file is of this game and holds"""
    for file in game.files("cases", ".toml"):
        case = tomllib.loads(file.read_text(encoding="utf-8"))
        require(case.get("ruleset") == game.code, f"{file.name}: its ruleset is not {game.code}")
        failures = run_case(case).failures
        require(not failures, f"{file.name}: {'; '.join(map(str, failures))}")


@asked("golden")
def every_golden_battle_holds(game: Game) -> None:
    """each kept battle is verified by the rules of its version"""
    for file in game.files("golden", ".battle"):
        content = file.read_bytes()
        report = verify(content)
        require(report.exit in (OK, NOT_ALL_JUDGED, OTHER_RULES), f"{file.name}: {' '.join(verdict.lines(report))}")
        require(parse(content, file.name).ruleset.code == game.code, f"{file.name}: of another game")
