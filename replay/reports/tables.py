"""The statistics of a battle in columns."""

from collections.abc import Iterator

from projections.statistics import SCALE, BattleStatistics, SideStatistics, Trials
from replay.battle_file import BattleFile

HEAD = f"    {'test':<14}{'passed':>8}{'failed':>8}{'cards':>8}{'did':>8}{'should':>9}{'luck':>8}"


def statistics_lines(name: str, battle: BattleFile, statistics: BattleStatistics) -> Iterator[str]:
    """One battle, side by side, and apart from it what rewinds took back."""
    header = battle.log.header
    yield f"{name}: battle {header.battle} of {header.host}, {battle.last} events"
    seats = battle.timeline.now.seats
    for side in statistics.counted:
        holder = f" ({seats[side.side].name})" if side.side in seats else ""
        yield f"\n  {side.side.title()}{holder}: {side.lost} lost, {side.gained} gained"
        yield from _side(side)
    for side in statistics.voided:
        if side.draws or side.trials:
            yield f"\n  {side.side.title()}, taken back by rulings: {side.lost} lost, {side.gained} gained"
            yield from _side(side)
    yield "\n  “should” is how many of the cards were to be expected to do, from the piles they came from.\n"


def _side(side: SideStatistics) -> Iterator[str]:
    drawn = sum(draw.count for draw in side.draws)
    numbers = sum(draw.value * draw.count for draw in side.draws)
    yield f"    {drawn} draws" + (f", {_tenths(10 * numbers, drawn)} on average" if drawn else "")
    if side.trials:
        yield HEAD
        yield from (_trials(trials) for trials in side.trials)


def _trials(trials: Trials) -> str:
    luck = trials.reached * SCALE - trials.expected
    amount = _tenths(10 * abs(luck), SCALE)
    sign = "" if amount == "0.0" else "-" if luck < 0 else "+"
    return (
        f"    {trials.purpose:<14}{trials.passed:>8}{trials.failed:>8}{trials.cards:>8}{trials.reached:>8}"
        f"{_tenths(10 * trials.expected, SCALE):>9}{sign + amount:>8}"
    )


def _tenths(numerator: int, denominator: int) -> str:
    """A tenth of a fraction, rounded to one decimal."""
    whole, rest = divmod((2 * numerator + denominator) // (2 * denominator), 10)
    return f"{whole}.{rest}"
