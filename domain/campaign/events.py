"""The events of campaigns beside those that campaigns and battles share: here of cups and ladders.

What is an input comes from outside, from a player, from the steward or from the clock; all else follows from one. Sides
are `south` and `north` of a board, entrants are ids. Moments are time stamps of the log.
"""

from typing import Any, ClassVar

from msgspec import UNSET, UnsetType

from domain.campaign.force_events import ForceJoined
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.campaign.theatre.events import THEATRE_EVENTS
from domain.campaign.theatre.order_events import ORDER_EVENTS
from domain.contract.campaign_book import Ground
from domain.events import inputs
from domain.events.battle import ContributionGiven, DieRolled, KeyChanged, OrderAccepted, RulesChanged, RulingGiven
from domain.events.disclosures import DISCLOSURES
from domain.events.event import Event, Keys, Seen, Text

Fates = dict[str, dict[str, str]]
"""Force to element to fate; the force is empty where the campaign has none."""


class _Said(Event, frozen=True, gc=False, kw_only=True):
    """An input of a person: the head that it answers, and the signature where the entrant or the officer has a key."""

    seen: Seen | UnsetType = UNSET
    serial: int | UnsetType = UNSET
    signature: Text = UNSET


# --- inputs


class CampaignOpened(Event, frozen=True, gc=False, kw_only=True):
    """The campaign exists. `config` is its file with all defaults written out; `organiser` has player and name, and
    `signer` where they sign."""

    RULE: ClassVar[str] = "CAM-LOG-02"

    title: str
    kind: str  # cup | ladder | linked | map
    ruleset: str
    config: dict[str, Any]
    organiser: dict[str, str]
    commitment: Text = UNSET
    keys: Keys | UnsetType = UNSET
    readers: str = "public"


class RoleGiven(_Said, frozen=True, gc=False):
    """The organiser names an umpire, or another organiser."""

    RULE: ClassVar[str] = "CAM-RUL-01"
    TOLD_BY: ClassVar[str] = "role"

    role: str  # umpire | organiser
    player: str
    name: str
    signer: Text = UNSET


class EntrantJoined(_Said, frozen=True, gc=False):
    """A player enters, or takes the place of another under the same id."""

    RULE: ClassVar[str] = "CAM-PPL-01"

    entrant: str
    player: str
    name: str
    kind: Text = UNSET  # person | bot
    mode: Text = UNSET  # plain | sealed
    anchor: Text = UNSET
    alliance: Text = UNSET
    rating: int | UnsetType = UNSET  # the standing number on the ladder by which a cup is seeded
    army: dict[str, Any] | UnsetType = UNSET
    signer: Text = UNSET


class EntrantLeft(_Said, frozen=True, gc=False):
    """An entrant has nobody any more, or somebody else."""

    RULE: ClassVar[str] = "CAM-PPL-04"
    TOLD_BY: ClassVar[str] = "reason"

    entrant: str
    reason: str  # withdrawn | replaced | expelled | absent


class ReserveJoined(_Said, frozen=True, gc=False):
    """A player waits for a vacant place."""

    RULE: ClassVar[str] = "CAM-PPL-02"

    player: str
    name: str
    kind: Text = UNSET
    mode: Text = UNSET
    anchor: Text = UNSET
    signer: Text = UNSET


class CampaignBegan(_Said, frozen=True, gc=False):
    """Nobody enters any more, and the lots are drawn."""

    RULE: ClassVar[str] = "CAM-RND-01"


class ResultCounted(Event, frozen=True, gc=False, kw_only=True):
    """An ended battle, as the steward has found it: `n` and `hash` of its last event. The board of a ladder's own is
    empty, and `players` are its members by side."""

    RULE: ClassVar[str] = "CAM-RND-04"
    TOLD_BY: ClassVar[str] = "how"

    board: str
    battle: str
    n: int
    hash: str
    winner: str  # south | north, empty if drawn
    how: str
    kept: dict[str, int]
    rated: bool
    players: dict[str, str] | UnsetType = UNSET
    fates: Fates | UnsetType = UNSET
    deeds: tuple[dict[str, Any], ...] | UnsetType = UNSET


class TableClaimed(_Said, frozen=True, gc=False, kw_only=True):
    """An entrant says how a battle on a table has ended; of its two entrants both must say the same."""

    RULE: ClassVar[str] = "CAM-CLB-04"

    entrant: str
    board: str
    winner: str  # south | north, empty if drawn
    kept: dict[str, int]
    fates: Fates | UnsetType = UNSET
    deeds: tuple[dict[str, Any], ...] | UnsetType = UNSET


class AbsenceNoted(_Said, frozen=True, gc=False):
    """An entrant is not to be paired in a round to come."""

    RULE: ClassVar[str] = "CAM-CUP-05"

    entrant: str
    round: int


class ClockFired(inputs.ClockFired, frozen=True, gc=False, kw_only=True):
    """A deadline of the campaign has passed, or what it gave for grace."""

    RULE: ClassVar[str] = "CAM-TIM-03"

    what: str  # show-late | show-over | round-late | round-over | orders-late | orders-over | challenge-over
    side: str = ""
    round: int


# --- the course


class LotsDrawn(Event, frozen=True, gc=False):
    """The entrants by rank number."""

    RULE: ClassVar[str] = "CAM-RND-02"

    order: tuple[str, ...]
    scope: str
    t: int


class LotCast(Event, frozen=True, gc=False):
    """A drawn board of a knock-out, equal also by what was kept: `through` goes on."""

    RULE: ClassVar[str] = "CAM-CUP-09"

    board: str
    through: str
    t: int
    scope: str


