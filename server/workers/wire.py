"""What goes to a worker process and comes back: values pickled between a parent and its own child, games by code.

Frames: four bytes of length, big-endian, then so many bytes.
"""

import io
import pickle
from copyreg import dispatch_table
from typing import Any

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset

PREFIX = 4


def game(code: str) -> Ruleset:
    """The game of a code, in the process that asks."""
    return RULESETS[code]


class _Pickler(pickle.Pickler):
    dispatch_table = {**dispatch_table, Ruleset: lambda ruleset: (game, (ruleset.code,))}


def packed(value: Any) -> bytes:
    """A value as a frame."""
    out = io.BytesIO()
    out.write(bytes(PREFIX))
    _Pickler(out, pickle.HIGHEST_PROTOCOL).dump(value)
    with out.getbuffer() as frame:
        frame[:PREFIX] = (len(frame) - PREFIX).to_bytes(PREFIX)
    return out.getvalue()


def unpacked(content: bytes) -> Any:
    """The value in the content of a frame."""
    return pickle.loads(content)


def length_of(prefix: bytes) -> int:
    """The length that a frame begins with."""
    return int.from_bytes(prefix)
