"""The loss points at stake in dice: who is destroyed by a shot (STP-RES-01 to -11), in halves (STP-MOR-02).

The dice of both sides are weighed together: over all that they could have shown, a unit falls or it does not. Markers
count by what they do to the unit that has them already: a SHAKEN more than a unit can bear destroys it at once, one
that it bears is worth nothing here. Special dice, second throws and two dice of which the best is kept count as they
were thrown; what panic, fallen leaders and broken corps bring is weighed at nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from msgspec import Struct

from domain.engine.state import OTHER
from domain.events.battle import Event, Fact
from domain.games.shot_to_pieces.chapters.dice import die
from domain.games.shot_to_pieces.chapters.exchanges import FireResolved
from domain.games.shot_to_pieces.chapters.leaders import fighting_die
from domain.games.shot_to_pieces.chapters.results import CAPPED, KILL, LIMIT
from domain.games.shot_to_pieces.state.figures import figures, is_fat, is_skeleton
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


# --- shots


def _shot(drawn: Sequence[Drawn], event: FireResolved) -> list[Stake]:
    attacks, defends = _dice_of(drawn, event.firer), _dice_of(drawn, event.target)
    if not attacks or not defends:
        return []
    state = defends[-1].before
    target, firer = state.units[event.target], state.units.get(event.firer)
    is_opposed = event.mode == "exchange"
    wins_ties = firer is None
    hit = Struck(event.effect, _is_gun(state, firer), _fattens(state, firer, target))  # type: ignore[arg-type]
    base = event.attack - event.attack_die - event.defence + event.defence_die

    def loses_target(attack: int, defence: int) -> bool:
        diff = base + attack - defence
        if diff == 0 and not wins_ties:
            return falls_in_tie(target, hit, is_opposed=is_opposed)
        return diff >= 0 and falls(target, diff or 1, hit)

    throws = _throws(state, firer, attacks), _throws(state, target, defends)
    came = event.attack_die, event.defence_die
    stakes = [_of_two(attacks[-1], target, loses_target, throws, came)]
    if is_opposed and firer is not None:
        back = Struck(event.reply_effect, _is_gun(state, target), _fattens(state, target, firer))  # type: ignore[arg-type]

        def loses_firer(attack: int, defence: int) -> bool:
            diff = base + attack - defence
            if diff == 0:
                return falls_in_tie(firer, back, is_opposed=True)
            return diff < 0 and falls(firer, -diff, back)

        stakes.append(_of_two(defends[-1], firer, loses_firer, throws, came))
    return stakes


def _is_gun(state: State, unit: Unit | None) -> bool:
    return unit is not None and figures(state, unit).arm == "art"


def _fattens(state: State, unit: Unit | None, other: Unit) -> bool:
    return unit is not None and (is_fat(state, unit, "fire") or is_skeleton(other))


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
    unit: Unit,
    loses: Callable[[int, int], bool],
    throws: tuple[Iterable[int], Iterable[int]],
    came: tuple[int, int],
) -> Stake:
    """The stake of the dice of both sides, for the side to which the loss of a unit brings points."""
    ways = [loses(attack, defence) for attack, defence in product(*throws)]
    side = OTHER[unit.side]
    return Stake(by.n, side, unit.id, loses(*came), sum(ways), len(ways), Fraction(unit.worth))


_SETTLED: dict[type[Event], Callable[[Sequence[Drawn], Any], list[Stake]]] = {FireResolved: _shot}
"""What each fact settles."""
