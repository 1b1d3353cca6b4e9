"""What is kept between two questions changes no answer (STP-GEO-14): asked first, asked again, asked of an equal state
that shares nothing, the options are the same."""

import random
from copy import deepcopy
from functools import _lru_cache_wrapper
from types import ModuleType

import pytest
from msgspec.structs import replace

from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.chapters import paces, targets
from domain.games.shot_to_pieces.plane import base, contacts, gaps, lanes, paths, strikes, zones
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.plane.gaps import distance
from domain.games.shot_to_pieces.state import ground, rosters
from domain.games.shot_to_pieces.state.kept import Kept
from domain.games.shot_to_pieces.state.rosters import nearest_of
from domain.games.shot_to_pieces.state.state import Unit
from tests.domain.games.shot_to_pieces.random_battles import moments
from tests.support.lanes import thinned

KEEPING = (paces, targets, base, contacts, gaps, lanes, paths, strikes, zones, ground, rosters)


def forget(module: ModuleType) -> int:
    """Keep nothing of a module; how much there was to forget."""
    found = [one for one in vars(module).values() if isinstance(one, Kept | _lru_cache_wrapper)]
    for one in found:
        one.forget() if isinstance(one, Kept) else one.cache_clear()
    return len(found)


@pytest.mark.parametrize("seed", thinned([811, 812, 813], 3))
def test_what_is_kept_changes_no_option(seed):
    asked = 0
    for state, side, listed in moments(seed, most=60):
        if not side or asked % 4:
            asked += 1
            continue
        assert RULESET.orders.options(state, side) == listed
        assert all(forget(module) for module in KEEPING)
        alike = replace(state, units=deepcopy(dict(state.units)), terrain=deepcopy(state.terrain))
        assert RULESET.orders.options(alike, side) == listed
        asked += 1
    assert asked > 20


def test_what_is_kept_belongs_to_one_value_and_is_bounded():
    made: list[list[int]] = []

    def copied(whole: list[int]) -> tuple[int, ...]:
        made.append(whole)
        return tuple(whole)

    kept = Kept(copied, 2)
    first, alike = [1], [1]
    assert kept.of(first) is kept.of(first)
    assert kept.of(alike) == kept.of(first)
    assert made == [[1], [1]]
    assert kept.of([2]) == (2,)
    assert kept.of(first) == (1,)
    assert len(kept._found) <= 2


def test_the_nearest_is_that_of_measuring_all():
    """STP-GEO-04: the first id of those equally near."""
    pick = random.Random(3)

    def placed():
        at = pick.randrange(0, 4000, 50), pick.randrange(0, 4000, 50)
        return Base(at, pick.randrange(0, 36000, 4500), pick.choice((200, 400, 800)), pick.choice((150, 300, 600)))

    for _ in range(500):
        here = placed()
        others = [
            Unit(f"X{at}", "north", "X", "infantry", "line", placed(), "battle") for at in range(pick.randrange(9))
        ]
        assert nearest_of(here, others) == min(((distance(here, one.base), one.id) for one in others), default=None)
