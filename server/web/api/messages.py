"""The messages of the API.

Every request and answer of the JSON API; `/openapi.json` is made from these types. Unknown members are refused.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.contract.option import Option
from domain.contract.scene import Scene
from domain.engine.dockets import DISPUTES_DAYS, TAKEBACKS
from domain.events.battle import Branch, Seen
from domain.run.own_word import Signed
from domain.scripts.reading import MOST_LINES
from server.acts.open import USUAL_READERS
from server.web.api.witness_messages import LogProofText

Readers = Literal["public", "link", "players"]
Mode = Literal["plain", "sealed"]
Status = Literal["accepted", "refused", "parked", "not-played", "skipped"]
EventLine = Annotated[
    msgspec.Raw,
    Meta(
        description="An event as the battle file has it: at, by, data, hash, n, rule, type.",
        extra_json_schema={"type": "object"},
    ),
]
Phrase = Annotated[str, Meta(description="At least 16 bytes that you chose; enters the seeds of this turn's draws.")]
Pace = Annotated[
    str, Meta(description="`3d+7d`: 3 days more with each question, a bank of 7 (docs/time.md); empty: no clock.")
]
SeenHead = Annotated[
    Seen | None,
    Meta(description="The head that you answer: number and hash of the newest event you were shown. Required."),
]
Signatures = Annotated[
    tuple[Signed, ...],
    Meta(
        max_length=MOST_LINES,
        description="Of a seat with a key: one for each order line, in order, or one for a contribution alone.",
    ),
]
Head = Annotated[str, Meta(description="Signed note over the newest event: origin, n, base64 of its hash.")]


class _FromClient(Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends."""


class _ToClient(Struct, frozen=True):
    """What a client gets."""


# --- battles


class OpenBattle(_FromClient, frozen=True, forbid_unknown_fields=True):
    """Open a battle from a packaged `scenario`, or from the text of your own (`scenario_toml`). `ruleset` may be left
    out where the scenario tells the game: it names its `ruleset`, or no other game has one of its name. `umpire` is the
    name, id or address of a player who holds no side (docs/disputes.md); `takebacks` are `agreed` or `never`;
    `disputes_days` how long the battle may be disputed when it is over; with `unsigned_umpire` an umpire without a key
    may judge players who all sign. `campaign` is a ladder in which it counts."""

    ruleset: str = ""
    scenario: str = ""
    scenario_toml: str = ""
    options: dict[str, Any] = {}
    readers: Readers = USUAL_READERS
    pace: Pace = ""
    umpire: str = ""
    takebacks: str = TAKEBACKS[0]
    disputes_days: int = DISPUTES_DAYS
    tags: tuple[str, ...] = ()
    unsigned_umpire: bool = False
    campaign: str = ""


class Opened(_ToClient, frozen=True):
    """A newly opened battle, waiting for two players."""

    battle: str
    url: str
    commitment: str
    head: Seen
    receipt: Head


class TakeSide(_FromClient, frozen=True, forbid_unknown_fields=True):
    """Take a side, or let a bot take it (`bot`: easy, sensible, strong or random). A sealed seat brings its anchor;
    without a `mode` it is plain, which whoever runs the server has to say. With a `signer` (base64 of an Ed25519 public
    key) every line is signed, from header version 3 on taking the side, too: `signature` over `join NAME`. A `phrase`
    is for a plain seat without a key."""

    name: str = ""
    mode: Mode | None = None
    anchor: str = ""
    signer: str = ""
    phrase: Phrase = ""
    seen: SeenHead = None
    signature: Signed | None = None
    bot: str = ""


class LeaveSide(_FromClient, frozen=True, forbid_unknown_fields=True):
    """Give a side back. A seat with a key signs `leave` (header version 3); any other sends no body."""

    seen: SeenHead = None
    signature: Signed | None = None


class ChangeBook(_FromClient, frozen=True, forbid_unknown_fields=True):
    """Begin another book of seals at your sealed seat, having lost the old one: its anchor, signed if your seat has a
    key."""

    anchor: str
    seen: SeenHead = None
    signature: Signed | None = None


class SeatView(_ToClient, frozen=True):
    """The holder of a side."""

    name: str
    kind: str
    mode: str
    operator: bool
    yours: bool
    contributed: bool
    owes: bool
    signer: str
    serial: int
    account: str = ""
    program: bool = False


class Question(_ToClient, frozen=True):
    """A decision that the rules ask of a side."""

    side: str
    kind: str
    unit: str
    options: tuple[str, ...]


class StandingView(_ToClient, frozen=True):
    """A standing order of yours; `n` is the event that set it."""

    topic: str
    unit: str
    value: str
    n: int


class ClockView(_ToClient, frozen=True):
    """A side's clock. `running`: the battle waits for the side; `deadline` is when its time is up, or was; `flagged`:
    the other side may claim; `away`, `paused`: it stands still."""

    running: bool
    left_s: int
    deadline: str | None
    flagged: bool
    away: bool
    paused: bool


