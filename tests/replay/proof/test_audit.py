"""The rules judge every block, and something sealed excuses only what it can explain."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, structs

from domain.basics.commands import Command, Resign
from domain.catalogue import RULESETS
from domain.contract.dispute_lines import words_of
from domain.contract.ruleset import OpeningRules, OrderRules, PlayRules, Presentation, Ruleset
from domain.contract.scene import Scene
from domain.engine.judge import Judge
from domain.engine.state import GameState, standing_order
from domain.events import battle as core
from domain.events.battle import (
    INPUTS,
    BattleEnded,
    CardDrawn,
    DecisionAsked,
    DecisionMade,
    Event,
    Fact,
    OrderAccepted,
    StandingOrderSet,
    Unsealed,
)
from domain.log.record import Recorded
from domain.run.timeline import Timeline
from replay.proof.audit import AuditFault, audit
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from tests.golden.__main__ import SCRIPT_KEYS, script
from tests.support.lanes import thinned
from tests.support.looping import some

AT = "2026-01-01T00:00:00.000Z"
TTS = RULESETS["tts"]
SEALED = "00" * 32


@cache
def running(name: str, bot: str, orders: int, seed: str = "a") -> tuple[Recorded, ...]:
    """The public log of a battle of two bots, not over."""
    scenario = {key: value for key, value in script(name).items() if key not in SCRIPT_KEYS}
    battle = OfflineBattle(TTS, scenario, SeededClock(seed), SeededEntropy(seed), "")
    for side in ("south", "north"):
        battle.seat_bot(side, bot)
    for _ in range(orders):
        battle.bot_order()
    return tuple(battle.events())


@cache
def ended(name: str, bot: str, orders: int) -> tuple[Recorded, ...]:
    """The same, given up."""
    scenario = {key: value for key, value in script(name).items() if key not in SCRIPT_KEYS}
    battle = OfflineBattle(TTS, scenario, SeededClock("a"), SeededEntropy("a"), "")
    for side in ("south", "north"):
        battle.seat_bot(side, bot)
    for _ in range(orders):
        battle.bot_order()
    battle.order(battle.to_act[0], "resign")
    return tuple(battle.events())


def changed(log: Sequence[Recorded], n: int, **members: Any) -> list[Recorded]:
    """The log with event `n` told otherwise."""
    entry = log[n - 1]
    return [*log[: n - 1], structs.replace(entry, event=structs.replace(entry.event, **members)), *log[n:]]


def fault_of(ruleset: Ruleset, log: Sequence[Recorded]) -> tuple[int, str]:
    with pytest.raises(AuditFault) as caught:
        audit(ruleset, log)
    return caught.value.n, caught.value.what


# --- real battles


@pytest.mark.parametrize(("name", "bot"), [("phases", "sensible"), ("blind", "random"), ("phases", "random")])
@pytest.mark.slow
def test_a_true_battle_holds_at_the_end_of_every_block(name, bot):
    log = running(name, bot, 60)
    ends = [n for n in range(1, len(log) + 1) if n == len(log) or type(log[n].event) in INPUTS]
    for end in some(ends[::4]):
        report = audit(TTS, log[:end])
        opened = {entry.event.n for entry in log[:end] if isinstance(entry.event, Unsealed)}
        for n, by in report.excused:
            assert by < n
            assert getattr(log[by - 1].event, "sealed", UNSET) is not UNSET and by not in opened


@pytest.mark.parametrize("name", ["phases", "blind"])
def test_once_it_is_over_everything_is_judged_and_nothing_excused(name):
    log = ended(name, "random", 60)
    report = audit(TTS, log)
    assert (report.not_judged, report.excused) == ((), ())
    assert report.judged == 1 + sum(type(entry.event) in INPUTS for entry in log)


@pytest.mark.parametrize("kind", thinned(["UnitMoved", "CorpsBegan", "TurnBegan", "ActivationPassed", "UnitTurned"], 2))
def test_what_is_sealed_elsewhere_excuses_no_other_breach(kind):
    """A battle with hidden hands, in the turns: every plain fact is still judged."""
    log = running("phases", "sensible", 100)
    report = audit(TTS, log)
    assert report.not_judged
    excused = {n for n, _ in report.excused}
    found = [
        entry for entry in log if entry.type == kind and entry.n not in excused and entry.n > report.not_judged[-1]
    ]
    entry = found[-1]
    member = next(name for name in entry.event.__struct_fields__ if isinstance(getattr(entry.event, name), str))
    assert fault_of(TTS, changed(log, entry.n, **{member: "X"}))[0] <= entry.n


def test_a_fact_left_out_is_a_fault_though_something_is_sealed():
    log = running("phases", "sensible", 100)
    places = [entry.n for entry in log if entry.type == "UnitMoved"]
    cut = places[-1]
    shorter = [*log[: cut - 1], *(structs.replace(entry, n=entry.n - 1) for entry in log[cut:])]
    assert fault_of(TTS, shorter)[1] in ("event-differs", "event-missing", "draw-unused", "draw-missing", "not-allowed")


# --- a game of one question


class Poke(Command, frozen=True, tag="poke"):
    """Poke the other side, which flinches or does not."""


class Flinch(Command, frozen=True, tag="flinch"):
    """Answer."""

    ANSWERS = "flinch"

    answer: str


class Poked(Event, frozen=True):
    RULE = "POKE-1"

    answer: str


def step_poked(judge: Judge[GameState], answer: str) -> None:
    judge.emit(Poked(answer))


def decide_poke(judge: Judge[GameState], side: str, command: Poke) -> None:
    order = standing_order(judge.state, "north", "flinch")
    if order is None:
        judge.ask(DecisionAsked("north", "flinch", "", ("yes", "no")), "poked")
        return
    judge.emit(DecisionMade("north", "flinch", "", order.value, True, set_by=order.n), "north")
    judge.emit(Poked(order.value))


LINES: dict[str, Command] = {"flinch": Flinch("no"), "resign": Resign()}
"""What a line is read as; `write` loses the answer."""
POKE = Ruleset(
    code="poke",
    version="1",
    title="Poke",
    opening=OpeningRules(begin=lambda judge: judge.emit(core.TurnBegan("south", 1), "south")),
    rules=PlayRules(
        initial=GameState(phase="play", active="south"),
        evolutions={Poked: lambda state, event: state},
        steps={"poked": step_poked},
    ),
    orders=OrderRules(
        decisions={
            Poke: decide_poke,
            Flinch: lambda judge, side, command: judge.resume(
                DecisionMade(side, "flinch", "", command.answer, False), side, answer=command.answer
            ),
        },
        parse=lambda line: LINES.get(line, Poke()),
        write=lambda command, lang: str(command.__struct_config__.tag),
        options=lambda state, side: [],
    ),
    shown=Presentation(view=lambda state, side: Scene(1, 1, ()), narrate=lambda state, fact: None),  # type: ignore[arg-type,return-value]
)
OPENED = core.BattleOpened(ruleset="poke")
ASKED = DecisionAsked("north", "flinch", "", ("yes", "no"), pending=(("poked", {}),))


def order(text: Any = "poke", side: str = "south", **more: Any) -> OrderAccepted:
    return OrderAccepted(side, 0, 1, "ann", "api", "k", **({"text": text, "command": {"order": text}} | more))


def answered(by: int) -> tuple[Event, ...]:
    return DecisionMade("north", "flinch", "", "yes", True, set_by=by), Poked("yes")


HIDDEN_ORDER = OrderAccepted("north", 0, 1, "bo", "api", "k", sealed=SEALED)
HIDDEN = StandingOrderSet("north", "flinch", sealed=SEALED)


def said(line: str, side: str = "south") -> OrderAccepted:
    """An order of a dispute."""
    return order(line, side, command=msgspec.to_builtins(words_of(line)))


def deciding(monkeypatch, *facts: tuple[str, Event]) -> None:
    """Have the engine decide these facts, each with its author, for every order of a dispute."""
    decided = tuple(Fact(by, event.RULE, event) for by, event in facts)
    monkeypatch.setattr("replay.proof.audit.decide_dispute", lambda ruleset, battle, past, spoken: decided)


def log_of(*events: Event) -> list[Recorded]:
    def author(event: Event) -> str:
        return getattr(event, "side", "server") if not isinstance(event, (DecisionAsked, Poked)) else "server"

    return [
        Recorded(n, AT, author(event), getattr(event, "RULE", ""), type(event).__name__, event)
        for n, event in enumerate(events, 1)
    ]


def older_order_open() -> tuple[Event, ...]:
    """Event 3 is a standing order that has answered once and is open; event 9 another, sealed."""
    public = StandingOrderSet("north", "flinch", sealed=SEALED)
    return (
        OPENED,
        HIDDEN_ORDER,
        public,
        order(),
        *answered(3),
        Unsealed(3, "00", {"unit": "", "value": "yes"}),
        HIDDEN_ORDER,
        HIDDEN,
    )


def test_an_older_standing_order_answers():
    assert audit(POKE, log_of(*older_order_open(), order(), *answered(3))).excused == ()


def test_a_newer_sealed_one_explains_that_the_older_did_not_answer():
    report = audit(POKE, log_of(*older_order_open(), order(), ASKED))
    assert (report.excused, report.not_judged) == (((11, 9),), (2, 8))


@pytest.mark.parametrize(
    "follows",
    [
        (structs.replace(ASKED, options=("yes",)),),
        (structs.replace(ASKED, pending=()),),
        (ASKED, Poked("no")),
        (Poked("no"),),
        (DecisionMade("north", "flinch", "", "no", True, set_by=9), Poked("no")),
        (),
    ],
    ids=["options", "pending", "more", "no question", "an answer that is not open", "nothing"],
)
def test_and_nothing_else(follows):
    assert fault_of(POKE, log_of(*older_order_open(), order(), *follows))[0] in (10, 11, 12)


def test_a_standing_order_on_another_question_explains_nothing():
    events = list(older_order_open())
    events[8] = StandingOrderSet("north", "duck", sealed=SEALED)
    assert fault_of(POKE, log_of(*events, order(), ASKED)) == (11, "event-differs")


def test_one_that_a_rewind_has_taken_back_explains_nothing(monkeypatch):
    rewound = core.RulingGiven("d1", "so", "rewind 7"), core.Rewound(7, "d1")
    deciding(monkeypatch, *(("server", event) for event in rewound))
    back = (said("rule d1 rewind 7 so", "umpire"), *rewound)
    assert fault_of(POKE, log_of(*older_order_open(), *back, order(), ASKED)) == (14, "event-differs")


def test_once_it_is_over_a_sealed_one_explains_nothing():
    over = (order("resign"), core.SideResigned("south"), BattleEnded("north", "resignation"))
    assert fault_of(POKE, log_of(*older_order_open(), order(), ASKED, *over)) == (11, "event-differs")


def test_however_much_is_sealed_an_excuse_is_found_in_a_few_steps(monkeypatch):
    asked = 0
    counts = Timeline.counts

    def counted(self: Timeline, n: int) -> bool:
        nonlocal asked
        asked += 1
        return counts(self, n)

    monkeypatch.setattr(Timeline, "counts", counted)
    sealed = [event for _ in range(300) for event in (HIDDEN_ORDER, HIDDEN)]
    answer = OrderAccepted("north", 0, 1, "bo", "api", "k", text="flinch", command={"order": "flinch", "answer": "no"})
    answers = answer, DecisionMade("north", "flinch", "", "no", False), Poked("no")
    asking = [event for _ in range(300) for event in (order(), ASKED, *answers)]
    assert len(audit(POKE, log_of(*older_order_open(), *sealed, *asking)).excused) == 300
    assert asked <= 2 * 300


# --- what an order says


@pytest.mark.parametrize(("answer", "fault"), [("no", None), ("yes", (4, "text-differs"))])
def test_a_command_is_what_its_text_is_read_as(answer, fault):
    given = OrderAccepted("north", 0, 1, "bo", "api", "k", text="flinch", command={"order": "flinch", "answer": answer})
    log = log_of(OPENED, order(), ASKED, given, DecisionMade("north", "flinch", "", answer, False), Poked(answer))
    if fault:
        assert fault_of(POKE, log) == fault
    else:
        assert audit(POKE, log).judged == 3


# --- what must not have been sealed


def test_an_order_that_is_no_secret_must_not_have_been_sealed():
    hidden = order(text=UNSET, command=UNSET, sealed=SEALED)
    opening = Unsealed(2, "00", {"text": "poke", "command": {"order": "poke"}})
    assert fault_of(POKE, log_of(OPENED, hidden, ASKED, opening)) == (2, "sealed-without-need")


def test_an_event_that_is_no_secret_must_not_have_been_sealed():
    card = CardDrawn(
        deck="d", epoch=1, index=1, purpose="", unit="", scope="draw:south", t=0, remaining=3, sealed=SEALED
    )
    opening = Unsealed(3, "00", {"card": "2c1"})
    assert fault_of(POKE, log_of(OPENED, HIDDEN_ORDER, card, opening)) == (3, "sealed-without-need")


# --- what is not for the rules


def test_what_follows_from_an_order_of_a_dispute_is_judged(monkeypatch):
    deciding(monkeypatch, ("server", core.DisputeSettled("d1", "withdrawn")))
    events = (OPENED, order(), ASKED, said("withdraw d1"))
    assert audit(POKE, log_of(*events, core.DisputeSettled("d1", "withdrawn"))).judged == 3
    assert fault_of(POKE, log_of(*events, core.DisputeSettled("d1", "declined"))) == (5, "event-differs")
    assert fault_of(POKE, log_of(*events)) == (4, "event-missing")


def test_an_order_of_a_dispute_that_may_not_be_given_is_a_fault():
    events = (OPENED, order(), ASKED, said("withdraw d1"), core.DisputeSettled("d1", "withdrawn"))
    assert fault_of(POKE, log_of(*events)) == (4, "not-allowed")


@pytest.mark.parametrize(
    "mixed",
    [
        (order(), core.DisputeSettled("d1", "lapsed"), ASKED),
        (order(), ASKED, core.DisputeSettled("d1", "lapsed")),
        (order("resign"), core.DisputeSettled("d1", "lapsed"), BattleEnded("south", "all")),
        (core.ClockFired("deadline", "north"), core.DisputeSettled("d1", "lapsed")),
    ],
)
def test_no_word_of_settlement_keeps_the_rules_from_judging_the_rest(mixed):
    assert fault_of(POKE, log_of(OPENED, *mixed))[0] in (2, 3, 4)


def test_a_ruling_that_sets_facts_is_judged_by_its_line():
    ruling = (OPENED, said("rule d1 correct so", "umpire"), core.RulingGiven("d1", "so", "correct"))
    assert fault_of(POKE, log_of(*ruling, core.Corrected("d1", ()))) == (2, "not-allowed")
    assert fault_of(POKE, log_of(*ruling)) == (2, "not-allowed")


def test_an_umpire_named_with_the_opening_is_left_out():
    assert audit(POKE, log_of(OPENED, core.UmpireNamed("cleo", "Cleo", "opening"))).judged == 1
    assert fault_of(POKE, log_of(OPENED, core.UmpireNamed("cleo", "Cleo", "opening"), Poked("no")))[0] == 3


@pytest.mark.parametrize(("event", "what"), [(core.Rewound(9), "bad-rewind"), (Unsealed(1, "00", {}), "bad-opening")])
def test_what_names_an_event_that_it_cannot_mean_is_named(event, what, monkeypatch):
    decided = [core.RulingGiven("d1", "", "none"), *([event] if isinstance(event, core.Rewound) else [])]
    deciding(monkeypatch, *(("server", one) for one in decided))
    log = log_of(OPENED, order(), ASKED, said("rule d1 none"), core.RulingGiven("d1", "", "none"), event)
    assert fault_of(POKE, log) == (6, what)
