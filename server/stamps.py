"""Remember whose stamps on mail are proven to come from nobody else.

A server believes what a mail system writes into `Authentication-Results` only where a probe from outside has shown that
the same words of a stranger do not get through (`phalera mail check --trust NAME`). The outcome is kept in the data
folder, for each mailbox, in `trust.json`.
"""

import os
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.decoding import decode
from server.settings import Settings, Unusable

FILE = "trust.json"


class ProvenStamp(Struct, frozen=True):
    """When a name was proven, and through which mail system the probe came in."""

    proved: str
    through: str


Stamps = dict[str, dict[str, ProvenStamp]]
"""By mailbox and name, both lower-case."""


def proven(settings: Settings) -> Stamps:
    """All that is proven.

    Raises: Unusable for a file that cannot be read
    """
    try:
        return decode(_path(settings).read_bytes(), Stamps)
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError):
        raise Unusable(
            f"{_path(settings)} cannot be read: remove it, and run phalera mail check --trust NAME."
        ) from None


def record(settings: Settings, name: str, stamp: ProvenStamp | None) -> None:
    """Note that a name is proven for this server's mailbox, or (None) that it is not.

    Raises: Unusable, OSError
    """
    known = proven(settings)
    names = known.setdefault(settings.mailbox.lower(), {})
    names.pop(name.lower(), None)
    if stamp is not None:
        names[name.lower()] = stamp
    path = _path(settings)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(known)))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def only_proven(settings: Settings) -> tuple[Settings, list[str]]:
    """The settings without the names that are not proven, and a sentence for each of these.

    Raises: Unusable
    """
    if not settings.post.trusted:
        return settings, []
    names = proven(settings).get(settings.mailbox.lower(), {})
    kept = tuple(name for name in settings.post.trusted if name.lower() in names)
    said = [
        f"--mail-trust {name} is ignored: nothing proves that a stranger cannot write in its name. While the server"
        f" runs: phalera mail check --trust {name}; then start it again."
        for name in settings.post.trusted
        if name not in kept
    ]
    return replace(settings, post=replace(settings.post, trusted=kept)), said


def _path(settings: Settings) -> Path:
    return settings.data / FILE
