"""The files with the keys of this host: `key`, the current one, and `keys/`, those of former names.

A former key has a number, in the order in which names were given up. Each file holds a whole key string, its name
included, and is complete from the moment in which it has its name.
"""

import os
from collections.abc import Callable
from pathlib import Path

from replay.proof.notes import BadNote, Signer, signer_from
from replay.writing.entropy import Entropy
from server.settings import Unusable

SEED_BYTES = 32
RESTORE = "Put the file back from a backup: without it nobody can prove the battles of this store."


def read_or_make_key(path: Path, host: str, entropy: Entropy) -> Signer:
    """The signer in a key file; a new key under the name `host` if the file does not exist.

    Raises: BadNote for a file without a valid key; OSError
    """
    try:
        return signer_from(path.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        signer = new_key(host, entropy)
    try:
        _write(path, signer, os.link)  # unlike a rename it does not replace an existing file
    except FileExistsError:  # another process was faster
        return read_or_make_key(path, host, entropy)
    return signer


def new_key(host: str, entropy: Entropy) -> Signer:
    """A key that nobody has had, under the name of a host."""
    return Signer(host, entropy.bytes(SEED_BYTES))


def readable_key(path: Path) -> Signer:
    """The signer in a key file, which must be there.

    Raises: Unusable
    """
    try:
        return signer_from(path.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        raise Unusable(f"{path} is not there: without the host's key nothing can be signed.") from None
    except (BadNote, UnicodeDecodeError):
        raise Unusable(f"{path} holds no key. {RESTORE}") from None


def former_files(folder: Path) -> list[Path]:
    """The files of former keys, in the order in which their names were given up."""
    if not folder.is_dir():
        return []
    numbered = [path for path in folder.iterdir() if path.name.isascii() and path.name.isdecimal()]
    return sorted(numbered, key=lambda path: int(path.name))


def give_up(folder: Path, signer: Signer) -> None:
    """Put a key among the former ones, behind all others."""
    folder.mkdir(mode=0o700, exist_ok=True)
    last = max((int(path.name) for path in former_files(folder)), default=0)
    _write(folder / f"{last + 1:04}", signer, os.link)


def replace_key(path: Path, signer: Signer) -> None:
    """Let a key file hold another key, at once."""
    _write(path, signer, os.replace)


def _write(path: Path, signer: Signer, name: Callable[[Path, Path], None]) -> None:
    """Write a key to disk before its first use; `name` gives the complete file its name.

    Raises: FileExistsError of `os.link`; OSError
    """
    part = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(signer.secret_key() + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        name(part, path)
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system can do that."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folder
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
