"""What a process does whose parent is gone: it ends, and nobody needs a traceback of it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def until_parent_is_gone() -> Iterator[None]:
    """End quietly once nobody reads the standard output any more; what is still to be written there goes nowhere."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the interpreter complains as it ends
