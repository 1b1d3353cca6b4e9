"""The steps of the Containerfile, without a builder: what it installs starts as it says, and answers."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.support.waiting import LIMIT_S

ROOT = Path(__file__).parents[1]
CONTAINER = (ROOT / "docs" / "operating" / "Containerfile").read_text()


def words_of(step: str) -> list[str]:
    found = re.search(rf"^{step} (\[.*\])$", CONTAINER, re.M)
    assert found is not None
    return list(json.loads(found[1]))


@pytest.mark.long
@pytest.mark.slow
def test_what_the_container_installs_starts_and_answers(tmp_path: Path) -> None:
    install = re.search(r'pip install --no-cache-dir (-c /src/constraints\.txt "/src\[speed\]")', CONTAINER)
    assert install is not None, "the step that installs has changed: change this test with it"
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    wanted = install[1].replace("/src", str(ROOT)).replace('"', "").split()
    command = [python, "-m", "pip", "install", "-q", "--no-compile", *wanted]  # Python compiles what it imports anyway
    subprocess.run(command, check=True, cwd=tmp_path)
    places = {"/backups": str(tmp_path / "backups"), "0.0.0.0": "127.0.0.1"}
    command = [places.get(word, word) for word in (*words_of("ENTRYPOINT"), *words_of("CMD"))]
    program = str(python.with_name(command[0]))
    environment = {**os.environ, "PHALERA_DATA": str(tmp_path / "data"), "PYTHONPATH": ""}
    log = (tmp_path / "log").open("wb")
    with subprocess.Popen(
        [program, *command[1:], "--port", "0"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=log
    ) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().decode().split()[-1]
            with urllib.request.urlopen(f"{address}/healthz", timeout=LIMIT_S) as answer:
                assert json.load(answer)["status"] == "ok"
        finally:
            server.terminate()
            server.wait(LIMIT_S)
            log.close()
    assert server.returncode == 0
