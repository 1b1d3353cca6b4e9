"""The events of what comes from outside; every other event is a consequence of one of these."""

from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType, field

from domain.events.event import Event, Keys, Seen, Text


class Branch(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where a battle begins that is a branch of another: after event `n` of `battle` on `host`, whose hash is `head`.

    `known` says who knew what it begins with: `all`, `stranger`, or a side. What they did not know is dealt anew. Of a
    case (docs/branches.md) `battle` and `host` are empty, and `head` is the SHA-256 of its file.
    """

    battle: str
    host: str
    n: int
    head: str
    known: str


class PileLeft(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A deck as a branch finds it: the `cards` left in its epoch, how many have been drawn, and those kept on units."""

    epoch: int
    drawn: int
    cards: tuple[str, ...]
    kept: tuple[str, ...] = ()


class Position(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The state that a branch begins with (`domain.engine.positions`), in the form of this version of the rules.

    `t`, `mover` and `decks` are what can be checked of its draws without the rules: player-turn, whose it is, and the
    decks already in use.
    """

    rules: str
    t: int
    mover: str
    decks: dict[str, PileLeft]
    state: dict[str, Any]


class BoardOfCampaign(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The board of a campaign that a battle is fought on: `id` is the campaign's (CAM-LOG-05)."""

    board: str
    id: str


class BattleOpened(Event, frozen=True, gc=False, kw_only=True):
    """The battle exists. Rulesets extend it with the fields of their own catalogue.

    A branch has `branch` and `position`: its state is the position, and nothing of the scenario is set up again.
    """

    RULE: ClassVar[str] = "CORE-OPEN"

    ruleset: str
    commitment: Text = UNSET  # C, lower-case hex (fairness.md 2)
    keys: Keys | UnsetType = UNSET
    readers: Text = UNSET  # public | link | players
    pace: Text = UNSET  # `3d+7d weekdays` (domain.basics.pace); without a clock it is not there
    takebacks: Text = UNSET  # never | agreed; agreed if it is not there
    disputes_days: int | UnsetType = UNSET  # how long the battle may be disputed when it is over; 30 if it is not there
    tags: tuple[str, ...] | UnsetType = UNSET  # words by which lists are narrowed
    campaign: BoardOfCampaign | UnsetType = UNSET  # the board that it is fought on
    unsigned_umpire: bool | UnsetType = UNSET  # true: an umpire without a key may judge players who sign
    given: dict[str, int] | UnsetType = UNSET  # by side: how much the scenario gave that is drawn otherwise
    scenario_hash: Text = UNSET  # of what this event shows of the scenario (domain.run.scenario_told)
    branch: Branch | UnsetType = UNSET
    position: Position | UnsetType = UNSET


OF_ONE_BATTLE = (
    "commitment",
    "keys",
    "readers",
    "pace",
    "takebacks",
    "disputes_days",
    "tags",
    "campaign",
    "unsigned_umpire",
    "given",
    "scenario_hash",
)
"""The members of a `BattleOpened` that no other battle takes over."""


class _FromPlayer(Event, frozen=True, gc=False, kw_only=True):
    """An input of a player: the head that it answers, and the player's signature where the seat has a key."""

    seen: Seen | UnsetType = UNSET
    serial: int | UnsetType = UNSET
    signature: Text = UNSET


class SideJoined(_FromPlayer, frozen=True, gc=False):
    """A player takes a side. `player` is an opaque id, `name` the name shown at that time. A seat with a key signs it
    with that key (from header version 3)."""

    RULE: ClassVar[str] = "CORE-SIDE"

    side: str
    name: str
    player: Text = UNSET
    kind: Text = UNSET  # person | bot
    mode: Text = UNSET  # plain | sealed
    anchor: Text = UNSET  # s_0 of a sealed seat, lower-case hex
    operator: bool | UnsetType = UNSET  # true if the player runs the server
    signer: Text = UNSET  # base64 of the player's Ed25519 public key
    program: bool | UnsetType = UNSET  # true if the account is a bot's


class SideLeft(_FromPlayer, frozen=True, gc=False):
    """A player gives a side back, or it is taken from them for a substitute."""

    RULE: ClassVar[str] = "CORE-SIDE"

    side: str
    reason: str


class BattleBegan(Event, frozen=True, gc=False):
    """Both sides are taken; first phase, turn and clock start here."""

    RULE: ClassVar[str] = "CORE-BEGIN"


class ContributionGiven(_FromPlayer, frozen=True, gc=False):
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


class OrderAccepted(_FromPlayer, frozen=True, gc=False):
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
    bot: Text = UNSET  # name and version of the bot that gives it: `sensible 1` (from header version 3)
    sealed: Text = UNSET


class ClockFired(_FromPlayer, frozen=True, gc=False):
    """The clock of `side` did something, or the side did something about it. `what` is deadline (its flag fell), claim
    (it claims the battle), vacation, vacation-over, pause-asked, pause (it agrees) or pause-over; or campaign, for no
    side: the campaign of the battle ends it. `text` is the line of a seat with a key that says more than `what`: from
    when to when it is away, how long a pause shall last."""

    RULE: ClassVar[str] = "CORE-CLOCK"
    TOLD_BY: ClassVar[str] = "what"

    what: str
    side: str
    text: Text = UNSET


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


class BattleStopped(Event, frozen=True, gc=False):
    """The battle is over without a winner, by the host's word: it has stopped it, or whoever opened it has cancelled it
    before it began. Nothing follows but what the host discloses."""

    RULE: ClassVar[str] = "CORE-STOP"
    TOLD_BY: ClassVar[str] = "how"

    how: str  # stopped | cancelled
    reason: str = ""


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
        BattleStopped,
    }
)
"""What begins a block: an input, and all that follows up to the next."""
