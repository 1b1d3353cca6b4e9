"""What a game offers to campaigns whose armies live on from battle to battle (CAM-INT).

A force is plain data to a campaign: its army file, and its elements with what became of them. Only the functions of a
game's `CampaignBook` look inside. What is left of a side at the end of a battle, the game says to everybody
(`Presentation.strength`); its book adds what became of each unit and leader, and which deeds are remembered.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.basics.errors import BrokenInvariant

UNIT, LEADER = "unit", "leader"
WHOLE, WORN, LOST = "whole", "worn", "lost"
WELL, HURT, DEAD = "well", "hurt", "dead"
FIT, GONE, CAPTURED, RESTING = "fit", "gone", "captured", "resting"
Below = Callable[[int], int]
"""A number from 0 to n − 1, all equally likely."""
Terrain = tuple[tuple[str, str], ...]
"""Places and what is on them."""


class Element(Struct, frozen=True, gc=False):
    """A unit or a leader of a force. `group` is the part of the army that they belong to, `troop` what it is,
    `label` how good, as the game writes it; `attached` the unit that a leader is with, "" for none.

    Units: `points` as the game prices it; 10 for a unit of a game without prices
    """

    id: str
    kind: str
    group: str
    troop: str = ""
    label: str = ""
    points: int = 10
    attached: str = ""


class Ground(Struct, frozen=True):
    """A battlefield by chance: what is in boxes, and what between two of them."""

    terrain: Terrain = ()
    edges: tuple[tuple[str, str, str], ...] = ()


class Recruit(Struct, frozen=True):
    """A unit that an order asks for: its group, its line of the list, its quality ("" the usual one), its id."""

    group: str
    troop: str
    quality: str
    id: str


class Fielded(Struct, frozen=True):
    """A force on the day of a battle: its id, its army as it was given, the elements that fight, the leaders among them
    who are resting."""

    id: str
    army: Any
    elements: tuple[Element, ...]
    resting: frozenset[str] = frozenset()


def _no_leaders(army: Any, leader: Element, name: str, unit: str) -> Element:
    raise BrokenInvariant(f"nobody follows {leader.id} in a game without leaders")


class CampaignBook(Struct, frozen=True):
    """The campaigns of one game. An army is whatever `read` gives."""

    read: Callable[[Mapping[str, Any]], Any]
    """An army from a table; refuses what is none, with the key at fault."""
    roster: Callable[[Any], tuple[Element, ...]]
    """The elements of an army: units in the order of the file, then leaders."""
    promoted: Callable[[Any, Element], Element | None]
    """A unit one step better; None at the top."""
    recruit: Callable[[Any, Sequence[Element], Recruit], Element]
    """A unit that may join the elements which an army has now; refuses campaign.not-on-list,
    campaign.too-many-of-line."""
    battle: Callable[
        [Sequence[Fielded], Sequence[Fielded], Ground | None, str, Mapping[str, Any]],
        tuple[dict[str, Any], Mapping[tuple[str, str], str]],
    ]
    """(south, north, ground, title, options): the table of a scenario, and the id in it of each element by its
    force."""
    fates: Callable[[Any], Mapping[str, str]]
    """What became of the elements of an ended battle: of those that are not whole or well."""
    stand_in: Callable[[Any, Element, str, str], Element] = _no_leaders
    """(army, leader, id, unit): who follows a leader, under another id, with a unit or ("") with none."""
    honours: tuple[str, ...] = ()
    """The deeds that are remembered (`contract.deeds`)."""
    broken: frozenset[str] = frozenset()
    """The ends of battles by which the loser is broken."""
    ground: Callable[[str, tuple[int, int], Below], Ground] | None = None
    """(kind, columns and rows, chance): a battlefield; None where a campaign's file cannot ask for one by its kind."""
    board: tuple[int, int] = (0, 0)
    """Columns and rows of the board on which its battles between forces are fought, for `ground`."""
