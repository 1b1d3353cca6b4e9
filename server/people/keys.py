"""The key with which this host signs.

The file holds the whole key string, its name included: a host that moves to another name goes on signing as before, so
the battles it has begun stay verifiable.
"""

import os
from pathlib import Path

from domain.log import record
from replay.proof.notes import BadNote, Signer, signer_from
from server.entropy import Entropy
from server.settings import Settings, Unusable
from server.store import EventStore
from server.store.tables import vault

SEED_BYTES = 32


RESTORE = "Put the file back from a backup: without it nobody can prove the battles of this store."


def key_of_host(settings: Settings, store: EventStore, entropy: Entropy) -> Signer:
    """The signer of the battles in a store. A key is made only where this host has opened no battle yet.

    Raises: Unusable for a key that is missing, unreadable or another one; OSError
    """
    own = vault.newest_own(store)
    if own is not None and not settings.key.exists():
        raise Unusable(f"The key {settings.key} is missing, and the store has battles that it has to sign. {RESTORE}")
    try:
        signer = read_or_make_key(settings.key, settings.host, entropy)
    except (BadNote, UnicodeDecodeError):
        raise Unusable(f"{settings.key} holds no key. {RESTORE}") from None
    if own is not None and record.decode_header(own[1]).key != signer.key:
        raise Unusable(f"{settings.key} is not the key with which battle {own[0]} was opened. {RESTORE}")
    return signer


def read_or_make_key(path: Path, host: str, entropy: Entropy) -> Signer:
    """The signer in a key file; a new key under the name `host` if the file does not exist.

    Raises: BadNote for a file without a valid key; OSError
    """
    try:
        return signer_from(path.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        signer = Signer(host, entropy.bytes(SEED_BYTES))
        return signer if _kept(path, signer) else read_or_make_key(path, host, entropy)


def _kept(path: Path, signer: Signer) -> bool:
    """Write the key to disk before its first use; False if another process was faster."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(signer.secret_key() + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(part, path)  # unlike a rename it does not replace an existing file
    except FileExistsError:
        return False
    finally:
        part.unlink()
    return True


def read_key(settings: Settings) -> Signer:
    """The host's key, which must be there.

    Raises: Unusable
    """
    try:
        return signer_from(settings.key.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        raise Unusable(f"{settings.key} is not there: without the host's key nothing can be signed.") from None
    except (BadNote, UnicodeDecodeError):
        raise Unusable(f"{settings.key} holds no key.") from None
