"""Check what a log seals and opens: only what may be sealed, only whole, and opened as it was sealed.

What one side alone may know is taken out of an event before it is hashed; a salted commitment stands in its place
(fairness.md 2). The table of what may be sealed is closed: the two rows below, and those of the game.

Everything that a log opens is collected first, so that draws and signatures can be checked with it in their place. An
`Unsealed` that does not fit is a fault, and its content counts as not opened.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, Struct

from domain.contract.sealed_rows import SealedRow
from domain.log import fairness
from domain.log.fairness import SECRET_BYTES
from domain.log.record import Recorded, canonical
from replay.proof.blocks import DISCLOSURES, INPUTS, ProtocolFault, octets

CORE_ROWS: Mapping[str, tuple[SealedRow, ...]] = {
    "OrderAccepted": (SealedRow(("command", "signature", "text"), needed=("command", "text")),),
    "StandingOrderSet": (SealedRow(("unit", "value"), needed=("unit", "value")),),
}

Raw = Callable[[int], Mapping[str, Any]]
"""The members of event n as the log has them."""
Owner = Callable[[int, str, Mapping[str, Any]], str]
"""Whose secret event n is, by the seat that it names and the content that is opened of it."""


class _Entry(Struct, frozen=True, gc=False):
    """A sealed event: what its content is checked by."""

    commitment: bytes
    t: int
    seat: str
    type: str


class SealedMoment(Protocol):
    """A moment of a log, as far as seals are about it: player-turn or round `t`."""

    @property
    def t(self) -> int:
        """The turn or round."""


class SealedPeriods(Protocol):
    """The moments of a log, and that before each event."""

    @property
    def moments(self) -> Sequence[SealedMoment]:
        """Those right after each event that can have happened."""

    def before(self, n: int) -> SealedMoment:
        """The moment in which event `n` happens."""


class SealedSoFar(Struct, frozen=True):
    """What the index of a check keeps: the sealed events that are not opened yet."""

    entries: dict[int, _Entry]


class Sealed:
    """What a log seals and opens. `contents` has what was opened, by n of the sealed event; `opened_at` the event that
    did it. `rows` is the game's part of the table, None for a game that nobody here knows; `owner` says whose a secret
    is where the seat that the event names is not it."""

    def __init__(
        self,
        battle: str,
        events: Sequence[Recorded],
        periods: SealedPeriods,
        raw: Raw,
        rows: Mapping[str, tuple[SealedRow, ...]] | None,
        kept: SealedSoFar | None = None,
        owner: Owner | None = None,
    ) -> None:
        self.contents: dict[int, Mapping[str, Any]] = {}
        self.opened_at: dict[int, int] = {}
        self.faults: dict[int, ProtocolFault] = {}
        self._battle = battle
        self._raw = raw
        self._owner = owner
        self._rows = None if rows is None else {**rows, **CORE_ROWS}
        self._entries: dict[int, _Entry] = {} if kept is None else {**kept.entries}
        for entry in events[: len(periods.moments)]:
            try:
                if entry.type == "Unsealed":
                    self._open(entry.n, entry.event)
                elif getattr(entry.event, "sealed", UNSET) is not UNSET:
                    self._seal(entry, periods.before(entry.n).t)
            except ProtocolFault as fault:
                self.faults[entry.n] = fault

    def so_far(self, n: int) -> SealedSoFar:
        """What an index keeps of the time up to event `n`."""
        entries = self._entries.items()
        return SealedSoFar({at: one for at, one in entries if at <= n and self.opened_at.get(at, n + 1) > n})

    def kind_of(self, n: int) -> str:
        """The type of a sealed event, "" if it is not sealed."""
        return self._entries[n].type if n in self._entries else ""

    def is_sealed(self, n: int) -> bool:
        """Whether event n hides something, opened later or not."""
        return n in self._entries

    def hides(self, n: int, name: str) -> bool:
        """Whether event n is still sealed, and it is this member that it hides."""
        if n not in self._entries or n in self.contents:
            return False
        entry, members = self._entries[n], self._raw(n)
        rows = (self._rows or CORE_ROWS).get(entry.type, ())
        return any(name in row.members and _fits(row, self._raw(1), entry.t, members, None) for row in rows)

    def member(self, entry: Recorded, name: str) -> Any:
        """A member of an event, even if it was sealed and the log opens it; UNSET if it has none."""
        value = getattr(entry.event, name, UNSET)
        return self.contents.get(entry.n, {}).get(name, UNSET) if value is UNSET else value

    def _seal(self, entry: Recorded, t: int) -> None:
        n = entry.n
        commitment = octets(n, "sealed", getattr(entry.event, "sealed", UNSET), SECRET_BYTES)
        if entry.type in _NEVER or not self._fitting(n, entry.type, t, None):
            raise ProtocolFault(n, "may-not-be-sealed", type=entry.type)
        self._entries[n] = _Entry(commitment, t, _seat(entry), entry.type)

    def _open(self, n: int, event: Any) -> None:
        entry = self._entries.get(event.n)
        if entry is None or event.n in self.opened_at:
            raise ProtocolFault(n, "not-sealed" if entry is None else "opened-twice", event=event.n)
        salt = octets(n, "salt", event.salt, SECRET_BYTES)
        seat = entry.seat if self._owner is None else self._owner(event.n, entry.seat, event.content)
        found = fairness.sealed_commitment(salt, self._battle, entry.t, seat, canonical(event.content))
        if found != entry.commitment:
            raise ProtocolFault(
                n, "commitment-differs", event=event.n, expected=entry.commitment.hex(), found=found.hex()
            )
        if not self._fitting(event.n, entry.type, entry.t, event.content):
            raise ProtocolFault(n, "content-differs", event=event.n, found=tuple(sorted(event.content))[:8])
        self.contents[event.n] = event.content
        self.opened_at[event.n] = n

    def _fitting(self, n: int, kind: str, t: int, content: Mapping[str, Any] | None) -> bool:
        """Whether a row of the table allows what event n seals."""
        if self._rows is None and kind not in CORE_ROWS:
            return True
        rows = (CORE_ROWS if self._rows is None else self._rows).get(kind, ())
        members = self._raw(n)
        return any(_fits(row, self._raw(1), t, members, content) for row in rows)


_NEVER = (
    (INPUTS - {"BattleOpened", "OrderAccepted"})
    | DISCLOSURES
    | frozenset({"DieRolled", "TurnBegan", "TurnEnded", "BattleEnded"})
)
"""What no game may seal, whoever knows it."""


def _fits(
    row: SealedRow, opening: Mapping[str, Any], t: int, members: Mapping[str, Any], content: Mapping[str, Any] | None
) -> bool:
    if any(name in members for name in row.members):
        return False
    if content is not None and (not content or not {*row.needed} <= {*content} <= {*row.members}):
        return False
    return row.allowed(opening, t, members, content)


def _seat(entry: Recorded) -> str:
    """Whose secret it is: the event's `side`, else the one that its scope names, else its author."""
    side: object = getattr(entry.event, "side", "")
    if isinstance(side, str) and side:
        return side
    scope: object = getattr(entry.event, "scope", "")
    named = scope.partition(":")[2].partition("/")[0] if isinstance(scope, str) else ""
    return named or entry.by


def members_of(line: bytes) -> Mapping[str, Any]:
    """The `data` of a stored event line, as plain values."""
    data = msgspec.json.decode(line)["data"]
    return data if isinstance(data, dict) else {}
