"""The luck in a battle, weighed in what decides it: each draw by what it put at stake in the tally.

Nothing here knows a game: the ruleset says of a fact which draws it settles and what was at stake
(`DrawRules.stake`). Sums are exact fractions; a row of the read model has its swing as text, `19/34`.

- The luck of a side is that of its own draws less its share of that of the others: what one wins the others lose, each
  as much.
- A draw that is not open (sealed in a hand) is not counted before it is.
- Draws voided by a rewind are marked, and count in no sum.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import UNSET, Struct

from domain.basics.seats import SOUTH_AND_NORTH, Seats
from domain.contract.ruleset import NOBODY
from domain.engine.state import GameState
from domain.events.battle import CardDrawn, DieRolled, Event, Fact, OrderAccepted, Rewound
from domain.log.record import Recorded
from domain.mechanics.stake import Drawn, Stake
from domain.run.seats import Battle
from domain.run.timeline import Timeline, is_within
from projections.model import Changes, ModelStep, ModelTable, OpenedBattle, ReadModel, Rows

TABLE = ModelTable(
    "luck",
    {
        "battle": str,
        "settled": int,
        "place": int,
        "n": int,
        "side": str,
        "unit": str,
        "t": int,
        "turn": int,
        "purpose": str,
        "happened": int,
        "does": int,
        "out_of": int,
        "swing": str,
        "voided": int,
    },
    key=("battle", "settled", "place"),
)

SUMS = ModelTable("luck_sums", {"battle": str, "side": str, "draws": int, "luck": int}, key=("battle", "side"))
"""What luck has brought each side, in thousandths of the tally, in how many draws of all."""
SCALE = 1000


class LuckRow(Struct, frozen=True):
    """A draw of a side, for a unit, in turn `turn` and player-turn `t`; event `settled` settled it, among others as its
    `place`-th, from 0.

    `does` of `out_of` ways were a success, and it `happened` or not; `swing` is what a success was worth to the side
    against a failure, in the game's tally. `voided`: a rewind took it back.
    """

    n: int
    settled: int
    place: int
    side: str
    unit: str
    t: int
    turn: int
    purpose: str
    happened: bool
    does: int
    out_of: int
    swing: Fraction
    voided: bool

    @property
    def odds(self) -> Fraction:
        """How likely a success was."""
        return Fraction(self.does, self.out_of)

    @property
    def luck(self) -> Fraction:
        """What the side has gained beyond what was to be expected; negative for bad luck."""
        return (self.happened - self.odds) * self.swing


class SideLuck(Struct, frozen=True):
    """The luck of a side: in its `own` draws, in those of the others (`theirs`, its share of what they won), and all in
    all."""

    side: str
    own: Fraction
    theirs: Fraction

    @property
    def total(self) -> Fraction:
        """What luck has brought this side; the others have lost as much together."""
        return self.own - self.theirs


def luck_of(timeline: Timeline) -> tuple[LuckRow, ...]:
    """The draws of a log that had something at stake, in their order, as far as the log is public."""
    spans = timeline.voided()
    memory = LuckMemory(OpenedBattle("", timeline.ruleset, ""), is_open=True)
    for before, recorded in timeline.along():
        memory.read(before, recorded, is_within(spans, recorded.n))
    return memory.rows()


def by_side(rows: Iterable[LuckRow], seats: Seats = SOUTH_AND_NORTH) -> tuple[SideLuck, ...]:
    """The luck of all sides in the draws that count; the totals add up to nothing."""
    own = dict.fromkeys(seats.names, Fraction(0))
    for row in rows:
        if not row.voided:
            own[row.side] += row.luck
    return split(own)


def split(own: Mapping[str, Fraction]) -> tuple[SideLuck, ...]:
    """The luck of each side, given that in its own draws: what one has won is taken from the others in equal shares."""
    whole, others = sum(own.values()), len(own) - 1
    return tuple(SideLuck(side, luck, (whole - luck) / others) for side, luck in own.items())


# --- folding


class LuckMemory:
    """The draws of one battle that are not settled yet, and the rows not yet written.

    `is_open`: the states that it is given may know more than a stranger does.
    """

    def __init__(self, opening: OpenedBattle, is_open: bool = False) -> None:
        self._is_open = is_open
        self._battle = opening.battle
        self._ruleset = opening.ruleset
        self._drawn: list[Drawn] = []
        self._earlier: list[Event] = []
        self._rows: list[LuckRow] = []
        self._own = dict.fromkeys(self._ruleset.seats.names, Fraction(0))
        self._draws = 0

    def apply(self, step: ModelStep) -> None:
        """Apply the next event."""
        self.read(step.before, step.recorded, step.voided)

    def read(self, before: Battle, recorded: Recorded, voided: bool) -> Sequence[LuckRow]:
        """Apply the next event, given the battle before it; returns the rows of the draws that it settles."""
        event: Any = recorded.event
        if isinstance(event, (CardDrawn, DieRolled)):
            if getattr(event, "card", None) is not UNSET:
                game = before.game
                known = self._ruleset.secrets.known(game, NOBODY) if self._is_open else game
                self._drawn.append(Drawn(recorded.n, recorded.by, known, event))
            return ()
        if isinstance(event, Rewound) or (isinstance(event, OrderAccepted) and before.game.waiting is None):
            self._drawn.clear()
            self._earlier.clear()
            return ()
        rows = self._settled(before.game, recorded, voided) if self._drawn else []
        self._rows += rows
        for row in rows:
            if not row.voided:
                self._own[row.side] += row.luck
                self._draws += 1
        self._earlier.append(event)
        return rows

    def _settled(self, game: GameState, recorded: Recorded, voided: bool) -> list[LuckRow]:
        fact = Fact(recorded.by, recorded.rule, recorded.event)
        try:
            stakes = self._ruleset.draws.stake(self._drawn, fact, self._earlier)
        except Exception:  # a log may claim anything: a fact about units that there are not settles nothing
            stakes = ()
        if stakes is None:
            return []
        purposes = {draw.n: draw.event.purpose for draw in self._drawn}
        self._drawn.clear()
        return [
            _row(stake, recorded.n, place, game, purposes[stake.n], voided)
            for place, stake in enumerate(stakes)
            if stake.swing and 0 < stake.does < stake.of
        ]

    def rows(self) -> tuple[LuckRow, ...]:
        """The rows that `changes` has not taken yet; all of them where nobody calls it."""
        return tuple(self._rows)

    def changes(self) -> Changes:
        """The changes since the last call."""
        rows, self._rows = self._rows, []
        if not rows:
            return {}
        return {"luck": [_stored(self._battle, row) for row in rows], "luck_sums": self._sums()}

    def _sums(self) -> list[tuple[Any, ...]]:
        """The luck of each side, all in all."""
        return [(self._battle, one.side, self._draws, round(one.total * SCALE)) for one in split(self._own)]


def _row(stake: Stake, settled: int, place: int, game: GameState, purpose: str, voided: bool) -> LuckRow:
    return LuckRow(
        n=stake.n,
        settled=settled,
        place=place,
        side=stake.side,
        unit=stake.unit,
        t=game.t,
        turn=game.turn,
        purpose=purpose,
        happened=stake.happened,
        does=stake.does,
        out_of=stake.of,
        swing=stake.swing,
        voided=voided,
    )


def _stored(battle: str, row: LuckRow) -> tuple[Any, ...]:
    return (
        battle,
        row.settled,
        row.place,
        row.n,
        row.side,
        row.unit,
        row.t,
        row.turn,
        row.purpose,
        int(row.happened),
        row.does,
        row.out_of,
        str(row.swing),
        int(row.voided),
    )


LUCK = ReadModel("luck", 2, (TABLE, SUMS), LuckMemory)

# --- asking


def of_battle(rows: Rows, battle: str) -> tuple[LuckRow, ...]:
    """The draws of a battle with something at stake, as stored, in order."""
    query = (
        "SELECT n, settled, place, side, unit, t, turn, purpose, happened, does, out_of, swing, voided"
        " FROM luck WHERE battle = ? ORDER BY settled, place"
    )
    return tuple(_read(*row) for row in rows.rows(query, (battle,)))


def _read(*stored: Any) -> LuckRow:
    *drawn, happened, does, out_of, swing, voided = stored
    return LuckRow(*(*drawn, bool(happened), does, out_of, Fraction(swing), bool(voided)))
