"""Chapter FIR, replies: who must fire back (STP-FIR-05)."""

from msgspec.structs import replace

from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.able import is_able
from domain.games.shot_to_pieces.chapters.salvoes import is_artillery, large_mate
from domain.games.shot_to_pieces.chapters.targets import DEAD_ZONE, direct_targets, has_lane, is_in_arc, range_to
from domain.games.shot_to_pieces.plane.contacts import abuts
from domain.games.shot_to_pieces.state.figures import weapon_of
from domain.games.shot_to_pieces.state.state import Salvo, State, Unit, changed

REPLY = "STP-FIR-05"


class ReplyObliged(Event, frozen=True, gc=False):
    """A unit fired at must fire back, with the abutting friends who aimed at the same enemy."""

    RULE = REPLY

    unit: str
    against: str
    units: tuple[str, ...]


def repliers(state: State, firer: Unit, target: Unit, *, is_indirect: bool = False) -> tuple[str, ...]:
    """The units that reply to a salvo, the target first; () if it is not obliged to, or cannot.

    Rule: STP-FIR-05: it is able to fire, has not declared against somebody else, and the firer is the nearest of those
          whom it could fire at; friends beside it who declared against the firer join, and so does the other half of a
          large battalion (STP-EMP-08). Nobody replies through those who are fired over
    """
    if not is_able(state, target, is_reply=True) or not _may_reply(state, target, firer):
        return ()
    if is_indirect and not has_lane(state, target, firer):
        return ()
    far = range_to(target, firer)
    nearest = next(direct_targets(state, target), None)
    if nearest is not None and nearest.distance < far:
        return ()
    aiming = [salvo for salvo in state.salvoes if salvo.target == firer.id]
    aimed = {name for salvo in aiming for name in salvo.units}
    together = {name for salvo in aiming if target.id in salvo.units for name in salvo.units}
    mate = large_mate(state, target)
    joining = [
        one.id
        for one in state.of(target.side)
        if one.id != target.id
        and (one.id in together or ((one.id in aimed or one is mate) and abuts(target.base, one.base)))
        and is_able(state, one, is_reply=True)
        and _may_reply(state, one, firer)
        and is_artillery(state, one) == is_artillery(state, target)
    ]
    return (target.id, *joining)


def _may_reply(state: State, unit: Unit, firer: Unit) -> bool:
    """Whether a firer is in range and arc of a unit that has not declared against somebody else
    (STP-FIR-05)."""
    weapon = weapon_of(state, unit)
    if weapon is None or any(unit.id in salvo.units and salvo.target != firer.id for salvo in state.salvoes):
        return False
    far = range_to(unit, firer)
    is_too_near = "bombardment" in weapon.marks and far < DEAD_ZONE
    return far <= weapon.range and not is_too_near and is_in_arc(state, unit, firer)


# --- evolutions


def on_reply_obliged(state: State, event: ReplyObliged) -> State:
    """Those who reply have fired; what they had declared is used up."""
    return fired(state, event.units)


def fired(state: State, names: tuple[str, ...], salvo: str = "") -> State:
    """The state in which units have fired: out of the salvo, or of the first that each was in."""
    for name in names:
        unit = state.units[name]
        again = unit.fired_k == state.k
        earlier = unit.fired_earlier_k if again else unit.fired_k
        state = changed(state, name, fired_k=state.k, fired_earlier_k=earlier, shots=unit.shots + 1 if again else 1)
        held = next((one for one in state.salvoes if name in one.units and salvo in ("", one.id)), None)
        if held is not None:
            state = without(state, held, (name,))
    return state


def without(state: State, salvo: Salvo, names: tuple[str, ...]) -> State:
    """The state with units out of a salvo; one without units is gone."""
    left = tuple(name for name in salvo.units if name not in names)
    changed_one = replace(salvo, units=left)
    salvoes = (changed_one if one.id == salvo.id else one for one in state.salvoes)
    return replace(state, salvoes=tuple(one for one in salvoes if one.units))


EVOLUTIONS = {ReplyObliged: on_reply_obliged}
