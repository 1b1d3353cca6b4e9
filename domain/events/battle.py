"""The events that every game shares; here those that rulesets decide, beside this module the others.

Events are facts: frozen, past tense, plain values (no floats; integers in the unit that the
ruleset names). The class name is the `type` in the log and is never changed; a breaking change
gets a new class named `Name@2` and an upcaster. Fields are encoded under their names (`from_` as
`from`), sorted, as `data` of an event line (docs/record-format.md). Fields that are `UNSET` are
left out.

A ruleset extends the generic events where its catalogue asks for more fields, keeping the name.
"""

from typing import Any, ClassVar

from msgspec import UNSET, UnsetType

from domain.events.disclosures import (
    DISCLOSURES,
    KeyDisclosed,
    KeysContinued,
    MasterRevealed,
    NonceDisclosed,
    Unsealed,
)
from domain.events.event import Event, Fact, Keys, Seen, Text
from domain.events.inputs import (
    INPUTS,
    BattleBegan,
    BattleOpened,
    BattleStopped,
    BoardOfCampaign,
    Branch,
    ClockFired,
    ContributionGiven,
    KeyChanged,
    OrderAccepted,
    PileLeft,
    Position,
    RulesChanged,
    SideJoined,
    SideLeft,
)
from domain.events.settlements import (
    DISPUTES,
    SETTLEMENTS,
    Corrected,
    DecisionWithdrawn,
    DisputeAnswered,
    DisputeRaised,
    DisputeSettled,
    FlagRuled,
    RemedyOffered,
    Rewound,
    RulingGiven,
    SubstituteAgreed,
    UmpireNamed,
    UmpireProposed,
)

__all__ = [
    "DISCLOSURES",
    "DISPUTES",
    "INPUTS",
    "SETTLEMENTS",
    "BattleBegan",
    "BattleOpened",
    "BattleStopped",
    "BoardOfCampaign",
    "Branch",
    "ClockFired",
    "ContributionGiven",
    "Corrected",
    "DecisionWithdrawn",
    "DisputeAnswered",
    "DisputeRaised",
    "DisputeSettled",
    "Event",
    "Fact",
    "FlagRuled",
    "KeyChanged",
    "KeyDisclosed",
    "Keys",
    "KeysContinued",
    "MasterRevealed",
    "NonceDisclosed",
    "OrderAccepted",
    "PileLeft",
    "Position",
    "RemedyOffered",
    "Rewound",
    "RulesChanged",
    "RulingGiven",
    "Seen",
    "SideJoined",
    "SideLeft",
    "SubstituteAgreed",
    "Text",
    "UmpireNamed",
    "UmpireProposed",
    "Unsealed",
]
"""What is defined beside this module and found here, too, so that events are imported from one place."""


class DeckShuffled(Event, frozen=True, gc=False):
    """A deck starts a new epoch with `size` cards, in canonical order; none is drawn yet."""

    RULE: ClassVar[str] = "CORE-DECK"

    deck: str
    epoch: int
    size: int


class CardDrawn(Event, frozen=True, gc=False, kw_only=True):
    """One card. `index` counts the draws of the deck in its epoch from 1, `remaining` the cards
    left after it; `discard` tells the fold where the card goes: 1 at once, 0 kept on a unit. `card`
    is private where it goes into a hand (fairness.md 2)."""

    RULE: ClassVar[str] = "CORE-DECK"
    TOLD_BY: ClassVar[str] = "purpose"

    deck: str
    epoch: int
    index: int
    card: Text = UNSET
    purpose: str
    unit: str
    scope: str
    t: int
    remaining: int
    discard: int = 1
    sealed: Text = UNSET


class DieRolled(Event, frozen=True, gc=False):
    """One die of `sides` sides. `index` counts the rolls in (t, scope) from 1. `face` is the face that fell, from 1,
    where a table of the game gives it another `value`."""

    RULE: ClassVar[str] = "CORE-DIE"
    TOLD_BY: ClassVar[str] = "purpose"

    scope: str
    t: int
    index: int
    sides: int
    value: int
    purpose: str
    unit: str
    face: int | UnsetType = UNSET


class PhaseBegan(Event, frozen=True, gc=False):
    """The battle enters a phase."""

    RULE: ClassVar[str] = "CORE-TURN"
    TOLD_BY: ClassVar[str] = "phase"

    phase: str


