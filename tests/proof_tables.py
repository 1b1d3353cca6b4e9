"""Makes what the check of the proof in a browser knows of games and words: `python -m tests.proof_tables`."""

import sys
from collections.abc import Callable
from pathlib import Path

from server.web.pages.proof_tables import tables_script
from server.web.pages.proof_words import words_script

STATIC = Path(__file__).parents[1] / "server" / "web" / "pages" / "static"
MADE: dict[str, Callable[[], str]] = {"proof_tables.js": tables_script, "proof_words.js": words_script}
"""The scripts that are made, and what makes them."""

if __name__ == "__main__":
    for name, make in MADE.items():
        (STATIC / name).write_text(make(), encoding="utf-8")
    sys.exit(0)
