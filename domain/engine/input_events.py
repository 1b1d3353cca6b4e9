"""The events of what comes from outside; every other event is a consequence of one of these."""

from typing import Any, ClassVar

from msgspec import UNSET, UnsetType, field

from domain.engine.event import Event, Keys, Seen, Text


class BattleOpened(Event, frozen=True, gc=False, kw_only=True):
    """The battle exists. Rulesets extend it with the fields of their own catalogue."""

    RULE: ClassVar[str] = "CORE-OPEN"

    ruleset: str
    commitment: Text = UNSET  # C, lower-case hex (fairness.md 2)
    keys: Keys | UnsetType = UNSET
    readers: Text = UNSET  # public | link | players
    pace: Text = UNSET  # `3d+7d weekdays` (domain.time.pace); without a clock it is not there


class SideJoined(Event, frozen=True, gc=False):
    """A player takes a side. `player` is an opaque id, `name` the name shown at that time."""

    RULE: ClassVar[str] = "CORE-SIDE"

    side: str
    name: str
    player: Text = UNSET
    kind: Text = UNSET  # person | bot
    mode: Text = UNSET  # plain | sealed
    anchor: Text = UNSET  # s_0 of a sealed seat, lower-case hex
    operator: bool | UnsetType = UNSET  # true if the player runs the server
    signer: Text = UNSET  # base64 of the player's Ed25519 public key


class SideLeft(Event, frozen=True, gc=False):
    """A player gives a side back."""

    RULE: ClassVar[str] = "CORE-SIDE"

    side: str
    reason: str


class BattleBegan(Event, frozen=True, gc=False):
    """Both sides are taken; first phase, turn and clock start here."""

    RULE: ClassVar[str] = "CORE-BEGIN"


class _Message(Event, frozen=True, gc=False, kw_only=True):
    """What comes from a player: the head that it answers, and the player's signature where the seat has a key."""

    seen: Seen | UnsetType = UNSET
    serial: int | UnsetType = UNSET
    signature: Text = UNSET


class ContributionGiven(_Message, frozen=True, gc=False):
    """A side's part of the seeds from player-turn `t` on (fairness.md 2).

    `value` is lower-case hex: 32 bytes plain, 16 bytes seal or anchor. `channel` and `seen` stand here only if it comes
    alone, without an order of its side right behind it.
    """

    RULE: ClassVar[str] = "CORE-FAIR"

    side: str
    t: int
    kind: str  # plain | seal | reanchor
    value: str
    phrase: str = ""
    channel: Text = UNSET


class OrderAccepted(_Message, frozen=True, gc=False):
    """An order that the rules accept; it stands before the draws it causes.

    `text` is the canonical order, `command` its parsed form; a private order has `sealed`, the
    commitment to both, instead. `line` counts the lines of the request from 1; `key` is the first
    16 hex digits of sha256(account, key) of the request.
    """

    RULE: ClassVar[str] = "CORE-ORDER"

    side: str
    t: int
    line: int
    player: str
    channel: str  # api | page | mail | cli | bot
    key: str
    text: Text = UNSET
    command: dict[str, Any] | UnsetType = UNSET
    sealed: Text = UNSET


class ClockFired(Event, frozen=True, gc=False):
    """The clock of `side` did something, or the side did something about it. `what` is deadline (its flag fell), claim
    (it claims the battle), vacation, vacation-over, pause-asked, pause (it agrees) or pause-over."""

    RULE: ClassVar[str] = "CORE-CLOCK"
    TOLD_BY: ClassVar[str] = "what"

    what: str
    side: str


class RulesChanged(Event, frozen=True, gc=False):
    """From here on orders are adjudicated by another version of the ruleset."""

    RULE: ClassVar[str] = "CORE-RULES"

    from_: str = field(name="from")
    to: str


class KeyChanged(Event, frozen=True, gc=False):
    """The host signs with `key` from now on; `signature` is by the old key."""

    RULE: ClassVar[str] = "CORE-KEY"

    key: str
    signature: str


INPUTS: frozenset[type[Event]] = frozenset(
    {
        BattleOpened,
        SideJoined,
        SideLeft,
        BattleBegan,
        ContributionGiven,
        OrderAccepted,
        ClockFired,
        RulesChanged,
        KeyChanged,
    }
)
"""What begins a block: an input, and all that follows up to the next."""
