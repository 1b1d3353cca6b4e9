"""The first administrator of a server, made by a code that only the host sees.

As long as nobody administers the server, each start makes a code and says it once, where the server was started. Who
enters it with an account administers the server. Whoever reads the store finds a digest.
"""

from base64 import b32encode
from hashlib import sha256
from hmac import compare_digest

from domain.basics.errors import Refusal
from replay.writing.entropy import Entropy
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import accounts, set_up

CODE_BYTES = 10
"""80 bits: sixteen letters of base32, in groups of four."""
GROUP = 4
LONGEST = 80
"""Characters of a code as somebody writes it."""
MISREAD = str.maketrans("018", "OIB")
"""Digits that base32 has not, and the letters for which they are taken."""


def new_code(entropy: Entropy) -> str:
    """A code as it is said: `ABCD-EFGH-IJKL-MNOP`."""
    letters = b32encode(entropy.bytes(CODE_BYTES)).decode("ascii")
    return "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))


def is_wanted(store: TableRows) -> bool:
    """Whether nobody administers the server yet."""
    return not accounts.census(store).administrators


def renewed(code: str, now: str) -> tuple[Statement, ...]:
    """The statements that make a code the one that counts."""
    return set_up.renew(_digest(code), now)


def claimed(store: TableRows, player: str, written: str) -> tuple[Statement, ...]:
    """The statements by which an account becomes the first administrator. Unmatched if somebody else was faster, or the
    account is banned.

    Raises: Refusal core.wrong-code
    """
    require_code(store, written)
    return set_up.spend(_digest(written)), accounts.promote_first(player)


def require_code(store: TableRows, written: str) -> None:
    """Refuse a code that is not the one that counts, in a time that says nothing of it.

    Raises: Refusal core.wrong-code
    """
    if not compare_digest(_digest(written), set_up.known(store) or bytes(1)):
        raise wrong_code()


def wrong_code() -> Refusal:
    """The refusal of a code that is not the one that counts, or no longer."""
    return Refusal("core.wrong-code", "CORE-ACCESS")


def _digest(written: str) -> bytes:
    """The digest of a code, however its letters are grouped and written."""
    letters = "".join(letter for letter in written[:LONGEST].upper() if letter.isalnum()).translate(MISREAD)
    return sha256(letters.encode()).digest()
