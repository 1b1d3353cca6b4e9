"""Trials tell the odds of what happened; the luck over all that the dice could have shown is nothing."""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.events.battle import DieRolled, Fact
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.at_stake import Struck, falls, falls_in_tie
from domain.games.shot_to_pieces.chapters.dice import STEADY
from domain.games.shot_to_pieces.chapters.leaders import LeaderTested
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.state import EventInForce, Shaken, State, Unit
from domain.mechanics.modifiers import total
from domain.mechanics.stake import Drawn, Stake
from domain.run.decide import evolve
from replay.bench.bench import play_case
from tests.support.looping import some

CASES = Path(__file__).parents[3] / "cases" / "stp"
D4 = (1, 2, 3, 4)
CALLS_FOR_MORE = ("31-lost-fire",)
"""With other dice a second salvo is fired in it."""
FACES = {"103-erratic-troops": {"south": STEADY.values}}
"""What the four faces of a side count in a case, where they do not count what they show."""


def facts_of(case: dict[str, Any]) -> Iterator[tuple[int, State, Fact]]:
    """Each event of a case with its number and the state before it."""
    state = RULESET.rules.initial
    for entry in play_case(case, {RULESET.code: RULESET}).result.events:
        event: Any = convert(entry["data"], RULESET.events[entry["type"]])
        yield entry["n"], state, Fact(entry["by"], entry["rule"], event)
        state = evolve(RULESET, state, event, entry["n"])


def resolved(path: Path, *kinds: str) -> list[tuple[State, Fact]]:
    """The events of some types of a case, each with the state before it."""
    facts = ((state, fact) for _, state, fact in facts_of(tomllib.loads(path.read_text())))
    return [(state, fact) for state, fact in facts if type(fact.event).__name__ in kinds]


def settled(case: dict[str, Any]) -> tuple[list[Stake], set[str]]:
    """The stakes of the first shot of a case, and the units that are destroyed before anything else is rolled."""
    drawn: list[Drawn] = []
    stakes: list[Stake] | None = None
    lost: set[str] = set()
    for n, state, fact in facts_of(case):
        event: Any = fact.event
        if isinstance(event, DieRolled):
            if stakes is not None:
                break
            drawn.append(Drawn(n, fact.by, state, event))
        elif stakes is None:
            found = RULESET.draws.stake(drawn, fact, ())
            stakes = None if found is None else list(found)
        elif type(event).__name__ == "UnitDestroyed":
            lost.add(event.unit)
    return stakes or [], lost


def one_roll(step: str) -> list[Path]:
    """The cases that begin with fire or melee, and in which each side rolls one die."""
    found = []
    for path in sorted(CASES.glob("*.toml")):
        case = tomllib.loads(path.read_text())
        dice = sorted(map(len, case.get("dice", {}).values()))
        is_such = case.get("start", {}).get("step") == step and dice == [1, 1]
        if is_such and path.stem not in CALLS_FOR_MORE:
            found.append(path)
    return found


SHOTS, MELEES = one_roll("fire"), one_roll("melee")


@pytest.mark.parametrize("path", [*SHOTS, *MELEES], ids=lambda path: path.stem)
def test_what_is_at_stake_is_what_the_dice_bring(path):
    case = tomllib.loads(path.read_text())
    luck: dict[str, Fraction] = {}
    odds: dict[str, set[tuple[int, int, Fraction]]] = {}
    faces = {"south": D4, "north": D4} | FACES.get(path.stem, {})
    for one, other in product(faces["south"], faces["north"]):
        stakes, lost = settled({**case, "dice": {"south": [one], "north": [other]}})
        assert stakes
        for each in stakes:
            assert each.happened == (each.unit in lost), (one, other, each)
            luck[each.unit] = luck.get(each.unit, Fraction(0)) + each.luck
            odds.setdefault(each.unit, set()).add((each.does, each.of, each.swing))
    assert not any(luck.values())
    assert all(len(found) == 1 for found in odds.values())


def test_there_are_enough_of_them():
    assert len(SHOTS) > 15
    assert len(MELEES) > 3


# --- trials


