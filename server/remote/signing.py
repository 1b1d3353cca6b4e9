"""The player's own key: every line is signed with the head that it answers (fairness.md 2, "Player keys").

The file holds the base64 of the 32 secret bytes of an Ed25519 key, one for each server.
"""

from base64 import b64decode, b64encode
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.events.battle import Seen
from domain.log import fairness
from replay.writing.entropy import Entropy
from server.remote.errors import NotDone
from server.remote.files import make_private_folder, write_private

SECRET_BYTES = 32


class PlayerKey:
    """A player's key; `public` is what the seat is taken with."""

    def __init__(self, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = b64encode(self._private.public_key().public_bytes_raw()).decode("ascii")

    def sign(
        self, battle: str, side: str, serial: int, seen: Seen, giving: bytes = b"", text: str = ""
    ) -> dict[str, int | str]:
        """The signature of a line, or of a contribution that comes alone, as a request has it."""
        head = seen.n, bytes.fromhex(seen.hash)
        message = fairness.signed_message(battle, side, serial, head, giving, text)
        return {"serial": serial, "signature": b64encode(self._private.sign(message)).decode("ascii")}


def read_key(path: Path) -> PlayerKey:
    """The key in a file.

    Raises: NotDone
    """
    try:
        secret = b64decode(path.read_bytes().strip(), validate=True)
    except FileNotFoundError:
        raise NotDone(f"The key {path} is missing: without it this seat cannot order.") from None
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise NotDone(f"{path} holds no key.")
    return PlayerKey(secret)


def read_or_make_key(path: Path, entropy: Entropy) -> PlayerKey:
    """The key in a file; a new one if there is no file.

    Raises: NotDone, OSError
    """
    if not path.exists():
        make_private_folder(path.parent)
        write_private(path, b64encode(entropy.bytes(SECRET_BYTES)) + b"\n", is_new=True)
    return read_key(path)
