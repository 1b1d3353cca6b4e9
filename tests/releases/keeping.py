"""What is kept of each release: an archive with its data folder, the battle files that it wrote, and what is in them.

An archive holds `log.db`, `key`, `files/NAME.battle`, and `made.toml`: the release, the formats, the battles by what
they are for (`tests/releases/making.py`).
"""

import re
import sqlite3
import tarfile
import tomllib
from collections.abc import Mapping
from contextlib import closing
from io import BytesIO
from pathlib import Path

from msgspec import Struct, convert

KEPT = Path(__file__).parent / "kept"
ENDING = ".tar.xz"
FILES = "files"
MADE = "made.toml"


class Made(Struct, frozen=True):
    """What an archive says of itself. `commit` is where it was made; a folder is of one format of the store and one
    version of battle files."""

    release: str
    commit: str
    store: int
    files: int
    battles: dict[str, str]


class Kept(Struct, frozen=True):
    """An archive that was unpacked: the data folder, and the battle files by what the battles are for."""

    data: Path
    files: dict[str, bytes]
    made: Made


def archives() -> list[Path]:
    """All archives, the oldest release first."""
    return sorted(KEPT.glob(f"*{ENDING}"))


def described(archive: Path) -> Made:
    """What an archive says of itself."""
    with tarfile.open(archive) as tar:
        return _made(_content(tar, MADE))


def unpacked(archive: Path, data: Path) -> Kept:
    """Put the data folder of an archive where a release would have it."""
    data.mkdir(mode=0o700, parents=True)
    files = {}
    with tarfile.open(archive) as tar:
        for name in ("log.db", "key"):
            (data / name).write_bytes(_content(tar, name))
            (data / name).chmod(0o600)
        for name in tar.getnames():
            if name.startswith(f"{FILES}/"):
                files[Path(name).stem] = _content(tar, name)
        return Kept(data, files, _made(_content(tar, MADE)))


def keep(
    data: Path,
    files: Mapping[str, bytes],
    battles: Mapping[str, str],
    release: str,
    commit: str,
    into: Path = KEPT,
) -> Path:
    """Write the archive of a data folder; nobody has it open."""
    with closing(sqlite3.connect(data / "log.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("VACUUM")
        (store,) = db.execute("PRAGMA user_version").fetchone()
    version = _version_of(next(iter(files.values())))
    told = [f'release = "{release}"', f'commit = "{commit}"', f"store = {store}", f"files = {version}", "", "[battles]"]
    told += [f'{name} = "{battle}"' for name, battle in battles.items()]
    parts = {MADE: "\n".join([*told, ""]).encode()}
    parts |= {name: (data / name).read_bytes() for name in ("log.db", "key")}
    parts |= {f"{FILES}/{name}.battle": content for name, content in files.items()}
    into.mkdir(exist_ok=True)
    archive = into / f"{release}-{store:02}-{version}-{commit[:8]}{ENDING}"
    with tarfile.open(archive, "w:xz", preset=9) as tar:
        for name, content in parts.items():
            member = tarfile.TarInfo(name)  # no times, no owners
            member.size = len(content)
            tar.addfile(member, BytesIO(content))
    return archive


def _version_of(file: bytes) -> int:
    found = re.search(rb'"version":(\d+)}', file.partition(b"\n")[0])
    assert found is not None
    return int(found[1])


def _made(content: bytes) -> Made:
    return convert(tomllib.loads(content.decode()), Made)


def _content(tar: tarfile.TarFile, name: str) -> bytes:
    file = tar.extractfile(name)
    assert file is not None
    return file.read()
