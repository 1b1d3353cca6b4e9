"""Wheel and sdist, as whoever makes a release builds them, hold everything, and a battle can be played from them."""

import re
import shutil
import subprocess
import sys
import tarfile
import time
import venv
import zipfile
from email import message_from_string
from email.message import Message
from http.client import HTTPResponse
from pathlib import Path
from typing import cast
from urllib.error import HTTPError
from urllib.request import urlopen

import msgspec
import pytest
from msgspec import Struct

from server.release import DIGITS, WRITTEN, release
from tests.server.test_release import git
from tests.support.looping import some
from tests.support.waiting import LIMIT_S

ROOT = Path(__file__).parents[1]
PACKAGES = ("domain", "phalera", "projections", "replay", "server")
LEFT_OUT = shutil.ignore_patterns(
    ".git",
    ".venv",
    "node_modules",
    "build",
    "dist",
    "*.egg-info",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
    ".coverage*",
)
"""What is no part of the repository, as .gitignore has it."""
COMMIT = f"server/{WRITTEN}"
MADE = {"PKG-INFO", "setup.cfg", COMMIT}
"""What an sdist has besides; and its egg-info."""
DEMO = ("demo", "--ruleset", "tts", "--scenario", "skirmish", "--seed", "5", "--quiet", "--out")

pytestmark = [pytest.mark.slow, pytest.mark.long]


class Built(Struct, frozen=True):
    """A wheel that was built from an sdist, that from a repository with one commit."""

    repository: Path
    commit: str
    sdist: Path
    wheel: Path

    def metadata(self) -> Message:
        """What the wheel says of itself."""
        with zipfile.ZipFile(self.wheel) as wheel:
            return message_from_string(wheel.read(f"phalera-{release()}.dist-info/METADATA").decode())


def run(*command: object, cwd: Path) -> str:
    """What a program that ends well prints."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def files_of(folder: Path) -> set[str]:
    """All files of a repository; git's own, and what the build has left there, are none."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in paths if path.parts[0] not in {".git", "dist", "phalera.egg-info"}}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The work tree as one commit, packed without a network."""
    repository = tmp_path_factory.mktemp("built") / "phalera"
    shutil.copytree(ROOT, repository, ignore=LEFT_OUT)
    git(repository, "init", "--quiet")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "the sources")
    run(sys.executable, "-m", "build", "--no-isolation", cwd=repository)
    (sdist,), (wheel,) = (tuple(repository.glob(f"dist/*{ending}")) for ending in (".tar.gz", ".whl"))
    return Built(repository, git(repository, "rev-parse", "HEAD")[:DIGITS], sdist, wheel)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a fresh environment with the wheel; the libraries are those of the environment of the tests."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps", "--no-compile")
    run(*pip, built.wheel, cwd=folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "needed.pth").write_text(f"{Path(msgspec.__file__).parents[1]}\n")
    for package in PACKAGES:
        found = run(python, "-c", f"import {package}; print({package}.__file__)", cwd=folder).strip()
        assert Path(found).is_relative_to(packages), f"{package} is not that of the wheel"
    return folder / "bin" / "phalera"


