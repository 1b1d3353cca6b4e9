"""The shields of both sides: those of the peoples whose names they have."""

from functools import cache

from domain.contract.heraldry import Heraldry, Shield, read_heraldry
from domain.engine.state import SIDES
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import CODE


@cache
def heraldry() -> Heraldry:
    """The shields of the game.

    Raises:  BrokenInvariant with file, record and field
    """
    return read_heraldry(CODE)


def shields(state: State) -> tuple[Shield, ...]:
    """The shields of both sides, the southern one first; () where the game has none, or no sides yet."""
    known = heraldry()
    if not known.sides or not state.names:
        return ()
    return known.borne(state.title, [known.people_named(state.names[side]) for side in SIDES])
