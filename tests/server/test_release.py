"""A build is named by its release and its commit, wherever somebody looks for it."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from server import release
from server.release import DIGITS, UNKNOWN, WRITTEN, build, commit_of
from tests.server.cli.test_cli import phalera
from tests.support.serving import RunningServer

ROOT = Path(__file__).parents[2]
BUILD = re.compile(rf"\d+\.\d+\.\d+ \(([0-9a-f]{{{DIGITS}}}(-dirty)?|{UNKNOWN})\)")


def git(folder: Path, *arguments: str) -> str:
    """Ask git in a folder, as somebody without settings of their own."""
    who = ("-c", "user.name=Anna", "-c", "user.email=anna@example.org", "-c", "commit.gpgsign=false")
    told = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    told |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ("git", "-C", str(folder), *who, *arguments), env=told, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A small repository with one commit."""
    path = tmp_path / "clone"
    (path / "server").mkdir(parents=True)
    (path / "server" / "kept.txt").write_text("one = 1\n")
    git(path, "init", "--quiet")
    git(path, "add", ".")
    git(path, "commit", "--quiet", "-m", "one")
    return path


def test_the_commit_of_a_clone_is_git_s(clone: Path) -> None:
    assert commit_of(clone, clone / "server") == git(clone, "rev-parse", "HEAD")[:DIGITS]


def test_a_clone_whose_files_differ_says_so(clone: Path) -> None:
    (clone / "server" / "kept.txt").write_text("one = 2\n")
    assert commit_of(clone, clone / "server") == git(clone, "rev-parse", "HEAD")[:DIGITS] + "-dirty"


def test_tags_change_nothing(clone: Path) -> None:
    git(clone, "tag", "-a", "v9.9.9", "-m", "nine")
    assert commit_of(clone, clone / "server") == git(clone, "rev-parse", "HEAD")[:DIGITS]


def test_the_variables_of_a_hook_lead_nowhere_else(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(ROOT / ".git"))
    assert commit_of(clone, clone / "server") == git(clone, "rev-parse", "HEAD")[:DIGITS]


def test_a_clone_without_a_commit_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "--quiet")
    assert commit_of(tmp_path, tmp_path / "server") == UNKNOWN
    monkeypatch.setenv("PATH", str(tmp_path))
    assert commit_of(tmp_path, tmp_path / "server") == UNKNOWN


@pytest.mark.parametrize("kept", ["loose", "packed", "detached"])
def test_the_commit_of_a_clone_is_read_where_git_is_not_installed(
    clone: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    wanted = git(clone, "rev-parse", "HEAD")[:DIGITS]
    if kept == "packed":
        git(clone, "tag", "another")
        git(clone, "pack-refs", "--all")
    if kept == "detached":
        git(clone, "checkout", "--quiet", "--detach")
    monkeypatch.setenv("PATH", str(clone / "server"))
    assert commit_of(clone, clone / "server") == wanted


def test_without_a_clone_the_commit_is_what_was_written_at_the_build(tmp_path: Path) -> None:
    assert commit_of(tmp_path, tmp_path) == UNKNOWN
    (tmp_path / WRITTEN).write_text("0123456789ab\n")
    assert commit_of(tmp_path, tmp_path) == "0123456789ab"
    (tmp_path / WRITTEN).write_bytes(b"\xff\n")
    assert commit_of(tmp_path, tmp_path) == UNKNOWN


def test_nothing_is_written_into_a_clone() -> None:
    assert not (ROOT / "server" / WRITTEN).exists()


def test_the_release_is_that_of_the_sources_whatever_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    monkeypatch.setattr(release, "version", lambda _name: "0.0.1")
    release.release.cache_clear()
    assert release.release() == wanted


def test_the_command_names_the_build() -> None:
    assert phalera("--version").out == f"phalera {build()}\n"
    assert BUILD.fullmatch(build())


async def test_a_server_names_its_build_to_people_and_programs(server: RunningServer) -> None:
    health = (await server.stranger.get("/healthz")).json
    assert f"{health['version']} ({health['commit']})" == build()
    figures = (await server.stranger.get("/metrics")).text
    assert f'phalera_info{{commit="{health["commit"]}",version="{health["version"]}"}} 1.0' in figures
    entrance = (await server.stranger.get("/", {"Accept": "text/html"})).text
    assert f"Phalera {build()}" in entrance.partition('<footer class="bottom">')[2]
