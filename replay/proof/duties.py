"""Check that the host has disclosed exactly what it owed at the end of each block (fairness.md 4).

What is due, in this order: the sealed events that the block opens, each with the order that caused it, in the order of
the log; the key of each period that is over; the next chains of keys, a whole period before their first use. The block
that ends the battle opens everything and reveals the master instead of keys.

Whether what is disclosed is right is said elsewhere (`sealed`, `keys`); here is only whether it is due.
"""

from collections.abc import Iterable

from msgspec import UNSET

from domain.log.record import Recorded
from replay.proof.blocks import DISCLOSURES, DISPUTES, SETTLEMENTS, STOPPED, Block, ProtocolFault
from replay.proof.periods import Periods
from replay.proof.sealed import Sealed

Due = tuple[str, int]
"""A disclosure that is due: its type, and the event, period or generation that it is about."""

AFTER_THE_END = (DISPUTES | SETTLEMENTS) - {"Rewound", "Corrected", "FlagRuled"}
"""What an order may still bring when the battle is over."""


class Duties:
    """Follows the blocks of a log; `length` is that of its chains of keys. `ended` is the event that ended the battle,
    0 while it runs."""

    def __init__(self, blocks: Iterable[Block], periods: Periods, sealed: Sealed, length: int) -> None:
        self.ended = 0
        self._is_stopped = False
        self._periods = periods
        self._sealed = sealed
        self._length = length
        self._closed: dict[int, None] = {}  # the sealed events that are not opened yet, in order
        self._order_of: dict[int, int] = {}  # of each sealed event its block's order, 0 if it is none
        for block in blocks:
            order = block.first.n if block.first.type == "OrderAccepted" else 0
            self._order_of.update((entry.n, order) for entry in block.events if sealed.is_sealed(entry.n))

    def so_far(self) -> tuple[tuple[int, int], ...]:
        """What the index of a check keeps: the sealed events that are not opened yet, each with its order."""
        return tuple((n, self._order_of.get(n, 0)) for n in self._closed)

    def resume(self, kept: Iterable[tuple[int, int]]) -> None:
        """Go on from there."""
        self._closed = {n: None for n, _ in kept}
        self._order_of = {**dict(kept), **self._order_of}

    @property
    def unopened(self) -> tuple[int, ...]:
        """The events still sealed."""
        return tuple(self._closed)

    def check(self, block: Block) -> None:
        """Check what stands at the end of a block.

        Raises:  ProtocolFault: `disclosure-missing` at the last event of the block, others where they are
        """
        if self.ended:
            self._require_after_the_end(block)
        self._closed.update((entry.n, None) for entry in block.events if self._sealed.is_sealed(entry.n))
        given = [entry for entry in block.events if entry.type in DISCLOSURES]
        self._require_at_the_end(block, given)
        due = list(self._due(block))
        for place, entry in enumerate(given):
            what = _what(entry)
            if place < len(due) and what == due[place]:
                continue
            if what not in due[place:]:
                raise ProtocolFault(entry.n, "disclosure-not-due", type=entry.type, about=what[1])
            raise _missing(block, due[place])
        if len(given) < len(due):
            raise _missing(block, due[len(given)])
        for kind, n in due:
            if kind == "Unsealed":
                del self._closed[n]
        if block.ends_the_battle:
            self.ended, self._is_stopped = block.last, block.first.type == STOPPED

    def _due(self, block: Block) -> Iterable[Due]:
        facts = block.facts
        if block.ends_the_battle:
            yield from (("Unsealed", n) for n in self._closed)
            yield "MasterRevealed", 0
            return
        named = {n for entry in facts for n in _named(entry)}
        with_orders = named | {self._order_of.get(n, 0) for n in named}
        yield from (("Unsealed", n) for n in sorted(with_orders & self._closed.keys()))
        newest = self._periods.after(block.last).index
        begun = range(self._periods.before(block.first.n).index + 1, newest + 1)
        yield from (("KeyDisclosed", index - 1) for index in begun)
        for index in begun:
            generation, place = divmod(index, self._length)
            if place == self._length - 1:
                yield "KeysContinued", generation + 1

    def _require_at_the_end(self, block: Block, given: list[Recorded]) -> None:
        """Nothing of the rules stands behind a disclosure, nor behind the end of the battle."""
        facts = block.facts
        if given and facts and facts[-1].n > given[0].n:
            raise ProtocolFault(given[0].n, "disclosure-early", type=given[0].type)
        over = next((entry.n for entry in facts if entry.type == "BattleEnded"), 0)
        if over and facts[-1].n > over:
            raise ProtocolFault(over + 1, "after-the-end", type=facts[-1].type)

    def _require_after_the_end(self, block: Block) -> None:
        for entry in block.events:
            at_first = entry is block.first
            fits = entry.type in ("OrderAccepted", "KeyChanged") if at_first else entry.type in AFTER_THE_END
            if self._is_stopped and entry.type != "KeyChanged":
                raise ProtocolFault(entry.n, "after-the-stop", type=entry.type)
            if not fits or self._sealed.is_sealed(entry.n):
                raise ProtocolFault(entry.n, "after-the-end", type=entry.type)
        if block.first.type == "OrderAccepted" and len(block.events) == 1:
            raise ProtocolFault(block.first.n, "after-the-end", type=block.first.type)


def _missing(block: Block, due: Due) -> ProtocolFault:
    return ProtocolFault(block.last, "disclosure-missing", type=due[0], about=due[1])


def _named(entry: Recorded) -> tuple[int, ...]:
    """The events that a fact opens."""
    named: list[object] = [getattr(entry.event, "set_by", UNSET)]
    opens: object = getattr(entry.event, "opens", UNSET)
    if isinstance(opens, (tuple, list)):
        named.extend(opens)
    return tuple(n for n in named if isinstance(n, int))


def _what(entry: Recorded) -> Due:
    about = {"Unsealed": "n", "KeyDisclosed": "index", "KeysContinued": "generation"}.get(entry.type)
    return entry.type, getattr(entry.event, about, 0) if about else 0
