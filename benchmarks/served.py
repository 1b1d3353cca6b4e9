"""Serve a data folder as `phalera serve` does, with limits of rate that are counted and not reached.

    python -m benchmarks.served FOLDER

`phalera serve --unlimited` counts nothing: orders timed there would be cheaper than those of people.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import asdict

from server.cli.main import main
from server.limits import USUAL
from server.settings_file import NAME

TIMES = 100_000


def widened() -> Iterator[str]:
    """The usual windows with room for so many times as much, as a settings file has them."""
    yield f"[limits]\nreads = {{ per_s = 1e6, at_once = {TIMES} }}\n[limits.rates]"
    for kind, rate in USUAL.items():
        wide = (
            f'{who} = "{re.sub(r"[0-9]+(?= per)", lambda found: str(int(found[0]) * TIMES), text)}"'
            for who, text in asdict(rate).items()
        )
        yield f"{kind} = {{ {', '.join(wide)} }}"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / NAME).write_text("\n".join(widened()))
    sys.argv = ["phalera", "serve", "--data", sys.argv[1], "--port", "0"]
    main()
