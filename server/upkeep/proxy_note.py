"""A note in the data folder that a proxy hides all clients of the running server: for the doctor, and administrators.

It is among what can be deleted. A server that starts forgets what one before it has noted.
"""

import logging
from collections.abc import Iterator
from pathlib import Path

from server.settings import Settings
from server.upkeep.finding import DataFinding

FILE = "proxy"

log = logging.getLogger(__name__)


def finding_of(address: str) -> DataFinding:
    """What is wrong where all requests come from an address that says whom it asks for, and is not believed."""
    said = f"every request comes from the proxy {address}, which is not trusted: all players share its limits"
    advice = f"Start the server with --trusted-proxy {address} (PHALERA_TRUSTED_PROXY), if that is your proxy."
    return DataFinding("proxy", False, said, advice)


def keep(settings: Settings, address: str) -> None:
    """Note it, and say it in the log."""
    found = finding_of(address)
    log.warning("%s. %s", found.said, found.advice)
    try:
        settings.read_models.mkdir(mode=0o700, parents=True, exist_ok=True)
        _path(settings).write_text(address, encoding="utf-8")
    except OSError:
        log.exception("this could not be noted for the doctor")


def forget(settings: Settings) -> None:
    """Remove the note of an earlier server."""
    _path(settings).unlink(missing_ok=True)


def hidden_behind(settings: Settings) -> Iterator[DataFinding]:
    """The finding of the doctor, if there is a note."""
    try:
        address = _path(settings).read_text(encoding="utf-8").strip()
    except OSError:
        return
    if address:  # "": it is being written this moment
        yield finding_of(address)


def _path(settings: Settings) -> Path:
    return settings.read_models / FILE
