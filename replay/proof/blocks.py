"""Cut a log into blocks: an input, what followed from it, and what the host disclosed at its end (fairness.md 3).

What is wrong with a log is a `ProtocolFault` at one event. All checks of the protocol raise it.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct

from domain.log.draw_rules import Flaw
from domain.log.record import Recorded

STOPPED = "BattleStopped"
INPUTS = frozenset(
    {
        "BattleOpened",
        "SideJoined",
        "SideLeft",
        "BattleBegan",
        "ContributionGiven",
        "OrderAccepted",
        "ClockFired",
        "RulesChanged",
        "KeyChanged",
        STOPPED,
    }
)
DISCLOSURES = frozenset({"Unsealed", "KeyDisclosed", "KeysContinued", "MasterRevealed"})
DISPUTES = frozenset({"DisputeRaised", "DisputeAnswered"})
CORRECTION = "Corrected"
BEHIND_A_CORRECTION = ("TurnEnded", "TurnBegan")
"""What facts that an umpire sets may bring about."""
SETTLEMENTS = frozenset(
    {
        "UmpireProposed",
        "UmpireNamed",
        "SubstituteAgreed",
        "RemedyOffered",
        "DisputeSettled",
        "RulingGiven",
        "FlagRuled",
        "Rewound",
        CORRECTION,
    }
)
_NOT_ORDINARY = (
    frozenset({"StandingOrderSet", "DrawOffered", "DrawAccepted", "DrawDeclined", "SideResigned"})
    | DISPUTES
    | SETTLEMENTS
)


class ProtocolFault(Exception):
    """The first fault of a log that a check has found: at event `n`, `what` as a stable code.

    `details` are plain values, mostly `expected` and `found`; the words come from the catalogue.
    """

    def __init__(self, n: int, what: str, /, **details: Any) -> None:  # details may have such names, too
        super().__init__(n, what, details)
        self.n = n
        self.what = what
        self.details = details


class NotResumable(Exception):
    """A check cannot go on from its index: it has to begin with the first event."""


class Block(Struct, frozen=True, gc=False):
    """An input and everything up to the next one. `events` are all of them, the input first; `facts` are what followed
    from the input by the rules."""

    events: tuple[Recorded, ...]
    facts: tuple[Recorded, ...]

    @property
    def first(self) -> Recorded:
        """The input."""
        return self.events[0]

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.events[-1].n

    @property
    def is_ordinary_order(self) -> bool:
        """Whether it is an order that belongs to a turn, told by its first consequence (fairness.md 2)."""
        if self.first.type != "OrderAccepted":
            return False
        first = next((entry for entry in self.events[1:] if entry.type != "DrawLapsed"), None)
        if first is None:
            return True
        if first.type == "DecisionMade":
            return getattr(first.event, "standing", False) is True
        return first.type not in _NOT_ORDINARY

    @property
    def ends_the_battle(self) -> bool:
        """Whether the battle is over with it."""
        return self.first.type == STOPPED or any(entry.type == "BattleEnded" for entry in self.facts)


def cut(events: Sequence[Recorded]) -> tuple[Block, ...]:
    """The blocks of a log, in order.

    Raises:  ProtocolFault `opened-late` unless the log begins with `BattleOpened`
    """
    if not events or events[0].type != "BattleOpened":
        raise ProtocolFault(1, "opened-late")
    starts = [at for at, entry in enumerate(events) if entry.type in INPUTS]
    return tuple(_block(events[start:end]) for start, end in pairwise([*starts, len(events)]))


def _block(events: Sequence[Recorded]) -> Block:
    return Block(tuple(events), tuple(entry for entry in events[1:] if entry.type not in DISCLOSURES))


def require(n: int, what: str, expected: object, found: object) -> None:
    """Compare a member of event `n` with what it must be.

    Raises:  ProtocolFault
    """
    if expected != found:
        raise ProtocolFault(n, what, expected=expected, found=found)


def require_no(n: int, flaw: Flaw | None) -> None:
    """Refuse what a rule shared with the host finds wrong in event `n`.

    Raises:  ProtocolFault
    """
    if flaw is not None:
        raise ProtocolFault(n, flaw[0], **flaw[1])


def require_seat(n: int, side: str, names: Iterable[str]) -> None:
    """Refuse a seat that no battle has.

    Raises:  ProtocolFault `unknown-side`
    """
    if side not in names:
        raise ProtocolFault(n, "unknown-side", side=side)


def octets(n: int, name: str, text: object, size: int) -> bytes:
    """The bytes in a member of event `n`: exactly `size` of them, in lower-case hex.

    Raises:  ProtocolFault `bad-hex`
    """
    try:
        value = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        value = b""
    if len(value) != size or value.hex() != text:
        raise ProtocolFault(n, "bad-hex", member=name, found=text if isinstance(text, str) else "")
    return value
