"""Which people an army is, and so which shield its side bears.

The log does not say what list an army was made by, so it is told by the army's name; one with a name of its own is of
the people whose list has all its troop types and the fewest others. Armies are open (TTS-SCN-01), and so are shields.
"""

from collections.abc import Mapping
from functools import cache, lru_cache

from domain.basics.errors import BrokenInvariant
from domain.contract.heraldry import FILE, Heraldry, Shield, read_heraldry
from domain.engine.state import SIDES
from domain.games.to_the_strongest.armies.lists import army_lists
from domain.games.to_the_strongest.state.state import State

PEOPLES_KEPT = 1024


@cache
def heraldry() -> Heraldry:
    """The shields of the game: one for each army list.

    Raises:  BrokenInvariant with file, record and field
    """
    read = read_heraldry("tts")
    without = sorted(set(army_lists()) ^ set(read.peoples))
    if without:
        raise BrokenInvariant(f"tts/{FILE}: peoples: {', '.join(without)}: a list without a shield, or the reverse")
    return read


def shields(state: State) -> tuple[Shield, ...]:
    """The shields of both sides, () as long as there are no armies."""
    if not state.armies:
        return ()
    return heraldry().borne(state.title, [_people(state, side) for side in SIDES])


def shield_of_list(key: str) -> Shield:
    """The shield of the people of an army list."""
    return heraldry().peoples[key].shield


def _people(state: State, side: str) -> str:
    """The key of the people of a side."""
    army = state.armies[side]
    named = _list_names().get(army.name.casefold()) or heraldry().people_named(army.name)
    return named or _fitting(frozenset(state.units[name].type for corps in army.corps.values() for name in corps.units))


@cache
def _list_names() -> Mapping[str, str]:
    return {entry.name.casefold(): key for key, entry in army_lists().items()}


@lru_cache(PEOPLES_KEPT)
def _fitting(types: frozenset[str]) -> str:
    """The people whose list has all these troop types and the fewest others, the oldest of several; "" for none."""
    listed = {key: {troop.type for troop in entry.troops.values()} for key, entry in army_lists().items()}
    fits = [key for key, known in listed.items() if types and types <= known]
    return min(fits, key=lambda key: len(listed[key]), default="")
