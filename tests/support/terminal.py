"""A program in a real terminal: tmux draws what it writes, and presses its keys."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import waiting

ROOT = Path(__file__).parents[2]
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


@contextmanager
def terminal(folder: Path) -> Iterator[Terminal]:
    """A terminal; without tmux the test is skipped, and fails where CI=true."""
    if shutil.which("tmux") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("tmux is missing")
        pytest.skip("tmux is missing")
    yield Terminal(folder)
    subprocess.run(["tmux", "-S", str(folder / "tmux"), "kill-server"], capture_output=True, check=False)
