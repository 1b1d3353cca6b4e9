"""Lines of CSV that no spreadsheet takes for anything but text and numbers.

No cell of it is a formula, whatever a player has called themselves, and none has control characters.
"""

import csv
from collections.abc import Iterable
from io import StringIO

from replay.drawing.text.signs import plain as printable

FORMULAS = ("=", "+", "-", "@")
"""With these a formula begins, in the programs that read CSV."""


def line(values: Iterable[object]) -> str:
    """A line of values, without its end."""
    out = StringIO()
    csv.writer(out, lineterminator="").writerow([_cell(value) for value in values])
    return out.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, int):
        return str(int(value))
    text = printable(str(value))
    return f"'{text}" if text.startswith(FORMULAS) else text
