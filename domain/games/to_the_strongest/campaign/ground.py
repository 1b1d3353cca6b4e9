"""The battlefield of a campaign, of the kind of its ground, by chance (CAM-TTS-05)."""

from collections.abc import Mapping
from functools import cache
from string import ascii_uppercase

from domain.basics.data import read_toml
from domain.basics.errors import Refusal
from domain.contract.campaign_book import Below, Ground

FILE = "ground.toml"
RIVER = "river"
FORDS = 2
BORDER = 2
"""Rows along either edge, where armies deploy, that have no piece."""


@cache
def pieces() -> Mapping[str, tuple[str, ...]]:
    """The pieces of each kind of ground, in the order in which they are placed."""
    return {kind: tuple(named) for kind, named in read_toml("tts", FILE).items()}


def ground(kind: str, board: tuple[int, int], below: Below) -> Ground:
    """A battlefield: each piece in a box of its own between the armies, and a river with two fords if it is one.

    Rule:    CAM-TTS-05
    Shape:   `board` is columns and rows; `kind` is one of `pieces`
    Raises:  Refusal campaign.no-such-ground
    """
    if kind not in pieces():
        raise Refusal("campaign.no-such-ground", "CAM-TTS-05", ground=kind, known=sorted(pieces()))
    columns, rows = board
    letters = ascii_uppercase[:columns]
    free = [f"{column}{row}" for row in range(BORDER + 1, rows - BORDER + 1) for column in letters]
    terrain = tuple((free.pop(below(len(free))), piece) for piece in pieces()[kind])
    return Ground(terrain, _river(letters, rows // 2, below) if kind == RIVER else ())


def _river(letters: str, row: int, below: Below) -> tuple[tuple[str, str, str], ...]:
    dry = list(letters)
    fords = {dry.pop(below(len(dry))) for _ in range(FORDS)}
    return tuple(
        (f"{column}{row}", f"{column}{row + 1}", "ford" if column in fords else "stream") for column in letters
    )
