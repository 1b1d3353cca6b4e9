"""Pairings as people write them: a line each, `SOUTH, NORTH, SCENARIO`, or with spaces between (CAM-CLB-02).

The names stand in the order of the sides of the game that the scenario belongs to. A name with a space in it is written
with commas around, or in quotes.
"""

import csv
import shlex
from io import StringIO

from domain.basics.errors import Refusal
from server.acts.clubs.pairing import MOST_PAIRINGS, RULE, Pairing
from server.acts.open import packaged
from server.acts.services import Services

LEAST_WORDS = 3
LONGEST_LINE, MOST_BYTES = 300, 128 * 1024
HEADINGS = frozenset({"south", "sud", "a"})
"""A first line that begins with one of these has the names of the columns."""


def pairings_of(services: Services, text: str) -> tuple[Pairing, ...]:
    """The pairings of a text, without empty lines and the names of the columns.

    Raises: Refusal club.bad-pairing, club.too-many-pairings, core.unknown-scenario, core.which-scenario
    """
    if len(text.encode()) > MOST_BYTES:
        raise Refusal("club.too-many-pairings", RULE, most=MOST_PAIRINGS)
    lines = [line.strip() for line in text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    found = [(at, words_of(line, at)) for at, line in enumerate(lines, 1) if line]
    if found and found[0][1][0].casefold() in HEADINGS:
        found = found[1:]
    if len(found) > MOST_PAIRINGS:
        raise Refusal("club.too-many-pairings", RULE, most=MOST_PAIRINGS, given=len(found))
    return tuple(pairing_of(services, words, at) for at, words in found)


def words_of(line: str, at: int = 1) -> list[str]:
    """The words of a line: between commas or semicolons, else between spaces.

    Raises: Refusal club.bad-pairing
    """
    if len(line) > LONGEST_LINE or "\0" in line:
        raise bad_pairing(at)
    separator = next((one for one in ",;" if one in line), "")
    try:
        if separator:
            (cells,) = csv.reader(StringIO(line), delimiter=separator, skipinitialspace=True, strict=True)
            words = [cell.strip() for cell in cells]
        else:
            words = shlex.split(line)
    except (csv.Error, ValueError):
        raise bad_pairing(at) from None
    if len(words) < LEAST_WORDS or not all(words):
        raise bad_pairing(at)
    return words


def pairing_of(services: Services, words: list[str], at: int = 1) -> Pairing:
    """The pairing of a line: the last word is a packaged scenario, those before it are the members in its seats.

    Raises: Refusal club.bad-pairing, core.unknown-scenario, core.which-scenario
    """
    *names, scenario = words
    ruleset, _ = packaged(services, scenario)
    sides = services.battles.ruleset(ruleset).seats.names
    if len(names) != len(sides):
        raise bad_pairing(at)
    return Pairing(dict(zip(sides, names, strict=True)), scenario)


def bad_pairing(line: int) -> Refusal:
    """The refusal of a line that is no pairing."""
    return Refusal("club.bad-pairing", RULE, line=line)
