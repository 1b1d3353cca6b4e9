"""A state written as plain data comes back equal; plain data that is no state of the game is refused."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.branches import source_of
from benchmarks.random_play import GAMES
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import NOBODY
from domain.engine.positions import MOST_CHARACTERS, MOST_LEVELS, MOST_VALUES, freeze, require_bounded
from domain.engine.state import SIDES
from domain.run.branching import require_playable
from domain.run.decide import to_act
from replay import battle_file
from replay.writing.in_memory import OfflineBattle
from tests.support.lanes import thinned
from tests.support.looping import some

GOLDEN = Path(__file__).parents[2] / "golden"
CODES = pytest.mark.parametrize("code", list(RULESETS))
SEED, BATTLES, PLACES = 41, 3, 5


def frozen(state: Any) -> Any:
    """A state as a line of a log has it."""
    return msgspec.json.decode(msgspec.json.encode(freeze(state)))


@cache
def sources(code: str) -> tuple[OfflineBattle, ...]:
    return tuple(source_of(GAMES[code], SEED, number) for number in range(1, BATTLES + 1))


def whole_states(code: str) -> Iterator[Any]:
    """States of random battles, also in the middle of an order."""
    for number, battle in enumerate(sources(code)):
        pick = random.Random(f"positions {code} {number}")
        timeline = battle.recording.timeline
        yield from (timeline.at(pick.randint(1, timeline.now.n)).game for _ in range(PLACES))


def states(code: str) -> Iterator[Any]:
    """The same, whole and as each side and a stranger know them."""
    for state in whole_states(code):
        yield state
        yield from (RULESETS[code].secrets.known(state, side) for side in (*SIDES, NOBODY))


@pytest.mark.slow
@CODES
def test_a_state_comes_back_equal_and_in_its_order(code: str) -> None:
    ruleset = RULESETS[code]
    for state in some(states(code)):
        thawed = ruleset.thaw(frozen(state))
        assert thawed == state
        assert list(thawed.units) == list(state.units)
        assert freeze(thawed) == freeze(state)


@pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))
def test_the_same_orders_may_be_given_from_it(code: str) -> None:
    ruleset = RULESETS[code]
    for state in some(state for state in whole_states(code) if to_act(ruleset, state)):
        thawed = ruleset.thaw(frozen(state))
        for side in to_act(ruleset, state):
            orders = ruleset.orders.options(ruleset.secrets.known(state, side), side)
            assert list(ruleset.orders.options(ruleset.secrets.known(thawed, side), side)) == list(orders)


@pytest.mark.parametrize("name", thinned(sorted(path.stem for path in GOLDEN.glob("*.battle")), 4))
def test_every_state_of_a_kept_battle_comes_back_equal(name: str) -> None:
    battle = battle_file.load(str(GOLDEN / f"{name}.battle"))
    pick = random.Random(name)
    for n in sorted({1, battle.last, *(pick.randint(1, battle.last) for _ in range(5))}):
        state = battle.timeline.at(n).game
        assert battle.ruleset.thaw(frozen(state)) == state


# --- what is no position


@cache
def fought(code: str) -> Any:
    """A state in the middle of a battle, as plain data."""
    number = {"tts": 1, "singidunum": 2, "warmaster-shooting": 2, "stp": 2}[code]
    timeline = sources(code)[number - 1].recording.timeline
    turns = next(n for n in range(timeline.now.n, 0, -1) if timeline.at(n).game.turn and not timeline.at(n).ended)
    return frozen(timeline.at(turns).game)


def pairs(data: Any, name: str) -> dict[str, Any]:
    """A mapping of a position, to be changed; its values stay those of the position."""
    return {pair[0]: pair[1] for pair in data[name]}


def standing(data: Any, place: str) -> list[Any]:
    """The units that stand somewhere."""
    return [unit for unit in pairs(data, "units").values() if unit.get(place)]


def third_in_a_box(data: Any) -> None:
    (box, there), *_ = [(box, names) for box, names in data["boxes"]]
    side = pairs(data, "units")[there[0]]["side"]
    friends = [unit for unit in standing(data, "box") if unit["side"] == side and unit["id"] not in there]
    for unit in friends[: 3 - len(there)]:
        old = next(pair for pair in data["boxes"] if pair[0] == unit["box"])
        old[1].remove(unit["id"])
        unit["box"] = box
        there.append(unit["id"])
    data["boxes"] = [pair for pair in data["boxes"] if pair[1]]


def both_sides_in_a_box(data: Any) -> None:
    units = pairs(data, "units")
    one = next(pair for pair in data["boxes"] if len(pair[1]) == 1)
    other = next(p for p in data["boxes"] if len(p[1]) == 1 and units[p[1][0]]["side"] != units[one[1][0]]["side"])
    units[other[1][0]]["box"] = one[0]
    one[1].append(other[1][0])
    data["boxes"].remove(other)


def unit_of_no_type(data: Any) -> None:
    data["units"][0][1]["type"] = "dragons"


def unit_nobody_knows(data: Any) -> None:
    data["boxes"][0][1][0] = "R999"


def off_the_board(data: Any) -> None:
    unit = standing(data, "box")[0]
    next(pair for pair in data["boxes"] if pair[0] == unit["box"])[0] = "Z30"
    unit["box"] = "Z30"


def question_about_nobody(data: Any) -> None:
    step = next(iter(RULESETS["tts"].rules.steps))
    data["waiting"] = {"side": "south", "kind": "evade", "unit": "R999", "options": ["yes"], "pending": [[step, {}]]}


def army_without_end(data: Any) -> None:
    army, name = data["armies"][0][1], data["armies"][0][0]
    corps = army["corps"][0][1]
    like = next(pair[1] for pair in data["units"] if pair[1]["side"] == name and pair[1]["corps"] == corps["id"])
    for at in range(100):
        data["units"].append([f"X{at}", {**like, "id": f"X{at}", "box": ""}])
        corps["units"].append(f"X{at}")


def more_medals_than_there_are(data: Any) -> None:
    data["armies"][0][1]["medals"] = data["armies"][0][1]["medals_full"] + 1


def card_twice(data: Any) -> None:
    deck = data["armies"][0][1]["deck"]
    deck["pile"][0] = deck["pile"][1]


def step_of_no_game(data: Any) -> None:
    data["waiting"] = {"side": "south", "kind": "evade", "unit": "R1", "options": ["yes"], "pending": [["rm", {}]]}


def two_on_a_hex(data: Any) -> None:
    one, other, *_ = standing(data, "hex")
    data["places"] = [pair for pair in data["places"] if pair[1] != other["id"]]
    other["hex"] = one["hex"]


def nowhere_and_somewhere(data: Any) -> None:
    data["places"] = data["places"][1:]


def stands_on_each_other(data: Any) -> None:
    south, north = (
        next(
            stand
            for unit in pairs(data, "units").values()
            for stand in unit["stands"]
            if unit["side"] == side and stand.get("alive", True)
        )
        for side in SIDES
    )
    north["base"] = south["base"]


def unknown_profile(data: Any) -> None:
    data["units"][0][1]["profile"] = "dragons"


def beyond_the_table(data: Any) -> None:
    data["units"][0][1]["stands"][0]["base"]["at"] = [10_001, 0]


FORGED: list[tuple[str, Callable[[Any], None], str]] = [
    ("tts", third_in_a_box, "no-room"),
    ("tts", both_sides_in_a_box, "both-sides"),
    ("tts", unit_of_no_type, "unknown"),
    ("tts", unit_nobody_knows, "not-there"),
    ("tts", off_the_board, "off-board"),
    ("tts", more_medals_than_there_are, "number"),
    ("tts", card_twice, "card"),
    ("tts", army_without_end, "number"),
    ("tts", step_of_no_game, "step"),
    ("singidunum", two_on_a_hex, "not-there"),
    ("singidunum", nowhere_and_somewhere, "not-there"),
    ("singidunum", unit_of_no_type, "unknown"),
    ("warmaster-shooting", stands_on_each_other, "overlap"),
    ("warmaster-shooting", unknown_profile, "unknown"),
    ("warmaster-shooting", beyond_the_table, "number"),
]


@pytest.mark.parametrize(("code", "forge", "flaw"), FORGED, ids=lambda value: getattr(value, "__name__", value))
def test_what_no_battle_can_be_is_refused(code: str, forge: Callable[[Any], None], flaw: str) -> None:
    data = msgspec.json.decode(msgspec.json.encode(fought(code)))
    RULESETS[code].thaw(data)
    forge(data)
    assert refused(code, data) == flaw


def test_a_state_that_the_game_cannot_show_is_not_played() -> None:
    data = msgspec.json.decode(msgspec.json.encode(fought("tts")))
    question_about_nobody(data)
    state = RULESETS["tts"].thaw(data)
    with pytest.raises(Refusal, match=r"core\.bad-position"):
        require_playable(RULESETS["tts"], state)


def deep(levels: int) -> Any:
    found: Any = []
    for _ in range(levels):
        found = [found]
    return found


MALFORMED: list[tuple[Any, str]] = [
    ([], "shape"),
    ({"armies": {"south": {}}}, "shape"),
    ({"units": [["R1"]]}, "shape"),
    ({"units": [["R1", 5]]}, "shape"),
    ({"units": [[{}, {}]]}, "shape"),
    ({"phase": 1.5}, "shape"),
    ({"phase": True}, "shape"),
    ({"names": "all"}, "unknown-member"),
    ({"terrain": [["B2", "wood"], ["B2", "marsh"]]}, "twice"),
    ({"turn": 1 << 40}, "number"),
    ({"turn": -1}, "number"),
    ({"active": "east"}, "side"),
    ({"winner": "east"}, "ended"),
    ({"resumes": "turns"}, "ended"),
    ({"title": "x" * (MOST_CHARACTERS + 1)}, "too-long"),
    ({"done": deep(MOST_LEVELS)}, "too-deep"),
    ({"done": [""] * MOST_VALUES}, "too-large"),
]


@pytest.mark.parametrize(("data", "flaw"), MALFORMED, ids=range(len(MALFORMED)))
def test_what_has_not_the_form_of_a_position_is_refused(data: Any, flaw: str) -> None:
    assert refused("tts", data) == flaw


@pytest.mark.slow
@pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))
def test_a_position_with_any_part_taken_away_is_refused_or_a_state(code: str) -> None:
    """Nothing else happens: whatever a file holds, there is an answer."""
    pick = random.Random(f"mangled {code}")
    for _ in range(150):
        data = msgspec.json.decode(msgspec.json.encode(fought(code)))
        mangle(data, pick)
        try:
            require_playable(RULESETS[code], RULESETS[code].thaw(data))
        except Refusal as refusal:
            assert refusal.code == "core.bad-position"


def mangle(data: Any, pick: random.Random) -> None:
    """Take something away, or put something else into its place, somewhere inside."""
    while True:
        places = list(data) if isinstance(data, dict) else range(len(data))
        if not places:
            return
        at = pick.choice(list(places))
        if isinstance(data[at], (dict, list)) and data[at] and pick.random() < 0.8:
            data = data[at]
            continue
        data[at] = pick.choice([None, 0, -1, 77, "", "B2", "south", [], {}, [["B2", "B2"]]])
        if isinstance(data, dict) and pick.random() < 0.5:
            del data[at]
        return


def refused(code: str, data: Any) -> str:
    """What is wrong with a position."""
    with pytest.raises(Refusal) as refusal:
        RULESETS[code].thaw(data)
    assert refusal.value.code == "core.bad-position"
    return str(refusal.value.params["flaw"])


def test_as_many_values_as_there_may_be_are_no_fault_and_one_more_is():
    require_bounded([0] * (MOST_VALUES - 1))  # the list is one itself
    with pytest.raises(Refusal) as refused:
        require_bounded([0] * MOST_VALUES)
    assert refused.value.code == "core.bad-position"
