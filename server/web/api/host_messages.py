"""The answer about the host itself: its name and its keys."""

from msgspec import Struct


class PublicKey(Struct, frozen=True):
    """A key with which this host signs the battles that it opened as `name`: what `phalera verify --key` wants."""

    name: str
    key: str
    fingerprint: str
    current: bool


class Host(Struct, frozen=True):
    """The name that battles get now, and the keys, the current one first. A battle names its own in its header."""

    name: str
    keys: tuple[PublicKey, ...]
