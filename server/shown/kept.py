"""Keeps what was made of the events of battles, for as long as there is room.

What an event shows never changes once it stands. Battles not asked for longest make room; what is dropped is made again
when somebody looks.
"""

from collections.abc import Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from domain.run.timeline import Timeline

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class PerBattle(Generic[K, V]):
    """Values by battle in memory and key, about `most` of them in all. They leave memory with their battle."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.count = 0
        self._kept: WeakKeyDictionary[Timeline, dict[K, V]] = WeakKeyDictionary()  # asked for last at the end
        self._lent: dict[K, V] = {}
        self._lent_count = 0

    def of(self, timeline: Timeline) -> dict[K, V]:
        """What is kept of a battle, to be read and to be added to. Hold it for no longer than a page is being made."""
        self.count += len(self._lent) - self._lent_count
        if self.count > self.most:
            self._make_room()
        kept = self._kept.pop(timeline, None)
        kept = {} if kept is None else kept
        self._kept[timeline] = kept
        self._lent, self._lent_count = kept, len(kept)
        return kept

    def clear(self) -> None:
        """Forget all."""
        self.count = self._lent_count = 0
        self._kept.clear()
        self._lent = {}

    def _make_room(self) -> None:
        self.count = sum(map(len, self._kept.values()))  # battles that are gone took theirs with them
        while self.count > self.most:
            self.count -= len(self._kept.pop(next(iter(self._kept))))
