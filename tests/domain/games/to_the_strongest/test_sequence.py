"""The sequence of play is what the game does: its phases, orders and steps are those of the chapters."""

import tomllib

import pytest
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import BrokenInvariant, Refusal
from domain.contract.chapters import merged
from domain.games.to_the_strongest import adjudication
from domain.games.to_the_strongest.chapters import hands, phases
from domain.games.to_the_strongest.orders import setup_options
from domain.games.to_the_strongest.sequence import PHASES, PLAYER_TURN, SEQUENCE, phases_of, stratagems_of
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from domain.log.chance import StackedChance
from domain.run.decide import beginning, decide, opening
from tests.rule_pages import rules
from tests.support.playing import MOTLEY, TTS, fold

TABLE = [*SEQUENCE, *PLAYER_TURN]
OWN = [command for command in TTS.orders.decisions if command.__module__.startswith("domain.games.")]


def tag_of(command: type[Command]) -> str:
    return str(command.__struct_config__.tag)


def test_every_order_is_in_the_table_and_the_table_has_no_other():
    assert {tag_of(command) for command in OWN} == {order for phase in SEQUENCE for order in phase.orders}


@pytest.mark.parametrize("command", OWN, ids=tag_of)
def test_an_order_belongs_to_the_phases_that_the_table_gives_it(command):
    assert command.PHASES == phases_of(tag_of(command)) != frozenset()


@pytest.mark.rule("TTS-TRN-01")
def test_each_phase_leads_to_the_one_below_it_and_each_is_known_wherever_phases_are():
    names = [phase.name for phase in SEQUENCE]
    assert [phase.next for phase in SEQUENCE] == [*names[1:], ""]
    assert [*phases.BEGINNINGS] == [*adjudication.DONE] == names
    assert [*setup_options.BEFORE_TURNS] == names[:-1]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_the_steps_of_the_table_are_steps_of_the_agenda(row):
    assert set(row.steps) <= set(TTS.rules.steps)


@pytest.mark.rule("TTS-STR-02")
def test_every_stratagem_has_its_time_in_one_phase_at_least():
    times = {time for phase in PHASES for time in stratagems_of(phase)}
    assert {row.when for row in STRATAGEMS.values()} == times
    assert stratagems_of("") == stratagems_of("ended") == ()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_the_table_cites_rules_of_the_game(row):
    assert row.rule in rules()


@pytest.mark.rule("TTS-TRN-06")
def test_a_turn_ends_by_the_steps_that_the_table_names():
    ran: list[str] = []

    def noting(name):
        def step(judge, **arguments):
            ran.append(name)
            TTS.rules.steps[name](judge, **arguments)

        return step

    steps = {name: noting(name) for name in TTS.rules.steps}
    traced = replace(TTS, rules=replace(TTS.rules, steps=steps))
    state = fold(TTS.rules.initial, opening(TTS, tomllib.loads(MOTLEY)))
    state = fold(state, beginning(TTS, state))
    own = next(unit for unit in state.units.values() if unit.side == state.active)
    state = replace(state, units={**state.units, own.id: replace(own, off_turns=1)})
    decide(traced, state, state.active, TTS.orders.parse("end turn"), StackedChance({}))
    assert tuple(name for name in ran if name in PLAYER_TURN[-1].steps) == PLAYER_TURN[-1].steps


def test_an_order_of_another_phase_is_refused_with_the_phases_of_the_table():
    state = fold(TTS.rules.initial, opening(TTS, tomllib.loads(MOTLEY)))
    state = fold(state, beginning(TTS, state))
    with pytest.raises(Refusal, match="wrong-phase") as caught:
        decide(TTS, state, state.active, TTS.orders.parse("place wood D4"), StackedChance({}))
    assert caught.value.params["phases"] == sorted(phases_of("place"))


def test_two_chapters_with_one_key_are_a_fault(monkeypatch):
    monkeypatch.setitem(phases.EVOLUTIONS, next(iter(hands.EVOLUTIONS)), None)
    with pytest.raises(BrokenInvariant, match="two chapters"):
        merged(adjudication.CHAPTERS, "EVOLUTIONS")


def test_the_order_that_opens_another_corps_is_of_a_kind_that_clients_expect():
    refusal = Refusal("tts.not-current-corps", "TTS-TRN-04", corps="II")
    assert tag_of(type(TTS.read(TTS.orders.before(refusal)))) in TTS.orders.prepares
