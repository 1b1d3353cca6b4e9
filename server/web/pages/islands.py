"""Data for the scripts of a page, in a script element of JSON.

Such an element is data: no browser runs it, and the policy of the page, which allows no script within it, does not
concern it (decision 44).
"""

from typing import Any

from markupsafe import Markup
from msgspec.json import encode


def island(name: str, value: Any) -> Markup:
    """A value, under a name, as `static/islands.js` reads it."""
    content = encode(value).decode().replace("<", "\\u003c")  # no word of it ends the element
    return Markup(f'<script type="application/json" data-island="{name}">{content}</script>')
