"""The line above which a reader writes their answer."""

import re

CUT = "-----8<-----"
"""Begins the cut line of every letter. Everything below it, quoted or not, is ours and never an order of the
reader's."""
DASHED = rf"-{{3,}} ?{re.escape(CUT.strip('-'))} ?-{{3,}}"
"""The same as mail programs leave it."""

_DASHED = re.compile(DASHED)


def is_cut(text: str) -> bool:
    """Whether there is a cut in a text."""
    return _DASHED.search(text) is not None


def uncut(text: str) -> str:
    """Words of others in a letter, where nothing but the letter's own lines may look like a cut."""
    return _DASHED.sub(lambda found: found[0].replace("8<", "8 <"), text)
