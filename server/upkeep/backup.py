"""Copy a data folder while play goes on, and put a copy back.

A copy has `log.db` (the log, accounts, secrets) and `key`, as a folder or a tar file; read models are made anew. It has
its name once it is complete.
"""

import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from server.settings import Settings, Unusable
from server.store import EventStore
from server.upkeep.doctor import examine
from server.upkeep.finding import DataFinding

TAR = ".tar"
PARTS = ("log.db", "key")
NEEDED = frozenset({"store", "accounts", "tokens", "vault", "battles", "key"})
"""What has to be well in a copy. Letters that are late, or rules that are not installed, do not spoil it."""


def back_up(settings: Settings, store: EventStore, target: str) -> str:
    """Copy store and key into a new folder, or a new file that ends in `.tar`; returns a description of the copy.

    Raises: Unusable if the target exists; OSError, sqlite3.Error
    """
    path = Path(target)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise Unusable(f"{target} is there already, and not empty.")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _made_beside(path) as folder:
        store.backup(folder / "log.db")
        has_key = settings.key.exists()
        if has_key:
            _write(folder / "key", settings.key.read_bytes())
        if path.suffix == TAR:
            part = path.with_name(path.name + ".part")
            _pack(folder, part)
            part.replace(path)
        else:
            if path.exists():
                path.rmdir()
            folder.replace(path)
    ((count,),) = store.rows("SELECT COUNT(*) FROM battles")
    return f"the log of {count:,} battles, all accounts{' and the key' if has_key else ''}"


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
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _pack(folder: Path, part: Path) -> None:
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w+b") as file:
        with tarfile.open(fileobj=file, mode="w") as tar:
            for name in PARTS:
                if (folder / name).exists():
                    tar.add(folder / name, name)
        file.flush()
        os.fsync(file.fileno())


def _unpack(copy: Path, folder: Path) -> Iterator[str]:
    """The parts of a copy, put into a folder. Nothing else that a file may hold is looked at."""
    if copy.is_dir():
        for name in PARTS:
            if (copy / name).is_file():
                shutil.copyfile(copy / name, folder / name)
                (folder / name).chmod(0o600)
                yield name
        return
    try:
        with tarfile.open(copy) as tar:
            for name in PARTS:
                content = tar.extractfile(name) if name in tar.getnames() else None
                if content is not None:
                    with (folder / name).open("xb") as file:
                        shutil.copyfileobj(content, file)
                    (folder / name).chmod(0o600)
                    yield name
    except tarfile.TarError as fault:
        raise Unusable(f"{copy} is not a backup: {fault}.") from None
