"""Chapter TER: the terrain that players place, and the card that settles each piece.

First south, then north places up to twelve pieces; then one card of a common pack decides each piece, in
the order of placing (TTS-TER-10, -11).
"""

from typing import Any

from msgspec import UNSET, UnsetType, field
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, off_board
from domain.events.battle import CardDrawn, DeckShuffled, Event, Text
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked, DecisionMade, put_question, take_answer
from domain.games.to_the_strongest.chapters.phases import FIRST_TO_PLACE, SideDone, enter_next, push_steps
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.ground import GROUND
from domain.games.to_the_strongest.state.state import Piece, State, enemy, is_on_board
from domain.log.chance import Pile
from domain.mechanics.cards import COURT_RANKS, after_draw
from domain.mechanics.square import VECTOR, box_by, step_between

PLACED = "TTS-TER-10"
CARDS = "TTS-TER-11"
DECK = "terrain"
MOST = {"piece": 12, "rough": 6, "impassable": 3, "linear": 3}
"""Pieces a side may place, in all and of each class (TTS-TER-10)."""
SHIFT_ONE = frozenset({"A", "2", "3", "4", "5"})
"""Diamonds that shift a piece one box; the other pips two (TTS-TER-11)."""


# --- commands


class PlaceTerrain(Command, frozen=True, gc=False, tag="place"):
    """Place a piece of terrain in a box, or on the edge between two (TTS-TER-10)."""

    PHASES = phases_of("place")

    kind: str
    box: str
    other: str = ""


class Shift(Command, frozen=True, gc=False, tag="shift"):
    """Answer where a piece goes: a facing, `open` or `none` (TTS-TER-11)."""

    PHASES = phases_of("shift")
    ANSWERS = "shift"

    to: str


# --- rules


def class_of(kind: str) -> str:
    """How a kind of terrain counts as a piece: rough, impassable, linear, or "" (open)."""
    return GROUND[kind].counts_as if kind in GROUND else ""


def edge_named(box: str, other: str) -> str:
    """An edge as pieces name it: its two boxes in alphabetical order."""
    return "/".join(sorted((box, other)))


def is_taken(state: State, place: str) -> bool:
    """Whether a box or an edge has a piece."""
    one, slash, other = place.partition("/")
    return (one, other) in state.edges if slash else place in state.terrain


def require_placeable(state: State, side: str, command: PlaceTerrain) -> str:
    """Refuse a piece that cannot be placed; return its place, a box or an edge (TTS-TER-10)."""
    for box in filter(None, (command.box, command.other)):
        if not is_on_board(state, box):
            raise off_board(box)
    place = command.box
    if command.other:
        place = edge_named(command.box, command.other)
        if step_between(command.box, command.other) not in VECTOR.values():
            raise off_board(place)
    require_pieces_left(state, side, command.kind)
    require_untaken(state, place)
    if not suits(state, place, command.kind):
        raise Refusal("tts.box-taken", PLACED, box=place)
    return place


def require_pieces_left(state: State, side: str, kind: str) -> None:
    """Refuse a kind of which the side has placed the maximum (TTS-TER-10)."""
    placed = state.placed.get(side, {})
    for name in filter(None, ("piece", class_of(kind))):
        if placed.get(name, 0) >= MOST[name]:
            raise Refusal("tts.too-many-pieces", PLACED, side=side, most=MOST[name], kind=kind, counted=name)


def require_untaken(state: State, place: str) -> None:
    """Refuse a box or an edge that has a piece (TTS-TER-10)."""
    if is_taken(state, place):
        raise Refusal("tts.box-taken", PLACED, box=place)


def suits(state: State, place: str, kind: str) -> bool:
    """Whether a kind may lie where the scenario has put camps and units already (TTS-CMP-02, TTS-MOV-03)."""
    return not (place in state.camps and class_of(kind)) and not (place in state.boxes and kind == "impassable")


def shifted_place(state: State, place: str, to: str, boxes: int, kind: str = "") -> str:
    """Where a piece lands that goes straight; "" off the board, onto another piece, or where it may not lie
    (TTS-TER-12)."""
    columns, rows = VECTOR[to]
    moved = [box_by(state.board, box, columns * boxes, rows * boxes) for box in place.split("/")]
    if not all(moved):
        return ""
    goal = "/".join(sorted(moved))
    return "" if is_taken(state, goal) or not suits(state, goal, kind) else goal


# --- decisions


def decide_place(judge: Judge[State], side: str, command: PlaceTerrain) -> None:
    place = require_placeable(judge.state, side, command)
    number = sum(counted.get("piece", 0) for counted in judge.state.placed.values()) + 1
    judge.emit(TerrainPlaced(side=side, piece=number, kind=command.kind, **_where(place)), side)


def decide_done(judge: Judge[State], side: str) -> None:
    """A side has placed what it wants; after north the cards fall."""
    last = side != FIRST_TO_PLACE
    judge.emit(SideDone(side, "terrain", "" if last else enemy(side)), side)
    if last:
        push_steps(judge)


def decide_shift(judge: Judge[State], side: str, command: Shift) -> None:
    waiting = judge.state.waiting
    assert isinstance(waiting, DecisionAsked)
    if command.to not in waiting.options:
        raise Refusal("tts.bad-shift", CARDS, to=command.to, card=waiting.card, options=list(waiting.options))
    take_answer(judge, DecisionMade(side, "shift", "", command.to, False))


# --- events


