"""The examples of the library's page and the cells of its notebook run as they stand."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import phalera

DOCS = Path(__file__).parents[2] / "docs"


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", (DOCS / "library.md").read_text(encoding="utf-8"), re.S)
    assert len(examples) == 4
    names: dict[str, Any] = {}
    exec("\n".join(examples), names)
    assert phalera.verify(tmp_path / "my.battle").exit == 0


def test_the_cells_of_the_notebook_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = json.loads((DOCS / "examples" / "library.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert names["battle"].ended
    assert names["read"].last == phalera.open_file(tmp_path / "my.battle").last
