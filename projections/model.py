"""The shape of a read model, and what it is given of a battle.

A read model is a few tables and a *memory* per battle: the memory gets every event once, in order, and returns the
rows that have changed since the last call. It never sees a database. Its keeper (`runner`) writes the rows of all
models and the position in the feed in one transaction.

A model asks the ruleset (`to_act`, `tally`, `pile`) about the state as a stranger knows it, so a new game needs
no change here, and nothing sealed can get into a row.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from domain.contract.ruleset import Ruleset
from domain.log.record import Recorded
from domain.run.seats import Battle

ModelRow = tuple[Any, ...]
"""Values in the order of a table's columns: text, integers or None."""

Changes = Mapping[str, Sequence[ModelRow]]
"""Rows to write, by table."""


FeedRow = tuple[int, str, int, bytes]
"""(position, battle, n, line): one event of the feed."""


class BattleLog(Protocol):
    """The source of events. The server's store fits; so does anything that can answer two questions."""

    def feed(self, after_position: int, limit: int) -> Sequence[FeedRow]:
        """The events of all battles in the order of commit, after a position."""

    def lines(self, battle: str, after: int, limit: int) -> Sequence[bytes]:
        """The lines of one battle after event `after`, at most `limit`."""


class Rows(Protocol):
    """Runs a query: what the reading functions of the models need."""

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows that `sql` selects."""


class ModelTable(Struct, frozen=True):
    """A table. Its first column is `battle` and the first of its key, so that a battle can be rewritten; columns of
    type `None` are text that may be missing."""

    name: str
    columns: Mapping[str, type | None]
    key: tuple[str, ...]
    indexes: tuple[tuple[str, ...], ...] = ()


class OpenedBattle(Struct, frozen=True):
    """A battle to be followed: its id, its game, when it was opened."""

    battle: str
    ruleset: Ruleset
    created: str


class ModelStep(Struct, gc=False):
    """One event, with the battle before and after it as a stranger folds it. `tally` is what each side has after it;
    `voided`: a later rewind took the event back."""

    recorded: Recorded
    before: Battle
    after: Battle
    tally: Mapping[str, int]
    voided: bool


class ModelMemory(Protocol):
    """What a model keeps of one battle."""

    def apply(self, step: ModelStep) -> None:
        """Apply the next event."""

    def changes(self) -> Changes:
        """The rows that have changed since the last call; all rows of a new memory."""


class ReadModel(Struct, frozen=True):
    """A read model. `version` goes up when the same events produce other rows: the file is then rebuilt."""

    name: str
    version: int
    tables: tuple[ModelTable, ...]
    begin: Callable[[OpenedBattle], ModelMemory]
