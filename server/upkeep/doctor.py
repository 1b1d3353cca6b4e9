"""Check a data folder."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from replay.proof.notes import BadNote, Signer, signer_from
from server.play.archive import chain_fault
from server.settings import Settings, Unusable
from server.store import EventStore
from server.upkeep.folder import is_private


class DataFinding(Struct, frozen=True):
    """The result of one check."""

    what: str
    ok: bool
    said: str


def read_key(settings: Settings) -> Signer:
    """The host's key, which must be there.

    Raises:  Unusable
    """
    try:
        return signer_from(settings.key.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        raise Unusable(f"{settings.key} is not there: without the host's key nothing can be signed.") from None
    except (BadNote, UnicodeDecodeError):
        raise Unusable(f"{settings.key} holds no key.") from None


def examine(settings: Settings, store: EventStore) -> Iterator[DataFinding]:
    """Check folder, key and the chain of each battle."""
    yield _private("folder", settings.data)
    yield _key(settings)
    battles = store.battles()
    for battle in battles:
        fault = chain_fault(store, battle.battle)
        said = f"battle {battle.battle}: {fault or 'its chain holds'}"
        yield DataFinding("battle", not fault, said)
    yield DataFinding("store", True, f"{len(battles)} battles, {store.position()} events")


def _private(what: str, path: Path) -> DataFinding:
    ok = is_private(path)
    return DataFinding(
        what, ok, f"{path} is open to its owner alone" if ok else f"{path} is open to others: chmod go= {path}"
    )


def _key(settings: Settings) -> DataFinding:
    if not settings.key.exists():
        return DataFinding("key", True, f"{settings.key} is not there yet: the server makes it when it first starts")
    try:
        signer = read_key(settings)
    except Unusable as reason:
        return DataFinding("key", False, str(reason))
    private = _private("key", settings.key)
    return private if not private.ok else DataFinding("key", True, f"{settings.key} signs as {signer.name}")
