"""An umpire sets facts: the lines, what they may say, and what follows from them."""

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from benchmarks.random_play import Dealt
from domain.basics.data import read_toml
from domain.basics.errors import BrokenInvariant, Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import NOBODY
from domain.disputes.corrections import MOST_LINES, canonical, corrected, in_language, read_line, write_line
from domain.events.battle import Corrected, TurnBegan, TurnEnded
from domain.games.singidunum.state.board import SCRUB, Ground
from domain.games.singidunum.state.state import is_in_base
from domain.games.to_the_strongest.state.state import Ambush, Camp, with_unit_in
from domain.mechanics import hex as hexes
from domain.run.decide import beginning, evolve, opening, proceeding
from tests.support.playing import TTS, battle

PAGE = (Path(__file__).parents[3] / "docs" / "corrections.md").read_text()
TITLES = {"tts": "To the Strongest!", "singidunum": "Singidunum", "warmaster-shooting": "Warmaster: the shooting phase"}


def section(code: str) -> str:
    """What the page says of a game."""
    return PAGE.partition(f"\n## {TITLES[code]}\n")[2].partition("\n## ")[0]


def lines_of(code: str) -> dict[str, str]:
    """The lines in the table of a game, and the French ones; words in brackets stand for the last one."""
    found: dict[str, str] = {}
    for row in re.findall(r"^\| (`set .*?) \| (.*?) \|", section(code), re.M):
        english, french = ([*spelled(cell)] for cell in row)
        found |= dict(zip(english, french, strict=False))
    return found


def spelled(cell: str) -> Iterator[str]:
    line = ""
    for word in re.findall(r"`(.*?)`", cell):
        line = word if not line or word.split()[0] in ("set", "fixe") else f"{line.rpartition(' ')[0]} {word}"
        yield line


ALL = [(code, line, french) for code in TITLES for line, french in lines_of(code).items()]


def moment(at=10, seed=0):
    """A state in the turns of a small battle, with nobody asked."""
    moments = [m for m in battle("skirmish", seed).moments if m.state.phase == "turns" and not m.state.waiting]
    return moments[at].state


def after(ruleset, state, text, docket="d1"):
    for fact in corrected(ruleset, state, docket, canonical(ruleset, text)):
        state = evolve(ruleset, state, fact.event, state.n + 1)
    return state


def refused(state, text, ruleset=TTS):
    with pytest.raises(Refusal) as raised:
        corrected(ruleset, state, "d1", canonical(ruleset, text))
    return raised.value.code


# --- lines


@pytest.mark.parametrize(("code", "line", "french"), ALL)
def test_a_line_is_read_and_written_in_both_languages(code: str, line: str, french: str):
    ruleset = RULESETS[code]
    setting = read_line(ruleset, line)
    assert read_line(ruleset, french) == setting
    assert (write_line(ruleset, setting), write_line(ruleset, setting, "fr")) == (line, french)


@pytest.mark.parametrize(
    "text",
    [
        "set R1 box e4 facing E; set medals south 5 because the charge was misread",
        "the charge was misread\nset R1 box E4 facing east\nset medals south 5",
        "set R1 box E4 facing east because the charge\n  set medals south 5  # as agreed\nwas misread",
        "because the charge was misread;FIXE R1 case E4 face est;fixe médailles sud 5",
    ],
)
def test_however_it_is_written_a_ruling_has_one_form(text: str):
    form = "set R1 box E4 facing east; set medals south 5 because the charge was misread"
    assert canonical(TTS, text) == form
    assert canonical(TTS, form) == form


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "core.correct-nothing"),
        ("as I said", "core.correct-nothing"),
        ("set R1", "core.parse"),
        ("set R1 box E4 facing up", "core.parse"),
        ("set R1 card 10", "core.parse"),
        ("set deck south", "core.parse"),
        ("set turn", "core.parse"),
        ("set medals server 5", "core.parse"),
        ("\n".join(["set turn ended"] * (MOST_LINES + 1)), "core.correct-too-much"),
    ],
)
def test_what_is_not_a_line_is_refused(text: str, code: str):
    assert refused(moment(), text) == code


