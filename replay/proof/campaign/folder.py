"""Find the files of battles in a folder, and of the ladder that seeds a cup."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from domain.campaign.header import decode_header as decode_campaign_header
from domain.campaign.header import is_campaign
from domain.log.record import FileFault, decode_header

Find = Callable[[str], bytes | None]
"""The bytes of the file of a battle; None if there is none."""
SUFFIXES = (".battle", ".campaign")
LONGEST_HEADER = 1 << 16


def in_folder(folder: Path) -> Find:
    """Files of a folder: `ID.battle` or `ID.campaign`, or else any whose first line names the battle or campaign."""

    @cache
    def named() -> dict[str, Path]:
        return {battle: path for path in sorted(folder.iterdir()) if (battle := _battle_of(path))}

    def find(battle: str) -> bytes | None:
        for path in (folder / f"{battle}{suffix}" for suffix in SUFFIXES):
            if path.is_file():
                return path.read_bytes()
        found = named().get(battle)
        return found.read_bytes() if found is not None else None

    return find


def _battle_of(path: Path) -> str:
    """The battle or campaign that the first line of a file names, "" for other files."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        line = file.readline(LONGEST_HEADER)
    header = line.removesuffix(b"\n")
    try:
        return decode_campaign_header(header).campaign if is_campaign(header) else decode_header(header).battle
    except FileFault:
        return ""
