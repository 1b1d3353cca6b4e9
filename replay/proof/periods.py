"""Say for each event of a log when it happened: its period, its player-turn, whose it was, after how many rewinds.

Each `TurnBegan` and each `Rewound` begins a period (fairness.md 2). Periods are only ever counted up, so that no key
serves twice; the player-turn goes back with a rewind.

A branch begins in the player-turn that its position was in. Nothing of it has begun that turn: as after a rewind, the
entries of both seats are all it takes to draw.

Rewinding is a stack of blocks. A rewind cuts it back to the block that it names, and then its own block is laid on
top. Each block is entered once and cut once, so any number of rewinds, also of rewinds, costs linear time.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct

from replay.proof.blocks import Block, ProtocolFault, require_seat


class PeriodMoment(Struct, frozen=True, gc=False):
    """A time of a battle. `index` counts the periods from 0, `t` the player-turns that count; `mover` is the side whose
    `TurnBegan` is the newest, "" before the first. `begun_by` is what began the period: start, turn or rewind."""

    index: int = 0
    t: int = 0
    mover: str = ""
    rewinds: int = 0
    begun_by: str = "start"


class PeriodsSoFar(Struct, frozen=True):
    """What the index of a check keeps: the newest event, the moment after it, and where the battle began. The blocks
    that a rewind may go back to are not in it."""

    n: int
    now: PeriodMoment
    began: int


class Periods:
    """The moments of a log, up to the first event that cannot have happened; `names` are the seats of the battle.

    `moments` are those right after each event, beginning behind what is `kept`; `fault` is what ended them, None if
    nothing did.
    """

    def __init__(self, blocks: Sequence[Block], names: tuple[str, ...], kept: PeriodsSoFar | None = None) -> None:
        self._names = names
        self.moments: list[PeriodMoment] = []
        self.fault: ProtocolFault | None = None
        kept = kept or PeriodsSoFar(0, PeriodMoment(), 0)
        self._start = self._now = kept.now
        self._first = kept.n + 1
        self._stack: list[tuple[int, PeriodMoment]] = []  # the blocks that count: last event, moment after it
        self._began = kept.began  # the last event of the block of `BattleBegan`
        try:
            for block in blocks:
                self._enter(block)
        except ProtocolFault as fault:
            self.fault = fault

    def before(self, n: int) -> PeriodMoment:
        """The moment in which event `n` happens."""
        return self.moments[n - 1 - self._first] if n > self._first else self._start

    def after(self, n: int) -> PeriodMoment:
        """The moment right after event `n`: the same, unless it begins a period."""
        return self.moments[n - self._first]

    def so_far(self, n: int) -> PeriodsSoFar:
        """What an index keeps of the time up to event `n`, the last of a block."""
        return PeriodsSoFar(n, self.after(n), self._began if self._began <= n else 0)

    @property
    def count(self) -> int:
        """The index of the newest period."""
        return self._now.index

    def _branch_off(self, position: Any) -> None:
        """The first moment of a branch is that of its position."""
        self._now = PeriodMoment(0, position.t, position.mover)

    def _enter(self, block: Block) -> None:
        if block.first.n == 1 and (position := getattr(block.first.event, "position", UNSET)) is not UNSET:
            self._branch_off(position)
        for entry in block.events:
            now = self._now
            if entry.type == "TurnBegan":
                side = getattr(entry.event, "side", "")
                require_seat(entry.n, side, self._names)
                self._now = PeriodMoment(now.index + 1, now.t + 1, side, now.rewinds, "turn")
            elif entry.type == "Rewound":
                then = self._cut(entry.n, getattr(entry.event, "to", 0))
                self._now = PeriodMoment(now.index + 1, then.t, then.mover, now.rewinds + 1, "rewind")
            self.moments.append(self._now)
        self._stack.append((block.last, self._now))
        if block.first.type == "BattleBegan" and not self._began:
            self._began = block.last

    def _cut(self, n: int, to: int) -> PeriodMoment:
        if not self._began or not self._began <= to < n:
            raise ProtocolFault(n, "rewound-to-nowhere", to=to)
        while self._stack[-1][0] > to:
            self._stack.pop()
        last, then = self._stack[-1]
        if last != to:
            raise ProtocolFault(n, "rewound-to-nowhere", to=to)
        return then