def test_a_game_without_corrections_refuses_them():
    bare = replace(TTS, corrections=type(TTS.corrections)())
    assert refused(moment(), "set medals south 5", bare) == "core.not-correctable"


# --- what follows


def test_the_facts_are_those_of_the_lines_and_change_what_they_say():
    state = moment()
    unit = next(unit for unit in state.units.values() if unit.box)
    facts = corrected(TTS, state, "d7", f"set {unit.id} box A1 facing west; set medals south 2")
    assert [(fact.by, fact.rule) for fact in facts] == [("server", "CORE-CORRECT")]
    event: Any = facts[0].event
    assert event.docket == "d7"
    assert [name for name, _ in event.facts] == ["UnitPlaced", "MedalsSet"]
    then = after(TTS, state, f"set {unit.id} box A1 facing west; set medals south 2")
    assert (then.units[unit.id].box, then.units[unit.id].facing) == ("A1", "W")
    assert then.boxes["A1"] == (unit.id,)
    assert then.armies["south"].medals == 2
    assert then.n == state.n + 1


def test_a_turn_is_ended_by_what_ends_every_turn():
    state = moment()
    facts = corrected(TTS, state, "d1", "set turn ended")
    assert [type(fact.event) for fact in facts] == [Corrected, TurnEnded, TurnBegan]
    then = after(TTS, state, "set turn ended")
    assert then.active != state.active
    assert then.t == state.t + 1


def test_units_may_change_places():
    state = moment()
    one, other = [u for u in state.units.values() if u.box and len(state.boxes[u.box]) == 1 and u.side == "south"][:2]
    text = f"set {one.id} box {other.box} facing north; set {other.id} box {one.box} facing north"
    then = after(TTS, state, text)
    assert (then.units[one.id].box, then.units[other.id].box) == (other.box, one.box)


def pending():
    return next(m.state for seed in range(4) for m in battle("motley", seed).moments if m.state.waiting)


@pytest.mark.slow
def test_a_question_that_waits_must_be_withdrawn():
    state = pending()
    line = "set medals south 1" if state.armies["south"].medals != 1 else "set medals south 2"
    assert refused(state, line) == "core.correct-pending"
    then = after(TTS, state, f"{line}\nset decision withdrawn")
    assert then.waiting is None
    assert TTS.orders.options(TTS.secrets.known(then, then.active), then.active)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("set XX box E4", "core.unknown-id"),
        ("set {unit} box Z26", "core.off-board"),
        ("set {unit} box {enemy}", "tts.box-has-enemy"),
        ("set {unit} losses 9", "core.correct-number"),
        ("set {unit} losses {losses}", "core.correct-unchanged"),
        ("set medals south 0", "core.correct-number"),
        ("set medals south 9999", "core.correct-number"),
        ("set turn ended; set medals south 1", "core.correct-last"),
        ("set decision withdrawn", "core.correct-no-decision"),
        ("set general XX box E4", "core.unknown-id"),
    ],
)
def test_what_cannot_be_is_refused(text: str, code: str):
    state = moment()
    unit = next(unit for unit in state.units.values() if unit.box and unit.side == "south")
    enemy = next(unit for unit in state.units.values() if unit.box and unit.side == "north")
    assert refused(state, text.format(unit=unit.id, enemy=enemy.box, losses=unit.losses)) == code


def test_nothing_is_set_before_the_turns_nor_after_the_end():
    moments = battle("skirmish", 0).moments
    fresh = TTS.rules.initial
    assert refused(fresh, "set turn ended") == "core.not-begun"
    assert refused(replace(moment(), phase="deployment"), "set turn ended") == "core.correct-phase"
    over = replace(moments[-1].state, winner="south", phase="ended")
    assert refused(over, "set turn ended") == "core.battle-ended"


def test_what_everybody_knows_leads_to_the_same_facts():
    state = moment()
    text = "set medals south 1; set turn ended"
    assert corrected(TTS, TTS.secrets.known(state, NOBODY), "d1", text) == corrected(TTS, state, "d1", text)


