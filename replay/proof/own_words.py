"""Whether a player's signature is right: one function for the door and the verifier (fairness.md 2).

A player signs the battle, their seat, the serial, the head that they have seen, what their line brings, and the line.
The umpire signs under the seat `umpire`.
"""

from base64 import b64decode, b64encode
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.log import fairness
from domain.log.points import KEY_BYTES, is_strong_key

SIGNATURE_BYTES = 64


def signature_bytes(text: object, size: int) -> bytes | None:
    """The bytes of a standard base64 text with padding, in its one spelling; None if it is not that."""
    try:
        value = b64decode(text, validate=True) if isinstance(text, str) else b""
    except ValueError:
        return None
    return value if len(value) == size and b64encode(value).decode("ascii") == text else None


def public_key(signer: object) -> Ed25519PublicKey | None:
    """The key that a `signer` is; None if it is none, or a weak one."""
    public = signature_bytes(signer, KEY_BYTES)
    if public is None or not is_strong_key(public):
        return None
    return Ed25519PublicKey.from_public_bytes(public)


def is_right(
    key: Ed25519PublicKey | None, battle: str, seat: str, event: Any, giving: bytes, text: str, signature: object
) -> bool:
    """Whether a signature is that of a key over an event, with its `serial` and the head `seen` that it names.

    Shape: `giving` the phrase or the raw seal of the contribution that the line brings, else empty; `text` the line
    """
    signed = signature_bytes(signature, SIGNATURE_BYTES)
    if key is None or signed is None:
        return False
    seen = event.seen.n, bytes.fromhex(event.seen.hash)
    try:
        key.verify(signed, fairness.signed_message(battle, seat, event.serial, seen, giving, text))
    except InvalidSignature:
        return False
    return True
