"""Find the files of battles in a folder."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from domain.log.record import FileFault, decode_header

Find = Callable[[str], bytes | None]
"""The bytes of the file of a battle; None if there is none."""
SUFFIX = ".battle"
LONGEST_HEADER = 1 << 16


def in_folder(folder: Path) -> Find:
    """Files of a folder: `ID.battle`, or else any whose first line names the battle."""

    @cache
    def named() -> dict[str, Path]:
        return {battle: path for path in sorted(folder.iterdir()) if (battle := _battle_of(path))}

    def find(battle: str) -> bytes | None:
        path = folder / f"{battle}{SUFFIX}"
        if not path.is_file():
            path = named().get(battle, path)
        return path.read_bytes() if path.is_file() else None

    return find


def _battle_of(path: Path) -> str:
    """The battle that the first line of a file names, "" for other files."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        line = file.readline(LONGEST_HEADER)
    try:
        return decode_header(line.removesuffix(b"\n")).battle
    except FileFault:
        return ""
