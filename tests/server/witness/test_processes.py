"""Two hosts that witness each other and a lone witness, as processes: what the file of a battle then proves."""

from pathlib import Path

import pytest

from replay.proof.witnessed import LogProof
from tests.support.witnessing import HostProcess, lone_witness, phalera, running

pytestmark = pytest.mark.slow


def written(folder: Path, name: str, battle: bytes, proof: LogProof) -> Path:
    """A battle file with its proof beside it."""
    path = folder / name
    path.write_bytes(battle)
    path.with_name(f"{name}.proof").write_text(proof.text())
    return path


@pytest.mark.long
def test_two_hosts_and_a_lone_witness_see_a_battle(tmp_path: Path) -> None:
    alpha, beta = HostProcess(tmp_path / "alpha", "alpha.test"), HostProcess(tmp_path / "beta", "beta.test")
    with running(alpha, beta), lone_witness(tmp_path / "alone", "alone.test") as (alone, alone_key):
        beta_key, alpha_key = (host.ask("/witness/key").decode().strip() for host in (beta, alpha))
        phalera("witness", "add", "alpha.test", alpha.key, "--data", str(beta.folder))
        phalera("witness", "add", "beta.test", beta.key, "--data", str(alpha.folder))
        phalera("witness", "add", "alpha.test", alpha.key, "--data", str(tmp_path / "alone"))
        phalera("witness", "add", f"{beta.address}/witness", beta_key, "--data", str(alpha.folder))
        phalera("witness", "add", f"{alpha.address}/witness", alpha_key, "--data", str(beta.folder))
        phalera("witness", "add", alone, alone_key, "--data", str(alpha.folder))
        battle = alpha.open_battle()
        alpha.fight(battle)
        other = beta.open_battle()
        proof = alpha.cosigned(battle, witnesses=2, least_n=alpha.n(battle))
        assert proof.entry.what == "ended"
        beta.cosigned(other, witnesses=1)
        file = written(tmp_path, "x.battle", alpha.export(battle), proof)
        policy = tmp_path / "policy"
        policy.write_text(
            f"witness beta {beta_key}\nwitness alone {alone_key}\nwitness alpha {alpha_key}\n"
            "group friends 2 beta alone alpha\nquorum friends\n"
        )
        assert f"seen by 2 of 3 witnesses, event {proof.entry.n} before" in phalera(
            "verify", str(file), "--policy", str(policy)
        )
        assert "Nobody here vouches" in phalera("verify", str(file))
        policy.write_text(f"witness alpha {alpha_key}\nquorum alpha\n")
        assert "your policy is not met" in phalera("verify", str(file), "--policy", str(policy), expected=1)
        assert "asks" in phalera("witness", "list", "--data", str(alpha.folder))
