"""A demo fights a whole battle, the same one for the same seed."""

import pytest

from domain.basics.data import parse_toml, scenario_text
from domain.basics.errors import BrokenInvariant, Refusal
from domain.basics.toml_text import to_toml
from domain.contract.ruleset import NOBODY
from replay.proof.verify import NOT_ALL_JUDGED, OK, verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import SeededClock
from server.offline import demo
from tests.support.fought import fought
from tests.support.tiny import TTS, tiny_battle

LIVELY = 2
"""A seed whose battle goes on for some turns."""
LEAST_TURNS = 6


@pytest.fixture(scope="module")
def battle():
    return fought(TTS, "skirmish", LIVELY)


@pytest.mark.slow
def test_the_battle_is_fought_to_its_end_and_lasts(battle):
    game = battle.recording.battle.game
    assert battle.recording.battle.ended
    assert game.how in ("medals", "turn-limit")
    assert game.turn >= LEAST_TURNS


@pytest.mark.slow
def test_its_file_holds(battle):
    report = verify(battle.file())
    assert (report.exit, report.fault) == (OK, None)
    assert report.draws == report.checked > 0


@pytest.fixture
def short(tmp_path):
    """A scenario file of a battle that one turn decides."""
    path = tmp_path / "short.toml"
    path.write_text(to_toml({**parse_toml(scenario_text("tts", "skirmish"), ""), "options": {"turn_limit": 1}}))
    return str(path)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_and_another_one_others(short):
    first, same, other = (fought(TTS, short, seed).file() for seed in (1, 1, 2))
    assert first == same != other


@pytest.mark.slow
def test_two_sensible_bots_fight_unless_others_are_named(battle):
    assert [seat.name for seat in battle.recording.battle.seats.values()] == ["Sensible bot", "Sensible bot"]


@pytest.mark.slow
def test_a_scenario_file_gives_the_battle_of_its_name(battle, tmp_path):
    path = tmp_path / "skirmish.toml"
    path.write_text(scenario_text("tts", "skirmish"))
    assert fought(TTS, str(path), LIVELY).file() == battle.file()


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(Refusal) as refused:
        fought(TTS, str(tmp_path / "nowhere.toml"))
    assert refused.value.code == "core.bad-toml"


def test_which_side_is_which_comes_from_the_options(short):
    battle = fought(TTS, short, 1, {"south": "sensible", "north": "random"})
    assert [seat.name for seat in battle.recording.battle.seats.values()] == ["Sensible bot", "Random bot"]


@pytest.mark.slow
def test_the_default_battle_is_told_turn_by_turn():
    blocks = list(demo.tell(fought(TTS)))
    assert sum(block.startswith("\n---") for block in blocks) >= LEAST_TURNS


@pytest.mark.slow
def test_it_is_told_with_a_board_at_each_turn(battle):
    blocks = list(demo.tell(battle))
    turns = [block for block in blocks if block.startswith("\n--- Turn")]
    assert len(turns) == sum(one.type == "TurnBegan" for one in battle.events())
    assert all("facing;" in block for block in turns)
    assert "medals left" in blocks[-1]


def test_a_scenario_that_does_not_exist_is_refused():
    with pytest.raises(Refusal) as refused:
        fought(TTS, "waterloo")
    assert refused.value.code == "core.unknown-scenario"


def test_a_battle_without_end_is_a_fault_of_ours(monkeypatch):
    monkeypatch.setattr(demo, "MOST_ORDERS", 3)
    with pytest.raises(BrokenInvariant, match="no end"):
        fought(TTS, "skirmish", 1)


def test_seeded_entropy_repeats_itself_for_its_seed_only():
    one, same, other = SeededEntropy("a"), SeededEntropy("a"), SeededEntropy("b")
    values = [one.bytes(32) for _ in range(50)]
    assert values == [same.bytes(32) for _ in range(50)]
    assert len(set(values)) == 50
    assert values[0] != other.bytes(32)
    assert [len(one.bytes(size)) for size in (1, 16, 33, 100)] == [1, 16, 33, 100]


def test_a_seeded_clock_never_goes_back():
    clock = SeededClock("a")
    times = [clock.now() for _ in range(100)]
    assert times == sorted(times)


def test_a_running_battle_can_be_saved():
    battle = tiny_battle()
    report = verify(battle.file())
    assert (report.exit, report.fault) == (NOT_ALL_JUDGED, None)
    assert battle.ruleset.secrets.known(battle.recording.battle.game, NOBODY) is not None
