"""How are the things on the table and the state of a battle said in a line?

For the captions below a board and for readers who cannot see it. What happened is told by the
sentences of events; these lines only say what is.
"""

from collections.abc import Iterator

from domain.game import SIDES
from domain.rulesets.to_the_strongest.state import Army, Camp, General, State, Unit, general_unit, kind

COMPASS = {"N": "north", "E": "east", "S": "south", "W": "west"}
HOW = {
    "medals": "the enemy has paid the last medal",
    "turn-limit": "the last turn is played",
    "resignation": "the enemy has resigned",
    "draw": "agreed",
}
PHASES = {
    "": "Not yet begun",
    "terrain": "Placing terrain",
    "scouting": "Scouting",
    "deployment": "Deployment",
}


# --- on the table


def unit_title(state: State, unit: Unit) -> str:
    """A sentence for somebody who cannot see the base."""
    name = kind(unit).name
    words = [unit.id, name[0].lower() + name[1:]]
    words += [unit.quality] if unit.quality != "standard" else []
    words += [f"facing {COMPASS[unit.facing]}"]
    words += [f"{unit.losses} of {unit.steps} step{'s' * (unit.steps != 1)} lost"] if unit.losses else []
    words += [f"formation {unit.formation}"] if unit.formation != "normal" else []
    words += [f"ammunition {unit.ammo} of {unit.ammo_full}"] if unit.ammo_full else []
    words += [f"lance {'ready' if unit.lance else 'spent'}"] if unit.lance_full else []
    words += [f"pilum {'ready' if unit.pilum else 'spent'}"] if unit.pilum_full else []
    words += [f"hero{' (spent this turn)' * unit.hero_spent}"] if unit.hero else []
    words += [f"with {_listed([extra.replace('_', ' ') for extra in unit.extras])}"] if unit.extras else []
    for general in state.generals.values():
        if general.alive and general_unit(general) == unit.id:
            words.append(f"general {general.id} {'attached' if general.attached else 'riding along'}")
    return ", ".join(words)


def general_title(general: General, unit: str, box: str) -> str:
    """A sentence about a general; `unit` is the one he goes with, or ""."""
    where = f"attached to {unit}" if general.attached else f"riding with {unit}" if unit else f"detached in {box}"
    words = [f"General {general.id}", *sorted(general.traits), where]
    words += [f"{general.wound} wound"] if general.wound else []
    return ", ".join(words)


def camp_title(state: State, camp: Camp) -> str:
    """Whose camp it is and where it is fortified."""
    name = f"camp of {_army_name(state, camp.side)}"
    if not camp.fortified:
        return name
    return f"{name}, fortified to the {_listed([COMPASS[side] for side in camp.fortified])}"


# --- below the board


def captions(state: State) -> tuple[tuple[str, str], ...]:
    """Whose move it is; for each side its medals, who is off the field and who is lost."""
    return (("", _headline(state)), *_by_side(state))


def _headline(state: State) -> str:
    """Whose move it is, or how it ended."""
    if state.winner is not None:
        how = HOW.get(state.how, state.how)
        return f"{_army_name(state, state.winner)} has won: {how}." if state.winner else f"Drawn: {how}."
    if state.phase != "turns":
        return f"{PHASES.get(state.phase, state.phase)}."
    limit = f" of {state.options.turn_limit}" if state.options.turn_limit else ""
    line = f"Turn {state.turn}{limit}: {_army_name(state, state.active)} to move."
    waiting = state.waiting
    if waiting:
        unit = f" for {waiting.unit}" if waiting.unit else ""
        line += f" {_army_name(state, waiting.side)} must answer: {waiting.kind}{unit}."
    return line


def _by_side(state: State) -> Iterator[tuple[str, str]]:
    for side in SIDES:
        army = state.armies.get(side)
        if army:
            yield side, _tally(army)
            yield from ((side, line) for line in (_off_field(state, side), _lost(state, side)) if line)


def _tally(army: Army) -> str:
    left = f"{army.medals} of {army.medals_full} medal{'s' * (army.medals_full != 1)} left"
    stocks = (("ammunition", army.ammo), ("lances", army.lance), ("pila", army.pilum))
    reserve = [f"{name} {count}" for name, count in stocks if count]
    return f"{army.name or army.side}: {left}" + (f"; reserve: {_listed(reserve)}" if reserve else "") + "."


def _off_field(state: State, side: str) -> str:
    """Who is alive and not on the table: gone over an edge, or still to come."""
    away = [unit for unit in state.units.values() if unit.side == side and unit.alive and not unit.box]
    gone = [
        f"{unit.id} (left at {unit.left_box}, {_turns(unit.off_turns)} to return)" for unit in away if unit.left_box
    ]
    waiting = [unit.id for unit in away if not unit.left_box]
    lines = [f"Off the field: {_listed(gone)}."] if gone else []
    return " ".join([*lines, f"Not yet placed: {_listed(waiting)}."] if waiting else lines)


def _lost(state: State, side: str) -> str:
    units = [unit.id for unit in state.units.values() if unit.side == side and not unit.alive]
    generals = [general.id for general in state.generals.values() if general.side == side and not general.alive]
    return f"Lost: {_listed(units + generals)}." if units or generals else ""


def _turns(count: int) -> str:
    return f"{count} turn{'s' * (count != 1)}"


def _army_name(state: State, side: str) -> str:
    army = state.armies.get(side)
    return army.name if army and army.name else side


def _listed(words: list[str]) -> str:
    return ", ".join(words[:-1]) + (" and " if len(words) > 1 else "") + words[-1]
