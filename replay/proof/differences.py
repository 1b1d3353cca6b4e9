"""Compare two files of one battle: how far they agree, and which of the heads that somebody kept each contradicts.

A file that ends earlier agrees with a longer one. Files that differ at an event fork there: the host has told two
histories, and the heads that it signed before (receipts, mails) say which of them it told then.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.log.record import FileFault
from replay.proof import chain, histories, notes
from replay.proof.chain import Log
from replay.proof.faults import quoted
from replay.proof.heads import Evidence, notes_in
from replay.proof.notes import BadNote
from replay.telling.words import ENGLISH, phrase
from replay.telling.words.sentences import fragment

HOLDS, CONTRADICTED, BEYOND, FOREIGN = "holds", "contradicted", "beyond", "foreign"
"""What a file does with a head: it continues it; it has another history; it ends before it; the head is not of this
battle, or not signed by this file's host."""
_OF_A_FAULT = {"other-history": CONTRADICTED, "shorter-than-head": BEYOND}


class HeldHead(Struct, frozen=True):
    """A kept head against both files; `n` is its event."""

    source: str
    n: int
    one: str
    other: str


class Difference(Struct, frozen=True):
    """How two files of a battle compare. `common` is the last event that both have alike; `differs` the first that they
    have otherwise (0: their headers differ), None if one continues the other; `is_proven` if the host has signed both.
    `without` names the evidence in which there is no head."""

    battle: str
    common: int
    one: int
    other: int
    differs: int | None
    is_proven: bool
    heads: tuple[HeldHead, ...]
    without: tuple[str, ...]

    @property
    def has_forked(self) -> bool:
        """Whether there is more than one history: in the files, or in a file and a head."""
        return self.differs is not None or any(CONTRADICTED in (head.one, head.other) for head in self.heads)


def compare(one: Log, other: Log, kept: Sequence[Evidence] = ()) -> Difference:
    """Compare two checked logs.

    Raises:  BadNote `other-battle` if they are not of one battle
    """
    fork = histories.fork(one, other)
    found = {item.source: list(dict.fromkeys(notes_in(item.content))) for item in kept}
    return Difference(
        battle=one.origin,
        common=min(len(one.lines), len(other.lines)) if fork is None else max(fork.n - 1, 0),
        one=len(one.lines),
        other=len(other.lines),
        differs=None if fork is None else fork.n,
        is_proven=fork is not None and fork.is_proven,
        heads=tuple(
            HeldHead(source, notes.unverified_head(note).n, held(one, note), held(other, note))
            for source, all_of_them in found.items()
            for note in all_of_them
        ),
        without=tuple(source for source, all_of_them in found.items() if not all_of_them),
    )


def held(log: Log, note: str) -> str:
    """What a file does with a head that somebody kept: `HOLDS`, `CONTRADICTED`, `BEYOND` or `FOREIGN`."""
    try:
        chain.require_prefix(log, note)
    except FileFault as fault:
        return _OF_A_FAULT[fault.what]
    except BadNote:
        return FOREIGN
    return HOLDS


def lines(difference: Difference, one: str, other: str, lang: str = ENGLISH) -> Iterator[str]:
    """What there is to say of a difference; `one` and `other` name the files."""
    yield phrase(f"diff.{_how(difference)}", {"n": difference.common, "battle": difference.battle}, lang)
    for name, last in ((one, difference.one), (other, difference.other)):
        yield fragment("diff.after", {"name": name, "count": last - difference.common, "last": last}, lang)
    for head in difference.heads:
        for name, held in ((one, head.one), (other, head.other)):
            yield fragment(f"diff.head-{held}", quoted({"source": head.source, "n": head.n, "name": name}), lang)
    for source in difference.without:
        yield fragment("diff.no-head", quoted({"source": source}), lang)


def _how(difference: Difference) -> str:
    if difference.differs is None:
        return "same" if difference.one == difference.other else "continues"
    if difference.differs == 0:
        return "headers"
    return "fork-proven" if difference.is_proven else "fork"
