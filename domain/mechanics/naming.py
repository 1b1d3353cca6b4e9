"""Ids for things whose own ids are taken."""

import re
from collections.abc import Container
from itertools import count


def free_name(name: str, taken: Container[str], mine: Container[str] = ()) -> str:
    """The letters of an id with the first free number."""
    letters = re.sub(r"\d", "", name)
    return next(free for n in count(1) if (free := f"{letters}{n}") not in taken and free not in mine)
