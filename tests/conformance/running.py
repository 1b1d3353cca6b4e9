"""Run a command on a case and compare what it prints."""

import json
import shlex
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from tests.conformance.judging import differences
from tests.support.cases import CASES, case_files

PLACE = "{case}"
"""What stands in the command for the path of the case; without it the path is added at the end."""
EXIT_OK, EXIT_FAILED = 0, 1


class Verdict(NamedTuple):
    """What a case gave: nothing in `faults` if the implementation agrees."""

    case: str
    title: str
    faults: tuple[str, ...]


def run_all(command: str, paths: Sequence[Path], jobs: int, timeout_s: int) -> Iterator[Verdict]:
    """Run a command on each case, `jobs` at a time; verdicts in the order of the cases."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda path: run(command, path, timeout_s), paths)


def run(command: str, path: Path, timeout_s: int) -> Verdict:
    """Run a command on one case and judge what it prints. Never raises for what the command does."""
    case = tomllib.loads(path.read_text(encoding="utf-8"))
    words = [word.replace(PLACE, str(path)) for word in shlex.split(command)]
    if PLACE not in command:
        words.append(str(path))
    return Verdict(path.stem, str(case.get("title", "")), tuple(_faults(case, words, timeout_s)))


def _faults(case: dict[str, Any], words: list[str], timeout_s: int) -> list[str]:
    try:
        done = subprocess.run(words, capture_output=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        return [f"no answer within {timeout_s} s"]
    except OSError as error:
        return [f"the command cannot be run: {error.strerror}"]
    try:
        outcome = json.loads(done.stdout.decode("utf-8"))
    except ValueError:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return [f"it printed no JSON (exit code {done.returncode}){f'; {said[-1]}' if said else ''}"]
    faults = differences(case, outcome)
    wanted = EXIT_OK if isinstance(outcome, dict) and outcome.get("ok") is True else EXIT_FAILED
    if done.returncode != wanted:
        faults.append(f"exit code {done.returncode} instead of {wanted}")
    return faults


def chosen(names: Sequence[str], folder: Path = CASES) -> list[Path]:
    """The files of cases named by number (`401`), by path, or by a folder; all of `folder` without names.

    Raises:  FileNotFoundError for a name that leads nowhere
    """
    if not names:
        return case_files(folder)
    paths: list[Path] = []
    for name in names:
        path = Path(name)
        numbered = [case for case in case_files(folder) if case.stem.partition("-")[0] == name]
        found = case_files(path) if path.is_dir() else [path] if path.is_file() else numbered
        if not found:
            raise FileNotFoundError(name)
        paths += found
    return paths
