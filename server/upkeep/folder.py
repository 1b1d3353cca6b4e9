"""Keep the files of a data folder to their owner: master secrets, sealed orders and addresses are in them."""

import stat
from collections.abc import Iterator
from pathlib import Path

from server.settings import Settings

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def is_private(path: Path) -> bool:
    """Whether its owner alone may open a file or folder."""
    return not path.stat().st_mode & OTHERS


def secret_files(settings: Settings) -> Iterator[Path]:
    """The files with secrets that are there: the keys, the store, the snapshots, their journals and copies."""
    for pattern in ("key", "keys/*", "witness-key", "dkim.pem", "log.db*", "read/snapshots.db*"):
        yield from sorted(path for path in settings.data.glob(pattern) if path.is_file())


def close_to_others(settings: Settings) -> list[str]:
    """Take the rights of others from the secret files; returns a sentence for each thing that remains to be done.

    The folder is left as it is: others may have a reason to look into it.
    """
    said = []
    for path in secret_files(settings):
        if not is_private(path):
            try:
                path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)
            except OSError:
                said.append(f"{path} is open to others: chmod go= {path}")
    if not is_private(settings.data):
        said.append(f"{settings.data} is open to others: chmod go= {settings.data}")
    return said
