"""When a side's time is up, read from the log.

It follows battles played with a pace; any other battle costs one look at its first event.
"""

from collections.abc import Mapping

from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.events.battle import INPUTS
from domain.run.seats import Battle
from domain.time.clock import TIMED_FACTS, Clocks, evolve_clocks, faces, opened_clocks
from projections.model import ModelStep


class ProjectedClock:
    """The clocks of one battle, fed every event in order."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._clocks: Clocks | None = None

    def apply(self, step: ModelStep) -> None:
        """Apply the next event."""
        if step.recorded.n == 1:
            try:
                self._clocks = opened_clocks(step.recorded.event, step.recorded.at, self._ruleset.seats)
            except Refusal:  # an imported log may name any pace; `verify` says so
                self._clocks = None
        elif self._clocks is not None and type(step.recorded.event) in INPUTS | TIMED_FACTS:
            self._clocks = evolve_clocks(self._clocks, self._ruleset, step.before, step.recorded)

    def deadlines(self, battle: Battle, at: str) -> Mapping[str, str]:
        """When the time of each side is up, "" for a side whose clock does not run; empty without a pace."""
        if self._clocks is None:
            return {}
        return {side: face.deadline for side, face in faces(self._clocks, self._ruleset, battle, at).items()}
