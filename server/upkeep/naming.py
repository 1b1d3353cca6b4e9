"""The names that a host has had, and how it gets another one.

A change concerns the battles to come: those that are there keep the name and key of their opening.
"""

from collections.abc import Iterator

from msgspec import Struct

from replay.proof.notes import Verifier
from replay.writing.entropy import Entropy
from server.people.keys import read_keys, require_host, take_name
from server.settings import Settings
from server.store.contract import TableRows
from server.store.tables import vault


class HostKey(Struct, frozen=True):
    """A key of this host. `battles`: those opened with it; `is_here`: without it these cannot be signed."""

    name: str
    key: str
    fingerprint: str
    battles: int
    is_current: bool
    is_here: bool


class Renaming(Struct, frozen=True):
    """What a change of the name has done; `before` is the same name if nothing was to do."""

    before: str
    now: HostKey
    kept: tuple[HostKey, ...]


def host_keys(settings: Settings, store: TableRows) -> tuple[HostKey, ...]:
    """The keys of a host, the current one first, then the former ones, the last first; those that are missing at the
    end.

    Raises: Unusable
    """
    keys, battles = read_keys(settings), vault.own_keys(store)
    listed = [keys.current.key, *(signer.key for signer in reversed(keys.former))]
    listed += sorted(key for key in battles if key not in keys)
    return tuple(_described(key, battles.get(key, 0), key == keys.current.key, key in keys) for key in listed)


def rename(settings: Settings, store: TableRows, name: str, entropy: Entropy) -> Renaming:
    """Give a host another name, for the battles that are opened from now on. The caller is the sole server.

    Raises: Unusable for a name that is none, or keys that are not there; OSError
    """
    require_host(name)
    before = read_keys(settings).current.name
    take_name(settings, name, entropy)
    now, *others = host_keys(settings, store)
    return Renaming(before, now, tuple(key for key in others if key.battles))


def sentences_of(renaming: Renaming, settings: Settings) -> Iterator[str]:
    """A renaming in sentences, with what is left to do."""
    now = renaming.now
    if renaming.before == now.name:
        yield f"This host is {now.name} already; nothing was changed."
        return
    yield f"This host is {now.name} from now on. Its key, for phalera verify --key:"
    yield f"  {now.key}"
    for key in renaming.kept:
        yield f"Battles opened as {key.name} keep that name and its key: {key.battles:,}."
    yield f"Now set PHALERA_HOST={now.name}, and PHALERA_URL if the address of the pages changes, and start the server."
    if not settings.post.address:
        yield (
            f"Letters come from {settings.mailbox_of(now.name)} then: phalera mail check looks at the way there."
            f" Mail to {settings.mailbox_of(renaming.before)} is taken in as before, if it arrives."
        )
    yield "A new backup has all keys; an older one lacks this one."


def _described(key: str, battles: int, is_current: bool, is_here: bool) -> HostKey:
    verifier = Verifier(key)
    return HostKey(verifier.name, key, verifier.fingerprint(), battles, is_current, is_here)
