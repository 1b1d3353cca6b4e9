"""Ask the engine about a unit, a corps or a result: in a made-up battle of a period, so that no sheet can say what the
rules do not."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.games.shot_to_pieces.adjudication import EVOLUTIONS, STEPS
from domain.games.shot_to_pieces.chapters.command import Sending, plan_order
from domain.games.shot_to_pieces.chapters.evading import loss_of
from domain.games.shot_to_pieces.chapters.formations import formations_of
from domain.games.shot_to_pieces.chapters.moves import backing
from domain.games.shot_to_pieces.chapters.paces import MARCH
from domain.games.shot_to_pieces.chapters.points import price
from domain.games.shot_to_pieces.chapters.results import Result, UnitDestroyed, hurt, settle
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.commands import OrderCorps
from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.profiles import Effect, Period
from domain.games.shot_to_pieces.state.state import Corps, General, Shaken, State, Unit, with_unit
from domain.games.shot_to_pieces.state.vocabulary import ADVANCE, HOLD
from domain.log.chance import NoDraw

UNIT, FOE = "U", "E"
CENTRE = (9000, 6000)


def battle(held: Period, key: str, *, formation: str = "", status: str = "line") -> tuple[State, Unit]:
    """A battle of a period with one unit, in its usual formation unless another is named."""
    kind = held.types[key]
    shape = formation or kind.usual_formation
    base = Base(CENTRE, 0, *base_size(kind.arm, shape, {}))
    unit = Unit(UNIT, "south", "S", key, status, base, shape, key=key)
    corps = {"S": Corps("S", "south", general="G"), "N": Corps("N", "north", general="H")}
    state = State(period=held.code, side="south", k=1, turn=1, corps=corps, units={UNIT: unit})
    return state, unit


# --- moves


def ways_back(held: Period, key: str) -> dict[str, int]:
    """How far a type draws away facing the enemy, by formation in which it fights."""
    found = {}
    for formation in held.types[key].formations:
        if formation not in (MARCH, "skirmish", "extended"):
            found[formation] = backing(*battle(held, key, formation=formation))
    return found


def taken_on(held: Period, key: str) -> tuple[str, ...]:
    """The formations of a type, its usual one first; what elite troops alone may take on is among them."""
    state, unit = battle(held, key, status="elite")
    return (unit.formation, *(name for name in formations_of(state, unit) if name != unit.formation))


def evader_lost_on(held: Period, status: str) -> int:
    """Up to which face of a D6 an evader of a status is lost, if its type is no specialist."""
    return loss_of(*battle(held, "infantry", status=status))[0]


# --- orders


def sent(held: Period, *, nation: str = "", tries: int = 0) -> Sending:
    """An order on its way from one normal general to another, of another nation if one is named, after `tries`."""
    state, _ = battle(held, "infantry")
    commander = General("A", "south", "C", CENTRE, commander=True)
    general = General("G", "south", "S", CENTRE, nation=nation)
    corps = replace(state.corps["S"], order=HOLD, tried=ADVANCE if tries else "", tries=tries)
    state = replace(state, generals={"A": commander, "G": general}, corps={**state.corps, "S": corps})
    return plan_order(state, "south", OrderCorps("S", "advance"))


def prices(held: Period, radius: int) -> Iterator[tuple[str, int]]:
    """What an order costs near a general, beyond their radius, and without a general."""
    state, unit = battle(held, "infantry")
    near = replace(state, generals={"G": General("G", "south", "S", CENTRE)})
    far = (CENTRE[0], CENTRE[1] + 2 * radius)
    yield "near", price(near, (unit,))
    yield "far", price(replace(state, generals={"G": General("G", "south", "S", far)}), (unit,))
    yield "no-general", price(state, (unit,))


# --- results


def outcome(held: Period, effect: Effect, diff: int, *, was_shaken: bool = False) -> str:
    """What a unit suffers that loses by a difference: `shaken`, `brittle`, `destroyed` or `` for nothing."""
    state, unit = battle(held, "infantry")
    if was_shaken:
        unit = replace(unit, shaken=(Shaken(2, "fire"),))
    judge = _judge(with_unit(state, unit))
    hurt(judge, UNIT, diff, effect, "fire")
    return _suffered(judge, unit)


def tie(held: Period) -> str:
    """What both suffer by equal scores."""
    state, unit = battle(held, "infantry")
    foe = replace(unit, id=FOE, side="north", corps="N")
    judge = _judge(with_unit(state, foe))
    settle(judge, Result(UNIT, FOE, 0, "normal", "normal", "melee"))
    mine, theirs = _suffered(judge, unit), _suffered(judge, foe)
    assert mine == theirs, "a tie is even"
    return mine


def _judge(state: State) -> Judge[State]:
    return Judge(state, NoDraw(), EVOLUTIONS, STEPS, {})


def _suffered(judge: Judge[State], before: Unit) -> str:
    if any(isinstance(fact.event, UnitDestroyed) and fact.event.unit == before.id for fact in judge.facts):
        return "destroyed"
    after = judge.state.units[before.id]
    if len(after.shaken) > len(before.shaken):
        return "shaken"
    return "brittle" if after.brittle > before.brittle else ""
