"""Ask the engine about a general or a unit of some kind.

The sheets query a made-up battle: a general with one unit in a box, and an enemy far away. The engine's own
loader reads it, so no sheet can show what the rules forbid.
"""

from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.games.to_the_strongest.chapters.replays import replay_kind
from domain.games.to_the_strongest.state.scenario import IMPLIED, load
from domain.games.to_the_strongest.state.setup import on_battle_opened
from domain.games.to_the_strongest.state.state import General, State, Unit

GENERAL, UNIT, BOX = "G1", "U1", "D2"
ANOTHER, NEXT = "U3", "E2"


class GeneralKind(Struct, frozen=True):
    """A kind of general: their traits, including implied ones."""

    key: str
    traits: frozenset[str]

    @property
    def attached(self) -> bool:
        """Whether the rules let the general be attached to a unit."""
        return _battle(self.traits, True, False) is not None

    @property
    def detached(self) -> bool:
        """Whether the rules let the general have a base of their own."""
        return _battle(self.traits, False, False) is not None


def _kind(key: str, *traits: str) -> GeneralKind:
    implied = {more for trait in traits for more in IMPLIED.get(trait, ())}
    return GeneralKind(key, frozenset(traits) | implied)


KINDS = (
    _kind("plain"),
    _kind("heroic", "heroic"),
    _kind("senior", "senior"),
    _kind("heroic-senior", "heroic", "senior"),
    _kind("brilliant", "brilliant"),
    _kind("heroic-brilliant", "heroic", "brilliant"),
    _kind("great", "great"),
)
"""The kinds on the sheet of generals; other mixtures of traits are possible, too."""


def battle_of(kind: GeneralKind, *, attached: bool | None = None, mounted: bool = False) -> State:
    """The battle of a general of a kind; `attached` None uses whichever is allowed."""
    state = _battle(kind.traits, kind.attached if attached is None else attached, mounted)
    assert state is not None
    return state


def general_of(state: State, wound: str = "") -> General:
    """The general of such a battle, with a wound."""
    return replace(state.generals[GENERAL], wound=wound)


def unit_of(state: State, **changed: Any) -> Unit:
    """The unit of such a battle, with some of its fields changed."""
    return replace(state.units[UNIT], **changed)


def replays_of(kind: GeneralKind, purpose: str, *, afar: bool = False) -> tuple[str, ...]:
    """The replays that the engine grants a general in one turn for their unit, until none is left; `afar`: for another
    unit of their corps, in the next box."""
    state = battle_of(kind)
    general = general_of(state)
    unit = unit_of(state, id=ANOTHER, box=NEXT) if afar else unit_of(state)
    while used := replay_kind(state, general, unit, purpose):
        general = replace(general, spent=(*general.spent, used))
    return general.spent


@cache
def _battle(traits: frozenset[str], attached: bool, mounted: bool) -> State | None:
    """The state of the battle at its opening; None if the rules forbid it."""
    place = {"attached": UNIT} if attached else {"box": BOX}
    general = {"id": GENERAL, "mounted": mounted, "traits": sorted(traits), **place}
    own = {"id": "I", "name": "I", "general": general, "units": [_unit(UNIT, BOX, "N")]}
    foe = {"id": "II", "name": "II", "units": [_unit("U2", "D7", "S")]}
    sides = {"south": {"name": "S", "corps": [own]}, "north": {"name": "N", "corps": [foe]}}
    try:
        opened = load({"ruleset": "tts", "title": "-", "first": "south", "sides": sides})
    except Refusal:
        return None
    return on_battle_opened(State(), opened)


def _unit(name: str, box: str, facing: str) -> dict[str, Any]:
    return {"id": name, "type": "hoplites", "box": box, "facing": facing}
