"""Finds the cases of a game (tests/cases/README.md), whichever folder of a chapter they are in."""

from pathlib import Path

GAMES = Path(__file__).parents[1] / "cases"
CASES = GAMES / "tts"


def number_of(path: Path) -> int:
    """The number of a case, with which the name of its file begins; 0 for a file without one."""
    number = path.stem.partition("-")[0]
    return int(number) if number.isdigit() else 0


def case_files(folder: Path = CASES) -> list[Path]:
    """The cases of a folder and of the folders in it, by number, then by name."""
    return sorted(folder.rglob("*.toml"), key=lambda path: (number_of(path), path.name))


def case_path(number: int, game: str = "tts") -> Path:
    """The file of the case of a game with a number.

    Raises: LookupError if there is none
    """
    for path in case_files(GAMES / game):
        if number_of(path) == number:
            return path
    raise LookupError(number)
