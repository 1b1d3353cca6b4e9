"""README and docs tell the truth: snippets run, links lead somewhere."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs_site import MADE
from tests.support.looping import some
from tests.support.waiting import LIMIT_S

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "benchmarks" / "README.md",
]
SNIPPET = re.compile(r"(?:^|\n)(?P<before>[^\n]*)\n\n?(?P<indent> *)```(?P<lang>sh|python)\n(?P<code>.*?)\n *```", re.S)
SHOWN = "<!-- shown, not run:"
"""A comment in the line before a snippet that needs the network or a server; it says why."""


def named(path):
    """A page by its path in the repository, as the name of a test."""
    return str(path.relative_to(ROOT))


def snippets(path):
    """Language and code of the snippets of a page that can be run."""
    found = SNIPPET.finditer(path.read_text())
    return [(match["lang"], match["code"]) for match in found if SHOWN not in match["before"]]


@pytest.fixture
def folder(tmp_path):
    """A folder with the repository's tests in it and a `phalera` on the path; the snippets of a page share it."""
    path = tmp_path / "docs"
    path.mkdir()
    (path / "tests").symlink_to(ROOT / "tests")
    command = path / "bin" / "phalera"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m server.cli "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("path", [path for path in PAGES if snippets(path)], ids=named)
def test_the_snippets_of_a_page_run(folder, path):
    env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    env["PHALERA_DATA"] = str(folder / "data")
    for lang, code in some(snippets(path)):
        program = ["sh", "-eu", "-c", code] if lang == "sh" else [sys.executable, "-c", code]
        done = subprocess.run(
            program, cwd=folder, env=env, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"


def test_links_lead_somewhere():
    link = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
    links = [(path, target) for path in PAGES for target in link.findall(path.read_text())]
    assert links
    made = {ROOT / "docs" / name for name in MADE}
    lost = [(path, target) for path, target in links if not (path.parent / target).exists()]
    assert [(named(path), target) for path, target in lost if (path.parent / target).resolve() not in made] == []
