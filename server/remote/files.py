"""Files that only their owner may read: seals, keys, tokens.

A file is replaced whole and is on the disk before the call returns, so a book that has given a seal never forgets it.
"""

import os
from pathlib import Path

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


def write_private(path: Path, content: bytes, is_new: bool = False) -> None:
    """Write a file, or replace it; `is_new`: it must not be there yet.

    Raises: FileExistsError, OSError
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            os.link(part, path)  # unlike a rename it does not replace an existing file
        else:
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(path.parent)


def make_private_folder(path: Path) -> Path:
    """Make a folder, and those above it that are missing."""
    path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    return path


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
