"""`phalera verify` compares the keys of a file with those that its reader knows."""

from pathlib import Path

from replay.proof.verify import FAULT, OK
from tests.server.cli.test_cli import phalera


def test_verify_keeps_a_file_of_pins(tmp_path: Path) -> None:
    golden, file = Path(__file__).parents[2] / "golden", tmp_path / "pins"
    for _ in range(2):
        assert phalera("verify", golden / "medals.battle", "--pins", file).code == OK
        assert file.read_text().count("\n") == 1
    other = phalera("verify", golden / "phases.battle", "--pins", file)
    assert (other.code, "host-key-unknown" in other.out, file.read_text().count("\n")) == (FAULT, True, 1)
    file.write_text("nonsense\n")
    assert phalera("verify", golden / "medals.battle", "--pins", file).code == 2
    assert phalera("verify", golden / "medals.battle", "--player-key", "north").code == 2
