"""What surrounds the code agrees with it: editors, hooks before a commit, the container of developers, templates."""

import fnmatch
import json
import re
import tomllib
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from server.settings import Settings
from tests.__main__ import CHECKS, TYPES
from tests.support.looping import some

ROOT = Path(__file__).parents[1]
BINARY = {".png", ".ttf", ".woff2", ".xz"}
WRONG_BYTES = ROOT / "tests" / "conformance" / "battles"  # files that a verifier has to refuse
OURS = ("*.md", "*.toml", ".ci", ".github", "benchmarks", "docs", "domain", "projections", "replay", "server", "tests")
TEMPLATES = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))


def texts() -> list[Path]:
    """Every text of the repository."""
    found = (path for name in OURS for top in ROOT.glob(name) for path in (top.rglob("*") if top.is_dir() else [top]))
    return [
        path
        for path in found
        if path.is_file() and path.suffix not in BINARY and not {"node_modules", "__pycache__"} & {*path.parts}
        if not (path.parent == WRONG_BYTES and path.suffix == ".battle")
    ]


def wanted(path: Path) -> dict[str, str]:
    """What .editorconfig says of a file."""
    config = ConfigParser()
    config.read_string("[top]\n" + (ROOT / ".editorconfig").read_text())
    name, found = path.relative_to(ROOT).as_posix(), dict[str, str]()
    for section in config.sections():
        patterns = section[1:-1].split(",") if section.startswith("{") else [section]
        if any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
            found |= config[section]
    return found


def test_the_files_are_as_editors_are_told_to_write_them() -> None:
    wrong = []
    for path in some(texts()):
        told = wanted(path)
        text = path.read_bytes().decode(told["charset"])
        lines = text.split("\n")
        checks = {
            "end_of_line": "\r" not in text or told["end_of_line"] != "lf",
            "insert_final_newline": not text or not lines[-1],
            "trim_trailing_whitespace": told["trim_trailing_whitespace"] == "false"
            or all(line == line.rstrip(" \t") for line in lines),
            "indent_style": told["indent_style"] == "tab" or not any(line.startswith("\t") for line in lines),
        }
        wrong += [f"{path.relative_to(ROOT)}: {name}" for name, holds in checks.items() if not holds]
    assert wrong == []


def test_editors_wrap_python_where_ruff_does() -> None:
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]
    assert wanted(ROOT / "tests" / "conftest.py")["max_line_length"] == str(ruff["line-length"])
    assert wanted(ROOT / "tests" / "conftest.py")["indent_size"] == "4"


def test_the_hooks_before_a_commit_are_the_first_checks_of_the_suite() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    (local,) = config["repos"]
    assert local["repo"] == "local"  # nothing is fetched
    assert [hook["entry"] for hook in local["hooks"]] == [
        f".venv/bin/{' '.join(command)}" for command in (*CHECKS.values(), *TYPES.values())
    ]
    assert all(hook["language"] == "system" and hook["pass_filenames"] is False for hook in local["hooks"])


def test_each_python_that_is_named_is_that_of_the_suite_or_in_the_lane_of_the_newer_ones() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = re.findall(r"Python :: (3\.\d+)$", "\n".join(project["classifiers"]), re.M)
    (lane,) = re.findall(r"^for version in ([\d. ]+); do$", (ROOT / ".ci" / "pythons").read_text(), re.M)
    assert [project["requires-python"].removeprefix(">="), *lane.split()] == named
    assert "&& .ci/pythons &&" in (ROOT / ".ci" / "run").read_text()


def container() -> Any:
    """The dev container."""
    return json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())


def test_the_dev_container_has_what_the_tests_need_and_shows_the_port_of_the_server() -> None:
    said = container()
    ci = (ROOT / ".ci" / "run").read_text()
    programs = set(re.findall(r"missing\+=\(([^)]*)\)", ci))
    names = {name for group in programs for name in group.split()} - {'"$name"'}
    names |= {name for group in re.findall(r"for name in (mutt[^;]*);", ci) for name in group.split()}
    as_root = {name for name in names if name.startswith(("postfix", "dovecot", "lib"))}
    assert names - as_root <= set(said["onCreateCommand"].split())
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    (install,) = re.findall(r"^python3 -m venv .*$", contributing, re.M)
    assert said["updateContentCommand"].startswith(install)
    assert said["forwardPorts"] == [Settings(data=ROOT).port]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_template_of_an_issue_has_a_head_and_names_only_what_is_there(path: Path) -> None:
    _, head, body = path.read_text().split("---\n", 2)
    assert set(yaml.safe_load(head)) == {"name", "about", "labels"}
    assert body.strip()
    for name in re.findall(r"[\w/.-]+\.md\b", body):
        assert (ROOT / name).exists(), name


def test_the_templates_lead_a_weakness_to_the_private_way() -> None:
    assert "SECURITY.md" in next(path for path in TEMPLATES if path.stem == "bug").read_text()
    policy = (ROOT / "SECURITY.md").read_text()
    assert "privately" in policy and "@" not in policy  # no address that nobody has given
