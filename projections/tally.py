"""The tally of each side over time.

The ruleset's `tally` over time: a row for each side whenever its number changes, the first when the
battle opens. Rows of a span that a rewind voided stay and are marked; the rewind itself is a change back.
"""

from typing import Any

from projections.model import Changes, ModelStep, ModelTable, OpenedBattle, ReadModel

TABLE = ModelTable(
    "tally",
    {"battle": str, "n": int, "side": str, "at": str, "t": int, "tally": int, "voided": int},
    key=("battle", "n", "side"),
)


class TallyMemory:
    """The last number of each side, and the rows not yet written."""

    def __init__(self, opening: OpenedBattle) -> None:
        self._battle = opening.battle
        self._last: Any = {}
        self._rows: list[tuple[Any, ...]] = []

    def apply(self, step: ModelStep) -> None:
        """Apply the next event."""
        tally = step.tally
        if tally is self._last:
            return
        recorded = step.recorded
        for side, has in tally.items():
            if has != self._last.get(side):
                row = (self._battle, recorded.n, side, recorded.at, step.after.game.t, has, int(step.voided))
                self._rows.append(row)
        self._last = tally

    def changes(self) -> Changes:
        """The changes since the last call."""
        rows, self._rows = self._rows, []
        return {"tally": rows} if rows else {}


TALLY = ReadModel("tally", 1, (TABLE,), TallyMemory)
