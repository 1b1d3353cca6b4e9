"""Since when the player of a seat has been silent, as far as a log tells it without the rules (CORE-DSP-12).

In a battle with a pace: since its flag fell, if its player has said nothing behind that. In one without: since
something last happened in the battle, if that is thirty days ago; that somebody is named does not count. Whether the
battle waits for the seat, and whether its flag still stands, the rules say.
"""

from msgspec import Struct

from domain.basics.pace import DAY_MS, moment_of
from replay.proof.blocks import Block
from replay.proof.clock import DEADLINE

SILENT_DAYS = 30
NAMING = frozenset({"SubstituteAgreed", "UmpireNamed", "UmpireProposed"})
SAID = frozenset({"OrderAccepted", "ContributionGiven", "ClockFired"})


class SilenceSoFar(Struct, frozen=True):
    """What the index of a check keeps of `Silence`, by seat."""

    fell: dict[str, int]
    said: dict[str, int]
    stirred: dict[str, tuple[int, str]]


class Silence:
    """Follows what each seat says; `names` are those of the battle, `has_pace`: it has clocks."""

    def __init__(self, names: tuple[str, ...], has_pace: bool) -> None:
        self._names = names
        self._has_pace = has_pace
        self._fell = dict.fromkeys(names, 0)
        self._said = dict.fromkeys(names, 0)
        self._stirred = dict.fromkeys(names, (0, ""))

    def so_far(self) -> SilenceSoFar:
        """What an index keeps."""
        return SilenceSoFar({**self._fell}, {**self._said}, {**self._stirred})

    def resume(self, kept: SilenceSoFar) -> None:
        """Go on from there."""
        self._fell, self._said, self._stirred = {**kept.fell}, {**kept.said}, {**kept.stirred}

    def since(self, seat: str, at: str) -> int:
        """The event since which a seat has been silent for as long as the rules ask; 0 if it has not."""
        if seat not in self._names:
            return 0
        if self._has_pace:
            return self._fell[seat] if self._fell[seat] > self._said[seat] else 0
        n, then = self._stirred[seat]
        return n if n and moment_of(at) - moment_of(then) >= SILENT_DAYS * DAY_MS else 0

    def passed(self, block: Block) -> None:
        """A block has passed."""
        first = block.first
        is_naming = bool(block.facts) and all(entry.type in NAMING for entry in block.facts)
        for seat in self._names:
            if first.by == seat or not is_naming:
                self._stirred[seat] = first.n, first.at
        if first.type == "ClockFired" and getattr(first.event, "what", "") == DEADLINE:
            self._fell[getattr(first.event, "side", "")] = first.n
        elif first.type in SAID and first.by in self._names:
            self._said[first.by] = first.n
