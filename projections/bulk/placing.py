"""A file or folder that appears whole or not at all, and writes over nothing that is not an export."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path


class NotReplaced(Exception):
    """What is there already stays; the text is a sentence."""


@contextmanager
def placed(target: Path, over: bool, members: Set[str] = frozenset()) -> Iterator[Path]:
    """A path to write to, which becomes `target` when the block has ended well; else it is deleted.

    `over`: replace a file, or a folder that has no other files than `members`. A run that was killed leaves a folder
    `.NAME….part` beside the target.

    Raises: NotReplaced before anything is written; OSError
    """
    require_replaceable(target, over, members)
    folder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    try:
        made = folder / target.name
        yield made
        require_replaceable(target, over, members)
        for path in made.iterdir() if made.is_dir() else [made]:
            with path.open("rb") as file:
                os.fsync(file.fileno())
        if target.is_dir():
            os.replace(target, folder / "before")
        os.replace(made, target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def require_replaceable(target: Path, over: bool, members: Set[str]) -> None:
    """Refuse what may not be replaced.

    Raises: NotReplaced
    """
    if not (target.exists() or target.is_symlink()):
        return
    if not over:
        raise NotReplaced(f"{target} is there already; --force writes over it.")
    if target.is_symlink() or (target.is_dir() != bool(members)):
        raise NotReplaced(f"{target} is no export of this kind: it stays. Name another with --out.")
    if target.is_dir() and not {path.name for path in target.iterdir()} <= members:
        raise NotReplaced(f"{target} has other files than those of an export: it stays. Name another with --out.")
