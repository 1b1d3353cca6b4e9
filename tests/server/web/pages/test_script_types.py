"""The types of the scripts of the pages, checked by `tsc` (decisions 21 and 44), and their logic under `node --test`.

All are strict: each parameter has a type. The tests of modules that know no page are in `tests/scripts/static/`.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from server.web.pages import rendering
from server.web.pages.static_files import SCRIPTS
from tests import script_types

TESTS = Path(__file__).parents[3]
CHECKER = TESTS / "scripts"
TSC = CHECKER / "node_modules" / ".bin" / "tsc"
INSTALL = "npm ci --prefix tests/scripts"
STATIC = Path(rendering.__file__).parent / "static"
LOGIC = sorted((CHECKER / "static").glob("*.test.js"))


def settings() -> dict[str, Any]:
    """The settings of our checker."""
    return dict(json.loads((CHECKER / "tsconfig.json").read_text()))


def checked(project: Path) -> subprocess.CompletedProcess[str]:
    """Run the checker on a project; the test is skipped without it, and fails where CI=true."""
    missing = "no node" if shutil.which("node") is None else "" if TSC.exists() else "no tsc"
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"{missing}: {INSTALL}")
    if missing:
        pytest.skip(f"{missing}: {INSTALL}")
    return subprocess.run([TSC, "-p", project], capture_output=True, text=True, check=False)


def test_the_scripts_of_the_pages_have_no_fault_of_types() -> None:
    found = checked(CHECKER / "tsconfig.json")
    assert (found.returncode, found.stdout) == (0, "")


def test_a_script_takes_nothing_untyped(tmp_path: Path) -> None:
    """Our settings, on a script with a fault on its first two lines."""
    files = [str(CHECKER / name) for name in settings()["files"]]
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings() | {"files": files, "include": ["*.js"]}))
    lines = [
        "export const twice = (n) => 2 * n;",
        "/** @type {TargetShown} */ export const aim = { order: 'R1 ahead', target: { act: 'fly' } };",
        "/** @type {TargetShown} */ export const other = { order: 'R1 ahead', target: { act: 'move' } };",
    ]
    (tmp_path / "one.js").write_text("\n".join(lines))
    said = checked(tmp_path).stdout
    assert [int(line.partition("(")[2].partition(",")[0]) for line in said.splitlines()] == [1, 2]


def test_every_script_is_checked() -> None:
    (pattern,) = settings()["include"]
    assert {path.name for path in CHECKER.glob(pattern)} == set(SCRIPTS)


def test_the_types_of_islands_are_those_of_the_server() -> None:
    assert script_types.TYPES.read_text() == script_types.made(), "run: python -m tests.script_types"


@pytest.mark.parametrize("path", LOGIC, ids=lambda path: path.name)
def test_the_logic_of_a_script(path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("no node")
    ran = subprocess.run(["node", "--test", str(path)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (STATIC / path.name.replace(".test.", ".")).exists()


def test_what_the_checker_is_there_for_is_found(tmp_path: Path) -> None:
    """Our settings, on a script with one fault a line."""
    files = {"files": [str(CHECKER / "browser.d.ts")], "include": ["*.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings() | files))
    (tmp_path / "one.js").write_text(
        "/** @type {(n: number) => number} */\nexport function twice(n) {\n  return 2 * n;\n}\n"
    )
    lines = [
        'import { twice, twize } from "./one.js";',
        "export const surplus = twice(1, 2);",
        "export const unknown = thrice(1);",
        'export const misspelt = "text".lenght;',
        "const unused = twize;",
    ]
    (tmp_path / "two.js").write_text("\n".join([*lines, 'document.querySelector("a").value = 1;']))
    said = checked(tmp_path).stdout
    assert [int(line.partition("(")[2].partition(",")[0]) for line in said.splitlines()] == [1, 2, 3, 4, 5]


def test_no_address_of_a_registry_is_kept() -> None:
    """Whoever installs the checker takes it from the registry they have set up."""
    kept = json.loads((CHECKER / "package-lock.json").read_text())
    assert all("resolved" not in package for package in kept["packages"].values())
    assert all("integrity" in package for name, package in kept["packages"].items() if name)
