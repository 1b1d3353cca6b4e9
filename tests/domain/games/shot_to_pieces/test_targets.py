"""Who may be fired at: what is listed is what is accepted, on random tables (STP-FIR-02, STP-ART-01 to -04)."""

from random import Random

import pytest

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.chapters.able import is_able, is_emplaced
from domain.games.shot_to_pieces.chapters.salvoes import has_fire_to_order
from domain.games.shot_to_pieces.chapters.targets import (
    can_declare,
    choices,
    direct_targets,
    indirect_targets,
    range_to,
    require_aim,
)
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.plane.gaps import overlap
from domain.games.shot_to_pieces.state.figures import weapon_of
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.state import Corps, Ground, Options, State, Unit
from tests.support.looping import some

K = 5
WOOD = Ground("W1", "wood", ((5500, 4000), (5500, 4600), (6300, 4600), (6300, 4000)))


def table(seed):
    """Eight units a side, 5 to 40 cm apart, on a table with a wood."""
    chance = Random(seed)
    code = chance.choice(("ww1", "acw", "alg", "f70"))
    types = [key for key, record in period(code).types.items() if record.fire]
    units: dict[str, Unit] = {}
    for side, low, high, facing in (("south", 2500, 4000, 0), ("north", 4500, 7000, 18000)):
        for at in range(8):
            base = Base((chance.randrange(4000, 8000), chance.randrange(low, high)), facing, 400, 300)
            if any(overlap(base, other.base) for other in units.values()):
                continue
            key, hidden = chance.choice(types), chance.random() < 0.1
            traits = frozenset({"emplaced"})
            name = f"{side[0].upper()}{at}"
            units[name] = Unit(name, side, side, key, "line", base, "battle", key=key, traits=traits, hidden=hidden)
    corps = {side: Corps(side, side) for side in ("south", "north")}
    return State(period=code, k=K, turn=3, side="south", units=units, corps=corps, terrain=(WOOD,))


def accepted(state, unit, *, is_indirect):
    found = set()
    for enemy in state.enemies(unit):
        try:
            found.add(require_aim(state, unit, enemy, is_indirect=is_indirect))
        except Refusal as refusal:
            assert refusal.code.startswith("stp.")
    return found


@pytest.mark.parametrize("seed", range(10))
def test_what_is_listed_is_what_is_accepted(seed):
    state = table(seed)
    for unit in state.units.values():
        direct, indirect = choices(state, unit), indirect_targets(state, unit)
        assert set(direct) == accepted(state, unit, is_indirect=False)
        assert set(indirect) == accepted(state, unit, is_indirect=True)
        assert not (direct and indirect)
        assert can_declare(state, unit) is bool(is_able(state, unit) and (direct or indirect))
    for side in ("south", "north"):
        assert has_fire_to_order(state, side) is any(can_declare(state, unit) for unit in state.of(side))


@pytest.mark.parametrize("seed", range(10))
def test_targets_come_in_the_order_of_range(seed):
    state = table(seed)
    for unit in some(state.units.values()):
        found = [aim.distance for aim in direct_targets(state, unit)]
        assert found == sorted(found)
        for aim in direct_targets(state, unit):
            assert aim.distance == range_to(unit, state.units[aim.target])
            weapon = weapon_of(state, unit)
            assert weapon is not None and weapon.band(aim.distance) == aim.band


def gun(*, moved_k, traits=()):
    base = Base((5000, 3000), 0, 400, 400)
    key = "bombardment_60"
    return Unit("B", "south", "S", key, "line", base, "battle", key=key, traits=frozenset(traits), moved_k=moved_k)


@pytest.mark.parametrize(
    ("k", "turn", "first", "moved_k", "is_ready"),
    [
        (1, 1, "south", -9, False),  # its first phase is the one in which it emplaces
        (2, 1, "south", -9, True),
        (2, 1, "north", -9, False),
        (3, 2, "north", -9, True),
        (3, 2, "south", 1, False),
        (5, 3, "south", 1, True),
        (4, 2, "south", 3, False),
    ],
)
def test_emplacing(k, turn, first, moved_k, is_ready):
    """STP-WW1-08: a whole phase of its own side without a move."""
    unit = gun(moved_k=moved_k)
    state = State(period="ww1", k=k, turn=turn, side="south", first=first, units={"B": unit}, options=Options())
    assert is_emplaced(state, unit) is is_ready


def test_a_gun_that_was_emplaced_and_moved():
    unit = gun(moved_k=3, traits={"emplaced"})
    state = State(period="ww1", k=4, turn=2, side="north", first="south", units={"B": unit})
    assert not is_emplaced(state, unit)
    assert is_emplaced(state, gun(moved_k=-9, traits={"emplaced"}))
