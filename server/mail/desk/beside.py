"""Examples with their meanings beside them."""

from collections.abc import Sequence
from textwrap import wrap

from server.mail.blocks import Listing

BESIDE, WIDE = 30, 76
"""The column at which the meaning of an example begins, and the last column at which it may end."""


def beside(pairs: Sequence[tuple[str, str]]) -> Listing:
    """Examples with their meanings in a column as near as it can be."""
    longest = max((len(example) for example, _ in pairs if len(example) <= BESIDE - 2), default=0)
    return Listing(tuple(line for example, says in pairs for line in pair(example, says, longest + 2)))


def pair(example: str, says: str, column: int = BESIDE) -> list[str]:
    """An example, and its meaning next to it; below it if the example is long."""
    told = [f"{'':<{column}}{line}" for line in wrap(says, WIDE - column, break_on_hyphens=False)]
    if len(example) < column:
        told[0] = f"{example:<{column}}{told[0][column:]}"
        return told
    return [example, *told]
