"""Draws addresses as QR codes: a phone opens what it sees on another screen.

Shape: dark modules on whatever is behind them; the style sheet puts white there, in dark mode, too.
"""

import segno
from markupsafe import Markup

QUIET_MODULES = 4
"""The quiet zone around a code, as ISO/IEC 18004 wants it."""


def code_of(address: str) -> Markup:
    """An address as a picture to be inserted into a page; a screen reader finds the same address beside it."""
    code = segno.make_qr(address, error="m")
    drawn = code.svg_inline(border=QUIET_MODULES, omitsize=True, svgclass="code", lineclass=None)
    return Markup(drawn.replace("<svg ", '<svg aria-hidden="true" ', 1))  # a path of numbers, no text of anybody
