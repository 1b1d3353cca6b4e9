"""What an umpire sets stands in the battle file as the umpire's line says it, and nothing else does."""

import random
import tomllib
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from benchmarks.random_play import Dealt
from domain.basics.data import read_toml
from domain.basics.errors import BrokenInvariant, Refusal
from domain.contract.ruleset import NOBODY
from domain.disputes.corrections import canonical, corrected
from domain.events.battle import BattleEnded, Corrected, DecisionWithdrawn, Event, Fact, TurnBegan, TurnEnded
from domain.run.bots import BOTS
from domain.run.decide import to_act
from replay.proof import verdict
from replay.proof.verify import OK, Report, verify
from replay.telling.why import explain, to_text
from replay.telling.words.telling import tell
from tests.support.lanes import thinned
from tests.support.playing import MOTLEY
from tests.support.umpire import Umpired

of = pytest.mark.parametrize


def played(orders: int = 12, seed: int = 1, scenario: str = "") -> Umpired:
    """A battle, else a skirmish, in its turns, with an umpire and nobody asked."""
    table = tomllib.loads(scenario) if scenario else read_toml("tts", "scenarios", "skirmish.toml")
    battle = Umpired(table, seed)
    play(battle, orders, seed)
    battle.name_umpire()
    while battle.game.waiting:
        play(battle, 1, seed)
    return battle


def play(battle: Umpired, orders: int, seed: int = 1) -> None:
    """So many orders of chance, or up to the end."""
    pick, ruleset = random.Random(seed), battle.ruleset
    for _ in range(orders):
        if battle.game.winner is not None:
            return
        side = to_act(ruleset, battle.game)[0]
        known = ruleset.secrets.known(battle.game, side)
        listed = ruleset.orders.options(known, side)
        battle.order(side, BOTS["random"](ruleset, known, side, listed, Dealt(pick)))


def unit_of(battle: Umpired, side: str = "south") -> Any:
    return next(unit for unit in battle.game.units.values() if unit.side == side and unit.box)


def judged(battle: Umpired) -> Report:
    return verify(battle.file())


# --- what is right


@pytest.mark.slow
def test_a_battle_with_a_correction_holds_and_the_verdict_counts_the_facts():
    battle = played()
    battle.correct(f"set {unit_of(battle).id} box A1 facing west; set medals south 2; set turn ended because of fog")
    play(battle, 3000)
    report = judged(battle)
    assert (report.exit, report.fault, report.corrected) == (OK, None, 2)
    assert "Set by the umpire and taken as given: 2 facts." in list(verdict.lines(report))


def test_the_fold_of_the_file_is_the_battle_that_went_on():
    battle = played()
    battle.correct(f"set {unit_of(battle).id} removed\nset turn ended")
    play(battle, 20)
    game = battle.recording.battle.game
    assert battle.again().battle.game == game
    assert battle.folded("south").now.game == battle.ruleset.secrets.known(game, "south")
    assert battle.folded(NOBODY).now.game == battle.ruleset.secrets.known(game, NOBODY)


@pytest.mark.slow
def test_a_decision_is_withdrawn_and_play_goes_on():
    battle = played(0, scenario=MOTLEY)
    for seed in range(200):
        play(battle, 1, seed)
        if battle.game.waiting:
            break
    assert battle.game.waiting
    battle.correct("set decision withdrawn")
    assert battle.game.waiting is None
    play(battle, 3000)
    assert judged(battle).exit == OK


@of(
    ("lang", "said"),
    [
        ("en", "The umpire sets what follows (d1). South has 2 medals, not 6. Corps I"),
        ("fr", "L’arbitre fixe ce qui suit (d1). Le Sud a 2 médailles, et non 6."),
    ],
)
def test_a_correction_is_told_fact_by_fact(lang: str, said: str):
    battle = played()
    before = battle.game
    facts = corrected(battle.ruleset, before, "d1", "set medals south 2")
    assert tell(battle.ruleset, before, facts[0], lang) == said.partition(" Corps")[0]


def test_a_turn_that_is_ended_by_itself_is_told_so():
    battle = played()
    facts = corrected(battle.ruleset, battle.game, "d1", "set turn ended")
    assert tell(battle.ruleset, battle.game, facts[0]) == "The umpire ends the turn (d1)."


def test_why_tells_what_was_set_by_whose_line():
    battle = played()
    before = battle.game
    battle.correct("set medals south 2 because of fog")
    log = battle.recording.timeline.events
    n = next(entry.n for entry in log if entry.type == "Corrected")
    told = to_text(explain(battle.ruleset, before, log[:n], lang="fr"), "fr")
    assert "Le Sud a 2 médailles" in told
    assert "CORE-CORRECT" in told


def test_a_ruling_is_read_in_the_readers_words():
    battle = played()
    before = battle.game
    battle.correct("set medals south 2 because of fog")
    ruling = next(entry for entry in battle.recording.timeline.events if entry.type == "RulingGiven")
    fact = Fact(ruling.by, ruling.rule, ruling.event)
    assert "fixe médailles sud 2 car of fog" in tell(battle.ruleset, before, fact, "fr")


