"""The event that opens a battle, and the state it makes (STP-SCN-01).

All defaults are resolved in `BattleOpened`, so that the state folds from the log alone.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.events import battle as events
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.melees import WORST
from domain.games.shot_to_pieces.state.profiles import SKIRMISHERS, Period, period
from domain.games.shot_to_pieces.state.scenario_file import (
    CorpsGiven,
    GroundGiven,
    MeleeGiven,
    Side,
    SideGiven,
    StartGiven,
    UnitGiven,
)
from domain.games.shot_to_pieces.state.state import (
    NEVER,
    Corps,
    General,
    Ground,
    Melee,
    Options,
    Shaken,
    State,
    TableSize,
    Unit,
    phase_of,
)

BOTH: tuple[Side, ...] = ("south", "north")
HOMEWARD = {"south": 0, "north": 18000}
"""The usual facing of each side: away from its own edge."""
SKIRMISHING = "skirmish"


class BattleOpened(events.BattleOpened, frozen=True, gc=False, kw_only=True):
    """The whole set-up of the battle."""

    RULE = "STP-SEQ-01"

    title: str
    period: str
    first: Side
    options: Options
    board: TableSize
    terrain: tuple[GroundGiven, ...]
    sides: dict[Side, SideGiven]
    start: StartGiven | None = None
    melees: tuple[MeleeGiven, ...] = ()


def opened_state(state: State, event: BattleOpened) -> State:
    """The state that the scenario describes."""
    begun = replace(state, first=event.first)
    start = event.start
    k = phase_of(begun, start.side, start.turn) if start else 1
    melees = _melees(event.melees, k)
    in_melee = {name: melee for melee in melees for name in melee.units}
    units = {
        unit.id: _unit(event, side, corps, unit, k, in_melee.get(unit.id))
        for side in BOTH
        for corps in event.sides[side].corps
        for unit in corps.units
    }
    opened = replace(
        begun,
        title=event.title,
        period=event.period,
        options=event.options,
        board=event.board,
        terrain=tuple(_ground(one) for one in event.terrain),
        names={side: event.sides[side].name for side in BOTH},
        units=units,
        corps={one.id: _corps(side, one) for side in BOTH for one in event.sides[side].corps},
        generals={
            made.id: made for side in BOTH for one in event.sides[side].corps for made in _generals(side, one, units)
        },
        melees=melees,
        melees_made=len(melees),
        strafes={side: event.sides[side].strafes for side in BOTH},
    )
    if start is None:
        return opened
    return replace(opened, turn=start.turn, side=start.side, active=start.side, k=k, start=start.step)


def _ground(given: GroundGiven) -> Ground:
    return Ground(given.id, given.kind, given.outline, given.line, given.cover, given.level, given.name)


def _melees(given: tuple[MeleeGiven, ...], k: int) -> tuple[Melee, ...]:
    """The melees that go on: of several with one target the first names the reference unit, the others are further
    chargers (STP-MEL-15)."""
    made: dict[str, Melee] = {}
    for one in given:
        charger, target = one.units
        melee = made.get(target)
        if melee is None:
            made[target] = _melee(f"M{len(made) + 1}", one, k)
            continue
        aspect = max(melee.aspect, one.aspect, key=WORST.index)
        modes = {**melee.modes, charger: one.mode}
        made[target] = replace(melee, others=(*melee.others, charger), aspect=aspect, modes=modes)
    return tuple(made.values())


def _melee(name: str, given: MeleeGiven, k: int) -> Melee:
    since = given.since if given.since >= 0 else k - 1
    charger, target = given.units
    fought = k - 1 if since < k else NEVER
    return Melee(
        name,
        charger,
        target,
        since,
        aspect=given.aspect,
        rounds=k - since,
        fought=fought,
        modes={charger: given.mode},
    )


def _corps(side: str, given: CorpsGiven) -> Corps:
    return Corps(
        given.id,
        side,
        name=given.name,
        general=given.general.id if given.general else "",
        order=given.order,
        goal=given.goal,
        size=given.size,
        shift=given.threshold_shift,
        loss_halves=given.loss_halves,
        strategic=given.strategic,
        rolled=given.ap,
        ap=given.ap,
    )


def _generals(side: str, corps: CorpsGiven, units: Mapping[str, Unit]) -> tuple[General, ...]:
    given = corps.general
    if given is None:
        return ()
    place = units[given.with_].at if given.with_ else given.at
    is_placed = place is not None
    made = General(given.id, side, corps.id, place or (0, 0), given.quality, given.nation, given.commander, given.with_)
    return (replace(made, placed=is_placed, name=given.name),)


def _unit(event: BattleOpened, side: Side, corps: CorpsGiven, given: UnitGiven, k: int, melee: Melee | None) -> Unit:
    rules = period(event.period)
    key = key_in(rules, given.type, given.formation)
    width, depth = base_size(rules.types[key].arm, given.formation, event.options.base_sizes)
    until = k if given.shaken_before else k + 1
    is_own = event.start is None or event.start.side == side
    return Unit(
        given.id,
        side,
        corps.id,
        given.type,
        given.status,
        Base(given.at or (0, 0), given.facing, width, depth),
        given.formation,
        key=key,
        name=given.name,
        home=corps.id,
        weapon=given.weapon,
        traits=frozenset(given.traits),
        cover=given.cover,
        brigade=given.brigade,
        worth=_worth(rules, corps, given),
        placed=given.at is not None,
        hidden="hidden" in given.traits,
        brittle=given.brittle,
        shaken=(Shaken(until, "fire"),) * given.shaken,
        melee=melee.id if melee else "",
        fought_k=melee.fought if melee else NEVER,
        charges=given.charges,
        charge_k=(k - 2 if is_own else k - 1) if given.charges else NEVER,
        fired_k=k - 1 if given.fired_before else NEVER,
        shots=1 if given.fired_before else 0,
    )


def _worth(rules: Period, corps: CorpsGiven, given: UnitGiven) -> int:
    """What the loss of a unit counts, in halves: other than one point in a mixed corps alone (STP-MOR-02)."""
    skirmish = [rules.types[unit.type].arm in SKIRMISHERS for unit in corps.units]
    if len({unit.status for unit in corps.units}) < 2 and len(set(skirmish)) < 2:
        return 2
    if given.status == "militia" or rules.types[given.type].arm in SKIRMISHERS:
        return 1
    return 3 if given.status == "elite" else 2


def key_in(rules: Period, kind: str, formation: str) -> str:
    """The type whose figures a unit has in a formation: that of a skirmisher (STP-FRM-05), of the dismounted, or its
    own."""
    if formation == SKIRMISHING:
        return "skirmisher"
    if formation == "dismounted":
        return rules.types[kind].dismounts or kind
    if formation == "mounted":
        return rules.types[kind].mounts or kind
    return kind


EVOLUTIONS = {BattleOpened: opened_state}
