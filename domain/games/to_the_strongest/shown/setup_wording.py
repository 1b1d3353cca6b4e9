"""Values that the sentences about set-up need: terrain, scouting, deployment, stratagems.

The part of `wording` for the phases before the turns. Sealed events lack the members that their side
keeps to itself: their sentences are made from the rest alone.
"""

from typing import Any

from msgspec import UNSET

from domain.games.to_the_strongest.chapters.armed import HIGHEST_FALSE_ORDER
from domain.games.to_the_strongest.chapters.scouting import QUARTERS
from domain.games.to_the_strongest.chapters.terrain import SHIFT_ONE
from domain.games.to_the_strongest.chapters.turns import ARRIVAL, flank_of, marching
from domain.games.to_the_strongest.state.state import State
from domain.games.to_the_strongest.state.stratagems import BY_CARD, STRATAGEMS
from domain.mechanics.cards import COURT_RANKS

Params = dict[str, Any]
DIAMONDS = "d"

# --- terrain


def tell_piece(state: State, event: Any) -> Params:
    """The piece that a question is about, and how many boxes it goes: 0 to be turned to open ground or
    left (TTS-TER-11)."""
    rank = event.card[:-1]
    boxes = 1 if rank in SHIFT_ONE else 2 if rank.isdecimal() else 0
    piece = next((piece for piece in state.pieces if piece.number == event.piece), None)
    if piece is None:
        return {"boxes": boxes}
    one, _, other = piece.box.partition("/")
    return {"boxes": boxes, "ground": piece.kind} | ({"between": [one, other]} if other else {"box": one})


def tell_fate(state: State, event: Any) -> Params:
    """Whether a side chose what became of a piece: the card is a diamond. One with pips that removes it
    has shifted it off the board or onto another piece (TTS-TER-11, -12)."""
    rank, suit = event.card[:-1], event.card[-1]
    return {"chosen": suit == DIAMONDS, "shifted": suit == DIAMONDS and rank not in COURT_RANKS}


# --- scouting


def tell_scouting(state: State, event: Any) -> Params:
    """How many of the quarter points come from troops, and how many from a stratagem (TTS-SCT-01)."""
    army = state.armies.get(event.side)
    scouts = army.scouts if army else 0
    return {"troops": event.points - scouts, "scouts": scouts or "", "pips": QUARTERS * event.card}


# --- deployment


def tell_placing(state: State, event: Any) -> Params:
    """The box where the unit stood before, if its side moves it once more (TTS-DEP-02); in the turns it
    comes out of an ambush (TTS-STR-04)."""
    unit = state.units.get(event.unit) if event.unit else None
    before = {"before": unit.box} if unit and unit.box != event.box else {}
    return {**before, "shown": state.phase == "turns"}


def tell_return(state: State, event: Any) -> Params:
    """Whether the unit enters from a flank march (TTS-STR-05)."""
    unit = state.units.get(event.unit)
    return {"flank": bool(unit and flank_of(state, unit))}


# --- stratagems


def arrival_number() -> Params:
    """What the card of a flank march needs (TTS-STR-05)."""
    return {"needed": ARRIVAL["needed"], "base": ARRIVAL["needed"], "sign": 1}


def tell_arrival(state: State, event: Any) -> Params:
    """The corps whose flank march a card is drawn for: the first that has not had one this turn."""
    waiting = marching(state, event.deck)
    return arrival_number() | ({"corps": waiting[0].corps} if waiting else {"corps": ""})


def tell_hand_card(state: State, event: Any) -> Params:
    """The side whose hand receives a card of the stratagem deck, and the stratagem it brings."""
    side = event.scope.partition(":")[2].partition("/")[0]
    return {"side": side} | ({"stratagem": BY_CARD[event.card].key} if event.card else {})


def tell_hand(state: State, event: Any) -> Params:
    """The stratagems that cards bring, and whether the scenario has given them: then nobody has drawn them."""
    given = "" if state.armies[event.side].draws else "yes"
    return {"given": given} | ({"stratagems": [BY_CARD[card].key for card in event.cards]} if event.cards else {})


def tell_play(state: State, event: Any) -> Params:
    """What the arguments of a stratagem are, by name."""
    if event.stratagem is UNSET or event.args is UNSET:
        return {}
    return {**_arguments(event), **_corps_name(state, event)}


def _arguments(event: Any) -> Params:
    given = list(event.args)
    if event.stratagem == "ambush":
        return {"units": given[:-1], "box": given[-1]}
    if event.stratagem == "stakes":
        return {"boxes": given}
    if event.stratagem == "oracle":
        return {"order": given} if given else {"seen": list(event.shown)} if event.shown else {}
    if event.stratagem == "scouts":
        return {"points": STRATAGEMS["scouts"].numbers["points"]}
    names = [name.rpartition("-")[2] for name in STRATAGEMS[event.stratagem].arguments]
    return dict(zip(names, given, strict=False))


def _corps_name(state: State, event: Any) -> Params:
    army = state.armies.get(event.side)
    corps = army.corps.get(event.args[0]) if army and event.args else None
    return {"corps_name": corps.name} if corps and corps.name != corps.id else {}


def tell_trigger(state: State, event: Any) -> Params:
    """The number that the card had to reach, or stay below, for a stratagem to fire; whether an ambush was sprung
    by an enemy's move, and not by its own order."""
    if event.stratagem == "flank-march":
        return arrival_number()
    if event.stratagem == "ambush":
        return {"sprung": state.active != event.side}
    return {"highest": HIGHEST_FALSE_ORDER} if event.stratagem == "false-orders" else {}
