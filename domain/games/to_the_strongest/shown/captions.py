"""Captions for the pieces on the board and for the state of a battle.

For the captions below a board and for readers who cannot see it. The sentences of events tell what has
happened; captions only describe the present state. All are messages: the words are the catalogue's.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from domain.basics.message import Message
from domain.engine.state import SIDES
from domain.games.to_the_strongest.shown.setup_captions import before_turns, of_side
from domain.games.to_the_strongest.state.state import Army, Camp, General, State, Unit, general_unit

Params = dict[str, Any]

# --- on the table


class Led(NamedTuple):
    """The generals that go with a unit: those bound to it, and those who ride with it by choice."""

    attached: tuple[str, ...] = ()
    riding: tuple[str, ...] = ()


LEADERLESS = Led()


def generals_with(state: State) -> dict[str, Led]:
    """The living generals that go with units, by unit."""
    led: dict[str, Led] = {}
    for general in state.generals.values():
        unit = general_unit(general)
        if general.alive and unit:
            attached, riding = led.get(unit, LEADERLESS)
            led[unit] = (
                Led((*attached, general.id), riding) if general.attached else Led(attached, (*riding, general.id))
            )
    return led


def unit_title(unit: Unit, led: Led, behind: str = "", *, in_front: bool = False, hidden: bool = False) -> Message:
    """A unit for somebody who cannot see the base; `behind` is the unit in front of it in its box, `hidden`: it
    lies there in ambush."""
    told: Params = {
        "unit": unit.id,
        "type": unit.type,
        "quality": unit.quality if unit.quality != "standard" else "",
        "facing": unit.facing,
        "steps": unit.steps,
        "formation": unit.formation if unit.formation != "normal" else "",
        "lance": _ready(unit.lance, unit.lance_full),
        "pilum": _ready(unit.pilum, unit.pilum_full),
        "hero": "" if not unit.hero else "spent" if unit.hero_spent else "ready",
        "extras": list(unit.extras),
        "attached": list(led.attached),
        "riding": list(led.riding),
        "behind": behind,
        "in_front": in_front,
        "hidden": hidden,
    }
    told |= {"losses": unit.losses} if unit.losses else {}
    told |= {"ammo": unit.ammo, "ammo_full": unit.ammo_full} if unit.ammo_full else {}
    return Message("tts.title-unit", told)


def _ready(left: int, full: int) -> str:
    return "" if not full else "ready" if left else "spent"


def general_title(general: General, unit: str, box: str) -> Message:
    """A general; `unit` is the one they go with, or ""."""
    return Message(
        "tts.title-general",
        {
            "general": general.id,
            "traits": sorted(general.traits),
            "attached": unit if general.attached else "",
            "riding": unit,
            "box": box,
            "wound": general.wound,
        },
    )


def camp_title(state: State, camp: Camp) -> Message:
    """A camp, its side and its fortified sides."""
    return Message("tts.title-camp", camp_named(camp, army_name(state, camp.side)))


def box_title(box: str, ground: str, zone: str, camp: Params) -> Message:
    """A box, its ground, the side whose deployment zone it belongs to, and the camp in it, {} for none."""
    return Message("tts.title-box", {"box": box, "ground": ground, "zone": zone, **camp})


def camp_named(camp: Camp, army: str) -> Params:
    """A camp by its side and the name of its army, with its fortified sides."""
    return {"side": camp.side, "army": army, "fortified": list(camp.fortified)}


def edge_title(feature: str, one: str, other: str) -> Message:
    """A linear feature between two boxes."""
    return Message("tts.title-edge", {"feature": feature, "one": one, "other": other})


def rampart_title(box: str, facing: str) -> Message:
    """A fortified side of a camp."""
    return Message("tts.title-rampart", {"box": box, "facing": facing})


# --- below the board


def captions(state: State, side: str = "") -> tuple[tuple[str, Message], ...]:
    """The side to move, and before the turns what `side`, the reader, can do; then for each side its
    medals, what it holds and has yet to place, its units off the field and those lost."""
    general = (_headline(state), *before_turns(state, side))
    return (*(("", message) for message in general), *_by_side(state))


def _headline(state: State) -> Message:
    """The side to move, or how the battle ended."""
    if state.winner is not None:
        how = {"how": state.how}
        if not state.winner:
            return Message("tts.caption-drawn", how)
        return Message("tts.caption-won", {**army_named(state, state.winner), **how})
    told: Params = army_named(state, state.active)
    if state.phase == "turns":
        told |= {"turn": state.turn, "limit": state.options.turn_limit or ""}
    elif state.phase == "deployment":
        told["corps"] = state.armies[state.active].opened if state.active else ""
    waiting = state.waiting
    if waiting:
        asked = {f"asked_{name}": value for name, value in army_named(state, waiting.side).items()}
        told |= {**asked, "question": waiting.kind, "unit": waiting.unit}
    if state.phase == "turns":
        return Message("tts.caption-turn", told)
    return Message(f"tts.caption-phase.{state.phase}" if state.phase else "tts.caption-phase", told)


def _by_side(state: State) -> Iterator[tuple[str, Message]]:
    for side in SIDES:
        army = state.armies.get(side)
        if army:
            yield side, _tally(state, side, army)
            told = (*of_side(state, side), *_away(state, side), *_lost(state, side))
            yield from ((side, message) for message in told)


def _tally(state: State, side: str, army: Army) -> Message:
    stocks = {"ammo": army.ammo, "lance": army.lance, "pilum": army.pilum}
    reserve = {marker: count for marker, count in stocks.items() if count}
    left = {"medals": army.medals, "full": army.medals_full, "reserve": reserve}
    return Message("tts.caption-medals", {**army_named(state, side), **left})


def _away(state: State, side: str) -> Iterator[Message]:
    """Units and generals alive but not on the table: gone over an edge, or still to come. Those being deployed, in
    ambush or marching round the flank have captions of their own."""
    away = [unit for unit in state.units.values() if unit.side == side and unit.alive and not unit.box]
    for unit in away:
        if unit.left_box:
            gone = {"unit": unit.id, "box": unit.left_box, "turns": unit.off_turns}
            yield Message("tts.caption-away", gone)
    elsewhere = {name for ambush in state.ambushes for name in ambush.units}
    marching = {flank.corps for flank in state.armies[side].flanks}
    waiting = [
        unit.id for unit in away if not unit.left_box and unit.id not in elsewhere and unit.corps not in marching
    ]
    if waiting and state.phase in ("turns", "ended"):
        yield Message("tts.caption-unplaced", {"units": waiting})


def _lost(state: State, side: str) -> Iterator[Message]:
    units = [unit.id for unit in state.units.values() if unit.side == side and not unit.alive]
    generals = [general.id for general in state.generals.values() if general.side == side and not general.alive]
    if units or generals:
        yield Message("tts.caption-lost", {"units": [*units, *generals]})


def army_named(state: State, side: str) -> Params:
    """A side, and the name of its army if it has one."""
    return {"side": side, "army": army_name(state, side)}


def army_name(state: State, side: str) -> str:
    """The name of an army, "" if it is only that of its side."""
    army = state.armies.get(side)
    return army.name if army and army.name.casefold() != side else ""
