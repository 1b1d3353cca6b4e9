"""Writes domain/log/unicode_14.py: the code points that Unicode 14.0 has not assigned.

python -m tests.unicode_table     # with an interpreter of Unicode 14.0 (CPython 3.11)
"""

import sys
from pathlib import Path
from textwrap import wrap
from unicodedata import category, unidata_version

MODULE = Path(__file__).parents[1] / "domain" / "log" / "unicode_14.py"
VERSION = "14.0.0"

HEAD = '''"""The code points that Unicode 14.0 has not assigned, made by `python -m tests.unicode_table`.

A log may hold text of Unicode 14.0 only (docs/record-format.md): what is assigned never changes its normal form, so
every interpreter, of whatever version of Unicode, reads a file in the same way. Noncharacters and surrogates are not
assigned either; private use is.
"""

UNASSIGNED = """\\
'''
TAIL = '''
"""
"""Runs of code points in hexadecimal: `FIRST-LAST`, or one alone."""
'''


def gaps() -> list[tuple[int, int]]:
    """The first and last of each run of code points without a character, by this interpreter."""
    found: list[tuple[int, int]] = []
    for point in range(sys.maxunicode + 1):
        if category(chr(point)) not in ("Cn", "Cs"):
            continue
        if found and found[-1][1] == point - 1:
            found[-1] = found[-1][0], point
        else:
            found.append((point, point))
    return found


def page() -> str:
    """The whole module."""
    words = (f"{first:X}" if first == last else f"{first:X}-{last:X}" for first, last in gaps())
    return HEAD + "\n".join(wrap(" ".join(words), 118, break_on_hyphens=False)) + TAIL


if __name__ == "__main__":
    if unidata_version != VERSION:
        sys.exit(f"this interpreter has Unicode {unidata_version}, not {VERSION}")
    MODULE.write_text(page(), encoding="utf-8")
