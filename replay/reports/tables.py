"""The statistics of a battle in columns."""

from collections.abc import Iterator

from domain.engine.events import CardDrawn, DieRolled
from projections.statistics import SCALE, BattleStatistics, SideStatistics, Trials
from replay.battle_file import BattleFile
from replay.telling.words import ENGLISH, phrase

ORIGINS = {"cards": "the piles they came from", "dice": "their faces", "draws": "faces of dice and piles of cards"}
"""What is drawn, and by what it is weighed."""


def statistics_lines(name: str, battle: BattleFile, statistics: BattleStatistics) -> Iterator[str]:
    """One battle, side by side, and apart from it what rewinds took back."""
    header, drawn = battle.log.header, _drawn(battle)
    tallied = phrase(battle.ruleset.shown.tallied, {}, ENGLISH)
    yield f"{name}: battle {header.battle} of {header.host}, {battle.last} events"
    seats = battle.timeline.now.seats
    for side in statistics.counted:
        holder = f" ({seats[side.side].name})" if side.side in seats else ""
        yield f"\n  {side.side.title()}{holder}, {tallied}: {side.lost} lost, {side.gained} gained"
        yield from _side(side, drawn)
    for side in statistics.voided:
        if side.draws or side.trials:
            yield f"\n  {side.side.title()}, taken back by rulings, {tallied}: {side.lost} lost, {side.gained} gained"
            yield from _side(side, drawn)
    yield f"\n  “should” is how many of the {drawn} were to be expected to do, by {ORIGINS[drawn]}.\n"


def _drawn(battle: BattleFile) -> str:
    """What is drawn in a battle: cards, dice, or both."""
    kinds = {type(recorded.event) for recorded in battle.events} & {CardDrawn, DieRolled}
    return "draws" if len(kinds) != 1 else "cards" if CardDrawn in kinds else "dice"


def _side(side: SideStatistics, drawn: str) -> Iterator[str]:
    count = sum(draw.count for draw in side.draws)
    numbers = sum(draw.value * draw.count for draw in side.draws)
    yield f"    {count} {drawn}" + (f", {_tenths(10 * numbers, count)} on average" if count else "")
    if side.trials:
        yield f"    {'test':<14}{'passed':>8}{'failed':>8}{drawn:>8}{'did':>8}{'should':>9}{'luck':>8}"
        yield from (_trials(trials) for trials in side.trials)


def _trials(trials: Trials) -> str:
    luck = trials.reached * SCALE - trials.expected
    amount = _tenths(10 * abs(luck), SCALE)
    sign = "" if amount == "0.0" else "-" if luck < 0 else "+"
    return (
        f"    {trials.purpose:<14}{trials.passed:>8}{trials.failed:>8}{trials.draws:>8}{trials.reached:>8}"
        f"{_tenths(10 * trials.expected, SCALE):>9}{sign + amount:>8}"
    )


def _tenths(numerator: int, denominator: int) -> str:
    """A tenth of a fraction, rounded to one decimal."""
    whole, rest = divmod((2 * numerator + denominator) // (2 * denominator), 10)
    return f"{whole}.{rest}"
