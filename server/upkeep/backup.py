"""Copy a data folder while play goes on, and put a copy back.

A copy has `log.db` (the log, accounts, secrets), `key` and `keys/`, and what there is of the log of heads and of the
work as a witness (`tlog.db`, `witness.db`, `witness-key`), as a folder or a tar file, compressed or not; read models
are made anew. It has its name once it is complete.
"""

import gzip
import os
import re
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import IO

from server.people.key_files import former_files
from server.settings import Settings, Unusable
from server.store import EventStore
from server.upkeep.doctor import examine
from server.upkeep.finding import DataFinding
from server.witness import keys, log_file, state

TAR, UNFINISHED = ".tar", ".part"
PACKED = ".tar.gz"
TARS: Mapping[str, bool] = {TAR: False, PACKED: True, ".tgz": True}
"""The endings of files that a copy may be, and whether each is compressed."""
LEVEL = 6
BESIDE = (log_file.FILE, state.FILE)
"""Databases beside the store, where there are any."""
PART = re.compile(r"log\.db|tlog\.db|witness\.db|witness-key|key|keys/[0-9]{1,9}")
"""The files of a copy."""
NEEDED = frozenset({"store", "accounts", "tokens", "vault", "battles", "key"})
"""What has to be well in a copy. Letters that are late, or rules that are not installed, do not spoil it."""


def back_up(settings: Settings, store: EventStore, target: str) -> str:
    """Copy store and key into a new folder, or a new file that ends in `.tar`, or `.tar.gz` to have it compressed;
    returns a description of the copy.

    Raises: Unusable if the target exists; OSError, sqlite3.Error
    """
    path = Path(target)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise Unusable(f"{target} is there already, and not empty.")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy_with_keys(settings, path, store.backup)
    ((count,),) = store.rows("SELECT COUNT(*) FROM battles")
    return f"the log of {count:,} battles, all accounts{' and the keys' if settings.key.exists() else ''}"


def copy_with_keys(settings: Settings, path: Path, copy: Callable[[Path], object]) -> Path:
    """Put what `copy` writes to a path, and the keys, into a folder, or a file that ends in `.tar`; returns its path.

    Raises: OSError, and what `copy` raises
    """
    with _made_beside(path) as folder:
        for (
            name
        ) in BESIDE:  # before the store: a log of heads that is behind is completed, one that is ahead would tell
            _copy_database(settings.data / name, folder / name)  # of what the copy has not
        copy(folder / "log.db")
        for key in (settings.key, settings.data / keys.FILE):
            if key.exists():
                _write(folder / key.name, key.read_bytes())
        for key in former_files(settings.former_keys):  # after `key`, which a change of the name puts among them
            _write(folder / key.relative_to(settings.data), key.read_bytes())
        packs = next((packs for ending, packs in TARS.items() if path.name.endswith(ending)), None)
        if packs is not None:
            part = path.with_name(path.name + UNFINISHED)
            _pack(folder, part, packs)
            part.replace(path)
        else:
            if path.exists():
                path.rmdir()
            folder.replace(path)
    return path


def _copy_database(path: Path, target: Path) -> None:
    if path.exists():
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)
        target.chmod(0o600)


def remains_of(path: Path) -> list[Path]:
    """What copies to a path have left behind that were killed."""
    return [*path.parent.glob(f".{path.name}.*"), *path.parent.glob(f"{path.name}{UNFINISHED}")]


def restore(source: str, target: str, now: str) -> tuple[DataFinding, ...]:
    """Put a copy into a new data folder, after checking it; returns what should be looked after.

    Raises: Unusable for a target that is not empty, or a copy that is not whole; OSError
    """
    copy, folder = Path(source), Path(target)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Unusable(f"{target} is there already, and not empty: name a new folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _made_beside(folder) as part:
        found = sorted(_unpack(copy, part))
        if "log.db" not in found:
            raise Unusable(f"{source} is not a backup: there is no log.db in it.")
        faults = tuple(finding for finding in examine(Settings.at(part, {}), now) if not finding.ok)
        for fault in faults:
            if fault.what in NEEDED and fault.advice != "phalera migrate":
                raise Unusable(f"The backup is not whole, so nothing was restored. {fault.what}: {fault.said}.")
        if folder.exists():
            folder.rmdir()
        part.replace(folder)
    return faults


@contextmanager
def _made_beside(path: Path) -> Iterator[Path]:
    """A new folder beside a path, for its owner alone; what is not moved away disappears."""
    made = Path(mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _pack(folder: Path, part: Path, packs: bool) -> None:
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w+b") as file:
        with (
            tarfile.open(fileobj=file, mode="w:gz", compresslevel=LEVEL)
            if packs
            else tarfile.open(fileobj=file, mode="w")
        ) as tar:
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                tar.add(path, path.relative_to(folder).as_posix())
        file.flush()
        os.fsync(file.fileno())


def _unpack(copy: Path, folder: Path) -> Iterator[str]:
    """The parts of a copy, put into a folder. Nothing else that a file may hold is looked at."""
    if copy.is_dir():
        parts = ("log.db", *BESIDE, "key", keys.FILE)
        for path in (*(copy / name for name in parts), *former_files(copy / "keys")):
            if path.is_file():
                name = path.relative_to(copy).as_posix()
                with path.open("rb") as content:
                    _put(folder / name, content)
                yield name
        return
    try:
        with tarfile.open(copy) as tar:
            for name in filter(PART.fullmatch, dict.fromkeys(tar.getnames())):
                packed = tar.extractfile(name)
                if packed is not None:
                    _put(folder / name, packed)
                    yield name
            while tar.fileobj.read(1 << 20):
                pass  # what was cut off, or does not fit its sum, shows at the end
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise Unusable(f"{copy} is not a backup: {fault}.") from None


def _put(path: Path, content: IO[bytes]) -> None:
    """Write a part of a copy into a new folder, for its owner alone."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with path.open("xb") as file:
        shutil.copyfileobj(content, file)
    path.chmod(0o600)
