"""The player in a real terminal: tmux draws what the program writes, and presses its keys."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import waiting

ROOT = Path(__file__).parents[3]
FILE = ROOT / "tests" / "golden" / "medals.battle"
PAUSE_S = 0.2
"""Between two looks at the screen."""


class Terminal:
    """A window of a tmux server of its own."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "tmux"

    def tmux(self, *arguments: str) -> str:
        """What a command of tmux prints."""
        command = ["tmux", "-S", str(self._socket), "-f", "/dev/null", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=waiting.LIMIT_S, check=True)
        return done.stdout

    def start(self, size: tuple[int, int], *arguments: str, **environment: str) -> None:
        """Run `phalera` in a window of so many columns and lines; it stays when the program has ended."""
        variables = [f"{name}={value}" for name, value in {**environment, "PYTHONPATH": str(ROOT)}.items()]
        command = ["env", *variables, sys.executable, "-m", "server.cli", *arguments]
        self.tmux(
            "new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), *command, ";", "set", "remain-on-exit", "on"
        )

    def screen(self, *, styled: bool = False) -> str:
        """What stands on the screen; `styled` with the codes for colours."""
        return self.tmux("capture-pane", "-p", *(["-e"] if styled else []))

    def until(self, text: str) -> str:
        """Wait for a text; the screen that has it."""
        return waiting.until(text, lambda: self._with(text), self.screen)

    def _with(self, text: str) -> str | None:
        time.sleep(PAUSE_S)
        screen = self.screen()
        return screen if text in screen else None

    def until_it_ends(self) -> str:
        """Wait until the program has ended; the last screen."""
        return waiting.until("the end", self._when_dead, self.screen)

    def _when_dead(self) -> str | None:
        # not by the words "Pane is dead": tmux may miss the signal that a child has ended
        time.sleep(PAUSE_S)
        return self.screen() if self.tmux("list-panes", "-F", "#{pane_dead}").strip() == "1" else None

    def press(self, *keys: str) -> None:
        """Press keys as tmux names them."""
        self.tmux("send-keys", *keys)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Terminal]:
    """A terminal; without tmux the test is skipped, and fails where CI=true."""
    if shutil.which("tmux") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("tmux is missing")
        pytest.skip("tmux is missing")
    terminal = Terminal(tmp_path)
    yield terminal
    subprocess.run(["tmux", "-S", str(tmp_path / "tmux"), "kill-server"], capture_output=True, check=False)


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
