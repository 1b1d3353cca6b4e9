"""What cannot be in a state of a battle, however it came to be there.

A position comes from a file that anybody may have written. What the rules lean on is checked here: who there is and of
what type, where everything stands, which cards there are. That a position could have come about is not asked.
"""

from collections import Counter
from collections.abc import Iterator

from domain.engine.positions import Flaw
from domain.engine.state import SIDES
from domain.games.to_the_strongest.sequence import PHASES
from domain.games.to_the_strongest.state.ground import BOX_KINDS, EDGE_KINDS
from domain.games.to_the_strongest.state.roster import PROFILES, QUALITIES
from domain.games.to_the_strongest.state.scenario_limits import LENGTHS, MEDALS, MOST_BOXES, OPTIONS
from domain.games.to_the_strongest.state.state import (
    FORMATIONS,
    Army,
    General,
    State,
    Unit,
    general_unit,
    is_on_board,
    kind,
)
from domain.games.to_the_strongest.state.stratagems import BY_CARD, STRATAGEMS
from domain.mechanics.cards import FULL_DECK, PLAYING_DECK, TEN_SIDED, Deck
from domain.mechanics.square import FACINGS, MAX_COLUMNS, MAX_ROWS, VECTOR, step_between

MOST_IN_A_BOX = 2
MOST_STEPS, MOST_OFF = 20, 99
"""Losses and markers of a unit, and turns off the field: more than any rule gives."""


def flaws(state: State) -> Iterator[Flaw]:
    """The first of them is enough to refuse a state; those behind it may trip over it."""
    yield from _table(state)
    if set(state.armies) != set(SIDES):
        yield "armies", "side"
    for side, army in state.armies.items():
        if army.side != side:
            yield f"armies.{side}", "side"
        yield from _army(state, army)
    for name, unit in state.units.items():
        yield from _unit(state, name, unit)
    yield from _boxes(state)
    for name, general in state.generals.items():
        yield from _general(state, name, general)
    yield from _hidden(state)
    yield from _cards("terrain_deck", state.terrain_deck, FULL_DECK)


def _table(state: State) -> Iterator[Flaw]:
    columns, rows = state.board
    if not (2 <= columns <= MAX_COLUMNS and 2 <= rows <= MAX_ROWS and columns * rows <= MOST_BOXES):
        yield "board", "number"
    options = state.options
    if any(not least <= getattr(options, key) <= most for key, (least, most) in OPTIONS.items()):
        yield "options", "number"
    if not 1 <= 2 * options.deploy_rows <= rows:
        yield "options.deploy_rows", "number"
    if state.phase not in ("", "ended", *PHASES) or state.first not in SIDES:
        yield "phase", "unknown"
    for box, ground in state.terrain.items():
        if not is_on_board(state, box) or ground not in BOX_KINDS:
            yield f"terrain.{box}", "unknown"
    for (one, other), edge in state.edges.items():
        is_edge = is_on_board(state, one) and is_on_board(state, other) and step_between(one, other) in VECTOR.values()
        if not is_edge or one > other or edge not in EDGE_KINDS:
            yield f"edges.{one}/{other}", "unknown"
    for piece in state.pieces:
        if piece.side not in SIDES or not all(is_on_board(state, box) for box in piece.box.split("/")):
            yield f"pieces.{piece.number}", "unknown"


def _army(state: State, army: Army) -> Iterator[Flaw]:
    where = f"armies.{army.side}"
    if not 0 <= army.medals <= army.medals_full <= MEDALS[1]:
        yield f"{where}.medals", "number"
    if min(army.ammo, army.lance, army.pilum, army.turns, army.scouts) < 0:
        yield where, "number"
    if len(army.corps) > LENGTHS["corps"] or len(army.hand) > LENGTHS["stratagems"]:
        yield f"{where}.corps", "number"
    if sum(len(corps.units) for corps in army.corps.values()) > LENGTHS["units"]:
        yield f"{where}.corps", "number"
    for name, corps in army.corps.items():
        members = [state.units.get(unit) for unit in corps.units]
        if corps.id != name or any(unit is None or (unit.side, unit.corps) != (army.side, name) for unit in members):
            yield f"{where}.corps.{name}", "other-corps"
        general = state.generals.get(corps.general)
        if corps.general and (general is None or (general.side, general.corps) != (army.side, name)):
            yield f"{where}.corps.{name}", "other-corps"
    named = {army.opened, *army.ended, *army.deployed, *(flank.corps for flank in army.flanks)} - {""}
    if not named <= set(army.corps):
        yield f"{where}.corps", "unknown"
    own = TEN_SIDED if state.options.deck_mode == "d10" else PLAYING_DECK
    yield from _cards(f"{where}.deck", army.deck, own)
    if any(entry.card not in ("", *BY_CARD) for entry in army.hand) or not set(army.given) <= set(BY_CARD):
        yield f"{where}.hand", "card"
    if any(armed.stratagem not in STRATAGEMS for armed in army.armed):
        yield f"{where}.armed", "unknown"


