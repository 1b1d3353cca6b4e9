"""The events of disputes: what an umpire or both sides have decided (docs/record-format.md)."""

from typing import Any, ClassVar

from msgspec import UNSET, UnsetType

from domain.events.event import Event, Text


class DisputeRaised(Event, frozen=True, gc=False, kw_only=True):
    """A side disputes event `about`. `kind` is rules, facts, conduct, time or takeback; `remedy` is what it asks for,
    if it has said so."""

    RULE: ClassVar[str] = "CORE-DSP-01"
    TOLD_BY: ClassVar[str] = "kind"

    docket: str
    side: str
    about: int
    remedy: str = ""
    text: str = ""
    kind: str = ""


class DisputeAnswered(Event, frozen=True, gc=False, kw_only=True):
    """A side, or the umpire, says something about a docket. `halt`: play is halted by it (true), or goes on (false)."""

    RULE: ClassVar[str] = "CORE-DSP-01"

    docket: str
    by: Text = UNSET
    text: str = ""
    halt: bool | UnsetType = UNSET


class UmpireProposed(Event, frozen=True, gc=False):
    """A side wants `player` for umpire, who is to sign with the key `signer`."""

    RULE: ClassVar[str] = "CORE-DSP"

    side: str
    player: str
    signer: Text = UNSET  # base64 of the umpire's Ed25519 public key


class UmpireNamed(Event, frozen=True, gc=False):
    """The battle has an umpire: from its opening, or by agreement. With a `signer` each of their lines is signed."""

    RULE: ClassVar[str] = "CORE-DSP"

    player: str
    name: str
    how: str  # opening | agreement
    signer: Text = UNSET  # base64 of the umpire's Ed25519 public key


class SubstituteAgreed(Event, frozen=True, gc=False):
    """A side, or the umpire, agrees that `player`, shown as `name`, may take over a seat: `seat`, which lines of
    earlier releases did not name. `silent` is true where its player has been silent for as long as the rules ask."""

    RULE: ClassVar[str] = "CORE-DSP"

    side: str
    player: str
    name: Text = UNSET
    seat: Text = UNSET
    silent: bool | UnsetType = UNSET


class RemedyOffered(Event, frozen=True, gc=False):
    """A side offers how a docket may be settled; it takes the place of its older offer."""

    RULE: ClassVar[str] = "CORE-DSP"

    docket: str
    side: str
    remedy: str
    text: str = ""


class DisputeSettled(Event, frozen=True, gc=False):
    """A docket is closed."""

    RULE: ClassVar[str] = "CORE-DSP"

    docket: str
    how: str  # withdrawn | agreed | declined | lapsed | ruled


class RulingGiven(Event, frozen=True, gc=False):
    """The umpire has ruled on a docket. `effect` is the remedy."""

    RULE: ClassVar[str] = "CORE-RULING"

    docket: str
    ruling: str
    effect: str


class Rewound(Event, frozen=True, gc=False):
    """The state is again what it was after event `to`; nothing is deleted. `docket` says by which settlement."""

    RULE: ClassVar[str] = "CORE-REWIND"

    to: int
    docket: str = ""


class Corrected(Event, frozen=True, gc=False):
    """An umpire sets facts: `facts` are events of the game, `[type, {data}]` each, which evolve like any others."""

    RULE: ClassVar[str] = "CORE-CORRECT"

    docket: str
    facts: tuple[tuple[str, dict[str, Any]], ...]


class FlagRuled(Event, frozen=True, gc=False):
    """The umpire rules on the fallen flag of `side`: it has lost, the battle is drawn, or it gets more time."""

    RULE: ClassVar[str] = "CORE-DSP-11"
    TOLD_BY: ClassVar[str] = "effect"

    side: str
    effect: str  # lost | draw | more
    ruling: str = ""


class DecisionWithdrawn(Event, frozen=True, gc=False):
    """A decision that waits is taken back, with what was left to do behind it. It stands only among the facts of a
    `Corrected`."""

    RULE: ClassVar[str] = "CORE-CORRECT"

    side: str
    kind: str
    unit: str


DISPUTES: frozenset[type[Event]] = frozenset({DisputeRaised, DisputeAnswered})
"""What is said in a dispute, and settles nothing."""
SETTLEMENTS: frozenset[type[Event]] = frozenset(
    {
        UmpireProposed,
        UmpireNamed,
        SubstituteAgreed,
        RemedyOffered,
        DisputeSettled,
        RulingGiven,
        FlagRuled,
        Rewound,
        Corrected,
    }
)
"""Consequences that need somebody's authority rather than a rule of the game (fairness.md 5)."""
