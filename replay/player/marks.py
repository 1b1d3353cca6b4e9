"""Notes on events, in a file beside the battle file: `FILE.notes`, never in the log.

One note to a line, `400: the wing breaks`, in the order of the events. People may write the file themselves; a line
that is not of this form is kept where it stands.
"""

import re
from pathlib import Path

SUFFIX = ".notes"
LONGEST = 500
_NOTE = re.compile(r"(\d{1,9}):\s*(.*)")


class Marks:
    """The notes on a battle by event number; `path` is None where there is no file beside which they could stand."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.notes: dict[int, str] = {}
        self._others: list[str] = []
        if path is not None and path.is_file():
            for line in path.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
                found = _NOTE.fullmatch(line)
                if found:
                    self.notes[int(found[1])] = found[2]
                else:
                    self._others.append(line)

    @classmethod
    def beside(cls, file: str) -> "Marks":
        """Those of a battle file by its name; of standard input and of addresses there are none."""
        return cls(None if file == "-" or "://" in file else Path(f"{file}{SUFFIX}"))

    def set(self, n: int, note: str) -> None:
        """Write a note on event `n`, or take it away with "".

        Raises:  OSError
        """
        self.notes.pop(n, None)
        if note.strip():
            self.notes[n] = " ".join(note.split())[:LONGEST]
        if self.path is not None:
            lines = [*self._others, *(f"{at}: {text}" for at, text in sorted(self.notes.items()))]
            text = "".join(f"{line}\n" for line in lines)
            self.path.write_text(text, encoding="utf-8", errors="surrogateescape")
