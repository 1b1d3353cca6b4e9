"""The keys with which this host signs, and the names that it has had.

The name of a host is that in its current key: battles opened from now on bear both. A battle keeps the name and the key
under which it was opened, so that it stays verifiable whatever its host is called later.
"""

import logging
from collections.abc import Sequence

from domain.basics.errors import BrokenInvariant
from domain.log import record
from domain.log.limits import is_host
from replay.proof.notes import BadNote, Signer
from replay.writing.entropy import Entropy
from server.people.key_files import (
    RESTORE,
    former_files,
    give_up,
    new_key,
    read_or_make_key,
    readable_key,
    replace_key,
)
from server.settings import DEFAULT_HOST, Settings, Unusable
from server.store import EventStore
from server.store.tables import vault

log = logging.getLogger(__name__)


class Keyring:
    """The keys of a host: `current` signs the battles that are opened now; `former` are those of earlier names, the
    oldest first. Tokens and digests are made from the `oldest`: they outlive a change of the name."""

    def __init__(self, current: Signer, former: Sequence[Signer] = ()) -> None:
        self.current = current
        self.former = tuple(signer for signer in former if signer.key != current.key)
        self.oldest = (*former, current)[0]
        self._by_key = {signer.key: signer for signer in (*former, current)}

    def __contains__(self, key: str) -> bool:
        return key in self._by_key

    def of(self, key: str) -> Signer:
        """The signer of the battles whose headers name a verifier key.

        Raises: BrokenInvariant for a key that this host does not have
        """
        found = self._by_key.get(key)
        if found is None:
            raise BrokenInvariant(f"this host has no key {key}")
        return found

    @property
    def former_names(self) -> tuple[str, ...]:
        """The names that this host had before, the oldest first."""
        return tuple(dict.fromkeys(signer.name for signer in self.former))


def keys_of_host(settings: Settings, store: EventStore, entropy: Entropy) -> Keyring:
    """The keys of the battles in a store. One is made only where this host has opened no battle yet.

    Raises: Unusable for a key that is missing, unreadable or another one, and where the settings and the key give the
            host different names; OSError
    """
    require_host(settings.host)
    own = vault.newest_own(store)
    if own is not None and not settings.key.exists():
        raise Unusable(f"The key {settings.key} is missing, and the store has battles that it has to sign. {RESTORE}")
    try:
        current = read_or_make_key(settings.key, settings.host, entropy)
    except (BadNote, UnicodeDecodeError):
        raise Unusable(f"{settings.key} holds no key. {RESTORE}") from None
    keys = Keyring(current, _former(settings))
    if own is not None and record.decode_header(own[1]).key not in keys:
        raise Unusable(f"{settings.key} is not the key with which battle {own[0]} was opened. {RESTORE}")
    if current.name != settings.host:
        raise Unusable(other_name(settings, current.name))
    return keys


def keys_of_server(settings: Settings, store: EventStore, entropy: Entropy) -> Keyring:
    """The keys for a server, which is alone on its data folder: a host that has opened no battle yet takes the name in
    its settings, and the key of every battle has to be there.

    Raises: as `keys_of_host`
    """
    require_host(settings.host)
    if settings.key.exists() and vault.newest_own(store) is None:
        former = readable_key(settings.key).name
        if former != settings.host:
            take_name(settings, settings.host, entropy)
            log.info("this host was called %s, and has opened no battle: it is %s from now on", former, settings.host)
    keys = keys_of_host(settings, store, entropy)
    for key in vault.own_keys(store):
        if key not in keys:
            raise Unusable(f"The key {key} of some battles is missing in {settings.former_keys}. {RESTORE}")
    return keys


def read_keys(settings: Settings) -> Keyring:
    """The host's keys, all of which must be readable.

    Raises: Unusable
    """
    return Keyring(readable_key(settings.key), _former(settings))


def take_name(settings: Settings, name: str, entropy: Entropy) -> Keyring:
    """Give the host a name, with a new key or the one that it had under that name before. The key so far goes among the
    former ones first: wherever this is cut short, a second call completes it.

    Raises: Unusable; OSError
    """
    keys = read_keys(settings)
    if keys.current.name == name:
        return keys
    kept = _former(settings)
    if keys.current.key not in [signer.key for signer in kept]:
        give_up(settings.former_keys, keys.current)
    taken = [signer for signer in kept if signer.name == name]
    replace_key(settings.key, taken[-1] if taken else new_key(name, entropy))
    return read_keys(settings)


def host_named(settings: Settings) -> str:
    """The name of the host where the settings give none: that in its key, `localhost` as long as there is none."""
    try:
        return readable_key(settings.key).name
    except (OSError, Unusable):  # what is wrong with the file is said where it is used
        return DEFAULT_HOST


def require_host(name: str) -> None:
    """Refuse a name that no battle file could bear.

    Raises: Unusable
    """
    if not is_host(name):
        raise Unusable(f"“{name}” is no name for a host: it is a DNS name in lower case, such as games.example.")


def other_name(settings: Settings, name: str) -> str:
    """What to do where the settings and the current key (`name`) give the host different names."""
    return (
        f"The settings call this host {settings.host}, but it signs as {name}: so says {settings.key}."
        f" To go on as {name}: PHALERA_HOST={name}. To change the name:"
        f" phalera host rename {settings.host} --data {settings.data}."
        " Battles opened before keep their name and key; links and mail addresses of both names work."
    )


def _former(settings: Settings) -> list[Signer]:
    return [readable_key(path) for path in former_files(settings.former_keys)]
