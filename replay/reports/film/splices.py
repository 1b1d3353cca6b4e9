"""Pictures that follow each other, told by what changes from one to the next."""

import re
from collections.abc import Iterable, Iterator, Sequence

Splice = tuple[int, int, tuple[int, ...]]
"""Where pieces change, how many go, and which come in their place."""

_PIECE = re.compile(r"(?<=>)(?=<)|(?<=\n)")


def spliced(pictures: Iterable[str]) -> tuple[list[str], list[Splice]]:
    """The pieces of marked-up pictures, each once, and for each picture what it changes in the one before; the first
    changes nothing into all of it. Boards of a battle are some hundred times smaller so. One picture at a time is held.
    """
    known: dict[str, int] = {}
    splices, before = list[Splice](), tuple[int, ...]()
    for picture in pictures:
        after = tuple(known.setdefault(piece, len(known)) for piece in _PIECE.split(picture))
        splices.append(_splice(before, after))
        before = after
    return list(known), splices


def _splice(before: tuple[int, ...], after: tuple[int, ...]) -> Splice:
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    end = next((at for at in range(shorter - start) if before[-1 - at] != after[-1 - at]), shorter - start)
    return start, len(before) - end - start, after[start : len(after) - end]


def joined(pieces: Sequence[str], splices: Sequence[Splice]) -> Iterator[str]:
    """The pictures again."""
    shown: list[int] = []
    for start, gone, come in splices:
        shown[start : start + gone] = come
        yield "".join(pieces[at] for at in shown)
