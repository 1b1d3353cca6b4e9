"""How a battle of To the Strongest! goes on elsewhere: what its state takes along, and what is dealt anew.

What a side has hidden is dealt anew so far as its kind and number are known: cards in a hand, from those that may be
there; units that lie in ambush, on rough ground where they may lie. A corps that waits to be deployed is deployed again
by its side. What was laid ready leaves no trace that others can read, and is not there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from domain.events.battle import PileLeft
from domain.games.to_the_strongest.chapters import decks
from domain.games.to_the_strongest.chapters.ambushes import ambush_of
from domain.games.to_the_strongest.chapters.deployment import own_row
from domain.games.to_the_strongest.chapters.geometry import is_rough
from domain.games.to_the_strongest.chapters.hands import DECK, stratagem_pile
from domain.games.to_the_strongest.chapters.stacking import has_room, others_in
from domain.games.to_the_strongest.chapters.terrain import DECK as TERRAIN
from domain.games.to_the_strongest.state.state import (
    Ambush,
    Army,
    Held,
    State,
    Unit,
    army_units,
    enemies_in,
    with_army,
)
from domain.mechanics.cards import look_forgotten

Renumbered = Callable[[int], int]
Below = Callable[[int], int]
DEALT = -(1 << 24)
"""The event that brought what is dealt anew, and those below it: none of any log."""


def detached(state: State, renumbered: Renumbered) -> State:
    """The state apart from its log: what came by an event of it came by an event of another."""
    for army in state.armies.values():
        state = with_army(state, _detached(army, renumbered))
    ambushes = tuple(
        replace(ambush, n=renumbered(ambush.n), card_n=renumbered(ambush.card_n)) for ambush in state.ambushes
    )
    veiled = tuple(replace(veil, n=renumbered(veil.n)) for veil in state.veiled)
    return replace(state, ambushes=ambushes, veiled=veiled)


def _detached(army: Army, renumbered: Renumbered) -> Army:
    hand = tuple(replace(entry, n=renumbered(entry.n)) for entry in army.hand)
    armed = tuple(replace(one, n=renumbered(one.n), card_n=renumbered(one.card_n)) for one in army.armed)
    return replace(army, hand=hand, armed=armed, deck=replace(look_forgotten(army.deck), shown=0))


# --- what is dealt anew


def dealt(state: State, hidden: Sequence[str], below: Below) -> State:
    """The state with hands and ambushes of some sides dealt anew."""
    for side in hidden:
        state = _with_ambushes(_with_hand(state, side, below), side, below)
    return state


def _with_hand(state: State, side: str, below: Below) -> State:
    """A card for each that nobody else has seen; the common deck misses those that were drawn from it."""
    army = state.armies[side]
    left = [card for card in stratagem_pile(state) if card not in {entry.card for entry in army.hand}]
    hand: list[Held] = []
    for entry in army.hand:
        if entry.card or not left:
            hand.append(entry)
            continue
        card = left.pop(below(len(left)))
        hand.append(Held(card, DEALT))
        if army.draws:
            state = replace(state, stratagems_out=state.stratagems_out | {(card, side)})
    return with_army(state, replace(army, hand=tuple(hand)))


def _with_ambushes(state: State, side: str, below: Below) -> State:
    """Units that have been deployed and that nobody sees lie in ambush (TTS-STR-04)."""
    if state.phase != "turns":
        return state
    for unit in [unit for unit in army_units(state, side) if _is_out_of_sight(state, unit)]:
        boxes = list(_hiding_places(state, unit))
        if boxes:
            ambush = Ambush(side, (unit.id,), boxes[below(len(boxes))], DEALT - len(state.ambushes), 0)
            state = replace(state, ambushes=(*state.ambushes, ambush))
    return state


def _is_out_of_sight(state: State, unit: Unit) -> bool:
    marching = {flank.corps for flank in state.armies[unit.side].flanks if not flank.arrived}
    is_away = unit.off_turns or unit.left_box or unit.corps in marching
    return not unit.box and not is_away and ambush_of(state, unit.id) is None


def _hiding_places(state: State, unit: Unit) -> Iterator[str]:
    """Rough ground of the own half with room."""
    for box in state.terrain:
        in_own_half = 2 * (own_row(state, unit.side, box) + 1) <= state.board[1]
        is_free = not enemies_in(state, box, unit.side) and has_room(state, unit, others_in(state, unit, box))
        if in_own_half and is_rough(state, box) and is_free:
            yield box


# --- decks


def piles(state: State) -> Mapping[str, PileLeft]:
    """The decks that are in use (docs/record-format.md)."""
    found: dict[str, PileLeft] = {}
    for side, army in state.armies.items():
        if army.deck.epoch:
            found[side] = PileLeft(army.deck.epoch, army.deck.index, decks.pile(state, side), army.deck.laid)
    common = state.terrain_deck
    if common.epoch:
        found[TERRAIN] = PileLeft(common.epoch, common.index, decks.pile(state, TERRAIN), common.laid)
    epoch, index = state.stratagem_draws
    if epoch:
        found[DECK] = PileLeft(epoch, index, decks.pile(state, DECK))
    return found
