"""A terminal shows a battle in colours and at a pace; everything else gets the same words as plain text."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.basics.data import parse_toml, scenario_text
from domain.basics.toml_text import to_toml
from replay.proof.verify import OK, verify
from server.offline import demo, showing
from server.offline.terminal import Terminal, sides_of, sit_down
from tests.support.fought import fought
from tests.support.terminal import Terminal as Tmux
from tests.support.terminal import terminal
from tests.support.tiny import TTS

CODE = re.compile(r"\x1b\[[0-9;]*m")
BOTS = {"south": "sensible", "north": "sensible"}


@pytest.fixture
def short(tmp_path: Path) -> str:
    """A scenario file of a battle that one turn decides."""
    path = tmp_path / "short.toml"
    path.write_text(to_toml({**parse_toml(scenario_text("tts", "skirmish"), ""), "options": {"turn_limit": 1}}))
    return str(path)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    with terminal(tmp_path) as found:
        yield found


@pytest.mark.slow
def test_colours_change_no_word(short):
    battle = fought(TTS, short, 1)
    plain, coloured = "\n".join(demo.tell(battle)), "\n".join(demo.tell(battle, showing.in_colours))
    assert CODE.sub("", coloured) == plain
    assert "\x1b" not in plain
    assert re.search(r"\x1b\[1;31mR\d", coloured)
    assert re.search(r"\x1b\[1;34mN\d", coloured)
    assert "\x1b[38;" not in coloured  # none but the sixteen
    orders = [line for line in coloured.splitlines() if CODE.sub("", line).startswith("> ")]
    assert orders
    assert all(line.startswith("\x1b[1") for line in orders)


@pytest.mark.slow
def test_a_battle_that_is_watched_is_the_one_that_is_told(short):
    watched = demo.seated(TTS, short, 1, BOTS)
    seen = list(demo.watch(watched))
    battle = fought(TTS, short, 1)
    assert watched.file() == battle.file()
    assert seen == list(demo.tell(battle))


def test_a_board_stays_longer_than_a_sentence():
    told: list[str] = []
    waited: list[float] = []
    showing.paced(["one", "a\nb\nc\nd\ne", "two"], told.append, 4, waited.append)
    assert told == ["one", "a\nb\nc\nd\ne", "two"]
    assert waited == [0.25, 0.25 * showing.LINES_OF_A_BOARD, 0.25]


def test_what_may_be_long_is_told_in_one_piece():
    told: list[str] = []
    long: list[str] = []
    lines = iter(["?", "log 5", "why", "help", "quit"])
    battle = sit_down(TTS, "skirmish", "south", "sensible", 1)
    session = Terminal(
        battle, sides_of("south"), lambda prompt: next(lines), told.append, showing.in_colours, long.append
    )
    session.run()
    options, log, why, helped = long
    assert "needs 2: 72 of 80, 90%" in options
    assert "\x1b[1;31mR1" in options
    assert CODE.sub("", options).count("\n") > 30
    assert log.count("\n") == 4
    assert "Rule " in why
    assert "the battle is saved" in helped
    assert not any("needs" in block for block in told)


# --- for real


@pytest.mark.slow
@pytest.mark.parametrize(("environment", "is_coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_demo_is_watched_in_a_terminal_and_control_and_c_goes_to_its_end(
    tmux: Tmux, tmp_path: Path, short: str, environment: dict[str, str], is_coloured: bool
) -> None:
    file = tmp_path / "short.battle"
    tmux.start((99, 60), "demo", "--scenario", short, "--seed", "1", "--pace", "1", "--out", str(file), **environment)
    tmux.until("> South: ")
    assert "--- Turn 1: South" in tmux.screen()
    assert ("\x1b[31m" in tmux.screen(styled=True)) == is_coloured
    assert not file.exists()
    tmux.press("C-c")
    tmux.until(" bytes.")
    tmux.until_it_ends()
    assert verify(file.read_bytes()).exit == OK
    assert file.read_bytes() == fought(TTS, short, 1).file()


@pytest.mark.slow
def test_a_long_list_goes_through_the_pager(tmux: Tmux) -> None:
    tmux.start((80, 24), "play", "--scenario", "skirmish", "--seed", "1", LESS="", PAGER="less -R")
    tmux.until("South, turn 1>")
    tmux.press("?", "Enter")
    screen = tmux.until("  20  ")
    assert screen.rstrip().endswith(":")
    tmux.press("q")
    tmux.until("South, turn 1>")
