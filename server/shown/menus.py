"""Group orders that begin alike, so that a reader sees them once.

`deploy R1 A1`, `deploy R1 B1` … are one choice with many places. Page, mail and terminal show such a run in
their own way; what is a run is the same for all.
"""

from collections.abc import Mapping, Sequence

from domain.contract.option import Option

MENU = 12
"""More similar orders than this that draw no card become a menu."""
HEAD = 2
"""Words with which they begin: `deploy R1`."""


def head(option: Option) -> str:
    """The words with which an order begins."""
    return " ".join(option.order.split()[:HEAD])


def tail(option: Option) -> str:
    """What follows them."""
    return " ".join(option.order.split()[HEAD:])


def menus(options: Sequence[Option]) -> Mapping[str, tuple[Option, ...]]:
    """The runs among options, by their common beginning."""
    runs: dict[str, list[Option]] = {}
    for option in options:
        if not option.needed and tail(option):
            runs.setdefault(head(option), []).append(option)
    return {begins: tuple(run) for begins, run in runs.items() if len(run) > MENU}
