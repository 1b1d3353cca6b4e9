"""The events of campaigns whose armies live on. Forces, areas and powers are ids."""

from typing import ClassVar

from msgspec import UNSET, UnsetType, field

from domain.campaign.theatre.fog_events import FOG_EVENTS
from domain.events.event import Event, Text

# --- what a battle leaves (CAM-CAR)


class ElementFared(Event, frozen=True, gc=False, kw_only=True):
    """What became of a unit or a leader: its `fate` in the battle, the number that its die had to reach where one was
    thrown, what it is `now`, and the power `to` which a captured leader has fallen. Under fog all of it is private to
    the alliance of the force (CAM-FOG-01)."""

    RULE: ClassVar[str] = "CAM-CAR-03"
    TOLD_BY: ClassVar[str] = "now"

    force: str = UNSET  # type: ignore[assignment]  # only what is sealed is without it
    element: str = UNSET  # type: ignore[assignment]
    fate: str = UNSET  # type: ignore[assignment]  # whole | worn | lost | well | hurt | dead
    needed: int | UnsetType = UNSET
    die: int | UnsetType = UNSET
    now: str = UNSET  # type: ignore[assignment]  # fit | gone | captured | resting
    to: Text = UNSET
    sealed: Text = UNSET


class LeaderReplaced(Event, frozen=True, gc=False, kw_only=True):
    """Somebody leads in the place of a leader: `by`, with the unit `attached` ("" for none)."""

    RULE: ClassVar[str] = "CAM-CAR-05"
    TOLD_BY: ClassVar[str] = "reason"

    force: str
    leader: str
    by: str
    reason: str  # dead | captured
    attached: str = ""
    points: int = 0


class LeaderRansomed(Event, frozen=True, gc=False):
    """A captured leader comes back; the points go to the captor."""

    RULE: ClassVar[str] = "CAM-CAR-05"

    force: str
    leader: str
    points: int
    to: str


class HonourWon(Event, frozen=True, gc=False):
    """A unit has earned an honour by the deed that event `n` of a battle completed; `total` are all that it has."""

    RULE: ClassVar[str] = "CAM-CAR-06"
    TOLD_BY: ClassVar[str] = "honour"

    force: str
    element: str
    honour: str
    battle: str
    n: int
    total: int


class ElementPromoted(Event, frozen=True, gc=False):
    """A unit has risen a step, and costs so many points from now on."""

    RULE: ClassVar[str] = "CAM-CAR-07"

    force: str
    element: str
    was: str
    now: str
    points: int


# --- recruits and other losses (CAM-MAP-13, -14, -16)


class UnitRaised(Event, frozen=True, gc=False):
    """A unit joins a group of a force; `treasury` is what its power has left."""

    RULE: ClassVar[str] = "CAM-MAP-16"

    force: str
    group: str = field(name="corps")
    unit: str
    troop: str
    quality: str
    points: int
    treasury: int


class RecruitFailed(Event, frozen=True, gc=False):
    """A unit that was ordered does not come, and nothing is paid."""

    RULE: ClassVar[str] = "CAM-MAP-16"
    TOLD_BY: ClassVar[str] = "reason"

    force: str
    unit: str
    reason: str  # gone | no-city | besieged | hungry | cannot-afford


class UnitDismissed(Event, frozen=True, gc=False):
    """A unit is sent home."""

    RULE: ClassVar[str] = "CAM-ORD-02"

    force: str
    unit: str


class UnitLost(Event, frozen=True, gc=False):
    """A unit is lost without a battle."""

    RULE: ClassVar[str] = "CAM-MAP-13"
    TOLD_BY: ClassVar[str] = "cause"

    force: str
    unit: str
    cause: str  # storm | hunger


# --- linked campaigns (CAM-LNK)


class NodeChosen(Event, frozen=True, gc=False):
    """A node is over; `winner` is a side, "" if it is drawn, `next` the node that follows, "" where the campaign
    ends."""

    RULE: ClassVar[str] = "CAM-LNK-03"

    node: str
    winner: str
    next: str


class PointsGiven(Event, frozen=True, gc=False):
    """Points to spend on reinforcements; `total` is what the entrant has now."""

    RULE: ClassVar[str] = "CAM-LNK-04"
    TOLD_BY: ClassVar[str] = "reason"

    entrant: str
    points: int
    total: int
    reason: str  # base | behind