class _TerrainEvent(Event, frozen=True, gc=False, kw_only=True):
    RULE = CARDS

    piece: int
    kind: str
    box: Text = UNSET
    between: tuple[str, str] | UnsetType = UNSET

    @property
    def place(self) -> str:
        """The box, or the edge as its two boxes."""
        return self.box or "/".join(self.between or ())


class TerrainPlaced(_TerrainEvent, frozen=True, gc=False, kw_only=True):
    """A piece lies in a box, or between two."""

    RULE = PLACED

    side: str


class TerrainKept(_TerrainEvent, frozen=True, gc=False, kw_only=True):
    """A piece stays where it is."""

    card: str


class TerrainRemoved(_TerrainEvent, frozen=True, gc=False, kw_only=True):
    """A piece is taken away: its ground is open."""

    card: str


class TerrainMoved(Event, frozen=True, gc=False, kw_only=True):
    """A piece goes to another box, or (`D4/D5`) to another edge."""

    RULE = CARDS

    piece: int
    kind: str
    from_: str = field(name="from")
    to: str
    card: str


def _where(place: str) -> dict[str, Any]:
    one, slash, other = place.partition("/")
    return {"between": (one, other)} if slash else {"box": one}


# --- steps


def step_terrain_cards(judge: Judge[State]) -> None:
    """One card for the next piece; when all have had theirs, the scouting begins (TTS-TER-11)."""
    if not judge.state.pieces:
        enter_next(judge)
        push_steps(judge)
        return
    judge.push("terrain-cards")
    piece = judge.state.pieces[0]
    card = _draw(judge)
    rank, suit = card[:-1], card[-1]
    court = rank in COURT_RANKS
    if suit == "d":
        options = ("open", "none") if court else ("N", "E", "S", "W")
        question = DecisionAsked(enemy(piece.side), "shift", "", options, card=card, piece=piece.number)
        put_question(judge, question, "shift-piece", card=card, boxes=0 if court else 1 if rank in SHIFT_ONE else 2)
    elif suit == "h" or (suit == "s" and court):
        judge.emit(TerrainKept(piece=piece.number, kind=piece.kind, card=card, **_where(piece.box)))
    else:
        judge.emit(TerrainRemoved(piece=piece.number, kind=piece.kind, card=card, **_where(piece.box)))


def step_shift_piece(judge: Judge[State], *, card: str, boxes: int, answer: str, side: str) -> None:
    """The piece goes where the opponent of its placer wants it (TTS-TER-11, -12)."""
    piece = judge.state.pieces[0]
    here: dict[str, Any] = {"piece": piece.number, "kind": piece.kind, "card": card}
    if answer == "none":
        judge.emit(TerrainKept(**here, **_where(piece.box)))
        return
    goal = shifted_place(judge.state, piece.box, answer, boxes, piece.kind) if answer in VECTOR else ""
    if goal:
        judge.emit(TerrainMoved(**here, from_=piece.box, to=goal), side)
    else:
        judge.emit(TerrainRemoved(**here, **_where(piece.box)))


def _draw(judge: Judge[State]) -> str:
    """One card of the common pack of 52 (TTS-DCK-05)."""
    if not judge.state.terrain_deck.epoch:
        judge.emit(DeckShuffled(DECK, 1, len(judge.state.terrain_deck.discards)), rule="TTS-DCK-03")
    deck = judge.state.terrain_deck
    return judge.draw(Pile(DECK, deck.epoch, deck.index, deck.pile), "common", "terrain")


# --- evolutions


def on_terrain_card(state: State, event: CardDrawn) -> State:
    """A card of the common pack is used up."""
    return replace(state, terrain_deck=after_draw(state.terrain_deck, event))


def on_terrain_placed(state: State, event: TerrainPlaced) -> State:
    piece = Piece(event.piece, event.side, event.kind, event.place)
    counted = dict(state.placed.get(event.side, {}))
    for name in filter(None, ("piece", class_of(event.kind))):
        counted[name] = counted.get(name, 0) + 1
    state = with_ground(state, event.place, event.kind)
    return replace(state, pieces=(*state.pieces, piece), placed={**state.placed, event.side: counted})


def on_terrain_kept(state: State, event: TerrainKept) -> State:
    return _decided(state, event.piece)


def on_terrain_removed(state: State, event: TerrainRemoved) -> State:
    return with_ground(_decided(state, event.piece), event.place, "")


def on_terrain_moved(state: State, event: TerrainMoved) -> State:
    return with_ground(with_ground(_decided(state, event.piece), event.from_, ""), event.to, event.kind)


def _decided(state: State, piece: int) -> State:
    return replace(state, pieces=tuple(other for other in state.pieces if other.number != piece))


def with_ground(state: State, place: str, kind: str) -> State:
    """The state with a kind of terrain in a box or on an edge; "" is open ground."""
    one, slash, other = place.partition("/")
    if slash:
        edges = {edge: ground for edge, ground in state.edges.items() if edge != (one, other)}
        return replace(state, edges={**edges, (one, other): kind} if kind else edges)
    terrain = {box: ground for box, ground in state.terrain.items() if box != one}
    return replace(state, terrain={**terrain, one: kind} if kind else terrain)


EVOLUTIONS: dict[Any, Any] = {
    TerrainPlaced: on_terrain_placed,
    TerrainKept: on_terrain_kept,
    TerrainRemoved: on_terrain_removed,
    TerrainMoved: on_terrain_moved,
}
STEPS: dict[str, Any] = {"terrain-cards": step_terrain_cards, "shift-piece": step_shift_piece}
DECISIONS: dict[Any, Any] = {PlaceTerrain: decide_place, Shift: decide_shift}
