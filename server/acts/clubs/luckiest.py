"""Whom luck has favoured most in the battles that a bulletin tells of (CAM-CLB-06)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct

from domain.catalogue import RULESETS
from projections.luck import by_side
from replay.telling.luck import amount
from replay.telling.words.sentences import fragment
from server.play.lobby import Lobby

MOST_WEIGHED = 60
"""Battles whose luck is read."""


class FoughtBattle(Struct, frozen=True):
    """A battle that has ended: its id, its game, and by side who fought it."""

    battle: str
    ruleset: str
    names: Mapping[str, str]


class Favoured(Struct, frozen=True):
    """The player whom luck has favoured most, in which battle, and by how much of what decides it."""

    name: str
    fought: FoughtBattle
    luck: Fraction

    def amount(self, lang: str) -> str:
        """How much it was, with its sign and two decimals."""
        return amount(self.luck, fragment("luck.mark", {}, lang))

    def tally(self, lang: str) -> str:
        """What it is counted in."""
        return fragment(RULESETS[self.fought.ruleset].shown.tallied, {}, lang)


async def most_favoured(lobby: Lobby, battles: Iterable[FoughtBattle]) -> Favoured | None:
    """Whom luck has favoured most; None where nothing was at stake. A game that is no longer installed says nothing."""
    found = list[Favoured]()
    for one in [one for one in battles if one.ruleset in RULESETS][:MOST_WEIGHED]:
        _, rows = await lobby.statistics(one.battle)
        if rows:
            best = max(by_side(rows, RULESETS[one.ruleset].seats), key=lambda side: side.total)
            if best.total > 0 and best.side in one.names:
                found.append(Favoured(one.names[best.side], one, best.total))
    return max(found, key=lambda one: one.luck, default=None)
