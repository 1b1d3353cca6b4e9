"""Messages of the API about the armies of a battle that has not begun."""

from typing import Any

from msgspec import Struct

from domain.contract.dossier import Force


class ArmiesView(Struct, frozen=True):
    """The armies of a battle as anybody may know them, and what it has been opened with beside them, in sentences.

    `brings` says whether a free side may bring another army; `proposed` is the battle with another army that waits for
    an answer, "" if there is none.
    """

    battle: str
    armies: tuple[Force, ...]
    options: tuple[str, ...]
    brings: bool
    proposed: str


class BringArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """Bring another army for a free `side`, "" for the one that is free: an `army` in the form of its file, or one made
    from a `list` by `size` (0: the usual one) and `seed`."""

    side: str = ""
    list: str = ""
    size: int = 0
    seed: int = 0
    army: dict[str, Any] | None = None


class BroughtView(Struct, frozen=True):
    """The battle with the army and your side in it; `opponent` is asked to take the other one."""

    battle: str
    side: str
    opponent: str