class BattleView(_ToClient, frozen=True):
    """A battle as you know it. `winner` is null while it lasts, and where it was stopped, and "" for a draw; `parked`
    are lines of yours that wait for an answer; `standing` your standing orders. While `clock_doubted` no flag falls and
    `deadline`, the earliest of the running `clocks`, may move. `closed` says that the battle is over without a winner,
    `cancelled`, `stopped` by the host or `outdated`; `stopped` is the reason. `disputed` counts the open dockets."""

    battle: str
    ruleset: str
    rules: str
    title: str
    readers: str
    created: str
    n: int
    begun: bool
    closed: str
    stopped: str
    phase: str
    turn: int
    t: int
    active: str
    to_act: tuple[str, ...]
    waiting: Question | None
    draw_offer: str
    winner: str | None
    how: str
    seats: dict[str, SeatView]
    side: str
    tally: dict[str, int]
    deadline: str | None
    pace: str
    clocks: dict[str, ClockView]
    clock_doubted: bool
    pause_asked: str
    parked: tuple[str, ...]
    standing: tuple[StandingView, ...]
    board: Scene
    head: Seen
    receipt: Head
    branch: Branch | None
    umpire: str
    disputed: int
    tags: tuple[str, ...] = ()


class Listed(_ToClient, frozen=True):
    """A battle in a list. A branch names its source, and the event after which it began, else "" and 0. `disputed`
    counts the open dockets; `judging`: you are the umpire; `programs` are the sides that no person plays."""

    battle: str
    title: str
    ruleset: str
    created: str
    readers: str
    status: str
    phase: str
    turn: int
    to_act: tuple[str, ...]
    winner: str | None
    how: str
    n: int
    at: str
    seats: dict[str, str]
    deadline: str
    branch_of: str
    branch_n: int
    disputed: int
    judging: bool
    programs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class Battles(_ToClient, frozen=True):
    """Battles, most recently active first."""

    battles: tuple[Listed, ...]


class ScenarioView(_ToClient, frozen=True):
    """A packaged scenario and the bots of its game; the French is "" if its file has none."""

    ruleset: str
    scenario: str
    title: str
    title_fr: str
    history: str
    history_fr: str
    bots: tuple[str, ...]


class Scenarios(_ToClient, frozen=True):
    """The scenarios that can be opened at once."""

    scenarios: tuple[ScenarioView, ...]


# --- orders


class GiveOrders(_FromClient, frozen=True, forbid_unknown_fields=True):
    """Order lines for a side, or a script (docs/scripts.md). `expect` is the last event you have seen; `side` matters
    only to a player who holds both."""

    orders: str = ""
    expect: int | None = None
    phrase: Phrase = ""
    seal: str = ""
    side: str = ""
    seen: SeenHead = None
    signatures: Signatures = ()


class LineAnswer(_ToClient, frozen=True, omit_defaults=True):
    """The result of a line: `accepted` with its events, `refused` with code, rule and sentence, `parked` until the
    other side has answered, `not-played`, or `skipped`: the script did not reach it, or what came before it has made it
    impossible; then code, rule and sentence say why.

    Line 0 is the contribution of a request without orders. `times` is how often a line of a script gave an order, with
    `spans` [first, last] of the events of each time; both are left out where it gave one. An accepted line
    without events is a condition that held, or a policy. For a repeat that was played, the sentence says how it ended.
    """

    line: int
    order: str
    status: Status
    events: tuple[EventLine, ...] = ()
    code: str = ""
    rule: str = ""
    params: dict[str, Any] = {}
    sentence: str = ""
    times: int = 1
    spans: tuple[tuple[int, int], ...] = ()


class OrdersAnswer(_ToClient, frozen=True):
    """The result of a request. `key` repeats its key; `again` says that part of it had been played before."""

    battle: str
    n: int
    key: str
    again: bool
    to_act: tuple[str, ...]
    lines: tuple[LineAnswer, ...]
    head: Seen
    receipt: Head
    witnessed: LogProofText = ""


class Options(_ToClient, frozen=True):
    """The legal orders of your side, with the number each needs and its odds."""

    battle: str
    n: int
    side: str
    options: tuple[Option, ...]


# --- time


# --- proof


class Contribution(_ToClient, frozen=True):
    """A contribution of yours, at event `n`."""

    n: int
    side: str
    t: int
    kind: str
    value: str
    phrase: str


class Key(_ToClient, frozen=True):
    """The server's part of the seeds of period `index`, in one of its chains: `public`, or `hand:SIDE`."""

    chain: str
    index: int
    key: str


class Proof(_ToClient, frozen=True):
    """Proof material for the chance of a battle. `hand`: the keys of cards that only your side saw."""

    battle: str
    key: str
    fingerprint: str
    commitment: str
    contributions: tuple[Contribution, ...]
    keys: tuple[Key, ...]
    hand: tuple[Key, ...]
    master: str | None
    receipt: Head
    witnessed: LogProofText = ""


# --- tokens


class TokenView(_ToClient, frozen=True):
    """An API token or a session of yours: `id` names it, and opens nothing; `seen` is its last use, at most an hour too
    early."""

    id: str
    kind: str
    created: str
    seen: str | None
    expires: str | None


class Tokens(_ToClient, frozen=True):
    """What lets you in."""

    tokens: tuple[TokenView, ...]
