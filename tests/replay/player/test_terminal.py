"""The player in a real terminal: tmux draws what the program writes, and presses its keys."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.terminal import ROOT, Terminal, terminal

FILE = ROOT / "tests" / "golden" / "medals.battle"


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Terminal]:
    with terminal(tmp_path) as found:
        yield found


@pytest.fixture
def copy(tmp_path: Path) -> str:
    return shutil.copy(FILE, str(tmp_path / "medals.battle"))


def test_it_is_driven_by_keys(tmux: Terminal, copy: str) -> None:
    tmux.start((80, 24), "replay", copy)
    tmux.until("> ")
    tmux.until("Event 1 of 760")
    tmux.press("g")
    tmux.until("Event:")
    tmux.press("405", "Enter")
    screen = tmux.until("Event 405 of 760")
    assert ">405" in screen
    assert "Needed: last card 3, +1 to beat it = 4" in screen
    tmux.press("/")
    tmux.until("Search:")
    tmux.press("-l", "unit:R1 card:10")
    tmux.press("Enter")
    assert "Event 527 of 760" in tmux.until("Found: 3 events")
    tmux.press("Left")
    tmux.until("Event 526 of 760")
    tmux.press("]")
    tmux.until(">557")
    tmux.press("w")
    tmux.until("╭")
    tmux.press("w")
    tmux.until("\n 2  .")
    tmux.press("q")
    tmux.until_it_ends()


@pytest.mark.parametrize(("environment", "is_coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_it_has_the_colours_of_the_terminal_or_none(
    tmux: Terminal, copy: str, environment: dict[str, str], is_coloured: bool
) -> None:
    tmux.start((80, 24), "replay", copy, **environment, TERM="screen", COLORTERM="")
    tmux.until("Event 1 of 760")
    styled = tmux.screen(styled=True)
    assert ("\x1b[31m" in styled) == ("\x1b[34m" in styled) == is_coloured
    assert "[38;" not in styled  # none but the sixteen


def test_plain_in_a_terminal_prints_and_ends(tmux: Terminal, copy: str) -> None:
    tmux.start((80, 24), "replay", copy, "--plain", "--to", "6")
    tmux.until("Not yet begun.")
    tmux.until_it_ends()


def test_a_dumb_terminal_gets_the_text(tmux: Terminal, copy: str) -> None:
    tmux.start((80, 24), "replay", copy, TERM="dumb")
    tmux.until("Lost: N2, N4, N6 and G4.")
    tmux.until_it_ends()
