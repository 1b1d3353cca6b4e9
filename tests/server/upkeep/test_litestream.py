"""Seconds instead of hours: what the recipe with Litestream ships comes back whole, and one can play on."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from server.cli.main import main
from tests.support.serving import BATTLES, serving
from tests.support.waiting import LIMIT_S, eventually

PAGE = (Path(__file__).parents[3] / "docs" / "backups.md").read_text()
LITESTREAM = shutil.which("litestream", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


def recipe(folder: Path) -> Path:
    """The settings of the page; both places are below a folder."""
    text = PAGE.partition("# /etc/litestream.yml\n")[2].partition("```")[0]
    settings: dict[str, Any] = yaml.safe_load(text)
    (base,) = settings["dbs"]
    (replica,) = base["replicas"]
    base["path"], replica["url"] = str(folder / "data" / Path(base["path"]).name), f"file://{folder}/elsewhere"
    path = folder / "litestream.yml"
    path.write_text(yaml.safe_dump(settings))
    return path


@contextmanager
def shipping(settings: Path, log: Path) -> Iterator[None]:
    """Litestream, which is killed in the end, as with its machine."""
    with log.open("wb") as told:
        process = subprocess.Popen([str(LITESTREAM), "replicate", "-config", str(settings)], stdout=told, stderr=told)
        try:
            yield
        finally:
            process.kill()
            process.wait(LIMIT_S)


def restored(settings: Path, log: Path, to: Path) -> bool:
    """Bring the log back; whether there is one yet."""
    command = [str(LITESTREAM), "restore", "-config", str(settings), "-o", str(to), str(log)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def count(store: Path) -> int:
    """The events of all battles in a store."""
    with sqlite3.connect(store) as opened:
        (found,) = opened.execute("SELECT count(*) FROM stored_events").fetchone()
    opened.close()
    return int(found)


@pytest.mark.slow
@pytest.mark.skipif(not LITESTREAM, reason="litestream is not installed")
async def test_what_was_played_a_moment_ago_comes_back_and_goes_on(tmp_path: Path) -> None:
    settings, data, back = recipe(tmp_path), tmp_path / "data", tmp_path / "back"
    log, tries = data / "log.db", iter(range(10**6))
    os.umask(0o077)  # as the page says
    back.mkdir()

    def is_shipped() -> bool:
        tried = back / f"{next(tries)}.db"
        if not restored(settings, log, tried) or count(tried) < count(log):
            return False
        tried.rename(back / "log.db")
        return True

    async with serving(data) as server:
        with shipping(settings, tmp_path / "litestream.log"):
            anna, bob = await server.player("Anna"), await server.player("Bob")
            battle = await server.battle(anna, bob)
            await eventually("a first copy", is_shipped)
            assert (await anna.order(battle, "R1 ahead")).status == 200
            await eventually("what was played since", is_shipped)
        kept = await anna.export(battle)
    shutil.copy(data / "key", back)
    if (data / "keys").exists():
        shutil.copytree(data / "keys", back / "keys")
    shutil.rmtree(data)
    found = CliRunner().invoke(main, ["doctor", "--data", str(back)])
    assert found.exit_code == 0, found.output
    async with serving(back) as server:
        reply = await server.stranger.ask("GET", f"{BATTLES}/{battle}/export", anna.headers)
        assert reply.text.encode() == kept
        anna.client = server.client
        assert (await anna.order(battle, "end turn")).status == 200
