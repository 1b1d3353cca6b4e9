"""How a battle of Singidunum goes on elsewhere: what its state takes along, and what is dealt anew.

Before the turns a side whose army or deployment is hidden makes it again: it has composed no list yet, or placed
nothing. In the turns a marker under which something may lie has one of the units that nobody has seen, or is a decoy.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from domain.games.singidunum.chapters.decisions import SECRET_PHASES
from domain.games.singidunum.chapters.turns import MUSTER
from domain.games.singidunum.state.state import AmbushMarker, State, ambush_of, own

Renumbered = Callable[[int], int]
Below = Callable[[int], int]


def detached(state: State, renumbered: Renumbered) -> State:
    """The state apart from its log: what came by an event of it came by an event of another."""
    return replace(
        state,
        ambushes=tuple(_detached(ambush, renumbered) for ambush in state.ambushes),
        given=tuple(_detached(ambush, renumbered) for ambush in state.given),
        laid=tuple(replace(laid, n=renumbered(laid.n)) for laid in state.laid),
        lists={side: renumbered(n) for side, n in state.lists.items()},
    )


def _detached(ambush: AmbushMarker, renumbered: Renumbered) -> AmbushMarker:
    return replace(ambush, n=renumbered(ambush.n))


def dealt(state: State, hidden: Sequence[str], below: Below) -> State:
    """The state with what lies under the markers of some sides dealt anew; before the turns they begin again."""
    if state.phase in SECRET_PHASES:
        return _begun_again(state, frozenset(hidden))
    for side in hidden:
        state = _with_ambushes(state, side, below)
    return state


def _begun_again(state: State, hidden: frozenset[str]) -> State:
    """A list that nobody knows is composed again, by its side alone: the other has done that already."""
    composed = hidden & state.lists.keys()
    if composed and state.phase != MUSTER:
        state = replace(state, phase=MUSTER, done=frozenset(state.lists))
    return replace(
        state,
        done=state.done - hidden,
        lists={side: n for side, n in state.lists.items() if side not in hidden},
        laid=tuple(laid for laid in state.laid if laid.side),
        ambushes=tuple(ambush for ambush in state.ambushes if ambush.side not in hidden),
    )


def _with_ambushes(state: State, side: str, below: Below) -> State:
    """Each unit that has not been seen under one of the markers, which are decoys otherwise (PRG-EXT-TER-05)."""
    units = [unit.id for unit in own(state, side) if not unit.hex and ambush_of(state, unit.id) is None]
    covered = [ambush.hex for ambush in state.ambushes if ambush.side == side and not ambush.unit]
    lies: dict[str, str] = {}
    for unit in units[: len(covered)]:
        lies[covered.pop(below(len(covered)))] = unit
    ambushes = tuple(replace(ambush, unit=lies.get(ambush.hex, ambush.unit)) for ambush in state.ambushes)
    return replace(state, ambushes=ambushes)
