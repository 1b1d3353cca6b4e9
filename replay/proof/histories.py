"""Hold two files of one battle side by side: whether its host has told two histories.

Files of which one is the beginning of the other tell the same. Where they differ, and both end in a note by the same
key of the host, they prove it: nobody else could have signed both.
"""

from msgspec import Struct

from replay.proof.chain import HeadedLog
from replay.proof.notes import BadNote


class Fork(Struct, frozen=True):
    """Two files differ from event `n` on (0: their headers do); `is_proven` if the host has signed both."""

    n: int
    is_proven: bool


def fork(one: HeadedLog, other: HeadedLog) -> Fork | None:
    """Where two files of a battle or a campaign differ; None if one continues the other.

    Raises:  BadNote `other-battle`
    """
    if one.origin != other.origin:
        raise BadNote("other-battle")
    for n, (here, there) in enumerate(zip(one.hashes, other.hashes, strict=False)):
        if here != there:
            is_signed = one.checkpoint is not None and other.checkpoint is not None
            return Fork(n, is_signed and one.keys[0][1].key == other.keys[0][1].key)
    return None
