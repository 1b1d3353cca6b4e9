"""The loss points at stake in dice: who is destroyed by a shot or in melee (STP-RES-01 to -11), in halves.

The dice of both sides are weighed together: over all that they could have shown, a unit falls or it does not. Markers
count by what they do to the unit that has them already: a SHAKEN more than a unit can bear destroys it at once, one
that it bears is worth nothing here. Special dice, second throws and two dice of which the best is kept count as they
were thrown; what panic, fallen leaders and broken corps bring is weighed at nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, Literal, cast

from msgspec import Struct

from domain.engine.state import OTHER
from domain.events.battle import Event, Fact
from domain.games.shot_to_pieces.chapters.dice import die
from domain.games.shot_to_pieces.chapters.exchanges import FireResolved
from domain.games.shot_to_pieces.chapters.leaders import fighting_die
from domain.games.shot_to_pieces.chapters.melee import FRAGILE, MeleeResolved
from domain.games.shot_to_pieces.chapters.results import CAPPED, KILL, LIMIT
from domain.games.shot_to_pieces.state.figures import Use, figures, is_fat, is_skeleton
from domain.games.shot_to_pieces.state.profiles import Effect
from domain.games.shot_to_pieces.state.state import State, Unit
from domain.mechanics.stake import Drawn, Stake

FIGHTING = ("fire", "resilience", "melee")
AGAIN = "reroll"
TIE_MARKERS = 1
"""What both sides of an opposed roll get when it is level (STP-RES-10)."""


class Struck(Struct, frozen=True):
    """What a side of a roll does to the other: its class of effect, "none" for nothing, whether it comes from a gun,
    and whether a tie shakes the other (FAT, or the other SKELETON)."""

    effect: Effect | Literal["none"]
    is_gun: bool
    fattens: bool


def stake(drawn: Sequence[Drawn], fact: Fact, earlier: Sequence[Event]) -> Sequence[Stake] | None:
    """The points at stake in the dice that a fact settles; None for a fact that settles none."""
    settle = _SETTLED.get(type(fact.event))
    return None if settle is None else settle(drawn, fact.event)


# --- what a result does to a unit


def falls(unit: Unit, diff: int, by: Struck) -> bool:
    """Whether a unit that has lost by `diff` (1 or more) is destroyed (STP-RES-01 to -06, -09)."""
    if by.effect == "none":
        return False
    if diff >= KILL and (by.effect == "normal" or (by.effect == "kills-only-shaken" and unit.shaken)):
        return True
    if by.effect == "second-line" and diff < KILL:
        return unit.markers + 1 > LIMIT
    return _falls_by_marker(len(unit.shaken), unit.brittle, by)


def falls_in_tie(unit: Unit, by: Struck, *, is_opposed: bool) -> bool:
    """Whether a unit is destroyed by equal scores (STP-RES-10, -11)."""
    brittle = unit.brittle + (TIE_MARKERS if is_opposed else 0)
    if by.fattens and by.effect != "none":
        if by.effect == "second-line":
            return len(unit.shaken) + brittle + 1 > LIMIT
        return _falls_by_marker(len(unit.shaken), brittle, by)
    return len(unit.shaken) + brittle > LIMIT


def _falls_by_marker(shaken: int, brittle: int, by: Struck) -> bool:
    """Whether one marker of a class of effect is too much."""
    if by.effect == "brittle-only":
        added = brittle < CAPPED
    elif by.effect == "shaken-only" or (by.effect == "second-line" and by.is_gun):
        added = shaken < CAPPED
    else:
        added = True
        if shaken:
            return True
    return shaken + brittle + added > LIMIT


# --- shots and melees


class Opposed(Struct, frozen=True):
    """The roll of an attacker against a defender: `base` is the difference without dice, `first` what the attacker
    does, `back` what the defender does, None if nothing. `edge` is what a tie counts (STP-RES-12); `fragile` are those
    whom a tie or a SHAKEN destroys (STP-CHG-07, -09)."""

    base: int
    first: Struck
    back: Struck | None
    edge: int = 0
    fragile: frozenset[str] = frozenset()


def _shot(drawn: Sequence[Drawn], event: FireResolved) -> list[Stake]:
    state = drawn[-1].before if drawn else None
    if state is None:
        return []
    target, firer = state.units[event.target], state.units.get(event.firer)
    first = _struck(state, firer, target, event.effect, "fire")
    back = _struck(state, target, firer, event.reply_effect, "fire") if firer and event.mode == "exchange" else None
    roll = Opposed(_base(event), first, back, edge=0 if firer else 1)
    return _stakes(drawn, roll, (event.firer, event.target), (event.attack_die, event.defence_die))


def _melee(drawn: Sequence[Drawn], event: MeleeResolved) -> list[Stake]:
    state = drawn[-1].before if drawn else None
    if state is None:
        return []
    attacker, defender = state.units[event.attacker], state.units[event.defender]
    is_first = event.round == 1
    first, back = (
        _struck(state, one, other, effect, "melee", is_first=is_first)
        for one, other, effect in zip((attacker, defender), (defender, attacker), event.effects, strict=True)
    )
    edge = ("lancer" in attacker.traits) - ("lancer" in defender.traits) if is_first else 0
    melee = next(one for one in state.melees if one.id == event.melee)
    fragile = frozenset(name for name, mode in melee.modes.items() if mode in FRAGILE)
    roll = Opposed(_base(event), first, back, edge, fragile)
    return _stakes(drawn, roll, (attacker.id, defender.id), (event.attack_die, event.defence_die))


def _base(event: FireResolved | MeleeResolved) -> int:
    return event.attack - event.attack_die - event.defence + event.defence_die


def _struck(
    state: State, unit: Unit | None, other: Unit | None, effect: str, use: Use, *, is_first: bool = True
) -> Struck:
    """What a unit does to another in a roll."""
    if unit is None or other is None:
        return Struck("normal", is_gun=False, fattens=False)  # an aircraft
    is_gun = use == "fire" and figures(state, unit).arm == "art"
    fattens = is_fat(state, unit, use, is_first=is_first) or is_skeleton(other)
    return Struck(cast("Effect", effect), is_gun, fattens)


def _stakes(drawn: Sequence[Drawn], roll: Opposed, names: tuple[str, str], came: tuple[int, int]) -> list[Stake]:
    """What a roll puts at stake of the defender, and of the attacker if the defender strikes back."""
    dice = tuple(_dice_of(drawn, name) for name in names)
    if not all(dice):
        return []
    state = dice[1][-1].before
    attacker, defender = (state.units.get(name) for name in names)
    throws = _throws(state, attacker, dice[0]), _throws(state, defender, dice[1])
    stakes = [_of_two(dice[0][-1], defender, partial(_loses, roll, defender, is_attacker=False), throws, came)]
    if roll.back and attacker:
        stakes.append(_of_two(dice[1][-1], attacker, partial(_loses, roll, attacker, is_attacker=True), throws, came))
    return stakes


def _loses(roll: Opposed, unit: Unit, attack: int, defence: int, *, is_attacker: bool) -> bool:
    """Whether a unit is destroyed if these dice fall."""
    diff = roll.base + attack - defence or roll.edge
    by = roll.back if is_attacker else roll.first
    if by is None:
        return False
    if diff == 0:
        if roll.fragile:
            return unit.id in roll.fragile
        return falls_in_tie(unit, by, is_opposed=roll.back is not None)
    lost_by = -diff if is_attacker else diff
    if lost_by < 1:
        return False
    return falls(unit, lost_by, by) or (unit.id in roll.fragile and by.effect != "brittle-only")


# --- dice


def _dice_of(drawn: Sequence[Drawn], unit: str) -> list[Drawn]:
    """The dice of a unit that made its score: a second throw takes the place of those before it."""
    own = [draw for draw in drawn if draw.event.unit == unit and draw.event.purpose in (*FIGHTING, AGAIN)]
    return own[-1:] if own and own[-1].event.purpose == AGAIN else own


def _throws(state: State, unit: Unit | None, dice: Sequence[Drawn]) -> list[int]:
    """What the dice of a unit may have counted, the best of each throw; all are equally likely."""
    thrown = fighting_die(state, unit) if unit else die(4)
    return [max(values) for values in product(thrown.values, repeat=len(dice))]


def _of_two(
    by: Drawn,
    unit: Any,
    loses: Callable[[int, int], bool],
    throws: tuple[Iterable[int], Iterable[int]],
    came: tuple[int, int],
) -> Stake:
    """The stake of the dice of both sides, for the side to which the loss of a unit brings points."""
    ways = [loses(attack, defence) for attack, defence in product(*throws)]
    side = OTHER[unit.side]
    return Stake(by.n, side, unit.id, loses(*came), sum(ways), len(ways), Fraction(unit.worth))


_SETTLED: dict[type[Event], Callable[[Sequence[Drawn], Any], list[Stake]]] = {
    FireResolved: _shot,
    MeleeResolved: _melee,
}
"""What each fact settles."""
