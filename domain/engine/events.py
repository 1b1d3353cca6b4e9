"""The events that every game shares.

Events are facts: frozen, past tense, plain values (no floats; integers in the unit that the
ruleset names). The class name is the `type` in the log and is never changed; a breaking change
gets a new class named `Name@2` and an upcaster. Fields are encoded under their names (`from_` as
`from`), sorted, as `data` of an event line (docs/record-format.md). Fields that are `UNSET` are
left out.

A ruleset extends the generic events where its catalogue asks for more fields, keeping the name.
"""

from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType, field

Text = str | UnsetType


class Keys(Struct, frozen=True, gc=False):
    """The host's first chains of keys: the anchor (hex) of each, and how many keys it has (fairness.md 2)."""

    anchors: dict[str, str]
    length: int


class Seen(Struct, frozen=True, gc=False):
    """The head that a player has answered: number and hash (hex) of its event."""

    hash: str
    n: int


class Event(Struct, frozen=True, gc=False):
    """Base of all facts. `RULE` is the rule ID unless the decision that emits it names another;
    `TOLD_BY` names the field that chooses between sentences (`cause`, `how` …)."""

    RULE: ClassVar[str] = ""
    TOLD_BY: ClassVar[str] = ""


class Fact(Struct, frozen=True, gc=False):
    """An event with its author: `by` is a side or `server`, `rule` the rule that caused it."""

    by: str
    rule: str
    event: Event


# --- inputs: what comes from outside; every other event is a consequence of one of these


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


# --- consequences that the driver adds: checked by the protocol, not by a ruleset


class Unsealed(Event, frozen=True, gc=False):
    """Event `n` is opened: `salt` (hex) and the members that were taken out of it."""

    RULE: ClassVar[str] = "CORE-SEAL"

    n: int
    salt: str
    content: dict[str, Any]


class KeyDisclosed(Event, frozen=True, gc=False):
    """The public key (hex) of period `index`, which is over: its draws can be checked."""

    RULE: ClassVar[str] = "CORE-FAIR"

    index: int
    key: str


class KeysContinued(Event, frozen=True, gc=False):
    """The anchors (hex) of the next chains, a whole period before their first key is used."""

    RULE: ClassVar[str] = "CORE-FAIR"

    generation: int
    anchors: dict[str, str]


class MasterRevealed(Event, frozen=True, gc=False):
    """The secret (hex) from which all keys are made; the battle is over."""

    RULE: ClassVar[str] = "CORE-FAIR"

    master: str


# --- consequences that rulesets decide


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


# --- disputes: what an umpire or both sides have decided (docs/record-format.md)


class UmpireProposed(Event, frozen=True, gc=False):
    """A side wants `player` for umpire."""

    RULE: ClassVar[str] = "CORE-DSP"

    side: str
    player: str


class UmpireNamed(Event, frozen=True, gc=False):
    """The battle has an umpire: from its opening, or by agreement."""

    RULE: ClassVar[str] = "CORE-DSP"

    player: str
    name: str
    how: str  # opening | agreement


class SubstituteAgreed(Event, frozen=True, gc=False):
    """A side, or the umpire, agrees that `player` may take over the other side's seat."""

    RULE: ClassVar[str] = "CORE-DSP"

    side: str
    player: str


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

DRIVER: frozenset[type[Event]] = frozenset({Unsealed, KeyDisclosed, KeysContinued, MasterRevealed})
"""The host's disclosures at the end of a block: outside `decide`, left out when an audit compares."""

SETTLEMENTS: frozenset[type[Event]] = frozenset(
    {UmpireProposed, UmpireNamed, SubstituteAgreed, RemedyOffered, DisputeSettled, RulingGiven, Rewound}
)
"""Consequences that need somebody's authority rather than a rule of the game (fairness.md 5)."""

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
        KeyChanged,
        Unsealed,
        KeyDisclosed,
        KeysContinued,
        MasterRevealed,
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
        UmpireProposed,
        UmpireNamed,
        SubstituteAgreed,
        RemedyOffered,
        DisputeSettled,
        RulingGiven,
        Rewound,
    )
}
"""The events of every game by their name in the log, in the order of this page."""
