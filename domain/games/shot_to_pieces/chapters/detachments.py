"""Chapter OPT, detachments: units go to another corps, for good from the army reserve, on loan by brigade
(STP-OPT-01, -02, -07)."""

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.checks import own_corps, own_unit, require_here
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.points import RADIUS_HCM
from domain.games.shot_to_pieces.plane.gaps import distance_to
from domain.games.shot_to_pieces.state.commands import Detach
from domain.games.shot_to_pieces.state.state import Corps, State, Unit, commander_of, general_of, place_of, with_corps
from domain.games.shot_to_pieces.state.vocabulary import ORDERS

RULE, RESERVE, LOAN = "STP-OPT-07", "STP-OPT-01", "STP-OPT-02"


class UnitsDetached(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """Units are under another corps now; with `for_good` it counts their losses, too."""

    RULE = RULE

    units: tuple[str, ...]
    from_: str
    to: str
    for_good: bool


class Detachment(Struct, frozen=True, gc=False):
    """A detachment that may be made."""

    units: tuple[str, ...]
    source: str
    to: str
    for_good: bool


def plan_detach(state: State, side: str, command: Detach) -> Detachment:
    """Units of the army reserve near the general of a corps, or all living units of a brigade. Who is only lent to the
    commander's corps is not of it: N of that corps does not count them.

    Raises: Refusal stp.option-off, stp.unit-gone, stp.partial-detachment, stp.too-far
    """
    units = tuple(own_unit(state, side, name) for name in command.units)
    corps = own_corps(state, side, command.corps)
    source = units[0].corps
    commander, options = commander_of(state, side), state.options
    is_of_commander = commander is not None and commander.corps == source
    is_reserve = options.army_reserve and is_of_commander and all(unit.home == source for unit in units)
    if not (is_reserve or options.detachment):
        raise Refusal("stp.option-off", RULE, option="army_reserve" if commander is not None else "detachment")
    for unit in units:
        require_here(unit)
    is_whole = len({*command.units}) == len(units) and {unit.corps for unit in units} == {source} != {corps.id}
    if not is_whole or not (is_reserve or _is_brigade(state, units)):
        raise Refusal("stp.partial-detachment", RULE, units=list(command.units), corps=corps.id)
    if is_reserve:
        _require_near(state, units, corps)
    return Detachment(command.units, source, corps.id, is_reserve)


def _is_brigade(state: State, units: tuple[Unit, ...]) -> bool:
    """Whether these are all living units of one brigade."""
    brigade = units[0].brigade
    members = {unit.id for unit in state.under(units[0].corps) if unit.brigade == brigade}
    return brigade != "" and members == {unit.id for unit in units}


def _require_near(state: State, units: tuple[Unit, ...], corps: Corps) -> None:
    general = general_of(state, corps)
    for unit in units:
        found = distance_to(unit.base, place_of(state, general)) if general else RADIUS_HCM + 1
        if found > RADIUS_HCM:
            raise Refusal("stp.too-far", RESERVE, unit=unit.id, distance=found, allowed=RADIUS_HCM)


def detach(judge: Judge[State], side: str, made: Detachment) -> None:
    """The units are under the other corps."""
    rule = RESERVE if made.for_good else LOAN
    judge.emit(UnitsDetached(made.units, made.source, made.to, made.for_good), side, rule)


def send_home(judge: Judge[State], corps: Corps) -> None:
    """Whoever was lent to a corps that breaks goes back to its own (STP-OPT-07)."""
    for home in judge.state.corps_of(corps.side):
        lent = tuple(unit.id for unit in judge.state.under(corps.id) if unit.home == home.id != corps.id)
        if lent:
            judge.emit(UnitsDetached(lent, corps.id, home.id, False), corps.side, LOAN)


def on_units_detached(state: State, event: UnitsDetached) -> State:
    """A unit that joins for good takes its place in the number N of a corps along."""
    units = {name: state.units[name] for name in event.units}
    moved = {
        name: replace(unit, corps=event.to, home=event.to if event.for_good else unit.home)
        for name, unit in units.items()
    }
    state = replace(state, units={**state.units, **moved})
    if not event.for_good:
        return state
    count = len(event.units)
    state = with_corps(state, event.from_, size=state.corps[event.from_].size - count)
    return with_corps(state, event.to, size=state.corps[event.to].size + count)


STEP_ORDERS = {Detach: StepOrder((ORDERS,), plan_detach, detach)}
EVOLUTIONS = {UnitsDetached: on_units_detached}
