"""The trips of the tour lead where they say: each module is there, and has what stands behind it in brackets."""

import re
from pathlib import Path

from tests.support.looping import some

ROOT = Path(__file__).parents[1]
TOUR = (ROOT / "docs" / "tour.md").read_text()
STATIC = ROOT / "server" / "web" / "pages" / "static"
NAMED = re.compile(r"`([\w/]+\.(?:py|js))`\s+\(((?:`[\w.]+`(?:, )?)+)\)")


def named() -> list[tuple[Path, str]]:
    """The modules of the tour with what it names in each; a script may stand without its folder."""
    found: list[tuple[Path, str]] = []
    for module, names in NAMED.findall(TOUR):
        path = ROOT / module if "/" in module else STATIC / module
        found += [(path, name.rpartition(".")[2]) for name in re.findall(r"`([\w.]+)`", names)]
    return found


def test_what_the_tour_names_in_a_module_is_there() -> None:
    for path, name in some(named()):
        assert re.search(rf"\b(?:def|class|function|const) {name}\b|^{name} =", path.read_text(), re.M), (
            path.name,
            name,
        )
    assert len(named()) >= 10


def test_the_tour_has_a_click_and_a_read_model_in_it() -> None:
    click = TOUR.partition("## A click")[2].partition("\n## ")[0]
    stops = ["showing.py", "board.js", "aims.js", "tray.js", "page.js", "`post_orders`", "server/play/service.py"]
    assert [click.index(stop) for stop in stops] == sorted(click.index(stop) for stop in stops)
    reads = TOUR.partition("## A list")[2].partition("\n## ")[0]
    assert "projections/runner.py" in reads and "projections/lobby.py" in reads