# --- maps (CAM-MAP)


class ForceMoved(Event, frozen=True, gc=False):
    """A force has marched along a link in the first or second step of a turn."""

    RULE: ClassVar[str] = "CAM-MAP-06"

    force: str
    from_: str = field(name="from")
    to: str
    step: int


class ForceStopped(Event, frozen=True, gc=False):
    """A force goes no farther than `at`, though it was to."""

    RULE: ClassVar[str] = "CAM-MAP-06"
    TOLD_BY: ClassVar[str] = "reason"

    force: str
    at: str
    reason: str  # contact | fortress | met


class ForceAvoided(Event, frozen=True, gc=False):
    """A force has left before the enemy came to blows with it."""

    RULE: ClassVar[str] = "CAM-MAP-10"

    force: str
    from_: str = field(name="from")
    to: str


class ForceOverrun(Event, frozen=True, gc=False):
    """Forces are chased from an area by an alliance, without a battle."""

    RULE: ClassVar[str] = "CAM-MAP-10"

    area: str
    alliance: str
    forces: tuple[str, ...]


class EncounterMade(Event, frozen=True, gc=False):
    """A battle is to be fought in an area. South and north are alliances; forces and fielded units are theirs."""

    RULE: ClassVar[str] = "CAM-MAP-11"

    area: str
    attacker: str  # an alliance, "" for a meeting
    south: str
    north: str
    forces: dict[str, tuple[str, ...]]
    fielded: dict[str, tuple[str, ...]]


class ForceRetreated(Event, frozen=True, gc=False):
    """A beaten force has gone back."""

    RULE: ClassVar[str] = "CAM-MAP-12"

    force: str
    from_: str = field(name="from")
    to: str


class ForceLost(Event, frozen=True, gc=False):
    """A force is no more."""

    RULE: ClassVar[str] = "CAM-MAP-12"
    TOLD_BY: ClassVar[str] = "reason"

    force: str
    at: str
    reason: str  # surrounded | empty


class AreaTaken(Event, frozen=True, gc=False):
    """An area without a city changes hands; `from_` is "" if it was nobody's."""

    RULE: ClassVar[str] = "CAM-MAP-12"

    area: str
    power: str
    from_: str = field(name="from")


class SiegeRolled(Event, frozen=True, gc=False):
    """A turn of a siege: the die, what it comes to, and what the walls need."""

    RULE: ClassVar[str] = "CAM-MAP-13"

    area: str
    city: int
    turns: int
    die: int
    storm: bool
    total: int
    needed: int


class CityFell(Event, frozen=True, gc=False):
    """A city is taken; `from_` is "" if it was nobody's."""

    RULE: ClassVar[str] = "CAM-MAP-13"

    area: str
    power: str
    from_: str = field(name="from")


class SiegeRaised(Event, frozen=True, gc=False):
    """Nobody besieges a city any more."""

    RULE: ClassVar[str] = "CAM-MAP-13"

    area: str


class ForceHungry(Event, frozen=True, gc=False):
    """A force is out of supply, in so many turns in a row."""

    RULE: ClassVar[str] = "CAM-MAP-14"

    force: str
    turns: int


class IncomeTaken(Event, frozen=True, gc=False):
    """What a power gets from its areas, and what it has then."""

    RULE: ClassVar[str] = "CAM-MAP-15"

    power: str
    points: int
    treasury: int


THEATRE_EVENTS: tuple[type[Event], ...] = (
    ElementFared,
    LeaderReplaced,
    LeaderRansomed,
    HonourWon,
    ElementPromoted,
    UnitRaised,
    RecruitFailed,
    UnitDismissed,
    UnitLost,
    NodeChosen,
    PointsGiven,
    ForceMoved,
    ForceStopped,
    ForceAvoided,
    ForceOverrun,
    EncounterMade,
    ForceRetreated,
    ForceLost,
    AreaTaken,
    SiegeRolled,
    CityFell,
    SiegeRaised,
    ForceHungry,
    IncomeTaken,
    *FOG_EVENTS,
)
"""All of them."""