@pytest.mark.parametrize("path", [*SHOTS[:12], *MELEES], ids=lambda path: path.stem)
def test_a_roll_of_two_sides_is_a_trial_of_the_attackers_die(path):
    for state, fact in some(resolved(path, "FireResolved", "MeleeResolved")):
        event: Any = fact.event
        tried = RULESET.draws.trial(state, fact)
        assert tried is not None and tried.needed is not None
        assert tried.results() == (event.attack > event.defence,)
        assert tried.passes == (sum(1 for value in D4 if value > tried.needed), 4)
        assert tried.base == tried.needed - total(tried.factors)


def test_an_order_is_a_trial_of_two_dice():
    case = tomllib.loads((CASES / "20-transmission-of-orders.toml").read_text())
    tried = [RULESET.draws.trial(state, fact) for _, state, fact in facts_of(case)]
    orders = [one for one in tried if one and one.purpose == "order"]
    assert [(one.needed, one.draws, one.results(), one.passes) for one in orders] == [
        (6, (7,), (False,), (15, 36)),
        (7, (7,), (True,), (21, 36)),
    ]


def test_a_leader_survives_on_any_face_but_one():
    tried = RULESET.draws.trial(State(), Fact("south", "STP-GAP-07", LeaderTested("G1", 1, True)))
    assert tried is not None
    assert (tried.results(), tried.passes) == ((False,), (5, 6))


def test_the_best_of_two_dice_has_better_odds():
    path = CASES / "01-one-way-fire-long-range.toml"
    for state, fact in some(resolved(path, "FireResolved")):
        event: Any = fact.event
        plain = RULESET.draws.trial(state, fact)
        lucky = replace(state, events=(EventInForce(16, state.k, state.side, (event.firer,)),))
        better = RULESET.draws.trial(lucky, fact)
        assert plain is not None and plain.passes is not None and better is not None
        passes, of = plain.passes
        assert better.passes == (of * of - (of - passes) ** 2, of * of)


# --- what a result does


def unit(shaken: int = 0, brittle: int = 0) -> Unit:
    markers = (Shaken(3, "fire"),) * shaken
    base = Base((0, 0), 0, 400, 300)
    return Unit("U1", "south", "I", "infantry", "line", base, "battle", brittle=brittle, shaken=markers)


@pytest.mark.parametrize(
    ("effect", "is_gun", "shaken", "brittle", "diff", "is_lost"),
    [
        ("normal", False, 0, 0, 3, True),
        ("normal", False, 0, 0, 2, False),
        ("normal", False, 1, 0, 1, True),
        ("normal", False, 0, 2, 1, True),
        ("shaken-only", False, 0, 0, 9, False),
        ("shaken-only", False, 1, 1, 1, True),
        ("shaken-only", False, 2, 0, 1, False),
        ("brittle-only", True, 0, 2, 4, False),
        ("brittle-only", True, 1, 1, 1, True),
        ("kills-only-shaken", False, 0, 0, 3, False),
        ("kills-only-shaken", False, 1, 0, 3, True),
        ("second-line", False, 0, 2, 1, True),
        ("second-line", False, 1, 0, 3, True),
        ("second-line", True, 1, 0, 3, False),
        ("none", False, 2, 0, 9, False),
    ],
)
def test_who_falls_by_a_class_of_effect(effect, is_gun, shaken, brittle, diff, is_lost):
    assert falls(unit(shaken, brittle), diff, Struck(effect, is_gun, fattens=False)) == is_lost


@pytest.mark.parametrize(
    ("effect", "fattens", "shaken", "brittle", "is_opposed", "is_lost"),
    [
        ("normal", False, 0, 2, True, True),
        ("normal", False, 0, 2, False, False),
        ("normal", True, 0, 1, True, True),
        ("normal", True, 0, 0, True, False),
        ("normal", True, 1, 0, False, True),
        ("brittle-only", True, 0, 2, False, False),
        ("brittle-only", True, 1, 1, False, True),
        ("second-line", True, 0, 2, False, True),
    ],
)
def test_who_falls_in_a_tie(effect, fattens, shaken, brittle, is_opposed, is_lost):
    struck = Struck(effect, is_gun=False, fattens=fattens)
    assert falls_in_tie(unit(shaken, brittle), struck, is_opposed=is_opposed) == is_lost
