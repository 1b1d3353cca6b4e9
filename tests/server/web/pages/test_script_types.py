"""The types of the scripts of the pages, checked by `tsc` (docs/decisions/0021-types-of-scripts.md)."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[3]
CHECKER = TESTS / "scripts"
TSC = CHECKER / "node_modules" / ".bin" / "tsc"
INSTALL = "npm ci --prefix tests/scripts"


def checked(project: Path) -> subprocess.CompletedProcess[str]:
    """Run the checker on a project; the test is skipped without it, and fails where CI=true."""
    missing = "no node" if shutil.which("node") is None else "" if TSC.exists() else "no tsc"
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"{missing}: {INSTALL}")
    if missing:
        pytest.skip(f"{missing}: {INSTALL}")
    return subprocess.run([TSC, "-p", project], capture_output=True, text=True, check=False)


def test_the_scripts_of_the_pages_have_no_fault_of_types() -> None:
    found = checked(CHECKER)
    assert (found.returncode, found.stdout) == (0, "")


def test_what_the_checker_is_there_for_is_found(tmp_path: Path) -> None:
    """Our settings, on a script with one fault a line."""
    settings = json.loads((CHECKER / "tsconfig.json").read_text())
    settings |= {"files": [str(CHECKER / "browser.d.ts")], "include": ["*.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    (tmp_path / "one.js").write_text("export function twice(n) {\n  return 2 * n;\n}\n")
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
