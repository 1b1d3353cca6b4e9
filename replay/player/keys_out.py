"""Tell of each draw whether the log discloses the key that it can be recomputed with.

The verifier recomputes them (`replay.proof.verify`); this only says which it can.
"""

from collections.abc import Sequence

from domain.events.battle import CardDrawn, DieRolled, KeyDisclosed, MasterRevealed, Rewound, TurnBegan
from domain.log import fairness
from domain.log.fairness import PUBLIC
from domain.log.record import Recorded


class DrawKeys:
    """The draws of a log by event number, each with the event that discloses its key, 0 while none does."""

    def __init__(self, events: Sequence[Recorded]) -> None:
        self._of: dict[int, int] = {}
        index, disclosed, master = 0, dict[int, int](), 0
        draws: dict[int, tuple[int, str]] = {}
        for recorded in events:
            event = recorded.event
            if isinstance(event, (TurnBegan, Rewound)):
                index += 1
            elif isinstance(event, (CardDrawn, DieRolled)):
                draws[recorded.n] = index, fairness.chain_of(event.scope)
            elif isinstance(event, KeyDisclosed):
                disclosed[event.index] = recorded.n
            elif isinstance(event, MasterRevealed):
                master = recorded.n
        for n, (period, chain) in draws.items():
            self._of[n] = (disclosed.get(period, 0) if chain == PUBLIC else 0) or master

    def __len__(self) -> int:
        return len(self._of)

    def is_draw(self, n: int) -> bool:
        """Whether event `n` is a draw."""
        return n in self._of

    def disclosed(self, n: int) -> int:
        """The event that discloses the key of a draw; 0 if none does yet."""
        return self._of.get(n, 0)
