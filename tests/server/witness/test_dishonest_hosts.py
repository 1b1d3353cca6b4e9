"""A host that writes down later what it says was then, as a process: what its log and its witness show."""

from pathlib import Path
from typing import NamedTuple

import pytest

from replay.proof.witnessed import LogProof
from tests.support.witnessing import HostProcess, lone_witness, phalera, size_of

pytestmark = [pytest.mark.slow, pytest.mark.long]
HOURS_S = 3 * 3600


class Watched(NamedTuple):
    """A host in a folder, a policy that believes one witness alone, and the folder of that witness."""

    host: HostProcess
    policy: Path
    witness: Path

    def kept(self, name: str, battle: bytes, proof: LogProof) -> Path:
        """A battle file that a player keeps, with its proof beside it."""
        path = self.policy.with_name(name)
        path.write_bytes(battle)
        path.with_name(f"{name}.proof").write_text(proof.text())
        return path

    def verify(self, file: Path, *options: str, expected: int = 0) -> str:
        """What `phalera verify --policy` prints."""
        return phalera("verify", str(file), "--policy", str(self.policy), *options, expected=expected)


def asked(host: HostProcess, folder: Path, address: str, key: str) -> None:
    """A host and a lone witness name each other."""
    phalera("witness", "add", host.name, host.key, "--data", str(folder))
    phalera("witness", "add", address, key, "--data", str(host.folder))


def test_a_host_that_backdates_is_shown_by_the_times_of_its_witness(tmp_path: Path) -> None:
    host = HostProcess(tmp_path / "alpha", "alpha.test")
    policy, folder = tmp_path / "policy", tmp_path / "alone"
    watched = Watched(host, policy, folder)
    try:
        with lone_witness(folder, "alone.test") as (address, key):
            policy.write_text(f"witness alone {key}\nquorum alone\n")
            host.start()
            asked(host, folder, address, key)
            battle = host.open_battle()
            first = host.cosigned(battle, 1)
            host.stop()
        with lone_witness(folder, "alone.test", HOURS_S) as (address, key):
            host.start(HOURS_S)
            asked(host, folder, address, key)
            host.open_battle()
            absent = host.cosigned(battle, 1, least_size=size_of(first) + 1)
            host.stop()
            host.start()  # three hours later it writes what it says was then
            host.go_on(battle)
            late = host.cosigned(battle, 1, host.n(battle))
            file = watched.kept("x.battle", host.export(battle), late)
            absent_file = tmp_path / "absent.proof"
            absent_file.write_text(absent.text())
            shown = watched.verify(file, "--proof", f"{file}.proof", "--proof", str(absent_file))
            assert f"Event {late.entry.n} says " in shown
            assert "but the log did not have it when witnesses signed it at" in shown
    finally:
        host.stop()
