"""Captions of the set-up phases: terrain, scouting, deployment, stratagems.

The part of `captions` for the phases before the turns, and for what a side holds. Everything is made from
a state as the reader knows it: of the other side's hand that is the number of cards.
"""

from collections.abc import Iterator
from typing import Any

from domain.basics.message import Message
from domain.games.to_the_strongest.chapters.deployment import camp_places, own_row
from domain.games.to_the_strongest.chapters.geometry import is_impassable
from domain.games.to_the_strongest.chapters.hands import SCOUTING
from domain.games.to_the_strongest.chapters.phases import missing_of, to_deploy
from domain.games.to_the_strongest.chapters.terrain import MOST
from domain.games.to_the_strongest.state.state import Army, Corps, State
from domain.games.to_the_strongest.state.stratagems import BY_CARD, STRATAGEMS, Stratagem
from domain.mechanics.square import box_by

Params = dict[str, Any]
CAMP = "camp"
BEFORE = frozenset({"terrain", "scouting", "deployment"})
"""The phases in which not everybody has a place."""


# --- what there is to do


def before_turns(state: State, side: str) -> Iterator[Message]:
    """What is undecided between the sides, and what `side` can do now if it is to act."""
    if state.phase == "terrain" and state.pieces:
        yield Message("tts.caption-pieces", {"pieces": len(state.pieces)})
    if state.winner is not None or not side:
        return
    if state.waiting:
        if state.waiting.kind == "shift" and state.waiting.side == side:
            options = list(state.waiting.options)
            yield Message("tts.task-shift", {"options": options, "example": options[0]})
    elif state.active == side and state.phase in TASKS:
        yield TASKS[state.phase](state, side)


def _terrain(state: State, side: str) -> Message:
    return Message("tts.task-terrain", {"most": MOST["piece"]})


def _scouting(state: State, side: str) -> Message:
    held = [row.key for row in _hand(state.armies[side]) if row.when in SCOUTING]
    return Message("tts.task-scouting", {"stratagems": held})


def _deployment(state: State, side: str) -> Message:
    """Which corps comes first, or what is left to do for the open one, each with an example."""
    army = state.armies[side]
    corps = army.corps[army.opened] if army.opened else next(iter(to_deploy(state, side)))
    told = {**_to_place(state, side, corps), "corps": corps.id}
    unit = next(iter(told["units"]), "")
    told |= {"unit": unit, "box": _free_box(state, side, state.options.deploy_rows)}
    told |= {"edge_box": _camp_place(state, side, corps) or _free_box(state, side, 1)}
    return Message("tts.task-corps" if army.opened else "tts.task-deployment", told)


TASKS = {"terrain": _terrain, "scouting": _scouting, "deployment": _deployment}


def _camp_place(state: State, side: str, corps: Corps) -> str:
    """The boxes of an example for joined camps; "" for a camp of one box."""
    return " ".join(next(iter(camp_places(state, side)), ())) if corps.camp_boxes > 1 else ""


def _free_box(state: State, side: str, rows: int) -> str:
    """A box of the back rows for an example: empty, without terrain, as far to the front as possible."""
    columns, total = state.board
    boxes = [box_by(state.board, "A1", column, row) for column in range(columns) for row in range(total)]
    zone = [box for box in boxes if own_row(state, side, box) < rows]
    free = [box for box in zone if box not in state.boxes and box not in state.terrain and box not in state.camps]
    free = free or [box for box in zone if not is_impassable(state, box)] or zone
    return max(free, key=lambda box: own_row(state, side, box))


# --- what a side has


def of_side(state: State, side: str) -> Iterator[Message]:
    """Its terrain, its zone, what it has yet to place, and its stratagems."""
    army = state.armies[side]
    if state.phase == "terrain":
        yield _placed(state, side)
    if state.phase == "deployment":
        yield _zone(state, side)
    if state.phase in BEFORE:
        yield from (Message("tts.caption-to-deploy", told) for told in _unplaced(state, side))
    for flank in army.flanks:
        corps = army.corps[flank.corps]
        if any(state.units[unit].alive and not state.units[unit].box for unit in corps.units):
            yield Message("tts.caption-flank", {**corps_named(corps), "edge": flank.edge, "arrived": flank.arrived})
    for ambush in state.ambushes:
        if ambush.side == side:
            yield Message("tts.caption-ambush", {"units": list(ambush.units), "box": ambush.box})
    for armed in army.armed:
        yield Message("tts.caption-armed", {"stratagem": armed.stratagem, "args": list(armed.arguments)})
    if army.hand:
        held = [row.key for row in _hand(army)]
        yield Message("tts.caption-hand", {"stratagems": held, "count": len(army.hand)})


def hand(state: State, side: str) -> tuple[Message, ...]:
    """The stratagems in the hand of a side, each with its text: for that side alone."""
    army = state.armies.get(side)
    rows = dict.fromkeys(row.key for row in _hand(army)) if army else ()
    return tuple(Message("tts.stratagem-card", {"stratagem": key, "text": stratagem_text(key)}) for key in rows)


def stratagem_text(key: str) -> dict[str, str]:
    """What a stratagem does, by language."""
    row = STRATAGEMS[key]
    return {"en": row.text.format(**row.numbers), "fr": row.text_fr.format(**row.numbers)}


def _hand(army: Army) -> list[Stratagem]:
    """The stratagems of a hand as far as the reader knows them."""
    return [BY_CARD[entry.card] for entry in army.hand if entry.card]


def _placed(state: State, side: str) -> Message:
    counted = state.placed.get(side, {})
    told: Params = {name: counted.get(name, 0) for name in MOST} | {f"most_{name}": MOST[name] for name in MOST}
    return Message("tts.caption-terrain", {**told, "done": side in state.done})


def _zone(state: State, side: str) -> Message:
    rows, deep = state.board[1], state.options.deploy_rows
    first, last = (1, deep) if side == "south" else (rows - deep + 1, rows)
    return Message("tts.caption-zone", {"first": first, "last": last})


def _unplaced(state: State, side: str) -> Iterator[Params]:
    for corps in to_deploy(state, side):
        told = _to_place(state, side, corps)
        if told["units"] or told["general"] or told["camp"]:
            yield {**corps_named(corps), **told}


def _to_place(state: State, side: str, corps: Corps) -> Params:
    """The pieces of a corps that wait for their place: units with their types, the general, the camp."""
    missing = missing_of(state, side, corps)
    units = [name for name in missing if name in state.units and state.units[name].alive]
    return {
        "units": units,
        "kinds": {name: state.units[name].type for name in units},
        "general": corps.general if corps.general in missing else "",
        "camp": CAMP in missing,
    }


def corps_named(corps: Corps) -> Params:
    """How a message names a corps."""
    return {"corps": corps.id, "corps_name": corps.name if corps.name != corps.id else ""}
