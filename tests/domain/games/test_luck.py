"""Luck is fair: over all that could have come of a draw it adds up to nothing, in the cases of every game."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product, takewhile
from math import prod
from pathlib import Path
from typing import Any

import pytest

from domain.events.battle import CardDrawn
from domain.games.to_the_strongest.chapters.medals import MedalsTransferred
from domain.log.chance import DeckTooShort
from projections.luck import LuckRow
from tests.support.cases import GAMES, case_files
from tests.support.lanes import thinned
from tests.support.staked import Staked, played, played_otherwise

EVERY = {"tts": 120, "singidunum": 36, "warmaster-shooting": 36}
"""Of how many cases of a game one is in the quick lane."""
MOST_DICE = 2


def outcomes(could: Sequence[str | int]) -> Iterator[tuple[str | int, int]]:
    """What can come, each with its weight: of all cards with a value one stands for all."""
    values = Counter(each if isinstance(each, int) else each[:-2] for each in could)
    for value, weight in values.items():
        yield next(each for each in could if value in (each, str(each)[:-2])), weight


def draws_of(staked: Staked, row: LuckRow) -> tuple[int, int]:
    """The draws that a row weighs together: the place of the first, and how many."""
    place = staked.drawn.index(row.n)
    if row.purpose in ("combat", "shot"):  # both dice; the stakes of the attackers stand at that of the defence
        return place - bool(row.place), 2
    if row.purpose == "drive":
        event: Any = staked.facts[row.settled].event
        return place - len(event.dice) + 1, len(event.dice)
    return place, 1


def is_fair(staked: Staked, row: LuckRow) -> bool:
    """Whether the luck of all that could have come is 0, and whether each has the same odds and the same swing."""
    first, count = draws_of(staked, row)
    total = Fraction(0)
    for ways in product(*map(outcomes, staked.chance.could[first : first + count])):
        other = played_otherwise(staked, first, *(way for way, _ in ways))
        found = [each for each in other.rows if (each.n, each.unit, each.place) == (row.n, row.unit, row.place)]
        assert [(each.does, each.out_of, each.swing) for each in found] == [(row.does, row.out_of, row.swing)]
        total += prod(weight for _, weight in ways) * found[0].luck
    return total == 0


def staked_case(path: Path) -> Staked | None:
    """A case with something at stake; None for one that does not go on behind an order it wants refused, and where a
    draw is one of cards looked at, or thrown again."""
    try:
        staked = played(tomllib.loads(path.read_text(encoding="utf-8")))
    except DeckTooShort:
        return None
    options = staked.state.options
    looked = any(getattr(fact.event, "shown", None) for fact in staked.facts.values())
    return None if looked or getattr(options, "reroll_five", False) else staked


def thinned_cases() -> list[Any]:
    """Cases of every game, a few of them in the quick lane."""
    return [path for game, every in EVERY.items() for path in thinned(case_files(GAMES / game), every)]


@pytest.mark.parametrize("path", thinned_cases(), ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_all_that_could_have_come_adds_up_to_nothing(path: Path) -> None:
    if (staked := staked_case(path)) is not None:
        rows = [row for row in staked.rows if draws_of(staked, row)[1] <= MOST_DICE]
        assert all(is_fair(staked, row) for row in rows)


DECISIVE = ("save", "rout", "wound")
"""The cards of *To the Strongest!* behind which no other stands between them and the medals."""
WITH_A_LOSS = "24-double-shot-kills-light"
"""One of the cases in which something is lost behind such a card."""
WITH_A_GENERAL = "251-no-home"
"""The general goes with the unit, a few cards later."""


@pytest.mark.parametrize("path", thinned(case_files(GAMES / "tts"), EVERY["tts"]), ids=lambda path: path.stem)
def test_what_is_at_stake_is_what_is_paid(path: Path) -> None:
    staked = staked_case(path)
    if staked is None or path.stem == WITH_A_GENERAL:
        return
    last = {row.settled: row for row in sorted(staked.rows, key=lambda row: row.place)}
    decisive = [row for row in staked.rows if row.purpose in DECISIVE and row.place == last[row.settled].place]
    paid = [paid_for_lives(staked, row.side, row.settled) for row in decisive]
    assert paid == [0 if row.happened else row.swing for row in decisive]
    assert paid or path.stem != WITH_A_LOSS


def paid_for_lives(staked: Staked, side: str, settled: int) -> int:
    """The medals that a side pays for units and generals between an event and the next card."""
    following = (staked.facts[n].event for n in range(settled, max(staked.facts) + 1))
    facts = takewhile(lambda event: not isinstance(event, CardDrawn), following)
    paid = (fact for fact in facts if isinstance(fact, MedalsTransferred) and fact.from_ == side)
    return sum(fact.count for fact in paid if fact.reason in ("unit", "general"))
