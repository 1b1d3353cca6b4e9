"""Which build runs: the release, and the commit that it was made from.

The release is the `version` of `pyproject.toml`, and stands nowhere else. The commit is git's where Phalera runs from a
clone; `setup.py` writes it into each wheel and sdist. Only the standard library is used here, so that `setup.py` can
run this file by itself.
"""

import os
import subprocess
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1]
WRITTEN = "commit.txt"
"""Beside this module in what is installed from a wheel, and in an unpacked sdist."""
UNKNOWN = "unknown"
DIGITS = 12
"""Of the commit; with `-dirty` behind them where files of the clone differ from it."""
LONGEST_S = 10


@cache
def release() -> str:
    """The version: of the sources where they are run, of the package where it is installed."""
    try:
        project = tomllib.loads((SOURCES / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == "phalera":
            return str(project["version"])
    except (OSError, ValueError, KeyError):  # no sources of ours
        pass
    try:
        return version("phalera")
    except PackageNotFoundError:
        return UNKNOWN


@cache
def commit() -> str:
    """The commit of this build, or `unknown`; found out once, so that no answer waits for git."""
    return commit_of(SOURCES, Path(__file__).parent)


def build() -> str:
    """Release and commit in one: `0.3.0 (2608060c1234)`."""
    return f"{release()} ({commit()})"


def commit_of(sources: Path, package: Path) -> str:
    """The commit of a clone; of anything else what was written into the package when it was built."""
    if (sources / ".git").exists():
        return _asked_of_git(sources) or _read_in(sources / ".git") or UNKNOWN
    try:
        return (package / WRITTEN).read_text(encoding="ascii").strip() or UNKNOWN
    except (OSError, ValueError):
        return UNKNOWN


def _asked_of_git(clone: Path) -> str:
    """What git says of a clone, "" if it is not there or says nothing; a hook's own variables would lead it to another
    one."""
    ask = ("git", "-C", str(clone), "describe", "--always", "--dirty", "--exclude=*", f"--abbrev={DIGITS}")
    outside = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(ask, env=outside, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _read_in(folder: Path) -> str:
    """The commit in the files of git, "" if there is none: for a container that is built without git."""
    try:
        head = (folder / "HEAD").read_text(encoding="ascii").strip()
        ref = head.removeprefix("ref: ")
        if ref != head:
            loose, packed = folder / ref, folder / "packed-refs"
            lines = (loose if loose.is_file() else packed).read_text(encoding="utf-8").splitlines()
            found = [line.split()[0] for line in lines if loose.is_file() or line.endswith(f" {ref}")]
            head = found[0] if found else ""
    except (OSError, ValueError):
        return ""
    return head[:DIGITS]