def _cards(where: str, deck: Deck, whole: tuple[str, ...]) -> Iterator[Flaw]:
    """Each card is in one place; where draws are independent none ever is."""
    if whole is TEN_SIDED:
        if not set(deck.looked) <= set(TEN_SIDED):
            yield where, "card"
        return
    if min(deck.epoch, deck.index) < 0:
        yield where, "number"
    if Counter((*deck.pile, *deck.laid, *deck.discards, *deck.looked)) != Counter(whole):
        yield where, "card"


def _unit(state: State, name: str, unit: Unit) -> Iterator[Flaw]:
    where = f"units.{name}"
    army = state.armies.get(unit.side)
    if unit.id != name or army is None:
        yield where, "side"
        return
    corps = army.corps.get(unit.corps)
    if corps is None or name not in corps.units:
        yield f"{where}.corps", "other-corps"
    if unit.type not in PROFILES or unit.quality not in QUALITIES or unit.formation not in FORMATIONS:
        yield where, "unknown"
    if unit.facing not in FACINGS or (unit.box and not is_on_board(state, unit.box)):
        yield f"{where}.box", "off-board"
    numbers = (unit.losses, unit.ammo, unit.ammo_full, unit.lance, unit.lance_full, unit.pilum, unit.pilum_full)
    if not (min(numbers) >= 0 and max(numbers) <= MOST_STEPS and 1 <= unit.steps <= MOST_STEPS):
        yield where, "number"
    if not 0 <= unit.off_turns <= MOST_OFF or (unit.alive and unit.losses >= unit.steps):
        yield where, "number"
    if unit.box and not unit.alive:
        yield f"{where}.box", "dead"


def _boxes(state: State) -> Iterator[Flaw]:
    """The units of a box are named twice, and must agree (TTS-STK-01, -02)."""
    standing = {name: unit.box for name, unit in state.units.items() if unit.box}
    found = [(name, box) for box, names in state.boxes.items() for name in names]
    if len(found) != len(standing) or dict(found) != standing or not all(state.boxes.values()):
        yield "boxes", "not-there"
        return
    for box, names in state.boxes.items():
        units = [state.units[name] for name in names]
        if len(units) > MOST_IN_A_BOX or sum(kind(unit).stack for unit in units) > state.options.stack_capacity:
            yield f"boxes.{box}", "no-room"
        if len({unit.side for unit in units}) > 1:
            yield f"boxes.{box}", "both-sides"
    for box, camp in state.camps.items():
        if camp.box != box or not is_on_board(state, box) or camp.side not in SIDES:
            yield f"camps.{box}", "off-board"


def _general(state: State, name: str, general: General) -> Iterator[Flaw]:
    where = f"generals.{name}"
    if general.id != name or general.side not in SIDES:
        yield where, "side"
        return
    corps = state.armies[general.side].corps.get(general.corps)
    if corps is None or corps.general != name:
        yield where, "other-corps"
    unit = general_unit(general)
    if unit and (unit not in state.units or state.units[unit].side != general.side):
        yield where, "unknown"
    if general.box and not is_on_board(state, general.box):
        yield f"{where}.box", "off-board"


def _hidden(state: State) -> Iterator[Flaw]:
    hiding = Counter(name for ambush in state.ambushes for name in ambush.units)
    for ambush in state.ambushes:
        units = [state.units.get(name) for name in ambush.units]
        if not units or any(unit is None or unit.side != ambush.side or unit.box for unit in units):
            yield f"ambushes.{ambush.box}", "unknown"
        if not is_on_board(state, ambush.box) or any(hiding[name] > 1 for name in ambush.units):
            yield f"ambushes.{ambush.box}", "off-board"
    for card, side in state.stratagems_out:
        if card not in BY_CARD or side not in SIDES:
            yield "stratagems_out", "card"
    for veil in state.veiled:
        if veil.side not in SIDES:
            yield "veiled", "side"
