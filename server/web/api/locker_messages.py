"""Messages of lockers: what the devices of a player keep here under a key of their own."""

from typing import Annotated

from msgspec import Meta, Struct

from server.store.tables.lockers import LONGEST

Mark = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
Base64 = Annotated[str, Meta(min_length=4, max_length=LONGEST, pattern="^[A-Za-z0-9+/]+={0,2}$")]
Version = Annotated[int, Meta(ge=1, le=1 << 31)]


class KeepLocker(Struct, frozen=True, forbid_unknown_fields=True):
    """A locker as one of your devices has encrypted it."""

    mark: Mark
    version: Version
    content: Base64


class LockerView(Struct, frozen=True):
    """A locker of yours. A list of all has no contents."""

    kind: str
    place: str
    version: int
    size: int
    at: str
    content: str = ""


class Lockers(Struct, frozen=True):
    """Your lockers, and whose they are."""

    player: str
    mark: str
    by_letter: bool
    lockers: tuple[LockerView, ...]