class RoundBegan(Event, frozen=True, gc=False, kw_only=True):
    """A round opens. `level` says whom a Swiss round may pair (CAM-CUP-06)."""

    RULE: ClassVar[str] = "CAM-RND-03"

    round: int
    deadline: Text = UNSET
    level: int | UnsetType = UNSET
    node: Text = UNSET


class RoundEnded(Event, frozen=True, gc=False):
    """Every board of a round has its result."""

    RULE: ClassVar[str] = "CAM-RND-05"

    round: int


class CampaignEnded(Event, frozen=True, gc=False):
    """The campaign is over."""

    RULE: ClassVar[str] = "CAM-RND-06"
    TOLD_BY: ClassVar[str] = "how"

    winners: tuple[str, ...]
    how: str  # rounds | leaf | capitals | ended


class BattleSet(Event, frozen=True, gc=False, kw_only=True):
    """Two entrants are to fight on a board. `players` are who commands by side, `scenario` the SHA-256 of the canonical
    JSON of its table, `show` the moment until which both must have contributed. A battle that is set in place of a void
    one has a `deadline` of its own, as has one of forces. In a ladder it comes of a challenge: board and round are
    empty. Where forces fight, `fielded` has their elements by side, each as `FORCE/ID`, and `ground` what chance has
    put where."""

    RULE: ClassVar[str] = "CAM-RND-03"

    board: str
    round: int
    battle: str
    south: str
    north: str
    players: dict[str, str]
    scenario: str
    show: Text = UNSET
    deadline: Text = UNSET
    title: Text = UNSET
    fielded: dict[str, tuple[str, ...]] | UnsetType = UNSET
    ground: Ground | UnsetType = UNSET


class ByeGiven(Event, frozen=True, gc=False):
    """An entrant has no opponent in a round."""

    RULE: ClassVar[str] = "CAM-CUP-05"

    round: int
    entrant: str


class PairingChanged(Event, frozen=True, gc=False):
    """The umpire pairs otherwise; `ruled` are the two whom the rules had put on this board."""

    RULE: ClassVar[str] = "CAM-RUL-04"

    board: str
    south: str
    north: str
    ruled: dict[str, str]


# --- results


class DefaultGiven(Event, frozen=True, gc=False):
    """A result without a battle; without a winner both have lost."""

    RULE: ClassVar[str] = "CAM-PPL-04"
    TOLD_BY: ClassVar[str] = "reason"

    board: str
    winner: str
    losers: tuple[str, ...]
    reason: str  # no-show | withdrawn | expelled | ruling


class ResultsStruck(Event, frozen=True, gc=False):
    """An entrant who left has fought fewer than half of the battles: none of them counts."""

    RULE: ClassVar[str] = "CAM-PPL-04"

    entrant: str
    played: int
    of: int


class ResultChanged(Event, frozen=True, gc=False):
    """The umpire changes who has won a board."""

    RULE: ClassVar[str] = "CAM-RUL-03"

    board: str
    winner: str  # south | north, empty if drawn
    was: str
    docket: str


class TableResult(Event, frozen=True, gc=False, kw_only=True):
    """A battle that was fought on a table, on the word of `said`: its entrants, or the umpire."""

    RULE: ClassVar[str] = "CAM-CLB-04"

    board: str
    winner: str
    kept: dict[str, int]
    said: tuple[str, ...]
    rated: bool
    fates: Fates | UnsetType = UNSET
    deeds: tuple[dict[str, Any], ...] | UnsetType = UNSET


class PointsTaken(Event, frozen=True, gc=False):
    """The umpire takes points from an entrant."""

    RULE: ClassVar[str] = "CAM-RUL-07"

    entrant: str
    points: int


# --- time


class LateNoted(Event, frozen=True, gc=False, kw_only=True):
    """What somebody is late with; nothing follows before `until`."""

    RULE: ClassVar[str] = "CAM-TIM-03"
    TOLD_BY: ClassVar[str] = "what"

    board: Text = UNSET
    what: str  # show | round | orders
    who: tuple[str, ...]
    until: str


class BattleCutOff(Event, frozen=True, gc=False):
    """A battle is to be adjudicated by what is kept: the steward ends it in its own log."""

    RULE: ClassVar[str] = "CAM-TIM-05"

    board: str


class DeadlineMoved(Event, frozen=True, gc=False):
    """The umpire gives a round so many days more."""

    RULE: ClassVar[str] = "CAM-RUL-02"

    round: int
    by: int


INPUTS: frozenset[type[Event]] = frozenset(
    {
        CampaignOpened,
        RoleGiven,
        EntrantJoined,
        EntrantLeft,
        ReserveJoined,
        CampaignBegan,
        ResultCounted,
        TableClaimed,
        AbsenceNoted,
        ClockFired,
        OrderAccepted,
        ContributionGiven,
        RulesChanged,
        KeyChanged,
    }
)
"""What may begin a block. `EntrantLeft` and `EntrantJoined` also follow from an umpire's line."""
CONSEQUENCES: frozenset[type[Event]] = frozenset(
    {
        LotsDrawn,
        LotCast,
        RoundBegan,
        RoundEnded,
        CampaignEnded,
        BattleSet,
        ByeGiven,
        PairingChanged,
        DefaultGiven,
        ResultsStruck,
        ResultChanged,
        TableResult,
        PointsTaken,
        LateNoted,
        BattleCutOff,
        DeadlineMoved,
        ChallengeMade,
        ChallengeEnded,
        RulingGiven,
        DieRolled,
        ForceJoined,
        *ORDER_EVENTS,
        *THEATRE_EVENTS,
    }
)
"""What follows from an input."""
CAMPAIGN_EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind for kind in sorted(INPUTS | CONSEQUENCES | DISCLOSURES, key=lambda kind: kind.__name__)
}
"""The events of campaigns by their name in the log."""
