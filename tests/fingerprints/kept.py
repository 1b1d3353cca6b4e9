"""The fingerprints that are kept, and what another one says about the rules."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from domain.contract.ruleset import Ruleset
from tests.fingerprints.playing import Fingerprint

FILE = Path(__file__).with_name("kept.toml")
HEAD = "# Digests of a start and of what came of it, by game and version, written by `python -m tests.fingerprints`."

Kept = Mapping[str, Mapping[str, Fingerprint]]
"""`CODE VERSION` to the fingerprints by the name of their start."""


def title(ruleset: Ruleset) -> str:
    """What the fingerprints of a game are kept under."""
    return f"{ruleset.code} {ruleset.version}"


def kept() -> Kept:
    """What is kept."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {key: {name: Fingerprint(*text.split()) for name, text in rows.items()} for key, rows in tables.items()}


def faults(known: Kept, ruleset: Ruleset, found: Mapping[str, Fingerprint]) -> Iterator[str]:
    """What is wrong with what is kept of a game, one line each; nothing if all of it came again."""
    rows = known.get(title(ruleset))
    if rows is None:
        yield f"no fingerprint of {title(ruleset)} is kept: run `python -m tests.fingerprints`"
        return
    changed = [name for name, one in found.items() if name in rows and is_changed(rows[name], one)]
    if changed:
        yield otherwise(title(ruleset), changed, len(found))
    elif rows != found:
        yield f"the starts of {ruleset.code} are others than those kept: run `python -m tests.fingerprints`"


def otherwise(key: str, changed: Sequence[str], battles: int) -> str:
    """The sentence about a version that comes to something else in the battles named."""
    return (
        f"{key} decides otherwise than before in {len(changed)} of {battles} battles, first in “{changed[0]}”: "
        "a changed rule gets a new `version` (CONTRIBUTING), then `python -m tests.fingerprints`"
    )


def is_changed(before: Fingerprint, now: Fingerprint) -> bool:
    """The same start comes to something else."""
    return before.start == now.start and before.came != now.came


def text_of(known: Kept) -> str:
    """The file."""
    parts = [HEAD]
    for key in sorted(known):
        parts.append(f'\n["{key}"]')
        parts += [f'"{name}" = "{one.start} {one.came}"' for name, one in known[key].items()]
    return "\n".join(parts) + "\n"
