"""`phalera demo --campaign cup`: bots play a cup to its end, the same one for a seed, and a stranger's check holds."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from domain.basics.data import scenario_names
from domain.catalogue import RULESETS
from replay.proof.campaign.verify import verify_campaign
from server.cli.main import main
from server.offline.cup import ENTRANTS, OfflineCup
from server.offline.cup_told import watch
from tests.support.looping import some


def cup_of(seed: int) -> tuple[OfflineCup, str]:
    """A cup by the shortest game that there is, and what is told of it."""
    code = min(some(RULESETS), key=lambda one: "quick" not in scenario_names(one))
    cup = OfflineCup(RULESETS[code], {"scenario": "quick"}, seed)
    cup.begin()
    return cup, "\n".join(watch(cup))


@pytest.mark.slow
@pytest.mark.rule("CAM-LOG-06")
def test_a_cup_of_bots_ends_is_told_and_holds_with_its_battles() -> None:
    cup, told = cup_of(1)
    assert (cup.state.is_over, cup.state.how) == (True, "rounds")
    files = dict(cup.files())
    report = verify_campaign(cup.file(), find=files.get)
    assert (report.exit, report.fault) == (0, None)
    assert len(report.compared) == len(files) == 6
    (winner,) = cup.state.winners or ()
    assert f"{cup.state.entrants[winner].name} has won the cup." in told
    assert all(f"\nRound {number}\n" in told for number in (1, 2, 3))
    assert told.count("a bye, worth a victory") == 3
    assert all(name in told for _, name, _ in ENTRANTS)
    assert "[CAM-CUP-04]" in told


@pytest.mark.slow
def test_the_table_of_a_round_counts_nothing_of_the_next_one() -> None:
    cup, _ = cup_of(1)
    for number in (1, 2, 3):
        assert sum(row.points for row in cup.table_after(number)) == 6 * number


@pytest.mark.slow
def test_the_same_seed_gives_the_same_cup_and_another_one_another() -> None:
    one, same, other = (cup_of(seed)[0] for seed in (1, 1, 2))
    assert one.file() == same.file() != other.file()
    assert dict(one.files()) == dict(same.files())


@pytest.mark.slow
def test_the_command_writes_a_folder_that_verify_takes(tmp_path: Path) -> None:
    folder = str(tmp_path / "cup")
    asked = ["demo", "--campaign", "cup", "--out", folder]
    result = CliRunner().invoke(main, asked)
    assert result.exit_code == 0, result.output
    assert "Everything holds." in result.output
    assert CliRunner().invoke(main, [*asked, "--quiet"]).output == ""
    log = f"{folder}/cup.campaign"
    assert CliRunner().invoke(main, ["verify", log, "--battles", folder]).exit_code == 0
    assert "[CAM-RND-02]" in CliRunner().invoke(main, ["campaign", "why", log, ENTRANTS[0][0]]).output
    next(Path(folder).glob("*.battle")).unlink()
    assert CliRunner().invoke(main, ["verify", log, "--battles", folder]).exit_code == 3


def test_a_campaign_that_is_not_played_is_named() -> None:
    result = CliRunner().invoke(main, ["demo", "--campaign", "ladder"])
    assert result.exit_code == 2 and "ladder" in result.output
