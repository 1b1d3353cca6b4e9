"""Measures how often the winner of the first battle wins the whole of a packaged campaign of forces, between bots.

Run `python -m benchmarks.campaign_balance hannibal --campaigns 40 --bot sensible`; `--seed` is that of the first, each
further campaign has the next. Bots give the orders of the sides and fight the battles, as in `phalera demo --campaign`.
With `--quick` nobody fights: who wins is by chance, with the squares of the points that both have fielded, and what
that costs each unit, too (`LOST`); a thousand campaigns take minutes, and what is measured is the tree, not the game.

The last line is the table row of `benchmarks/README.md`: campaigns, battles, first battles drawn or never fought,
campaigns without a winner, of the others how often who won the first battle won it all, and how often each side did.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from random import Random

from msgspec import Struct

from domain.basics.data import example_text, parse_toml
from domain.campaign.config import LINKED, ON_MAP, CampaignConfig, resolved
from domain.campaign.events import ResultCounted
from domain.campaign.judge import SERVER
from domain.campaign.state import BoardState
from domain.catalogue import RULESETS
from domain.contract.campaign_book import UNIT, Element
from domain.contract.ruleset import Ruleset
from domain.engine.state import SIDES
from domain.events.battle import Fact
from domain.run.bots import BOTS
from server.offline.campaign import FoughtBoard
from server.offline.linked import OfflineLinked
from server.offline.mapped import OfflineMap

USUAL = "easy"
LOST = {"won": 25, "lost": 50, "drawn": 35}
"""How many of a hundred units a quick battle destroys, by how their side fared; of the others one in five is worn."""
DRAWN, WORN = 12, 20
"""Quick battles of a hundred that nobody wins, and units of a hundred that are left worn."""


class CampaignPlayed(Struct, frozen=True):
    """Who won the first battle and the campaign ("" for nobody), and how many battles it took."""

    first: str
    winner: str
    battles: int


class QuickBattles(OfflineLinked):
    """A campaign whose battles are decided by chance; its log is none that a stranger could check."""

    def __init__(self, ruleset: Ruleset, config: CampaignConfig, seed: int, bot: str = USUAL) -> None:
        self._pick = Random(f"quick {config.title} {seed}")
        super().__init__(ruleset, config, seed, bot)

    def fight(self, board: BoardState) -> FoughtBoard:
        """Decide a battle by what each side has fielded."""
        weights = [sum(self._points(name) for name in board.fielded[side]) ** 2 for side in SIDES]
        winner = "" if self._pick.randrange(100) < DRAWN else self._pick.choices(SIDES, weights)[0]
        fates = dict[str, dict[str, str]]()
        for side in SIDES:
            fared = "drawn" if not winner else "won" if side == winner else "lost"
            for name in board.fielded[side]:
                force, _, element = name.partition("/")
                fate = self._fate(fared)
                if fate and self._element(name).kind == UNIT:
                    fates.setdefault(force, {})[element] = fate
        result = ResultCounted(
            board=board.place.name,
            battle=board.battle,
            n=1,
            hash="",
            winner=winner,
            how="turn-limit",
            kept=dict.fromkeys(SIDES, 500),
            rated=False,
            fates=fates,
            deeds=(),
        )
        self._enter(Fact(SERVER, result.RULE, result))
        return FoughtBoard(self.state.boards[board.place.name], "")

    def _element(self, name: str) -> Element:
        force, _, element = name.partition("/")
        return self.state.theatre.forces[force].elements[element].element

    def _points(self, name: str) -> int:
        each = self._element(name)
        return each.points if each.kind == UNIT else 0

    def _fate(self, fared: str) -> str:
        thrown = self._pick.randrange(100)
        return "lost" if thrown < LOST[fared] else "worn" if thrown < LOST[fared] + WORN else ""


class QuickLinked(QuickBattles):
    """A linked campaign of that kind."""


class QuickMap(QuickBattles, OfflineMap):
    """A map campaign of that kind."""


KINDS = {
    (LINKED, False): OfflineLinked,
    (LINKED, True): QuickLinked,
    (ON_MAP, False): OfflineMap,
    (ON_MAP, True): QuickMap,
}
"""What plays a campaign, by its kind and whether its battles are decided by chance."""


def play_campaign(name: str, seed: int, bot: str, *, is_quick: bool) -> CampaignPlayed:
    """Let bots play a packaged campaign to its end.

    Raises:  Refusal for one that there is not
    """
    config = resolved(parse_toml(example_text(name, RULESETS), name))
    played = KINDS[config.kind, is_quick](RULESETS[config.ruleset], config, seed, bot)
    played.begin()
    winners = list[str]()
    while not played.state.is_over:
        played.order()
        for board in played.running():
            fought = played.fight(board).board
            by_side = dict(zip(SIDES, fought.place.pair, strict=True))
            winners.append(played.state.theatre.alliance_of(by_side.get(fought.winner, "")))
    won = {played.state.theatre.alliance_of(power) for power in played.state.winners or ()}
    return CampaignPlayed(winners[0] if winners else "", won.pop() if len(won) == 1 else "", len(winners))


def row(name: str, played: Sequence[CampaignPlayed]) -> str:
    """The table row of some campaigns."""
    drawn = sum(not one.first for one in played)
    open_ = sum(not one.winner for one in played)
    decided = [one for one in played if one.first and one.winner]
    same = sum(one.first == one.winner for one in decided)
    sides = Counter(one.winner for one in played if one.winner)
    shares = ", ".join(f"{side} {won}" for side, won in sorted(sides.items()))
    share = f"{same} of {len(decided)} ({100 * same // max(1, len(decided))} %)"
    battles = sum(one.battles for one in played)
    return f"| {name} | {len(played)} | {battles} | {drawn} | {open_} | {share} | {shares} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the row so far after each campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", help="a packaged campaign, linked or of a map")
    parser.add_argument("--campaigns", type=int, default=40)
    parser.add_argument("--bot", choices=list(BOTS), default=USUAL)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="battles are decided by chance")
    given = parser.parse_args(arguments)
    played = list[CampaignPlayed]()
    for seed in range(given.seed, given.seed + given.campaigns):
        begun = time.perf_counter()
        played.append(play_campaign(given.campaign, seed, given.bot, is_quick=given.quick))
        print(f"{row(given.campaign, played)} {time.perf_counter() - begun:.1f} s", flush=True)


if __name__ == "__main__":
    main()
