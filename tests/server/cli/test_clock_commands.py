"""`phalera clock`: the operator asks whether the clock is believed, and says that it is right."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import main
from server.settings import Settings
from server.sole import sole_server
from server.time.clock_doubts import ClockDoubts
from server.watched_clock import WatchedClock
from tests.support.clock import ManualClock


class Host:
    """A data folder that is served, and its clock."""

    def __init__(self, folder: Path) -> None:
        self.settings = Settings.at(folder, {})
        self.machine = ManualClock()
        self.clock = WatchedClock(self.machine)
        self.doubts = ClockDoubts(self.clock, self.settings)

    def run(self, *words: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["clock", *words, "--data", str(self.settings.data)])
        return done.exit_code, done.output


@pytest.fixture
def host(tmp_path: Path) -> Host:
    (tmp_path / "data").mkdir(mode=0o700)
    return Host(tmp_path / "data")


def test_without_a_server_there_is_nothing_to_say(host: Host) -> None:
    for word in ("show", "confirm"):
        code, said = host.run(word)
        assert code == 2
        assert "No server runs on" in said


def test_a_clock_that_is_believed_needs_no_word(host: Host) -> None:
    with sole_server(host.settings):
        host.doubts.look()
        code, said = host.run("show")
        assert (code, said.startswith("The clock is believed: 20")) == (0, True)
        code, said = host.run("confirm")
        assert (code, said.startswith("Nobody doubts the clock")) == (0, True)
    assert not (host.settings.data / "clock-confirmed").exists()


def test_the_operator_is_told_of_a_doubt_and_ends_it(host: Host) -> None:
    with sole_server(host.settings):
        host.machine.step(days=10)
        assert host.doubts.look() is not None
        code, said = host.run("show")
        assert code == 1
        assert "The clock was set forward by 10 days while the server ran" in said
        assert "phalera clock confirm" in said
        code, said = host.run("show", "--json")
        found = json.loads(said)
        assert (code, found["doubt"]["kind"], found["doubt"]["off_ms"]) == (1, "parted", 864_000_000)
        assert re.fullmatch(r"20\d\d-.*Z", found["now"])
        code, said = host.run("confirm")
        assert (code, said.startswith("The clock is confirmed at 20")) == (0, True)
        assert host.doubts.look() is None
        assert host.clock.now() == host.machine.now()
        assert host.run("show")[0] == 0


def test_a_word_that_was_left_before_the_start_ends_no_later_doubt(host: Host) -> None:
    with sole_server(host.settings):
        host.machine.step(days=10)
        host.doubts.look()
        host.run("confirm")
        host.doubts.look()
        again = ClockDoubts(WatchedClock(host.machine), host.settings)
        host.machine.step(days=10)
        assert again.look() is not None
        assert again.look() is not None
