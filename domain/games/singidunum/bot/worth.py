"""What a fight and a place are worth to a bot, in hundredths of half a victory point."""

from functools import cache

from domain.engine.state import OTHER
from domain.games.singidunum.chapters.combat import FATAL
from domain.games.singidunum.chapters.dice import FIGHT
from domain.games.singidunum.chapters.points import BURN_HALVES
from domain.games.singidunum.state.state import State, Unit, is_in_base, touching
from domain.mechanics import hex as hexes

HALF = 100
RETREAT = 30
"""What it is worth to drive a unit back one hex."""
STEP = 25
"""What it is worth to be one hex nearer to the enemy base."""
TOUCHED = 3
"""What a burning hex is divided by while an enemy touches it."""
RISK = 40


def fight_worth(margin: int, target: Unit, attacker: Unit | None) -> int:
    """What an attack with so much more strength gains on average; without attacker nothing can be lost."""
    won, driven, lost, thrown_back = outcomes(margin)
    gain = won * target.profile.half_points * HALF + driven * RETREAT
    loss = 0 if attacker is None else lost * attacker.profile.half_points * HALF + thrown_back * RETREAT
    return (gain - loss) // len(FIGHT.values) ** 2


@cache
def outcomes(margin: int) -> tuple[int, int, int, int]:
    """Of all pairs of faces how many destroy the target, drive it back, destroy the attacker, throw it back."""
    diffs = [margin + one - other for one in FIGHT.values for other in FIGHT.values]
    return (
        sum(1 for diff in diffs if diff >= FATAL),
        sum(1 for diff in diffs if 0 < diff < FATAL),
        sum(1 for diff in diffs if diff <= -FATAL),
        sum(1 for diff in diffs if -FATAL < diff < 0),
    )


def place_worth(state: State, side: str, hex_: str) -> int:
    """What it is worth to stand on a hex: it burns, or it is near to one that will."""
    enemy = OTHER[side]
    targets = [name for name, here in state.terrain.items() if here.side == enemy and name not in state.burned]
    if is_in_base(state, hex_, enemy) and hex_ not in state.burned:
        return BURN_HALVES * HALF // (TOUCHED if touching(state, hex_, enemy) else 1)
    return -STEP * min((hexes.distance(hex_, name) for name in targets), default=0)


def danger(state: State, unit: Unit, hex_: str) -> int:
    """What a unit risks on a hex from the enemies that touch it and may still act."""
    enemies = [enemy for enemy in touching(state, hex_, OTHER[unit.side]) if not enemy.activated]
    return sum(max(0, fight_worth(enemy.force - unit.force, unit, enemy)) + RISK for enemy in enemies)
