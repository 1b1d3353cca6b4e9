"""Chapter DIE: the special die and the plain one.

Each side throws its own dice, from its own scope (PRG-DIE-04); both have six faces, and the event has the face as well
as what it counts (PRG-DIE-01). The rally is thrown with a plain die (PRG-DIE-03).
"""

from domain.engine.judge import Judge
from domain.games.singidunum.state.state import State
from domain.mechanics.dice import special

FIGHT = special(1, 2, 3, 3, 4, 5)
"""The special die (PRG-DIE-01)."""
PLAIN_DIE = special(1, 2, 3, 4, 5, 6)
"""The plain die; its face is told like that of the other (PRG-DIE-03, -04)."""
LOGO = 5
REROLLED = ("rerolled", "PRG-DIE-02")


def roll(judge: Judge[State], side: str, purpose: str, unit: str = "") -> int:
    """Throw the special die; with `reroll_five` again until it is not a five (PRG-DIE-02, -05)."""

    def told(value: int) -> tuple[str, str]:
        goes_back = judge.state.options.reroll_five and value == LOGO
        return REROLLED if goes_back else (purpose, "PRG-DIE-01")

    while True:
        value = judge.roll(side, FIGHT, purpose, unit, told=told)
        if told(value) != REROLLED:
            return value


def roll_plain(judge: Judge[State], side: str, purpose: str, unit: str) -> int:
    """Throw the plain die (PRG-DIE-03)."""
    return judge.roll(side, PLAIN_DIE, purpose, unit, "PRG-DIE-03")
