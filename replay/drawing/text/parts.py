"""Cut a board that is wider than a mail into parts of a few columns each, which are written below each other."""

from collections.abc import Iterator


def parts(columns: int, most: int) -> Iterator[range]:
    """The columns of each part, from the west: as few parts as `most` columns in each allow, all about as wide."""
    count = -(-columns // max(most, 1))
    size = -(-columns // max(count, 1))
    for first in range(0, columns, max(size, 1)):
        yield range(first, min(first + size, columns))
