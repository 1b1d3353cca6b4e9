"""Say which 32 bytes are the public key of somebody: a point of Ed25519 in its one encoding, and no weak one.

RFC 8032 lets a verifier take points whose order is small. With one of the eight as key, a signature fits every message
or one of a few, so nobody has signed anything; and a key that has two encodings is two keys to whoever compares them.
Every key of seat, umpire, host and witness is asked here, at the door and in files (docs/record-format.md).
"""

from functools import lru_cache
from hashlib import sha256

KEY_BYTES = 32
FIELD = 2**255 - 19
CURVE = -121665 * pow(121666, -1, FIELD) % FIELD
"""d of the curve -x² + y² = 1 + d x² y²."""
_OF_ORDER_EIGHT = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
_WEAK = frozenset({0, 1, FIELD - 1, _OF_ORDER_EIGHT, FIELD - _OF_ORDER_EIGHT})
"""y of the eight points whose order is 1, 2, 4 or 8. Those with x = 0 are among them: no other y has one x alone."""
GROUPS, GROUP_DIGITS = 4, 4


@lru_cache(maxsize=1024)
def is_strong_key(public: bytes) -> bool:
    """Whether 32 bytes are the canonical encoding of a point of the curve whose order is not small.

    Rule:  RFC 8032, 5.1.3, and no small order (PBEM-2.1, "Keys")
    """
    if len(public) != KEY_BYTES:
        return False
    y = int.from_bytes(public, "little") & (1 << 255) - 1
    return y < FIELD and y not in _WEAK and _is_of_the_curve(y)


def key_id(public: bytes) -> str:
    """The `kid` of a key, to be compared by eye: the first 16 hex digits of its SHA-256 in groups of four."""
    digits = sha256(public).hexdigest()
    return " ".join(digits[at * GROUP_DIGITS : (at + 1) * GROUP_DIGITS] for at in range(GROUPS))


def _is_of_the_curve(y: int) -> bool:
    """Whether x² = (y² - 1) / (d y² + 1) has a root."""
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, FIELD) % FIELD
    return pow(square, (FIELD - 1) // 2, FIELD) == 1
