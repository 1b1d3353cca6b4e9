"""Titles of what stands on the table, and the lines below it. All are messages: the words are the catalogue's."""

from collections.abc import Iterator
from typing import Any

from domain.basics.message import Message
from domain.engine.state import SIDES
from domain.games.shot_to_pieces.chapters.closing import lost_halves
from domain.games.shot_to_pieces.state.state import Corps, General, Ground, State, Unit, leader_of
from domain.games.shot_to_pieces.state.vocabulary import DEPLOYMENT

USUAL = ("battle", "column", "mounted")
"""Formations that go without saying."""
STEPS_WITH_POINTS = ("charges", "formations", "moves", "generals")


def unit_title(state: State, unit: Unit) -> Message:
    """A unit for somebody who cannot see its base."""
    leader = leader_of(state, unit)
    told: dict[str, Any] = {
        "type": unit.key,
        "name": unit.name,
        "status": "" if unit.status == "line" else unit.status,
        "formation": "" if unit.formation in USUAL else unit.formation,
        "shaken": bool(unit.shaken),
        "brittle": unit.brittle,
        "engaged": unit.engaged,
        "hidden": unit.hidden,
        "general": leader.id if leader else "",
        "moved": has_moved(state, unit),
        "fired": has_fired(state, unit),
    }
    return Message("stp.unit", told)


def has_moved(state: State, unit: Unit) -> bool:
    """Whether a unit has had its order in this phase (STP-ACT-08)."""
    return bool(state.k) and unit.order_k == state.k


def has_fired(state: State, unit: Unit) -> bool:
    """Whether a unit has fired in this phase (STP-SEQ-02)."""
    return bool(state.k) and unit.fired_k == state.k


def general_title(general: General) -> Message:
    """A general, and whom they are with."""
    told = {
        "name": general.name,
        "corps": general.corps,
        "commander": general.commander,
        "quality": general.quality,
        "unit": general.unit,
    }
    return Message("stp.general", told)


def ground_title(state: State, ground: Ground) -> Message:
    """A piece of terrain."""
    told = {
        "id": ground.id,
        "name": ground.name,
        "kind": ground.kind,
        "level": ground.level or "",
        "cover": ground.cover,
        "closed": ground.id in state.closed,
    }
    return Message("stp.ground", told)


def corps_title(corps: Corps) -> Message:
    """A corps as the formation that its units belong to."""
    return Message("stp.formation-title", {"corps": corps.id, "name": corps.name})


# --- the lines below the table


def captions(state: State) -> Iterator[tuple[str, Message]]:
    """The side to act, then each side with its losses and its corps."""
    yield "", _headline(state)
    for side in SIDES:
        if side in state.names:
            yield side, _side(state, side)
            yield from ((side, _corps(state, corps)) for corps in state.corps_of(side))


def brief_captions(state: State) -> Iterator[tuple[str, Message]]:
    """The same in few words, for letters: the orders below them name the corps."""
    yield "", _headline(state)
    for side in SIDES:
        if side in state.names:
            yield side, Message("stp.brief-side", {"name": state.names[side], "units": len(state.of(side))})
            for corps in state.corps_of(side):
                told = _corps(state, corps).params
                yield side, Message("stp.brief-corps", {**told, "lost": told["lost"] or ""})


def _headline(state: State) -> Message:
    told = {
        "ended": state.winner is not None,
        "winner": state.winner or "",
        "phase": state.phase,
        "step": state.step,
        "turn": state.turn or "",
        "k": state.k or "",
        "mover": state.side,
        "active": state.active,
    }
    return Message("stp.headline", told)


def _side(state: State, side: str) -> Message:
    corps = state.corps_of(side)
    told = {
        "name": state.names[side],
        "units": len(state.of(side)),
        "corps": len(corps),
        "broken": sum(1 for one in corps if one.broken),
        "lost": 2 * lost_halves(state, side),
        "strafes": state.strafes.get(side, 0) or "",
    }
    return Message("stp.side", told)


def _corps(state: State, corps: Corps) -> Message:
    is_paying = corps.side == state.side and state.step in STEPS_WITH_POINTS and not corps.strategic
    told = {
        "corps": corps.id,
        "name": corps.name,
        "order": "retreat" if corps.broken else corps.order,
        "goal": list(corps.goal) if corps.goal else "",
        "strategic": corps.strategic and state.phase != DEPLOYMENT,
        "ap": corps.ap if is_paying else "",
        "lost": 2 * corps.loss_halves,
        "threshold": 2 * corps.threshold_halves,
    }
    return Message("stp.corps", told)
