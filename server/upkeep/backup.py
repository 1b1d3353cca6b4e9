"""Copy a data folder while play goes on."""

import os
from pathlib import Path

from server.settings import Settings, Unusable
from server.store import EventStore


def back_up(settings: Settings, store: EventStore, target: str) -> str:
    """Copy store and key into a new folder; returns a description of the copy.

    Raises:  Unusable if the folder already exists; OSError
    """
    folder = Path(target)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Unusable(f"{target} is there already, and not empty.")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    store.backup(folder / "log.db")
    has_key = settings.key.exists()
    if has_key:
        descriptor = os.open(folder / "key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(settings.key.read_bytes())
    return f"the log of {len(store.battles())} battles, all accounts{' and the key' if has_key else ''}"