@pytest.mark.parametrize(
    "fact",
    [
        ("MedalsSet", {"side": "south", "before": 1}),
        ("MedalsSet", {"side": "south", "before": 1, "left": "2"}),
        ("MedalsSet", {"side": "south", "before": 1, "left": 2, "more": 3}),
        ("CardDrawn", {}),
        ("BattleEnded", {"winner": "south", "how": "umpire"}),
        ("UnitMoved", {}),
        ("Corrected", {"docket": "d1", "facts": []}),
    ],
)
def test_no_other_fact_stands_under_a_correction(fact: tuple[str, dict[str, Any]]):
    with pytest.raises(BrokenInvariant):
        evolve(TTS, moment(), Corrected("d1", (fact,)), 99)


# --- the other games


def begun(code: str, name: str) -> Any:
    """The first state of a packaged battle in which somebody is to act."""
    ruleset = RULESETS[code]
    state: Any = ruleset.rules.initial
    chance = Dealt(random.Random(1))
    facts = opening(ruleset, read_toml(code, "scenarios", f"{name}.toml"))
    for step in (lambda s: beginning(ruleset, s), lambda s: proceeding(ruleset, s, chance)):
        for fact in facts:
            state = evolve(ruleset, state, fact.event, state.n + 1)
        facts = step(state)
    for fact in facts:
        state = evolve(ruleset, state, fact.event, state.n + 1)
    return state


@pytest.mark.parametrize("code", TITLES)
def test_the_example_of_the_page_can_be_read(code: str):
    example = section(code).partition("```\nrule d1 correct\n")[2].partition("```")[0]
    assert canonical(RULESETS[code], example) == "; ".join(example.splitlines())


def test_hexes_faces_points_and_who_acts():
    ruleset, state = RULESETS["singidunum"], begun("singidunum", "two-lines")
    one, other = [unit for unit in state.units.values() if unit.side == "south" and unit.hex][:2]
    text = f"set {one.id} hex {other.hex}; set {other.id} hex {one.hex}; set {one.id} activated"
    then = after(ruleset, state, f"{text}; set points south 1.5; set active north")
    assert (then.units[one.id].hex, then.units[other.id].hex) == (other.hex, one.hex)
    assert (then.places[other.hex], then.units[one.id].activated) == (one.id, True)
    assert (then.half_vp["south"], then.active) == (3, "north")
    assert refused(state, f"set {one.id} hex {other.hex}", ruleset) == "singidunum.correct-taken"
    ended = after(ruleset, then, "set turn ended")
    assert (ended.turn, ended.t, ended.units[one.id].activated) == (state.turn + 1, state.t + 1, False)


def test_a_unit_that_is_gone_is_back():
    for code, name, back in (
        ("singidunum", "two-lines", "set {unit} hex {hex}"),
        ("warmaster-shooting", "two-lines", "set {stand} at {x},{y}"),
    ):
        ruleset, state = RULESETS[code], begun(code, name)
        unit = next(unit for unit in state.units.values() if unit.side == "south")
        gone = after(ruleset, state, f"set {unit.id} removed")
        assert not gone.units[unit.id].alive
        stand = unit.stands[0] if code != "singidunum" else None
        x, y = (length / 10 for length in stand.base.at) if stand else (0, 0)
        hex_ = unit.hex if not stand else ""
        line = back.format(unit=unit.id, hex=hex_, stand=stand.id if stand else "", x=x, y=y)
        assert after(ruleset, gone, line).units[unit.id].alive


def test_places_and_marks_on_a_table():
    ruleset, state = RULESETS["warmaster-shooting"], begun("warmaster-shooting", "two-lines")
    unit = next(unit for unit in state.units.values() if unit.side == "south")
    x, y = (length / 10 for length in unit.stands[0].base.at)
    then = after(ruleset, state, f"set {unit.id} at {x},{y - 1}; set {unit.id} confused; set {unit.id} shot")
    moved = then.units[unit.id]
    steps = {one.base.at[1] - two.base.at[1] for one, two in zip(unit.stands, moved.stands, strict=True)}
    assert steps == {10}
    assert (moved.confused, moved.shot) == (True, True)
    other = next(other for other in state.units.values() if other.side == "north")
    east, north = (length / 10 for length in other.stands[0].base.at)
    assert refused(state, f"set {unit.stands[0].id} at {east},{north + 1}", ruleset) == "wms.correct-overlap"
    assert refused(state, f"set {unit.id} at 999,0", ruleset) == "wms.off-table"
    assert refused(state, f"set {unit.id} wounds 1", ruleset) == "core.correct-number"


