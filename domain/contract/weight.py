"""How much an event tells somebody who was away."""

from enum import IntEnum


class Weight(IntEnum):
    """Weights that a game gives its events (`Presentation.gist`)."""

    MOVED = 0
    """Somebody went somewhere: named with others."""
    FAILED = 1
    """A draw let somebody down: named with others."""
    ATTACKED = 2
    """An attack began: told with what came of it, else named with others."""
    HURT = 3
    """Somebody is worse off than before, or better."""
    DECIDED = 4
    """It bears on who wins."""