# --- what is forged

LINE = "set medals south 2"
MEDALS = ("MedalsSet", {"side": "south", "before": 6, "left": 2})


def facts_of(*facts: tuple[str, dict[str, Any]], docket: str = "d1") -> Fact:
    return Fact("server", "CORE-CORRECT", Corrected(docket, facts))


def turn(*events: Event) -> list[Fact]:
    rules = {"TurnEnded": "TTS-TRN-06", "TurnBegan": "TTS-TRN-02"}
    return [Fact("server", rules[type(event).__name__], event) for event in events]


FORGED: dict[str, tuple[str, Callable[[Umpired], Sequence[Fact]], str]] = {
    "another number": (LINE, lambda b: [facts_of(("MedalsSet", {**MEDALS[1], "left": 5}))], "event-differs"),
    "a fact more": (LINE, lambda b: [facts_of(MEDALS, ("UnitRemoved", {"unit": "R1", "box": "C2"}))], "event-differs"),
    "a fact less": (LINE, lambda b: [facts_of()], "event-differs"),
    "another docket": (LINE, lambda b: [facts_of(MEDALS, docket="d2")], "no-authority"),
    "another author": (LINE, lambda b: [replace(facts_of(MEDALS), by="umpire")], "event-differs"),
    "another rule": (LINE, lambda b: [replace(facts_of(MEDALS), rule="TTS-MED-02")], "event-differs"),
    "twice": (LINE, lambda b: [facts_of(MEDALS), facts_of(MEDALS)], "no-authority"),
    "a turn that nobody ended": (
        LINE,
        lambda b: [facts_of(MEDALS), *turn(TurnEnded("south", b.game.turn), TurnBegan("north", b.game.turn + 1))],
        "event-without-cause",
    ),
    "a turn that did not end": ("set turn ended", lambda b: [facts_of()], "event-missing"),
    "the other's turn twice": (
        "set turn ended",
        lambda b: [facts_of(), *turn(TurnEnded(b.game.active, b.game.turn), TurnBegan(b.game.active, b.game.turn + 1))],
        "event-differs",
    ),
    "nothing in the line": ("as I said", lambda b: [facts_of(MEDALS)], "not-allowed"),
    "another form": ("fixe médailles sud 2", lambda b: [facts_of(MEDALS)], "not-allowed"),
    "too many medals": (
        "set medals south 7",
        lambda b: [facts_of(("MedalsSet", {**MEDALS[1], "left": 7}))],
        "not-allowed",
    ),
    "no medals": ("set medals south 0", lambda b: [facts_of(("MedalsSet", {**MEDALS[1], "left": 0}))], "not-allowed"),
    "a unit beside the enemy": (
        "set R1 box {enemy} facing north",
        lambda b: [
            facts_of(
                (
                    "UnitPlaced",
                    {"unit": "R1", "box": unit_of(b, "north").box, "facing": "N", "place": "rear", "losses": 0},
                )
            )
        ],
        "not-allowed",
    ),
    "a card": (LINE, lambda b: [facts_of(("CardDrawn", {"deck": "south"}))], "not-correctable"),
    "an end": (LINE, lambda b: [facts_of(("BattleEnded", {"winner": "south", "how": "x"}))], "not-correctable"),
    "an end behind it": (
        LINE,
        lambda b: [facts_of(MEDALS), Fact("server", "TTS-WIN-01", BattleEnded("south", "medals"))],
        "no-authority",
    ),
    "a fact of another shape": (LINE, lambda b: [facts_of(("MedalsSet", {"side": "south"}))], "event-differs"),
    "a fact of no game": (LINE, lambda b: [facts_of(("Conjured", {"unit": "R1"}))], "event-differs"),
    "a fact that is no set fact": (
        LINE,
        lambda b: [facts_of(("UnitDisordered", {"unit": "R1", "losses": 1, "steps": 2, "cause": "shot"}))],
        "event-differs",
    ),
    "a withdrawal by itself": (
        LINE,
        lambda b: [Fact("server", "CORE-CORRECT", DecisionWithdrawn("south", "evade", "R1"))],
        "mixed-settlement",
    ),
    "a ruling without facts": (LINE, lambda b: [], "event-missing"),
}


@of("name", thinned(FORGED, 8))
def test_no_forged_correction_holds(name: str):
    line, facts, what = FORGED[name]
    battle = played()
    form = line.format(enemy=unit_of(battle, "north").box)
    forge(battle, form, facts(battle))
    report = judged(battle)
    assert (report.fault.what if report.fault else "") == what


def forge(battle: Umpired, form: str, facts: Sequence[Fact]) -> None:
    """Enter a ruling with facts; if nobody can fold them they are only written."""
    try:
        battle.rule(form, *facts)
    except BrokenInvariant:
        battle.rule(form)
        battle.write(*facts)


def test_a_line_in_canonical_form_is_what_the_host_writes():
    battle = played()
    with pytest.raises(Refusal):
        battle.correct("set medals south 99")
    assert canonical(battle.ruleset, "fixe médailles sud 2") == LINE
