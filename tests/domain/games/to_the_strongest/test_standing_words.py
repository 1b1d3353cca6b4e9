"""Standing orders are read and written in one way, in two languages; what contradicts itself is told."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.basics.commands import Standing
from domain.basics.errors import Refusal
from domain.basics.spelling import plain_word
from domain.games.to_the_strongest.chapters.standing import (
    LONGEST_VALUE,
    TERRAIN,
    TOPICS,
    excludes,
    instruction,
    words_of,
)
from domain.games.to_the_strongest.orders.notation import parse, write
from domain.games.to_the_strongest.state.ground import PIECES
from domain.games.to_the_strongest.state.roster import PROFILES
from domain.games.to_the_strongest.state.vocabulary import ALIASES, FRENCH, FRENCH_NAMES, TYPES
from domain.mechanics.conditions import ALWAYS, MOST_TESTS, Condition, Test, can_hold, holds
from tests.domain.games.to_the_strongest.whims import standing_line
from tests.support.playing import TTS, Dice, opened, scenario

STATE, _ = opened(scenario("motley"))
LINES = {
    "standing evade all heavier": "consigne esquive tous plus-lourd",
    "standing evade N1 if needs at most 5": "consigne esquive N1 si exige au plus 5",
    "standing evade N1 facing W if odds at least 60 else ask": (
        "consigne esquive N1 face O si chances au moins 60 sinon demande"
    ),
    "standing evade N1 always facing S": "consigne esquive N1 toujours face S",
    "standing evade N1 if heavier or charged by R1 and needs at most 3 unless charged by light": (
        "consigne esquive N1 si plus-lourd ou chargée par R1 et exige au plus 3 sauf chargée par légers"
    ),
    "standing evade N1 never if charged by warriors_deep": (
        "consigne esquive N1 jamais si chargée par guerriers-en-bande-profonde"
    ),
    "standing evade all unless charged by disordered": "consigne esquive tous sauf chargée par désordonnée",
    "standing replay if activation and needs at most 6": "consigne rejoue si activation et exige au plus 6",
    "standing replay R1 always with G2 HERO": "consigne rejoue R1 toujours avec G2 HERO",
    "standing replay with HERO if hit and replayed at most 0": (
        "consigne rejoue avec HERO si touche et rejoués au plus 0"
    ),
    "standing evade N1 if not charged by R1 and not needs at least 6 unless not heavier": (
        "consigne esquive N1 si pas chargée par R1 et pas exige au moins 6 sauf pas plus-lourd"
    ),
    "standing join R2 R3 unless disordered": "consigne rejoint R2 R3 sauf désordonnée",
    "standing join general G1 R2": "consigne rejoint général G1 R2",
    "standing join ask": "consigne rejoint demande",
    "standing shift open S W": "consigne décale ouvert S O",
    "standing shift none if wood or gentle_hill": "consigne décale rien si bois ou colline",
}


@pytest.mark.rule("TTS-ORD-03")
@pytest.mark.parametrize(("english", "french"), LINES.items())
def test_a_standing_order_is_written_and_read_in_both_languages(english, french):
    command = parse(english)
    assert write(command) == english
    assert write(command, "fr") == french
    assert parse(french) == command


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("standing evade n1 IF Heavier", "standing evade N1 heavier"),
        ("standing evade heavier", "standing evade all heavier"),
        ("standing evade N1 always if heavier else never", "standing evade N1 heavier"),
        ("standing evade N1 if heavier else ask", "standing evade N1 if heavier else ask"),
        ("standing evade N1 facing n", "standing evade N1 always facing N"),
        ("standing evade N1 never if heavier else ask", "standing evade N1 never if heavier"),
        ("consigne esquive toutes sauf si charge par r1", None),
        ("consigne esquive toutes sauf si chargee par r1", "standing evade all unless charged by R1"),
        ("standing replay all with g1 G1 hero", "standing replay always with G1 HERO"),
        ("standing join r2 R2 R3", "standing join R2 R3"),
        ("standing shift n N open", "standing shift N open"),
        ("standing evade N1 if needs at most 05", "standing evade N1 if needs at most 5"),
        ("standing evade N1 if needs at most ²", None),
    ],
)
def test_there_is_one_way_to_write_it(written, canonical):
    if canonical is None:
        with pytest.raises(Refusal, match=r"core\.parse"):
            parse(written)
        return
    assert write(parse(written)) == canonical


def negated(line: str, dice: Dice) -> str:
    """The line with some of its tests negated."""
    return re.sub(r"\b(if|and|or|unless)\b", lambda word: f"{word[0]} not" if dice.one_in(3) else word[0], line)


@given(st.integers(0, 10**9))
def test_what_is_read_is_written_so_that_it_reads_the_same(seed):
    dice = Dice(str(seed))
    line = negated(standing_line(STATE, "south", dice), dice)
    try:
        command = parse(line)
    except Refusal as refusal:
        assert refusal.params["expected"] == ["a shorter answer"]
        return
    assert isinstance(command, Standing)
    assert parse(write(command)) == command == parse(write(command, "fr"))
    said = instruction(command.topic, command.value)
    assert " ".join(words_of(command.topic, said)) == command.value


@pytest.mark.parametrize(("topic", "value"), [("", "always"), ("dodge", "always"), ("evade", ""), ("evade", "yes N")])
def test_a_text_that_is_no_standing_order_is_refused(topic, value):
    with pytest.raises(Refusal) as refused:
        instruction(topic, value)
    assert refused.value.code == "core.parse"


def test_an_answer_may_not_be_so_long_that_its_line_could_not_be_read():
    tests = " or ".join(["charged by N1"] * 10)
    with pytest.raises(Refusal) as refused:
        parse(f"standing evade R1 if {tests}")
    assert refused.value.params["expected"] == ["a shorter answer"]


def test_as_many_tests_as_fit_into_an_answer_can_be_read():
    command = parse(f"standing replay if {' or '.join(['hit'] * 21)}")
    assert isinstance(command, Standing)
    assert LONGEST_VALUE - len(" or hit") < len(command.value) <= LONGEST_VALUE
    assert len(instruction("replay", command.value).condition.wanted) == 21 <= MOST_TESTS


def test_every_troop_type_has_a_french_name_of_one_word():
    names = [plain_word(french) for live in FRENCH_NAMES for french in live.values()]
    twice = {name for name in names if names.count(name) > 1}
    assert twice == {plain_word(FRENCH["by"])} == {plain_word(FRENCH["via"])}
    assert {ALIASES[plain_word(TYPES[key])] for key in PROFILES} == set(PROFILES)
    assert not any(" " in name for name in TYPES.values())


def test_the_kinds_of_pieces_are_those_of_the_notation():
    assert set(TERRAIN) == set(PIECES)


# --- conditions


def condition(text: str, topic: str = "evade") -> Condition[Test]:
    return instruction(topic, f"if {text}" if not text.startswith("unless") else text).condition


@pytest.mark.parametrize(
    ("text", "true", "held"),
    [
        ("heavier", {"heavier"}, True),
        ("heavier", set(), False),
        ("heavier and charged by N1", {"heavier"}, False),
        ("heavier or charged by N1", {"heavier"}, True),
        ("heavier or charged by N1 and charged by light", {"charged by N1"}, False),
        ("heavier unless charged by N1", {"heavier", "charged by N1"}, False),
        ("unless charged by N1 or charged by N2", {"charged by N2"}, False),
        ("unless charged by N1 and charged by N2", {"charged by N2"}, True),
        ("unless charged by N1", set(), True),
        ("not heavier", set(), True),
        ("not heavier and charged by N1", {"charged by N1"}, True),
        ("not heavier or charged by N1", {"heavier"}, False),
        ("unless not heavier", set(), False),
        ("not charged by N1 unless not heavier and charged by N2", {"heavier", "charged by N2"}, True),
    ],
)
def test_not_binds_closer_than_and_closer_than_or_and_unless_takes_back(text, true, held):
    assert holds(condition(text), lambda test: " ".join(test) in true) is held


@pytest.mark.parametrize(
    ("topic", "text", "possible"),
    [
        ("evade", "heavier unless heavier", False),
        ("evade", "heavier unless heavier and charged by N1", True),
        ("evade", "heavier and charged by N1 unless heavier", False),
        ("evade", "heavier or charged by N1 unless heavier", True),
        ("evade", "needs at least 6 and needs at most 5", False),
        ("evade", "needs at least 5 and needs at most 5", True),
        ("evade", "needs at least 6 and odds at most 5", True),
        ("evade", "needs at most 3 unless needs at most 5", False),
        ("evade", "needs at most 5 unless needs at most 3", True),
        ("evade", "needs at least 8 unless needs at least 5", False),
        ("evade", "charged by N1 and charged by N2", False),
        ("evade", "charged by N1 and charged by elephants", True),
        ("evade", "charged by elephants and charged by foot", True),
        ("evade", "charged by elephants and charged by warriors", False),
        ("evade", "charged by mounted and charged by foot", False),
        ("evade", "charged by mounted and charged by light", True),
        ("evade", "heavier and not heavier", False),
        ("evade", "heavier or not heavier", True),
        ("evade", "not heavier unless not heavier", False),
        ("evade", "heavier unless not heavier", True),
        ("evade", "heavier and not charged by N1", True),
        ("evade", "charged by N1 unless not charged by N2", False),
        ("evade", "charged by N1 unless not heavier", True),
        ("evade", "not needs at most 5 and needs at most 5", False),
        ("evade", "not needs at most 5 and needs at least 6", True),
        ("evade", "not needs at most 5 unless needs at least 6", False),
        ("evade", "not needs at least 5 unless needs at most 4", False),
        ("evade", "needs at most 5 unless not needs at least 5", True),
        ("replay", "activation and hit", False),
        ("replay", "activation or hit", True),
        ("shift", "wood and marsh", False),
        ("shift", "wood or marsh", True),
    ],
)
def test_a_condition_that_can_never_hold_is_found(topic, text, possible):
    value = f"N if {text}" if topic == "shift" else f"if {text}"
    assert can_hold(instruction(topic, value).condition, excludes) is possible


def test_no_condition_always_holds():
    assert holds(ALWAYS, lambda test: False) and can_hold(ALWAYS, excludes)
    assert set(TOPICS) == {"evade", "replay", "join", "shift"}


@pytest.mark.slow
@given(st.integers(0, 10**9))
def test_what_is_called_contradictory_never_holds(seed):
    """Whatever is so of single tests, as far as they can be so together."""
    dice = Dice(f"contradictory {seed}")
    try:
        command = TTS.orders.parse(negated(standing_line(STATE, "south", dice, dice.pick(("evade", "replay"))), dice))
    except Refusal:
        return
    assert isinstance(command, Standing)
    said = instruction(command.topic, command.value).condition
    if can_hold(said, excludes):
        return
    needs, odds, spent = dice.stream.below(11), dice.stream.below(101), dice.stream.below(5)
    numbers = {"needs": needs, "odds": odds, "replayed": spent}
    purpose, charger = dice.pick(("activation", "hit")), dice.pick([u for u in STATE.units if u.startswith("N")])
    plain = {word for word in ("heavier", "disordered", "light") if dice.one_in(2)}
    mounted = PROFILES[STATE.units[charger].type].mounted

    def is_so(test):
        if test[0] in numbers:
            return numbers[test[0]] <= int(test[-1]) if test[-2] == "most" else numbers[test[0]] >= int(test[-1])
        if test[0] == "charged":
            named = {charger, STATE.units[charger].type, "mounted" if mounted else "foot"}
            return test[2] in named | plain
        return test[0] in {purpose} | plain

    assert not holds(said, is_so)
