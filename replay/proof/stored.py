"""The events of a file that was checked before, each cut out of its bytes when somebody asks for it.

Who follows a battle needs the newest events and the first one. To cut all of them costs more than to check what is new.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from domain.log import record
from domain.log.record import FileFault


class StoredFile:
    """The bytes of a file with `count` events, whose form was checked. A line has no line feed."""

    def __init__(self, content: bytes, count: int) -> None:
        self.content = content
        self.count = count
        self._first = content.index(b"\n") + 1
        last = content.rfind(b"\n", 0, -1) + 1
        self.note = content[last:-1] if content.startswith(record.CHECKPOINT_START, last) else b""
        self._starts = [last if self.note else len(content)]  # of the newest lines, the newest last but for its end

    @property
    def header(self) -> bytes:
        """The first line."""
        return self.content[: self._first - 1]

    def line(self, at: int) -> bytes:
        """Event `at` + 1, as the file has it."""
        if at == 0:
            return self.content[self._first : self.content.index(b"\n", self._first)]
        back = self.count - at
        while len(self._starts) <= back:
            self._starts.append(self.content.rfind(b"\n", 0, self._starts[-1] - 1) + 1)
        return self.content[self._starts[back] : self._starts[back - 1] - 1]

    def ending(self, endings: Sequence[bytes]) -> list[bytes]:
        """The events whose lines end so, in the order of the log."""
        found: list[tuple[int, int]] = []
        for ending in endings:
            end = self.content.find(ending + b"\n")
            while end >= 0:
                found.append((self.content.rfind(b"\n", 0, end) + 1, end + len(ending)))
                end = self.content.find(ending + b"\n", end + 1)
        return [_line_of(self.content[start:end]) for start, end in sorted(found)]


class StoredPart(Sequence[bytes]):
    """What is made of each line of a file (`of`), behind what was `first`, and before what was added since."""

    def __init__(
        self,
        file: StoredFile,
        of: Callable[[bytes], bytes],
        first: tuple[bytes, ...] = (),
        added: tuple[bytes, ...] = (),
    ) -> None:
        self.file = file
        self.added = added
        self._of = of
        self._first = first
        self._stored = len(first) + file.count

    def __len__(self) -> int:
        return self._stored + len(self.added)

    @overload
    def __getitem__(self, at: int) -> bytes: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[bytes, ...]: ...

    def __getitem__(self, at: int | slice) -> bytes | tuple[bytes, ...]:
        if isinstance(at, slice):
            return tuple(self[n] for n in range(*at.indices(len(self))))
        at = at + len(self) if at < 0 else at
        if not 0 <= at < len(self):
            raise IndexError(at)
        if at < len(self._first):
            return self._first[at]
        return self.added[at - self._stored] if at >= self._stored else self._of(self.file.line(at - len(self._first)))

    def __iter__(self) -> Iterator[bytes]:
        yield from self._first
        yield from map(self._of, self.file.content.split(b"\n")[1 : 1 + self.file.count])
        yield from self.added

    def followed_by(self, more: Sequence[bytes]) -> "StoredPart":
        """The same with more behind it."""
        return StoredPart(self.file, self._of, self._first, (*self.added, *more))


def stored_lines(file: StoredFile) -> StoredPart:
    """The events of a file, each as it was hashed."""
    return StoredPart(file, _line_of)


def stored_hashes(file: StoredFile) -> StoredPart:
    """The hashes of a file, that of the header first: 32 bytes each."""
    return StoredPart(file, _hash_of, (record.first_hash(file.header),))


def followed_by(before: Sequence[bytes], more: Sequence[bytes]) -> Sequence[bytes]:
    """Lines or hashes with more behind them."""
    return before.followed_by(more) if isinstance(before, StoredPart) else (*before, *more)


def lines_ending(lines: Sequence[bytes], endings: tuple[bytes, ...]) -> list[bytes]:
    """The events of a log whose lines end so, in its order."""
    if isinstance(lines, StoredPart):
        return [*lines.file.ending(endings), *(line for line in lines.added if line.endswith(endings))]
    return [line for line in lines if line.endswith(endings)]


def _line_of(file_line: bytes) -> bytes:
    return record.split_hash(file_line, 0)[0]


def _hash_of(file_line: bytes) -> bytes:
    member = record.split_hash(file_line, 0)[1]
    try:
        return bytes.fromhex(member[len(b',"hash":"') : -1].decode("ascii"))
    except ValueError:
        raise FileFault(0, "no-hash") from None
