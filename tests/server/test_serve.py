"""The process starts on an empty folder, says where it is, and stops when it is told to."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.support.waiting import LIMIT_S

PROGRAM = """
from server import logs
from server.settings import Settings
from server import assembly
logs.configure("json")
assembly.run(Settings.at(port=0))
"""


@pytest.mark.slow
def test_a_server_starts_on_an_empty_folder_and_stops_on_a_signal(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    former = tmp_path / "phalera-data"
    former.mkdir()
    (former / "log.db").touch()
    environment = {**os.environ, "PHALERA_DATA": str(folder), "PYTHONPATH": os.getcwd()}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            with urllib.request.urlopen(f"{address}/healthz", timeout=LIMIT_S) as answer:
                assert answer.status == 200
            made = {entry.name for entry in folder.iterdir()}
            databases = {
                name + end for name in ("log.db", "tlog.db", "witness.db") for end in ("", "-journal", "-wal", "-shm")
            }
            assert made <= {"key", "lock", "read", *databases}
            assert oct(folder.stat().st_mode & 0o777) == "0o700"
            for _ in range(100 * int(LIMIT_S)):  # the lists follow from the start: nobody has asked for them
                if (folder / "read" / "models.db").exists():
                    break
                time.sleep(0.01)
            assert (folder / "read" / "models.db").exists()
            added = subprocess.run(
                [sys.executable, "-m", "server.cli", "player", "add", "Anna", "", "--data", str(folder)],
                capture_output=True,
                text=True,
                check=True,
            )
            assert f"login link  {address}/login/" in added.stdout
            process.send_signal(signal.SIGTERM)
            assert process.wait(LIMIT_S) == 0
            assert process.stderr is not None
            told = [json.loads(line)["message"] for line in process.stderr.read().splitlines()]
            assert told == ["ready", "stopping", "stopped: requests and letters are finished, the store is closed"]
            data, earlier, nobody, code = process.stdout.read().splitlines()
            assert data == f"The data are in {folder}"
            assert str(former) in earlier
            assert "/set-up" in nobody and code.startswith("Set-up code  ")
            assert code.split()[-1] not in repr(told)
        finally:
            process.kill()
