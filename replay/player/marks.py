"""Notes on events, in a file beside the battle file: `FILE.notes`, never in the log.

One note to a line, `400: the wing breaks`, in the order of the events. People may write the file themselves; a line
that is not of this form is kept where it stands.
"""

import re
from pathlib import Path

SUFFIX = ".notes"
LONGEST = 500
"""Characters of a note, and of any other line that is typed into the player."""
_NOTE = re.compile(r"(\d{1,9}):\s*(.*)")


class Marks:
    """The notes on a battle by event number; `path` is None where there is no file beside which they could stand."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        lines: list[str] = []
        if path is not None and path.is_file():
            lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        self._take(lines)

    @classmethod
    def beside(cls, file: str) -> "Marks":
        """Those of a battle file by its name; of standard input and of addresses there are none."""
        return cls(None if file == "-" or "://" in file else Path(f"{file}{SUFFIX}"))

    def set(self, n: int, note: str) -> None:
        """Write a note on event `n`, or take it away with ""; all other lines stay as they are.

        Raises:  OSError, and the notes are as before
        """
        text = " ".join(note.split())[:LONGEST]
        lines = [line for line in self._lines if _event(line) != n]
        if text:
            place = next((at for at, line in enumerate(lines) if _event(line) > n), len(lines))
            lines.insert(place, f"{n}: {text}")
        if self.path is not None:
            content = "".join(f"{line}\n" for line in lines)
            self.path.write_text(content, encoding="utf-8", errors="surrogateescape")
        self._take(lines)

    def _take(self, lines: list[str]) -> None:
        self._lines = lines
        found = filter(None, map(_NOTE.fullmatch, lines))
        self.notes = {int(note[1]): note[2] for note in found}


def _event(line: str) -> int:
    """The event that a line is about; 0 if it is not a note."""
    found = _NOTE.fullmatch(line)
    return int(found[1]) if found else 0