def test_the_wheel_has_every_file_of_the_packages_and_nothing_else(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names - {COMMIT} == {
        name for name in files_of(built.repository) if name.startswith(tuple(f"{package}/" for package in PACKAGES))
    }


def test_the_sdist_is_the_repository_at_one_commit(built: Built) -> None:
    with tarfile.open(built.sdist) as sdist:
        names = {member.name.partition("/")[2] for member in sdist if member.isfile()}
    names = {name for name in names if not name.startswith("phalera.egg-info/")}
    assert names - MADE == files_of(built.repository)
    assert names >= MADE


def test_the_package_says_what_it_is(built: Built) -> None:
    told = built.metadata()
    assert (told["Name"], told["Version"], told["Requires-Python"]) == ("phalera", release(), ">=3.11")
    for field in ("Summary", "Author", "Maintainer", "Keywords"):
        assert told[field]
    assert "Programming Language :: Python :: 3.11" in told.get_all("Classifier", [])
    assert told["Description-Content-Type"] == "text/markdown"
    assert not told["License"], "the licence is the owner's decision"


def test_the_description_leads_nowhere_that_a_package_index_does_not_have(built: Built) -> None:
    text = built.metadata().get_payload()
    assert isinstance(text, str)
    assert text.startswith("# Phalera\n")
    assert "![" not in text and "<!--" not in text
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert [target for target in some(targets) if not target.startswith("https://")] == []


def test_an_installed_phalera_names_the_commit_of_its_sources(built: Built, installed: Path, tmp_path: Path) -> None:
    assert run(installed, "--version", cwd=tmp_path) == f"phalera {release()} ({built.commit})\n"


def test_a_battle_is_played_proven_and_read_from_a_wheel(installed: Path, tmp_path: Path) -> None:
    run(installed, *DEMO, "wheel.battle", cwd=tmp_path)
    run(sys.executable, "-m", "server.cli", *DEMO, tmp_path / "sources.battle", cwd=ROOT)
    assert (tmp_path / "wheel.battle").read_bytes() == (tmp_path / "sources.battle").read_bytes()
    run(installed, "verify", "wheel.battle", cwd=tmp_path)
    assert run(installed, "replay", "wheel.battle", "--plain", "--at", "40", cwd=tmp_path)
    assert run(installed, "why", "wheel.battle", "40", "--lang", "fr", cwd=tmp_path)
    run(installed, "report", "wheel.battle", "--to", "html", "--out", "report.html", cwd=tmp_path)
    run(installed, "aids", "--ruleset", "tts", "--out", "aids.html", cwd=tmp_path)
    assert (tmp_path / "report.html").stat().st_size and (tmp_path / "aids.html").stat().st_size


def fetched_when_ready(url: str) -> HTTPResponse:
    """An answer; one of a server that is still making its lists is asked for again, as it says."""
    while True:
        try:
            with urlopen(url, timeout=LIMIT_S) as answer:
                return cast(HTTPResponse, answer)
        except HTTPError as refused:
            if refused.code != 503:
                raise
            time.sleep(float(refused.headers["Retry-After"]))


def test_a_server_installed_from_a_wheel_serves_its_pages(built: Built, installed: Path, tmp_path: Path) -> None:
    command = [str(installed), "serve", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            with urlopen(f"{address}/healthz", timeout=LIMIT_S) as answer:
                assert msgspec.json.decode(answer.read())["commit"] == built.commit
            for path in ("/", "/learn", "/help", "/static/board.js"):
                assert fetched_when_ready(address + path).status == 200
            server.terminate()
            assert server.wait(LIMIT_S) == 0
        finally:
            server.kill()


def test_a_game_by_pip_runs_beside_a_wheel(installed: Path, tmp_path: Path) -> None:
    """From nothing to a game that is played, proven and checked: nothing of the repository is on the path."""
    run(installed, "game", "new", "duel", cwd=tmp_path)
    duel, python = tmp_path / "duel", installed.parent / "python"
    offline = ("-q", "--no-index", "--no-deps", "--no-build-isolation")
    run(sys.executable, "-m", "pip", "--python", python, "install", *offline, "-e", ".", cwd=duel)
    try:
        assert "phalera-duel 0.1.0  phalera_duel" in run(installed, "games", cwd=duel)
        run(installed, "demo", "--ruleset", "duel", "--quiet", "--out", "phalera_duel/golden.battle", cwd=duel)
        run(installed, "verify", "phalera_duel/golden.battle", cwd=duel)
        told = run(installed, "replay", "phalera_duel/golden.battle", "--plain", "--lang", "fr", cwd=duel)
        assert " tire et touche" in told
        (duel / "phalera_duel" / "golden").mkdir()
        (duel / "phalera_duel" / "golden.battle").rename(duel / "phalera_duel" / "golden" / "first.battle")
        checked = run(installed, "game", "check", cwd=duel)
        assert "each kept battle is verified by the rules of its version" in checked
        assert " checks, 0 do not hold." in checked
        assert "bots: gives opponents" in checked
        assert re.search(r"^\d+ passed", run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=duel), re.M)
        typed = subprocess.run(
            [installed, "play", "--ruleset", "duel", "--bot", "random", "--seed", "3", "--out", "mine.battle"],
            input="?\nshoot\nresign\nyes\n",
            cwd=duel,
            capture_output=True,
            text=True,
            check=False,
        )
        assert typed.returncode == 0, typed.stderr
        run(installed, "verify", "mine.battle", cwd=duel)
    finally:
        run(sys.executable, "-m", "pip", "--python", python, "uninstall", "-q", "-y", "phalera-duel", cwd=duel)
    assert "duel" not in run(installed, "games", cwd=tmp_path)
