"""The victory points at stake in dice, in halves: who is eliminated by a combat or a shot (PRG-VP-01).

Both throw at once, so that the dice of a combat or a shot are weighed together: over all pairs of faces.

- A unit falls if it loses by four or more, and by any difference where it is cornered and may not flee (PRG-RET-05,
  -07). Heavy infantry that may rally is worth the odds that it does not.
- A rally decides over the unit that would be eliminated, else over nothing: retreats bring no points.

Where a unit is cornered is judged as the units stand when the dice are thrown.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from domain.engine.state import OTHER
from domain.events.battle import Event, Fact
from domain.games.singidunum.chapters.combat import FATAL, CombatResolved, result
from domain.games.singidunum.chapters.dice import FIGHT, LOGO, PLAIN_DIE
from domain.games.singidunum.chapters.fight import Fight
from domain.games.singidunum.chapters.movement import UnitMoved
from domain.games.singidunum.chapters.points import has_refuge
from domain.games.singidunum.chapters.rally import RallyRolled
from domain.games.singidunum.chapters.retreats import SHOT, flight_hexes, retreat_hexes
from domain.games.singidunum.chapters.shooting import ShotResolved
from domain.games.singidunum.state.board import SCRUB
from domain.games.singidunum.state.state import State, Unit, ground, is_free, is_in_base
from domain.mechanics.dice import faces_at_least
from domain.mechanics.stake import Drawn, Stake


def stake(drawn: Sequence[Drawn], fact: Fact, earlier: Sequence[Event]) -> Sequence[Stake] | None:
    """The points at stake in the dice that a fact settles; None for a fact that settles none."""
    settle = _SETTLED.get(type(fact.event))
    return None if settle is None else list(settle(drawn, fact.event, earlier))


# --- what an elimination brings


def worth(state: State, unit: Unit) -> int:
    """The half points that the elimination of a unit brings; none where a refuge spares it (PRG-VP-01, -03, -06)."""
    return 0 if state.options.refuge_kill and has_refuge(state, unit) else unit.profile.half_points


def unrallied(state: State) -> Fraction:
    """How likely heavy infantry does not rally (PRG-CBT-09)."""
    return 1 - Fraction(faces_at_least(PLAIN_DIE, state.options.rally_target), PLAIN_DIE.sides)


def is_cornered(state: State, unit: Unit, causes: Sequence[str], through: str = "") -> bool:
    """Whether a unit that must go back from these hexes after a combat falls, as it neither retreats nor flees
    (PRG-RET-05 … -07)."""
    if retreat_hexes(state, unit, causes):
        return False
    if is_in_base(state, unit.hex):
        return True
    return not (through and is_free(state, through)) and not flight_hexes(state, unit)


# --- combats, shots, rallies


def _combat(drawn: Sequence[Drawn], event: CombatResolved, earlier: Sequence[Event]) -> Iterator[Stake]:
    """The target may fall, and each attacker; the second of a double attack only where it is cornered (PRG-CBT-08)."""
    dice = _pair(drawn, "combat")
    if dice is None:
        return
    attack, defence = dice
    state = attack.before
    target = state.units[event.target]
    fight = Fight(
        side=OTHER[target.side], kind="", attackers=event.attackers, hexes=(), target=target.id, hex="", through=()
    )
    base = event.attack_total - event.attack_die - event.defence_total + event.defence_die
    came = event.attack_die - event.defence_die
    for name in (target.id, *event.attackers):
        unit = state.units[name]
        is_target = name == target.id
        causes = [state.units[attacker].hex for attacker in event.attackers] if is_target else [target.hex]
        cornered = is_cornered(state, unit, causes, "" if is_target else _through(state, name, earlier))

        def loss(margin: int, unit: Unit = unit, cornered: bool = cornered) -> Fraction:
            diff, winner, _ = result(state, fight, base + margin)
            if not diff or winner == unit.side:
                return Fraction(0)
            if cornered or diff < FATAL or unit.id in event.attackers[1:]:
                return Fraction(cornered)
            return unrallied(state) if unit.type == "HI" and diff >= state.options.rally_min_diff else Fraction(1)

        yield _of_two(attack if is_target else defence, state, loss, came, worth(state, unit))


def _shot(drawn: Sequence[Drawn], event: ShotResolved, earlier: Sequence[Event]) -> Iterator[Stake]:
    """The target may be eliminated (PRG-SHT-09, -14); a unit that is hit never falls by its retreat (PRG-SHT-10)."""
    dice = _pair(drawn, "shot")
    if dice is None:
        return
    state = dice[0].before
    target = state.units[event.target]
    odds = unrallied(state) if target.type == "HI" else Fraction(1)
    came = event.attack_die - event.defence_die

    def loss(margin: int) -> Fraction:
        return odds if event.diff - came + margin >= state.options.shot_kill else Fraction(0)

    yield _of_two(dice[0], state, loss, came, worth(state, target))


def _rally(drawn: Sequence[Drawn], event: RallyRolled, earlier: Sequence[Event]) -> Iterator[Stake]:
    """The unit is eliminated if it does not rally, unless it would only go back, or falls all the same (PRG-CBT-09)."""
    for draw in drawn:
        state = draw.before
        unit = state.units[event.unit]
        fought = next((e for e in reversed(earlier) if isinstance(e, CombatResolved)), None)
        cost = worth(state, unit)
        if event.cause != SHOT and fought:
            is_target = unit.id == fought.target
            causes = [state.units[name].hex for name in (fought.attackers if is_target else (fought.target,))]
            through = "" if is_target else _through(state, unit.id, earlier)
            cost *= fought.diff >= FATAL and not is_cornered(state, unit, causes, through)
        does = faces_at_least(PLAIN_DIE, event.needed)
        yield Stake(draw.n, draw.by, unit.id, event.success, does, PLAIN_DIE.sides, Fraction(cost))


def _pair(drawn: Sequence[Drawn], purpose: str) -> tuple[Drawn, Drawn] | None:
    """The dice of both sides that stand, that of the attacker first."""
    dice = [draw for draw in drawn if draw.event.purpose == purpose]
    return (dice[0], dice[1]) if len(dice) > 1 else None


def _of_two(by: Drawn, state: State, loss: Callable[[int], Fraction], came: int, cost: int) -> Stake:
    """The stake of two dice, for the side to which a loss of the other brings points.

    Shape: `loss` says how likely the unit is lost when the first die beats the second by so much; by `came` it has;
           `cost` is what the loss brings
    """
    faces = [value for value in FIGHT.values if value != LOGO or not state.options.reroll_five]
    ways = [loss(one - other) for one in faces for other in faces]
    fatal = [odds for odds in ways if odds]
    swing = cost * sum(fatal, Fraction(0)) / len(fatal) if fatal else Fraction(0)
    return Stake(by.n, by.by, by.event.unit, bool(loss(came)), len(fatal), len(ways), swing)


def _through(state: State, name: str, earlier: Sequence[Event]) -> str:
    """The scrub hex by which a unit came to attack, "" for none (PRG-RET-06)."""
    moves = (event for event in reversed(earlier) if isinstance(event, UnitMoved) and event.unit == name)
    path = next((event.path for event in moves), ())
    return path[0] if len(path) > 1 and ground(state, path[0]).kind == SCRUB else ""


_SETTLED: dict[type[Event], Callable[[Sequence[Drawn], Any, Sequence[Event]], Iterator[Stake]]] = {
    CombatResolved: _combat,
    ShotResolved: _shot,
    RallyRolled: _rally,
}
"""What each fact settles."""
