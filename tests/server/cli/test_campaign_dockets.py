"""`phalera docket` of a campaign: each ruling, and all that its log has of a board."""

from pathlib import Path

import msgspec
import pytest

from tests.server.cli.test_cli import phalera
from tests.support.signed_campaigns import signed_cup


@pytest.mark.rule("CAM-RUL-01")
def test_rulings_and_boards_are_told_with_who_has_signed_them(tmp_path: Path) -> None:
    file = tmp_path / "cup.campaign"
    file.write_bytes(signed_cup(tmp_path / "data").ended)
    ruled = phalera("docket", file)
    assert ruled.code == 0
    assert "Ruling D1" in ruled.out and "penalty p1 1 because late" in ruled.out
    assert "PointsTaken  entrant=p1 points=1" in ruled.out
    assert "Signed: serial 1, over the head of event" in ruled.out
    assert "Ruling D2" not in phalera("docket", file, "d1").out
    board = phalera("docket", file, "1.1")
    assert board.out.startswith("Board 1.1: ")
    assert "Not signed: the host wrote it down" in board.out and "TableResult" in board.out
    assert "Décision D1" in phalera("docket", file, "--lang", "fr").out
    told = msgspec.json.decode(phalera("docket", file, "1.1", "--json").out)
    assert [event["type"] for event in told[0]["events"]] == [
        "BattleSet",
        "TableClaimed",
        "TableClaimed",
        "TableResult",
    ]
    assert phalera("docket", file, "9.9").code == 1
