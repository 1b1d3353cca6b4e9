"""Check what a log says of the clocks, as far as it can be told without the rules (docs/record-format.md 6).

Time is the host's word, and so is that a player has asked for something about a clock: no order says so. Each such
event is therefore listed in the verdict; whether a flag had fallen by the times of the log, the rules say.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from domain.engine.dockets import awarded
from replay.called_off import ADJUDICATE, BY_DEFAULT, BY_KEPT, CAMPAIGN
from replay.proof.blocks import Block, ProtocolFault, require_seat

DEADLINE, CLAIM, ON_TIME = "deadline", "claim", "time"
ASKED = frozenset({CLAIM, "vacation", "vacation-over", "pause-asked", "pause", "pause-over"})
"""What a player does about the clocks."""


class ClockCheck:
    """Follows the clocks of one battle; `opening` is the data of its first event, `names` are its
    seats."""

    def __init__(self, opening: Mapping[str, Any], names: tuple[str, ...]) -> None:
        self._names = names
        self._has_pace = "pace" in opening
        self._board = opening.get("campaign")
        self._flagged: set[str] = set()  # whose flag has ever fallen

    def so_far(self) -> frozenset[str]:
        """What the index of a check keeps: the seats whose flag has ever fallen."""
        return frozenset(self._flagged)

    def resume(self, kept: frozenset[str]) -> None:
        """Go on from there."""
        self._flagged = {*kept}

    def fired(self, n: int, event: Any, block: Block) -> None:
        """Check an event of the clocks and its block.

        Raises:  ProtocolFault `no-clock`, `unknown-side`, `bad-member`, `no-flag`, `clock-without-end`, `mixed-clock`,
                 `no-authority`
        """
        if event.what == CAMPAIGN:
            self._called_off(n, event, block)
            return
        if not self._has_pace:
            raise ProtocolFault(n, "no-clock")
        require_seat(n, event.side, self._names)
        if event.what == DEADLINE:
            self._flagged.add(event.side)
        elif event.what not in ASKED:
            raise ProtocolFault(n, "bad-member", member="what")
        facts: list[Any] = [entry.event for entry in block.facts]
        if event.what != CLAIM:
            if facts:
                raise ProtocolFault(block.facts[0].n, "mixed-clock", type=block.facts[0].type)
            return
        if not self._flagged.issuperset({*self._names} - {event.side}):
            raise ProtocolFault(n, "no-flag", side=event.side)
        if [entry.type for entry in block.facts] != ["BattleEnded"]:
            raise ProtocolFault(n, "clock-without-end", side=event.side)
        if (facts[0].winner, facts[0].how, facts[0].shares) != (event.side, ON_TIME, UNSET):
            raise ProtocolFault(block.facts[0].n, "mixed-clock", type=block.facts[0].type)

    def _called_off(self, n: int, event: Any, block: Block) -> None:
        """Check that a campaign ends a battle that names it, by one ruling (`replay.called_off`)."""
        if event.side or event.text is not UNSET:
            raise ProtocolFault(n, "bad-member", member="side" if event.side else "text")
        if not isinstance(self._board, Mapping):
            raise ProtocolFault(n, "no-authority", type="ClockFired")
        if [entry.type for entry in block.facts] != ["RulingGiven", "BattleEnded"]:
            raise ProtocolFault(n, "clock-without-end", side="")
        ruling, ended = block.facts
        given, end = (entry.event for entry in block.facts)
        self._require_ruling(ruling.n, given, ended.n, end)

    def _require_ruling(self, n: int, ruling: Any, ended: int, end: Any) -> None:
        board, winner = self._board, awarded(ruling.effect)
        is_named = board is not None and ruling.ruling == f"{board.get('id')} {board.get('board')}"
        if ruling.docket or not is_named or not (ruling.effect == ADJUDICATE or winner in self._names):
            raise ProtocolFault(n, "no-authority", type="RulingGiven")
        allowed = {"", *self._names} if winner is None else {winner}
        how = BY_KEPT if winner is None else BY_DEFAULT
        if end.winner not in allowed or end.how != how or end.shares is not UNSET:
            raise ProtocolFault(ended, "mixed-clock", type="BattleEnded")

    def ruled(self, n: int, side: str) -> None:
        """Check that the flag on which an umpire rules has ever fallen.

        Raises:  ProtocolFault `no-clock`, `unknown-side`, `flag-not-fallen`
        """
        if not self._has_pace:
            raise ProtocolFault(n, "no-clock")
        require_seat(n, side, self._names)
        if side not in self._flagged:
            raise ProtocolFault(n, "flag-not-fallen", side=side)
