"""The seats of a battle as a value: their names, the two orders in which they stand, and who is against whom.

Whatever records, draws, proves or settles takes the seats from the ruleset (`Ruleset.seats`) and says nothing of their
number. There are no alliances here: each seat has a player of its own, and who wins with whom is the game's to say.
"""

import re
from functools import cached_property

from msgspec import Struct

MOST = 8
"""Seats of a battle at most."""
NAME = re.compile(r"[a-z][a-z0-9]{0,23}")
"""How a seat may be named: the name is part of scopes, chains and order lines."""
RESERVED = frozenset({"all", "common", "dice", "draw", "host", "nobody", "public", "server", "umpire"})
"""Names that mean something else where a seat is named."""


def is_name(text: str) -> bool:
    """Whether a seat of some game may be named so."""
    return NAME.fullmatch(text) is not None and text not in RESERVED


class Seats(Struct, frozen=True, dict=True):
    """The seats of a battle. `names` are in the order of play, in which they are shown and set up.

    Raises:  ValueError for fewer than two or more than `MOST`, for a name twice, and for one that cannot be a name
    """

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.names) <= MOST:
            raise ValueError(f"a battle has 2 to {MOST} seats, not {len(self.names)}")
        if len(set(self.names)) < len(self.names):
            raise ValueError(f"a seat is named twice: {', '.join(self.names)}")
        wrong = [name for name in self.names if not is_name(name)]
        if wrong:
            raise ValueError(f"no names for seats: {', '.join(wrong)}")

    @cached_property
    def seeding(self) -> tuple[str, ...]:
        """The names in the order in which contributions enter a seed: sorted (fairness.md 2)."""
        return tuple(sorted(self.names))

    def others(self, name: str) -> tuple[str, ...]:
        """The seats against a seat, in the order of play; the umpire has all of them there."""
        return tuple(other for other in self.names if other != name)

    def opponent(self, name: str) -> str:
        """The one seat against a seat; "" where there are several."""
        others = self.others(name)
        return others[0] if len(others) == 1 else ""

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __len__(self) -> int:
        return len(self.names)


SOUTH_AND_NORTH = Seats(("south", "north"))
"""The seats of a game that does not name its own."""
