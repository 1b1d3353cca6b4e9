"""The events of a log in memory, of which the first are read only when somebody asks for one of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from domain.log.record import Recorded


class LateEvents(Sequence[Recorded]):
    """Events 1, 2 …, `[n - 1]` being event n. `read` returns the first `missing`, each time it is called."""

    def __init__(self, missing: int, read: Callable[[], Sequence[Recorded]]) -> None:
        self.missing = missing
        self.read = read
        self._events: list[Recorded] = []

    def append(self, recorded: Recorded) -> None:
        """Add the next event."""
        self._events.append(recorded)

    def put_before(self, past: Sequence[Recorded]) -> None:
        """Take in the missing events, if they still are."""
        if self.missing:
            self._events[:0] = past
            self.missing = 0

    def __len__(self) -> int:
        return self.missing + len(self._events)

    @overload
    def __getitem__(self, place: int) -> Recorded: ...

    @overload
    def __getitem__(self, place: slice) -> list[Recorded]: ...

    def __getitem__(self, place: int | slice) -> Recorded | list[Recorded]:
        if not self.missing:
            return self._events[place]
        places = range(len(self))[place]
        if isinstance(places, int):
            return self._from(places)[places - self.missing]
        if not places:
            return []
        events, first = self._from(min(places[0], places[-1])), self.missing
        return [events[each - first] for each in places]

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._from(0))

    def _from(self, place: int) -> list[Recorded]:
        """What is in memory, which then begins at `place` or before it."""
        if place < self.missing:
            self.put_before(self.read())
        return self._events
