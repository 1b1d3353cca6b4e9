"""The shields of the two sides: they are of no people, and each has its own."""

from functools import cache

from domain.contract.heraldry import Heraldry, Shield, read_heraldry
from domain.engine.state import SIDES
from domain.games.singidunum.state.state import State


@cache
def heraldry() -> Heraldry:
    """The shields of the game.

    Raises:  BrokenInvariant with file, record and field
    """
    return read_heraldry("singidunum")


def shields(state: State) -> tuple[Shield, ...]:
    """The shields of both sides, the southern one first."""
    return heraldry().borne(state.title, ["" for _ in SIDES])
