"""The request by which a log asks a witness to sign a checkpoint (C2SP tlog-witness)."""

from base64 import b64decode
from binascii import Error

from msgspec import Struct

from domain.log.entries import MOST_SIZE
from domain.log.merkle import HASH_BYTES, MOST_PROOF

MOST_BYTES = 64 * 1024


class Submission(Struct, frozen=True):
    """The size that the witness has signed, the proof that leads from there, and the signed checkpoint."""

    old: int
    proof: tuple[bytes, ...]
    note: str


def read_submission(body: bytes) -> Submission:
    """A request from its body.

    Raises:  ValueError
    """
    if len(body) > MOST_BYTES:
        raise ValueError("too long")
    head, gap, note = body.decode().partition("\n\n")
    first, *lines = head.split("\n")
    size = first.removeprefix("old ")
    if not gap or len(lines) > MOST_PROOF or not (size.isascii() and size.isdecimal()) or first != f"old {int(size)}":
        raise ValueError("not a request")
    try:
        proof = tuple(b64decode(line, validate=True) for line in lines)
    except Error:
        raise ValueError("not a proof") from None
    if int(size) > MOST_SIZE or any(len(each) != HASH_BYTES for each in proof):
        raise ValueError("not a proof")
    return Submission(int(size), proof, note)
