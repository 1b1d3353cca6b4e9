"""The ask `chance`: what a campaign draws from a key and the contributions of its entrants (fairness.md 2)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.log import fairness
from domain.log.fairness import Stream
from replay.bench.bench import UnreadableCase
from replay.lab.campaign.answer import Answer, Case, question

MOST_DRAWS, MOST_SIZE = 10_000, 1 << 53


class _Draws(Struct, forbid_unknown_fields=True):
    """Shape: `contributions` (hex) in the order in which the entrants first joined, empty for one that gave nothing;
    `sizes` out of how many each number is drawn"""

    campaign: str
    index: Annotated[int, Meta(ge=0, lt=1 << 32)]
    key: str
    scope: str
    contributions: list[str]
    sizes: Annotated[list[Annotated[int, Meta(ge=1, le=MOST_SIZE)]], Meta(max_length=MOST_DRAWS)]
    seed: str = ""
    numbers: list[int] = []


class _DrawChecks(Struct, forbid_unknown_fields=True):
    check: list[_Draws]


def chance(case: Case) -> Answer:
    """The seed of each stream, and the numbers drawn from it."""
    return Answer(checks=[_drawn(row) for row in question(case, _DrawChecks).check])


def _drawn(row: _Draws) -> dict[str, object]:
    try:
        key, parts = bytes.fromhex(row.key), [bytes.fromhex(part) for part in row.contributions]
    except ValueError:
        raise UnreadableCase("key and contributions are hex digits") from None
    seed = fairness.seed(key, row.campaign, row.index, row.scope, parts)
    stream = Stream(seed)
    return {"seed": seed.hex(), "numbers": [stream.below(size) for size in row.sizes]}