def test_a_unit_does_not_stand_in_a_camp_of_the_enemy():
    state = moment()
    unit = next(unit for unit in state.units.values() if unit.side == "south" and unit.box)
    state = replace(state, camps={**state.camps, "E5": Camp("north", "I", "E5")}, boxes={**state.boxes, "E5": ()})
    assert refused(state, f"set {unit.id} box E5") == "tts.correct-camp"


def test_hexes_burn_in_a_base_and_nobody_stands_where_units_flee():
    ruleset, state = RULESETS["singidunum"], begun("singidunum", "two-lines")
    plain = next(hex_ for hex_ in hexes.XY if hexes.on_board(state.board, hex_) and not is_in_base(state, hex_))
    assert refused(state, f"set hex {plain} burned", ruleset) == "singidunum.correct-base"
    unit = next(unit for unit in state.units.values() if unit.side == "south" and unit.hex)
    scrub = replace(state, markers={}, terrain={**state.terrain, plain: Ground(SCRUB)})
    assert refused(scrub, f"set {unit.id} hex {plain}", ruleset) == "singidunum.correct-ground"


def test_what_lies_in_ambush_is_not_set():
    ruleset, state = RULESETS["singidunum"], begun("singidunum", "two-lines")
    unit = next(unit for unit in state.units.values() if unit.side == "south" and unit.hex)
    hidden = replace(state, units={**state.units, unit.id: replace(unit, hex="")})
    assert refused(hidden, f"set {unit.id} activated", ruleset) == "singidunum.correct-unseen"


def test_stands_wounds_phases_and_sides_that_cannot_be():
    ruleset, state = RULESETS["warmaster-shooting"], begun("warmaster-shooting", "two-lines")
    unit = next(unit for unit in state.units.values() if unit.side == "south")
    gone = after(ruleset, state, f"set {unit.stands[0].id} removed")
    assert refused(gone, f"set {unit.stands[0].id} removed", ruleset) == "wms.correct-stand"
    hurt = replace(state, units={**state.units, unit.id: replace(unit, open=unit.kind.hits, total=unit.kind.hits)})
    assert refused(hurt, f"set {unit.id} shot", ruleset) == "wms.correct-wounds"
    assert refused(state, "set phase command", ruleset) == "wms.correct-phase"
    everybody = "; ".join(f"set {one.id} removed" for one in state.units.values() if one.side == "north")
    assert refused(state, everybody, ruleset) == "core.correct-end"


# --- what is hidden


def with_ambush(state, box):
    """A state in which the first northern unit lies in ambush in a box."""
    hidden = next(unit for unit in state.units.values() if unit.side == "north" and unit.box)
    state = with_unit_in(state, hidden, "")
    return hidden.id, replace(state, ambushes=(Ambush("north", (hidden.id,), box, 1, 1),))


def test_what_is_hidden_stands_in_the_way_and_is_not_told():
    name, state = with_ambush(moment(), "A4")
    unit = next(unit for unit in state.units.values() if unit.side == "south" and unit.box)
    with pytest.raises(Refusal) as raised:
        corrected(TTS, state, "d1", f"set {unit.id} box A4")
    assert (raised.value.code, raised.value.params) == ("core.correct-hidden", {})
    known = TTS.secrets.known(state, NOBODY)
    assert corrected(TTS, known, "d1", f"set {unit.id} box A4")  # who does not know of it sees nothing against it
    assert refused(state, f"set {name} box A1") == refused(known, f"set {name} box A1") == "tts.unit-gone"


