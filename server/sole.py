"""Let only one server run on a data folder.

Two would send letters twice and hold different battles in memory. The lock is advisory and the system's: it ends with
the process, however that ends, so its file may stay behind. Commands next to a server ignore it. The file tells them
the address at which the server answers, or answered last.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from server.settings import Settings, Unusable, make_folder

if sys.platform != "win32":
    import fcntl

LOCK = "lock"
LONGEST = 2000  # bytes of an address


@contextmanager
def sole_server(settings: Settings) -> Iterator[None]:
    """Be the only server on a data folder.

    Raises: Unusable if there is one
    """
    make_folder(settings)
    descriptor = os.open(settings.data / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(descriptor, settings)
        yield
    finally:
        os.close(descriptor)


def is_served(settings: Settings) -> bool:
    """Whether a server runs on a data folder. Nothing is written."""
    if not os.access(settings.data / LOCK, os.W_OK):
        return False
    try:
        with sole_server(settings):
            return False
    except Unusable:
        return True


def tell_address(settings: Settings, address: str) -> None:
    """Write down where the server of a data folder answers."""
    (settings.data / LOCK).write_text(f"{address}\n", encoding="utf-8")


def link_base(settings: Settings) -> str:
    """The start of links of a data folder: as it is set, else where its server answers or answered last, else the
    usual address."""
    if settings.url:
        return settings.address
    try:
        with (settings.data / LOCK).open("rb") as file:
            told = file.read(LONGEST).decode(errors="replace").strip()
    except OSError:
        told = ""
    return told if told.startswith(("http://", "https://")) else settings.address


def _take(descriptor: int, settings: Settings) -> None:
    if sys.platform == "win32":  # nobody is refused there
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Unusable(f"A server runs on {settings.data} already: stop it first, or name another --data.") from None
    except OSError:  # a file system without locks
        return
