"""What a campaign remembers: its people, its rounds and its boards, folded from the log alone.

What changes with many events stands in `RowMap`s, so that an event costs the same among a thousand entrants as among
four. Moments are milliseconds since 1970 (`domain.basics.pace`).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.campaign.boards import BoardResult, Contest, Idle, Place, Points
from domain.campaign.config import CUP, LADDER, SWISS, WITH_FORCES, CampaignConfig, CupTerms
from domain.campaign.events import TableClaimed
from domain.campaign.ordering import RoundOrders
from domain.campaign.row_map import RowMap
from domain.campaign.theatre.state import Theatre
from domain.contract.campaign_book import Ground

SIDES = ("south", "north")
RUNNING, COUNTED, DEFAULT = "running", "counted", "default"
WITHDRAWN, REPLACED, EXPELLED, ABSENT = "withdrawn", "replaced", "expelled", "absent"


class Officer(Struct, frozen=True, gc=False):
    """An organiser or umpire."""

    player: str
    name: str
    signer: str = ""


class Entrant(Struct, frozen=True, gc=False):
    """A competitor. `first` counts those who joined, from 1, in the order of their first joining; `joined` is the event
    of the newest; `since` the round before which they came (0: from the beginning), `left` the reason why nobody holds
    it now, `absent` rounds in which it is not paired, `contribution` the newest one as hex, `army` what it fights each
    board with where entrants bring their armies."""

    id: str
    player: str
    name: str
    first: int
    joined: int
    kind: str = "person"
    mode: str = "plain"
    anchor: str = ""
    signer: str = ""
    rating: int = 0
    since: int = 0
    left: str = ""
    is_struck: bool = False
    taken: int = 0
    absent: tuple[int, ...] = ()
    contribution: str = ""
    army: Mapping[str, Any] | None = None


class Reserve(Struct, frozen=True, gc=False):
    """A player who waits for a vacant place."""

    player: str
    name: str
    kind: str = "person"
    mode: str = "plain"
    anchor: str = ""
    signer: str = ""


class Lateness(Struct, frozen=True, gc=False):
    """The entrants late with a board, and until when nothing follows; `moves`: how often the deadline was moved."""

    who: tuple[str, ...]
    until: int
    moves: int = 0


class BoardState(Struct, frozen=True, gc=False):
    """A board: who meets whom in which battle, and what came of it.

    Shape: `winner` is `south`, `north`, or empty; `kept` of south, then north; `show` the moment until which both must
           have contributed, 0 for none; `deadline` its own one, 0 for that of its round, which was `moved` by so many
           days when the battle was set; `late` by what; `claims` by entrant; `before` the battles that were set before
           and are void; `ruled` whom the rules had paired, if the umpire paired otherwise; `lot` who goes on by lot;
           `named` the packaged scenario that a challenge, or a node, has named; where forces fight, `fielded` are
           their elements by side, each as `FORCE/ID`, on `ground`
    """

    place: Place
    battle: str
    players: Mapping[str, str]
    scenario: str = ""
    show: int = 0
    deadline: int = 0
    moved: int = 0
    status: str = RUNNING
    winner: str = ""
    how: str = ""
    kept: tuple[int, int] = (0, 0)
    losers: tuple[str, ...] = ()
    rated: bool = False
    late: Mapping[str, Lateness] = {}
    claims: Mapping[str, TableClaimed] = {}
    is_cut: bool = False
    before: tuple[str, ...] = ()
    ruled: tuple[str, str] | None = None
    lot: str = ""
    named: str = ""
    title: str = ""
    fielded: Mapping[str, tuple[str, ...]] = {}
    ground: Ground | None = None

    @property
    def is_running(self) -> bool:
        """Whether it has no result."""
        return self.status == RUNNING

    @property
    def victor(self) -> str:
        """The entrant who has won, or empty."""
        return getattr(self.place, self.winner) if self.winner else ""

    def side_of(self, entrant: str) -> str:
        """`south` or `north`; empty for an entrant who is not on it."""
        return dict(zip(self.place.pair, SIDES, strict=True)).get(entrant, "")

    def outcome(self) -> BoardResult:
        """As the standings take it."""
        return BoardResult(self.place, self.victor, self.how, self.kept, self.status == DEFAULT, self.losers)


class RoundState(Struct, frozen=True, gc=False):
    """A round. `slots` are its boards (first legs) and the entrants with a bye, in the order in which they were set;
    `open` counts the boards without a result, `moves` how often the deadline was moved, `moved` by how many days in
    all. Without a deadline it is 0. Where armies live on, orders come first, and the deadline is theirs; `node` is the
    node of a tree that is fought."""

    number: int
    deadline: int
    slots: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    byes: tuple[str, ...] = ()
    open: int = 0
    moves: int = 0
    moved: int = 0
    level: int = 0
    has_ended: bool = False
    node: str = ""


class OpenChallenge(Struct, frozen=True, gc=False):
    """A member of a ladder waits for the answer of another, `until` a moment; `scenario` "" is that of the ladder."""

    challenger: str
    challenged: str
    until: int
    scenario: str = ""

    @property
    def key(self) -> str:
        """Its name among the challenges: the two, whoever challenged."""
        return pair_key(self.challenger, self.challenged)


def pair_key(one: str, other: str) -> str:
    """The name of two entrants, in whatever order they are told."""
    return " ".join(sorted((one, other)))


class CampaignState(Struct, frozen=True, gc=False):
    """A campaign. `seats` are the entrants in the order of their first joining, those who have left included, `order`
    by rank number; `players` has the entrant of each player who holds one, `counted` for each battle of a ladder's own
    the event that counted it; `lasting` counts the boards without a result in all rounds; `winners` is None while it
    lasts.

    Shape: of a ladder `challenges` are the open ones and `between` the battles of challenges still fought, by the two
           (`pair_key`), `duels` all battles by id, `balance` souths minus norths by entrant; where armies live on,
           `ordering` has the orders of the newest round; `sealed` are the events that are not opened yet
    """

    n: int = 0
    config: CampaignConfig | None = None
    ruleset: str = ""
    organiser: Officer = Officer("", "")
    umpire: Officer | None = None
    entrants: RowMap[Entrant] = RowMap()
    players: RowMap[str] = RowMap()
    seats: tuple[str, ...] = ()
    reserves: tuple[Reserve, ...] = ()
    began: bool = False
    order: tuple[str, ...] = ()
    rounds: tuple[RoundState, ...] = ()
    boards: RowMap[BoardState] = RowMap()
    counted: RowMap[int] = RowMap()
    challenges: RowMap[OpenChallenge] = RowMap()
    duels: RowMap[BoardState] = RowMap()
    between: RowMap[str] = RowMap()
    balance: RowMap[int] = RowMap()
    lasting: int = 0
    dockets: int = 0
    winners: tuple[str, ...] | None = None
    how: str = ""
    theatre: Theatre = Theatre()
    ordering: RoundOrders = RoundOrders()
    sealed: tuple[int, ...] = ()

    @property
    def settings(self) -> CampaignConfig:
        """The configuration of a campaign that has been opened."""
        assert self.config is not None
        return self.config

    @property
    def cup(self) -> CupTerms:
        """The table of a cup."""
        assert self.settings.cup is not None
        return self.settings.cup

    @property
    def is_cup(self) -> bool:
        """Whether its battles come from pairings."""
        return self.settings.kind == CUP

    @property
    def is_ladder(self) -> bool:
        """Whether it has no rounds: its members fight when they like."""
        return self.settings.kind == LADDER

    @property
    def has_forces(self) -> bool:
        """Whether armies live on from battle to battle."""
        return self.settings.kind in WITH_FORCES

    @property
    def takes_orders(self) -> bool:
        """Whether orders to forces may be given: a round has begun, and they are not closed."""
        return self.has_forces and bool(self.rounds) and not self.is_over and not self.ordering.is_closed

    @property
    def is_foggy(self) -> bool:
        """Whether what an alliance does is private to it (CAM-FOG-01)."""
        return self.config is not None and self.config.map is not None and self.config.map.fog

    @property
    def is_veiled(self) -> bool:
        """Whether it still is: at its end everything is opened."""
        return self.is_foggy and not self.is_over

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.winners is not None

    @property
    def round(self) -> int:
        """The newest round, 0 before the first."""
        return len(self.rounds)

    def umpires(self, player: str) -> bool:
        """Whether a player is the umpire: the organiser, until another is named."""
        return player == (self.umpire or self.organiser).player

    def competing(self) -> Iterator[Entrant]:
        """The entrants who have not left, in the order of joining."""
        rows = sorted(self.entrants.values(), key=lambda entrant: entrant.joined)
        return (entrant for entrant in rows if not entrant.left)

    @property
    def contributions(self) -> tuple[bytes, ...]:
        """The parts of a seed in the order of the seats, empty for an entrant who has given none (CAM-LOG-03)."""
        return tuple(bytes.fromhex(self.entrants[seat].contribution) for seat in self.seats)

    def board_of(self, name: str, battle: str) -> BoardState | None:
        """What a battle is here: the board of that name, in a ladder the battle itself; None if it was never set."""
        return self.boards.get(name) if name else self.duels.get(battle)

    def boards_of(self, entrant: str) -> list[BoardState]:
        """The boards of an entrant, in the order in which they were set."""
        found = (self.boards[name] for each in self.rounds for name in each.boards)
        return [board for board in found if entrant in board.place.pair]


def contest_of(state: CampaignState) -> Contest:
    """What pairing and standings ask for."""
    rows = state.entrants
    boards = [state.boards[name] for each in state.rounds for name in each.boards]
    return Contest(
        entrants=state.order,
        places=tuple(board.place for board in boards),
        outcomes=tuple(board.outcome() for board in boards if not board.is_running),
        idle=tuple(_idle(state)),
        left=frozenset(name for name in state.order if rows[name].left),
        struck=frozenset(name for name in state.order if rows[name].is_struck),
        taken={name: rows[name].taken for name in state.order if rows[name].taken},
        points=state.settings.points if state.config else Points(),
    )


def _idle(state: CampaignState) -> Iterator[Idle]:
    """Byes, and in Swiss rounds who was not paired: absent, too late, or gone."""
    is_swiss = state.is_cup and state.cup.system == SWISS
    for each in state.rounds:
        yield from (Idle(entrant, each.number, "bye") for entrant in each.byes)
        if is_swiss:
            paired = {*each.byes}.union(*(state.boards[name].place.pair for name in each.boards))
            yield from (Idle(entrant, each.number, "absent") for entrant in state.order if entrant not in paired)
