"""Backups on another machine: what the recipe gives to restic comes back whole, and one can play on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.upkeep.backup import restore
from tests.support.serving import BATTLES, serving

SCRIPT = Path(__file__).parents[3] / "docs" / "operating" / "offsite.sh"
PHALERA = "#!/bin/sh\nexec {python} -c 'from server.cli.main import main; main()' \"$@\"\n"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("restic"), reason="restic is not installed")
async def test_a_battle_comes_back_from_another_machine_and_goes_on(tmp_path: Path) -> None:
    program, secret, offsite = tmp_path / "phalera", tmp_path / "secret", tmp_path / "offsite"
    program.write_text(PHALERA.format(python=sys.executable))
    program.chmod(0o755)
    secret.write_text("a secret of this test\n")
    environment = {
        **os.environ,
        "PHALERA": str(program),
        "PHALERA_DATA": str(tmp_path / "data"),
        "PHALERA_OFFSITE": str(offsite),
        "PYTHONPATH": os.getcwd(),
        "RESTIC_REPOSITORY": str(tmp_path / "other-machine"),
        "RESTIC_PASSWORD_FILE": str(secret),
        "RESTIC_CACHE_DIR": str(tmp_path / "cache"),
    }

    def run(*command: str) -> str:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    async with serving(tmp_path / "data") as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        run(str(SCRIPT))
        assert (await anna.order(battle, "R1 ahead")).status == 200
        run(str(SCRIPT))  # while people play; the second stores what is new
        kept = await anna.export(battle)
    assert not offsite.exists()
    shutil.rmtree(tmp_path / "data")
    run("restic", "restore", "latest", "--target", str(tmp_path / "back"))
    assert restore(f"{tmp_path}/back{offsite}", str(tmp_path / "data"), "2026-11-23T00:00:00.000Z") == ()
    async with serving(tmp_path / "data") as server:
        reply = await server.stranger.ask("GET", f"{BATTLES}/{battle}/export", anna.headers)
        assert reply.text.encode() == kept
