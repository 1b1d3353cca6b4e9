"""The shields of both sides: those of nations in their time, by the battle or by the names of the sides."""

from functools import cache

from domain.basics.data import read_beside
from domain.contract.heraldry import FILE, Heraldry, Shield, load_heraldry
from domain.engine.state import SIDES
from domain.games.shot_to_pieces.state.profiles import PACKAGE
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import CODE


@cache
def heraldry() -> Heraldry:
    """The shields of the game.

    Raises:  BrokenInvariant with file, record and field
    """
    return load_heraldry(f"{CODE}/{FILE}", read_beside(PACKAGE, "data", FILE))


def shields(state: State) -> tuple[Shield, ...]:
    """The shields of both sides, the southern one first; () as long as there are no sides."""
    known = heraldry()
    if not state.names:
        return ()
    return known.borne(state.title, [known.people_named(state.names[side]) for side in SIDES])
