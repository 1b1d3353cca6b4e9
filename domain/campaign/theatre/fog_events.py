"""The events of a map under fog: one of each kind for each alliance, sealed for its powers (CAM-FOG-01).

They stand in the place of the events about single forces; `domain.campaign.theatre.fog` makes those of them again.
"""

from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType, field

from domain.events.event import Event, Text

Bands = dict[str, dict[str, str]]
"""Area to power to the band of what stands there; an area that is seen and empty has no powers."""


class MoveMade(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """What a force has done: `do` is `moved`, `stopped`, `avoided`, `retreated`, `overrun` or `lost`. `reason` is that
    of a stop or a loss; of an overrun, which the victor is told too, the alliance that has chased the force."""

    force: str
    do: str
    from_: str = field(name="from")
    to: Text = UNSET
    step: int | UnsetType = UNSET
    reason: Text = UNSET


class PowerPurse(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a power gets from its areas, what it spends on recruits, and what it has then."""

    income: int
    spent: int
    treasury: int


class RaisedRow(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A unit that has joined a group of a force, at its price."""

    force: str
    group: str = field(name="corps")
    unit: str
    troop: str
    quality: str
    points: int


class FailedRow(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A unit that was ordered and does not come."""

    force: str
    unit: str
    reason: str


class HungryRow(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A force out of supply, in so many turns in a row."""

    force: str
    turns: int


class UnitLostRow(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A unit that is lost without a battle: by `storm` or `hunger`, or `dismissed`."""

    force: str
    unit: str
    cause: str


class MovesMade(Event, frozen=True, gc=False, kw_only=True):
    """Where the forces of an alliance have gone in a turn, in the order in which it happened."""

    RULE: ClassVar[str] = "CAM-FOG-01"

    alliance: str
    turn: int
    moves: tuple[MoveMade, ...] | UnsetType = UNSET
    sealed: Text = UNSET


class TreasuryChanged(Event, frozen=True, gc=False, kw_only=True):
    """What a turn has brought the powers of an alliance, and cost them, beside marches and battles."""

    RULE: ClassVar[str] = "CAM-FOG-01"

    alliance: str
    turn: int
    powers: dict[str, PowerPurse] | UnsetType = UNSET
    raised: tuple[RaisedRow, ...] | UnsetType = UNSET
    failed: tuple[FailedRow, ...] | UnsetType = UNSET
    hungry: tuple[HungryRow, ...] | UnsetType = UNSET
    unit_lost: tuple[UnitLostRow, ...] | UnsetType = UNSET
    sealed: Text = UNSET


class AreasSeen(Event, frozen=True, gc=False, kw_only=True):
    """What an alliance sees when all have marched."""

    RULE: ClassVar[str] = "CAM-FOG-02"

    alliance: str
    turn: int
    areas: Bands | UnsetType = UNSET
    sealed: Text = UNSET


FOG_EVENTS: tuple[type[Event], ...] = (MovesMade, TreasuryChanged, AreasSeen)
"""All of them, all consequences."""
FOG_MEMBERS: dict[type[Event], tuple[str, ...]] = {
    MovesMade: ("moves",),
    TreasuryChanged: ("powers", "raised", "failed", "hungry", "unit_lost"),
    AreasSeen: ("areas",),
}
"""What is sealed of each: all but `alliance` and `turn`."""
