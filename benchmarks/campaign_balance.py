"""Measures how often the winner of the first battle wins the whole of a packaged linked campaign, between two bots.

Run `python -m benchmarks.campaign_balance hannibal --campaigns 40 --bot sensible`; `--seed` is that of the first, each
further campaign has the next. Bots give the orders of the sides and fight the battles, as in `phalera demo --campaign`.
The last line is the table row of `benchmarks/README.md`: campaigns, battles, drawn first battles, campaigns without a
winner, and of the others how often who won the first battle won it all, and how often each side did.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from domain.basics.data import example_text, parse_toml
from domain.campaign.config import resolved
from domain.catalogue import RULESETS
from domain.run.bots import BOTS
from server.offline.linked import OfflineLinked

USUAL = "easy"


class CampaignPlayed(Struct, frozen=True):
    """Who won the first battle and the campaign ("" for nobody), and how many battles it took."""

    first: str
    winner: str
    battles: int


def play_campaign(name: str, seed: int, bot: str) -> CampaignPlayed:
    """Let bots play a packaged campaign to its end.

    Raises:  Refusal for one that there is not
    """
    config = resolved(parse_toml(example_text(name, RULESETS), name))
    played = OfflineLinked(RULESETS[config.ruleset], config, seed, bot)
    played.begin()
    winners = list[str]()
    while not played.state.is_over:
        played.order()
        for board in played.running():
            fought = played.fight(board).board
            place = fought.place
            winners.append({"south": place.south, "north": place.north}.get(fought.winner, ""))
    won = played.state.winners or ()
    return CampaignPlayed(winners[0], won[0] if len(won) == 1 else "", len(winners))


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
    parser.add_argument("campaign", help="a packaged linked campaign")
    parser.add_argument("--campaigns", type=int, default=40)
    parser.add_argument("--bot", choices=list(BOTS), default=USUAL)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    played = list[CampaignPlayed]()
    for seed in range(given.seed, given.seed + given.campaigns):
        begun = time.perf_counter()
        played.append(play_campaign(given.campaign, seed, given.bot))
        print(f"{row(given.campaign, played)} {time.perf_counter() - begun:.1f} s", flush=True)


if __name__ == "__main__":
    main()
