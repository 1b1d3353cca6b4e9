"""The player's copy of a log, and the index of its check beside it (docs/remote.md, "What is kept").

The index says how far the copy was checked, and from where the next check may go on. It is bound to the bytes of the
copy, and to the release that has written it. One that does not fit counts for nothing: the copy is then chained from
its first line, the next check begins with the first event, and another index is made.
"""

from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

from domain.log.record import FileFault, checkpoint_line
from replay.proof import chain
from replay.proof.chain import Log
from replay.proof.faults import line_sentence
from replay.proof.notes import Verifier
from replay.proof.resuming import WalkSoFar
from server.release import release
from server.remote.errors import NotDone
from server.remote.files import write_private
from server.remote.state import BattleFiles, read_kept, write_compact

FORM = 1
"""Of the index: raised when what is kept means something else."""


class KeptCopy(Struct, frozen=True):
    """A copy that was checked: its bytes, its log, and what its check may go on from."""

    content: bytes
    log: Log
    walk: WalkSoFar | None = None


class _CopyIndex(Struct, frozen=True):
    """`digest` is the SHA-256 of the copy in hex, `n` its newest event, `keys` are those of its host, each from its
    event on."""

    program: str
    digest: str
    n: int
    keys: tuple[tuple[int, str], ...]
    walk: WalkSoFar | None


def read_copy(place: BattleFiles) -> KeptCopy | None:
    """The copy of a battle, None if there is none.

    Raises: NotDone if it is damaged
    """
    try:
        content = place.log.read_bytes()
    except FileNotFoundError:
        return None
    index = _index(place)
    if index is None or index.digest != sha256(content).hexdigest():
        return KeptCopy(content, require_log(place, content, f"{place.log} is damaged"))
    log = chain.reopened(content, index.n, [(n, Verifier(key)) for n, key in index.keys])
    return KeptCopy(content, log, index.walk)


def keep_copy(place: BattleFiles, copy: KeptCopy) -> None:
    """Keep a copy and its index. If the index gets lost between, the next check is one of the whole."""
    place.server.keep_folder()
    write_private(place.log, copy.content)
    keys = tuple((n, key.key) for n, key in copy.log.keys)
    digest, n = sha256(copy.content).hexdigest(), len(copy.log.lines)
    write_compact(place.checked, _CopyIndex(_program(), digest, n, keys, copy.walk))


def grown(old: KeptCopy, log: Log, file_lines: Sequence[bytes]) -> bytes:
    """The bytes of a copy to which lines were added, with the note of its log: those of before are not made again."""
    before = old.content if old.log.checkpoint is None else old.content[: old.content.rstrip(b"\n").rfind(b"\n") + 1]
    note = () if log.checkpoint is None else (checkpoint_line(log.checkpoint),)
    return before + b"".join(line + b"\n" for line in (*file_lines, *note))


def require_log(place: BattleFiles, content: bytes, what: str) -> Log:
    """The log in the bytes of a file of this battle; `what` says what it is if they are wrong.

    Raises: NotDone
    """
    try:
        log = chain.open_file(content)
    except FileFault as fault:
        raise NotDone(f"{what}: {line_sentence(fault.line, fault.what, fault.details)}") from None
    if log.header.battle != place.battle:
        raise NotDone(f"{what}: it is that of another battle.")
    return log


def _index(place: BattleFiles) -> _CopyIndex | None:
    try:
        index = read_kept(place.checked, _CopyIndex)
    except NotDone:  # damaged: it is made again
        return None
    return index if index is not None and index.program == _program() else None


def _program() -> str:
    return f"{release()} {FORM}"
