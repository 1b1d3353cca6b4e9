"""What a player looks at: steps, what each side knew, curves, keys of draws, notes beside the file."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from domain.contract.ruleset import NOBODY
from domain.events.battle import CardDrawn, DieRolled, OrderAccepted, PhaseBegan, TurnBegan, Unsealed
from replay import battle_file
from replay.battle_file import BattleFile
from replay.player.keys_out import DrawKeys
from replay.player.marks import LONGEST, Marks
from replay.player.playback import Playback
from replay.player.views import BARS, CHECKED, NOT_OUT, OUT, WRONG, ProofView, sparkline
from replay.reports import plain
from tests.support.lanes import thinned
from tests.support.looping import some

GOLDEN = Path(__file__).parents[2] / "golden"
GAMES = ("medals", "singidunum-goal", "warmaster-volleys")


@cache
def battle(name: str) -> BattleFile:
    return battle_file.parse((GOLDEN / f"{name}.battle").read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(GAMES, 3))
def test_sentences_are_those_of_the_plain_replay(name):
    playback = Playback(battle(name))
    for line in some(plain.lines(battle(name), 1, battle(name).last)):
        assert playback.said(line.n) == line.said


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("how", "kind"), [("turn", TurnBegan), ("phase", (PhaseBegan, TurnBegan))])
def test_steps_visit_every_event_of_a_kind_both_ways(name, how, kind):
    playback = Playback(battle(name))
    wanted = [one.n for one in battle(name).events if isinstance(one.event, kind)]
    playback.go(1)
    visited = []
    while playback.n < playback.last:
        playback.step(how, True)
        visited.append(playback.n)
    assert visited[:-1] == wanted[wanted[0] == 1 :]
    back = []
    while playback.n > 1:
        playback.step(how, False)
        back.append(playback.n)
    assert [n for n in back if n > 1] == [n for n in reversed(wanted) if n > 1]


def test_an_input_step_stops_at_orders():
    playback = Playback(battle("medals"))
    playback.go(12)
    playback.step("input", True)
    assert isinstance(playback.now.event, OrderAccepted)


@pytest.mark.parametrize("unit", ['"', 'R1" luck:x', 'R1 "', "unit:", "’", "\\", "[a-"])
def test_a_unit_of_any_characters_can_be_asked_for(unit):
    playback = Playback(battle("warmaster-volleys"))
    assert playback.follow(unit) is False
    assert playback.unit == ""


def test_it_never_leaves_the_battle():
    playback = Playback(battle("medals"))
    for n, expected in ((-5, 1), (0, 1), (10**9, playback.last)):
        playback.go(n)
        assert playback.n == expected


def test_a_side_sees_its_own_secrets_and_not_those_of_the_other():
    sealed = {one.by: one.n for one in battle("singidunum-goal").events if one.type == "ArmyComposed"}
    playback = Playback(battle("singidunum-goal"))
    said = {}
    for side in ("south", "north", NOBODY):
        playback.side = side
        said[side] = {by: playback.said(n) for by, n in sealed.items()}
    for side, other in (("south", "north"), ("north", "south")):
        assert said[side][side] != said[NOBODY][side]
        assert said[side][other] == said[NOBODY][other]


def test_a_side_sees_the_table_as_it_knew_it_then():
    placed = next(one.n for one in battle("singidunum-goal").events if one.type == "UnitDeployed")
    playback = Playback(battle("singidunum-goal"))
    playback.go(placed)
    seen = {}
    for side in ("south", "north", NOBODY):
        playback.side = side
        seen[side] = len(playback.scene().tokens)
    assert seen["south"] != seen["north"]
    assert seen[NOBODY] == min(seen.values())


@pytest.mark.slow
def test_it_reads_on_bit_by_bit_to_the_same_end():
    one, other = Playback(battle("medals")), Playback(battle("medals"))
    rounds = 1
    while one.read_on():
        rounds += 1
    other.read_all()
    assert rounds > 2
    one.search("destroyed")
    other.search("destroyed")
    assert one.found == other.found
    assert one.tallies.of == other.tallies.of


def test_the_curve_ends_with_the_tally_of_the_last_turn():
    playback = Playback(battle("medals"))
    playback.read_all()
    turns = [one.n for one in battle("medals").events if isinstance(one.event, TurnBegan)]
    assert len(playback.tallies.until(turns[3], "south")) == 4
    assert playback.tallies.until(turns[0], "north") == [playback.tallies.highest]


def test_a_search_for_nothing_finds_nothing_to_go_to():
    playback = Playback(battle("medals"))
    playback.go(5)
    playback.search("")
    playback.next_found(True)
    assert (playback.n, playback.found) == (5, [])


def test_bars_go_from_nothing_to_the_highest():
    assert sparkline([0, 3, 6, 9, -1], 6) == BARS[0] + BARS[3] + BARS[7] * 2 + BARS[0]
    assert sparkline([0, 0], 0) == BARS[0] * 2


# --- a battle that goes on


def growing(name: str, events: int) -> tuple[Playback, Callable[[], BattleFile]]:
    """A look at the first events of a battle, and what makes the battle of it that it is later."""
    content = (GOLDEN / f"{name}.battle").read_bytes()
    lines = content.splitlines(keepends=True)
    begun = battle_file.parse(b"".join(lines[: events + 1]))
    playback = Playback(begun)
    added = [line.rstrip(b"\n") for line in lines[events + 1 : -1]]
    return playback, lambda: battle_file.extended(begun, added, "", "it")


def test_who_looks_at_the_end_goes_on_and_nobody_else():
    playback, later = growing("medals", 400)
    playback.extend(later())
    assert playback.n == playback.last == 760
    playback, later = growing("medals", 400)
    playback.go(399)
    playback.extend(later())
    assert playback.n == 399


@pytest.mark.slow
def test_what_was_looked_at_before_is_the_same_as_of_the_whole_battle():
    playback, later = growing("medals", 400)
    playback.read_on()
    playback.follow("R1")
    playback.extend(later())
    playback.read_all()
    whole = Playback(battle("medals"))
    whole.read_all()
    assert playback.tallies == whole.tallies
    assert playback.keys_out._of == whole.keys_out._of
    playback.search("unit:R1 card:10")
    whole.search("unit:R1 card:10")
    assert playback.found == whole.found
    whole.follow("R1")
    assert playback.of_unit == whole.of_unit
    playback.follow("")
    for how in ("input", "turn", "phase"):
        for one in (playback, whole):
            one.go(399)
            one.step(how, True)
        assert playback.n == whole.n


def test_what_is_opened_later_is_known_further_back():
    events = battle("singidunum-goal").events
    sealed = next(one.n for one in events if one.type == "ArmyComposed" and one.by == "south")
    opened = next(one.n for one in events if isinstance(one.event, Unsealed) and one.event.n == sealed)
    playback, later = growing("singidunum-goal", opened - 1)
    playback.side = "south"
    before = playback.said(sealed)
    playback.extend(later())
    assert playback.said(sealed) != before


# --- proof


@pytest.mark.parametrize("name", GAMES)
def test_every_draw_of_an_ended_battle_can_be_recomputed(name):
    keys = DrawKeys(battle(name).events)
    draws = [one.n for one in battle(name).events if isinstance(one.event, (CardDrawn, DieRolled))]
    assert len(keys) == len(draws)
    assert all(battle(name).events[keys.disclosed(n) - 1].type in ("KeyDisclosed", "MasterRevealed") for n in draws)
    assert not keys.is_draw(1)


def test_the_key_of_the_running_turn_is_not_out():
    events = battle("medals").events
    draw = next(one.n for one in events if isinstance(one.event, CardDrawn))
    disclosed = DrawKeys(events).disclosed(draw)
    assert disclosed > draw
    assert DrawKeys(events[:draw]).disclosed(draw) == DrawKeys(events[: disclosed - 1]).disclosed(draw) == 0
    assert DrawKeys(events[:disclosed]).disclosed(draw) == disclosed


def test_a_draw_without_its_key_is_marked_so(monkeypatch):
    playback = Playback(battle("medals"))
    draw = next(one.n for one in battle("medals").events if isinstance(one.event, CardDrawn))
    monkeypatch.setattr(playback, "keys_out", DrawKeys(battle("medals").events[:draw]))
    assert ProofView(True).state(playback, draw) == NOT_OUT
    assert ProofView().state(playback, 1) == " "


def test_a_draw_is_marked_by_what_verify_has_said():
    playback = Playback(battle("medals"))
    draws = [one.n for one in battle("medals").events if isinstance(one.event, CardDrawn)]
    assert ProofView().state(playback, draws[0]) == OUT
    assert ProofView(True).state(playback, draws[0]) == CHECKED
    assert ProofView(True, last=draws[1]).state(playback, draws[2]) == OUT  # it came after the check
    faulty = ProofView(True, draws[2])
    assert [faulty.state(playback, n) for n in draws[1:4]] == [CHECKED, WRONG, OUT]
    assert NOT_OUT not in {ProofView().state(playback, n) for n in draws}


# --- notes


def test_notes_are_kept_with_the_lines_that_people_wrote(tmp_path):
    file = tmp_path / "a.battle"
    notes = tmp_path / "a.battle.notes"
    notes.write_bytes(b"# mine \xff\n12: first\nnonsense\n")
    marks = Marks.beside(str(file))
    assert marks.notes == {12: "first"}
    marks.set(5, "  two\nlines  ")
    marks.set(12, "")
    marks.set(7, "x" * 10_000)
    assert notes.read_bytes() == b"# mine \xff\n5: two lines\nnonsense\n7: " + b"x" * LONGEST + b"\n"


def test_a_line_that_is_not_a_note_stays_where_it_stands(tmp_path):
    notes = tmp_path / "a.battle.notes"
    notes.write_text("# the opening\n12: first\n\n# the centre\n40: second\n", encoding="utf-8")
    marks = Marks.beside(str(tmp_path / "a.battle"))
    marks.set(40, "changed")
    marks.set(20, "between")
    there = "# the opening\n12: first\n\n# the centre\n20: between\n40: changed\n"
    assert notes.read_text(encoding="utf-8") == there


def test_a_note_that_cannot_be_written_is_not_there(tmp_path):
    (tmp_path / "a.battle.notes").mkdir()
    marks = Marks.beside(str(tmp_path / "a.battle"))
    with pytest.raises(IsADirectoryError):
        marks.set(3, "lost")
    assert marks.notes == {}


@pytest.mark.parametrize("name", ["-", "https://example.org/battles/x"])
def test_what_is_not_a_file_has_notes_in_memory_only(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    marks = Marks.beside(name)
    marks.set(3, "here")
    assert marks.notes == {3: "here"}
    assert list(tmp_path.iterdir()) == []
