"""Serve a data folder as `phalera serve` does, with limits of rate that are counted and not reached.

    python -m benchmarks.served FOLDER

`phalera serve --unlimited` counts nothing: orders timed there would be cheaper than those of people.
"""

import re
import sys
from functools import partial
from unittest.mock import patch

from msgspec.structs import asdict

from server import settings
from server.cli.main import main
from server.web.rates import USUAL, Rate

TIMES = 100_000


def widened(rate: Rate) -> Rate:
    """The same windows with room for so many times as much."""
    return Rate(
        **{
            who: re.sub(r"\d+(?= per)", lambda found: str(int(found[0]) * TIMES), text)
            for who, text in asdict(rate).items()
        }
    )


if __name__ == "__main__":
    wide = {kind: widened(rate) for kind, rate in USUAL.items()}
    sys.argv = ["phalera", "serve", "--data", sys.argv[1], "--port", "0"]
    with patch.dict(USUAL, wide), patch.object(settings, "Limits", partial(settings.Limits, reads=(1e6, TIMES))):
        main()