def test_a_unit_off_the_field_may_be_brought_back_and_one_that_is_hidden_not():
    state = moment()
    unit = next(unit for unit in state.units.values() if unit.side == "south" and unit.box)
    away = with_unit_in(state, replace(unit, off_turns=2, left_box="A1", left_edge="S", paid=1), "")
    then = after(TTS, away, f"set {unit.id} box A1 facing north")
    back = then.units[unit.id]
    assert (back.box, back.off_turns, back.left_box, back.paid) == ("A1", 0, "", 1)
    gone = after(TTS, state, f"set {unit.id} removed")
    again = after(TTS, gone, f"set {unit.id} box A1 facing north; set {unit.id} losses 0")
    assert (again.units[unit.id].alive, again.units[unit.id].losses, again.boxes["A1"]) == (True, 0, (unit.id,))


@pytest.mark.slow
def test_a_general_whose_unit_is_taken_away_must_be_set_too():
    state = next(m.state for m in battle("motley", 0).moments if m.state.phase == "turns" and not m.state.waiting)
    general = next(g for g in state.generals.values() if g.attached)
    other = next(u for u in state.units.values() if u.side == general.side and u.box and u.id != general.attached)
    text = f"set {general.attached} removed"
    assert refused(state, text) == "tts.correct-general"
    then = after(TTS, state, f"{text}; set general {general.id} with {other.id}; set general {general.id} wound light")
    assert (then.generals[general.id].riding, then.generals[general.id].attached) == (other.id, "")
    assert then.generals[general.id].wound == "light"


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"deck_mode": "each_turn"}, "shuffle"),
        ({"turn_limit": 1}, "limit"),
    ],
)
def test_no_turn_ends_that_would_bring_something_about(changed: dict[str, Any], fault: str):
    state = moment()
    state = replace(state, options=replace(state.options, **changed))
    with pytest.raises(Refusal) as raised:
        corrected(TTS, state, "d1", "set turn ended")
    assert (raised.value.code, raised.value.params) == ("core.correct-turn", {"fault": fault})


def test_no_turn_ends_with_which_a_stray_would_be_lost():
    state = moment()
    unit = next(unit for unit in state.units.values() if unit.side == state.active and unit.box)
    state = with_unit_in(state, replace(unit, off_turns=1, left_box="A1", left_edge="S"), "")
    assert refused(state, "set turn ended") == "core.correct-turn"
    assert after(TTS, state, f"set {unit.id} removed; set turn ended").active != state.active


# --- whatever somebody writes

WORDS = st.sampled_from(
    [
        "set",
        "fixe",
        "set",
        "R1",
        "N2",
        "G1",
        "SHI-1",
        "R1-2",
        "box",
        "case",
        "E4",
        "D4",
        "Z99",
        "hex",
        "facing",
        "face",
        "east",
        "est",
        "O",
        "front",
        "losses",
        "pertes",
        "-1",
        "0",
        "1",
        "9999",
        "ammo",
        "formation",
        "mur",
        "removed",
        "general",
        "général",
        "with",
        "attached",
        "wound",
        "aucune",
        "medals",
        "south",
        "sud",
        "turn",
        "ended",
        "tour",
        "fini",
        "decision",
        "withdrawn",
        "points",
        "3.5",
        "at",
        "12,-3.5",
        "en",
        "phase",
        "shooting",
        "because",
        "car",
        ";",
        "#",
        "\n",
        "é",
        "🙂",
    ]
)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(st.sampled_from(sorted(TITLES)), st.lists(WORDS, max_size=14))
def test_whatever_is_written_is_set_or_refused_and_has_one_form(code: str, words: list[str]):
    ruleset, text = RULESETS[code], " ".join(words)
    try:
        form = canonical(ruleset, text)
    except Refusal:
        return
    assert canonical(ruleset, form) == form
    assert canonical(ruleset, in_language(ruleset, form, "fr")) == form
    try:
        after(ruleset, states()[code], form)
    except Refusal:
        return


@cache
def states() -> dict[str, Any]:
    return {
        "tts": moment(),
        "singidunum": begun("singidunum", "two-lines"),
        "warmaster-shooting": begun("warmaster-shooting", "two-lines"),
    }