class TurnBegan(Event, frozen=True, gc=False):
    """A player-turn of `side` opens, the next t. Where sides alternate by single actions, each action opens a t of its
    own and `turn` stays."""

    RULE: ClassVar[str] = "CORE-TURN"

    side: str
    turn: int


class TurnEnded(Event, frozen=True, gc=False):
    """A player-turn closes."""

    RULE: ClassVar[str] = "CORE-TURN"

    side: str
    turn: int


class _Pending(Event, frozen=True, gc=False, kw_only=True):
    """What is left of the agenda, top first: a list of `[step, {args}]` (docs/record-format.md)."""

    pending: tuple[tuple[str, dict[str, Any]], ...] = ()


class DecisionAsked(_Pending, frozen=True, gc=False):
    """The rules wait for a side."""

    RULE: ClassVar[str] = "CORE-DECIDE"
    TOLD_BY: ClassVar[str] = "kind"

    side: str
    kind: str
    unit: str
    options: tuple[str, ...]


class _SetBy(Event, frozen=True, gc=False, kw_only=True):
    """The event that set the standing order which answered."""

    set_by: int | UnsetType = UNSET


class DecisionMade(_SetBy, frozen=True, gc=False):
    """A side answered, or its standing order did."""

    RULE: ClassVar[str] = "CORE-DECIDE"
    TOLD_BY: ClassVar[str] = "kind"

    side: str
    kind: str
    unit: str
    answer: str
    standing: bool


class StandingOrderSet(Event, frozen=True, gc=False):
    """A side answers a kind of decision in advance. `unit` and `value` are private to it."""

    RULE: ClassVar[str] = "CORE-STANDING"

    side: str
    topic: str
    unit: Text = UNSET
    value: Text = UNSET
    sealed: Text = UNSET


class SideResigned(Event, frozen=True, gc=False):
    """A side gives up the battle."""

    RULE: ClassVar[str] = "CORE-RESIGN"

    side: str


class DrawOffered(Event, frozen=True, gc=False):
    """A side offers a draw."""

    RULE: ClassVar[str] = "CORE-DRAW"

    side: str


class DrawAccepted(Event, frozen=True, gc=False):
    """The other side accepts the draw."""

    RULE: ClassVar[str] = "CORE-DRAW"

    side: str


class DrawDeclined(Event, frozen=True, gc=False):
    """The other side declines the draw."""

    RULE: ClassVar[str] = "CORE-DRAW"

    side: str


class DrawLapsed(Event, frozen=True, gc=False):
    """The offerer gave another order; their offer lapses."""

    RULE: ClassVar[str] = "CORE-DRAW"

    side: str


class BattleEnded(Event, frozen=True, gc=False):
    """The battle is over. `winner` is a side, or "" for a draw; `how` says by which rule.

    Where a rule has compared what the sides have kept, `shares` has for each side what is left and out of how much.
    """

    RULE: ClassVar[str] = "CORE-END"
    TOLD_BY: ClassVar[str] = "how"

    winner: str
    how: str
    shares: dict[str, tuple[int, int]] | UnsetType = UNSET


CORE_EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        BattleOpened,
        SideJoined,
        SideLeft,
        BattleBegan,
        ContributionGiven,
        OrderAccepted,
        ClockFired,
        RulesChanged,
        BattleStopped,
        KeyChanged,
        Unsealed,
        KeyDisclosed,
        KeysContinued,
        MasterRevealed,
        NonceDisclosed,
        DeckShuffled,
        CardDrawn,
        DieRolled,
        PhaseBegan,
        TurnBegan,
        TurnEnded,
        DecisionAsked,
        DecisionMade,
        StandingOrderSet,
        SideResigned,
        DrawOffered,
        DrawAccepted,
        DrawDeclined,
        DrawLapsed,
        BattleEnded,
        DisputeRaised,
        DisputeAnswered,
        UmpireProposed,
        UmpireNamed,
        SubstituteAgreed,
        RemedyOffered,
        DisputeSettled,
        RulingGiven,
        FlagRuled,
        Rewound,
        Corrected,
        DecisionWithdrawn,
    )
}
"""The events of every game by their name in the log."""
