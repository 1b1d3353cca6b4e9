"""Writes the fingerprints of the rules of today.

    python -m tests.fingerprints            those of new versions, and of new starts
    python -m tests.fingerprints --again    also where the same version came to something else

The version of a game whose rules decide otherwise is raised first (`version` and `releases` of its ruleset). `--again`
is for what is no rule, such as options that are listed in another order; the commit says why.
"""

import argparse
import sys
from collections.abc import Sequence

from benchmarks.random_play import GAMES
from domain.catalogue import RULESETS
from tests.fingerprints.kept import FILE, Kept, is_changed, kept, otherwise, text_of, title
from tests.fingerprints.playing import fingerprints


def written(known: Kept, found: Kept, again: bool) -> tuple[Kept, str]:
    """What is to be kept, and why it is not written, "" if it is."""
    for key, rows in found.items():
        before = known.get(key, {})
        changed = [name for name, one in rows.items() if name in before and is_changed(before[name], one)]
        if changed and not again:
            return known, otherwise(key, changed, len(rows))
    return found, ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file; 1, and nothing is written, if the rules of a kept version decide otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tests.fingerprints")
    parser.add_argument("--again", action="store_true", help="also where the same version came to something else")
    given = parser.parse_args(arguments)
    found = {title(RULESETS[code]): fingerprints(RULESETS[code]) for code in GAMES}
    rows, fault = written(kept(), found, given.again)
    print(fault or "\n".join(f"{key}: {len(one)} battles" for key, one in rows.items()))
    if not fault:
        FILE.write_text(text_of(rows), encoding="utf-8")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
