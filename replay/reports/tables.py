"""The statistics of a battle in columns."""

from collections.abc import Iterator

from domain.events.battle import CardDrawn, DieRolled
from projections.statistics import SCALE, BattleStatistics, SideStatistics, Trials
from replay.battle_file import BattleFile
from replay.reports.honours import honour_lines
from replay.reports.luck import luck_lines
from replay.telling.words import ENGLISH, phrase
from replay.telling.words.sentences import fragment

COLUMNS = ((14, "test"), (8, "passed"), (8, "failed"), (8, "draws"), (8, "did"), (9, "should"), (8, "luck"))
"""The columns of a table of tests: how wide each is, and what stands above it; the first stands left."""


def statistics_lines(name: str, battle: BattleFile, statistics: BattleStatistics, lang: str = ENGLISH) -> Iterator[str]:
    """One battle, side by side, apart from it what rewinds took back, then luck and honours."""
    header, drawn = battle.log.header, _draw_kind(battle)
    about = {"name": name, "battle": header.battle, "host": header.host, "events": battle.last}
    yield fragment("stats.title", about, lang)
    for kind, sides in (("counted", statistics.counted), ("voided", statistics.voided)):
        for side in sides:
            if kind == "counted" or side.draws or side.trials:
                yield "\n  " + _side_title(battle, side, f"stats.{kind}", lang)
                yield from _side(side, drawn, lang)
    yield "\n  " + fragment("stats.should", {"drawn": drawn}, lang) + "\n"
    yield from luck_lines(battle, lang)
    honours = list(honour_lines(battle, lang))
    yield from ["", *honours] if honours else []
    yield ""


def _side_title(battle: BattleFile, side: SideStatistics, msgid: str, lang: str) -> str:
    seats = battle.timeline.now.seats
    holder = f" ({seats[side.side].name})" if msgid == "stats.counted" and side.side in seats else ""
    tallied = phrase(battle.ruleset.shown.tallied, {}, lang)
    about = {"side": side.side, "holder": holder, "tally": tallied, "lost": side.lost, "gained": side.gained}
    return phrase(msgid, about, lang)


def _draw_kind(battle: BattleFile) -> str:
    """What is drawn in a battle: cards, dice, or both."""
    kinds = {type(recorded.event) for recorded in battle.events} & {CardDrawn, DieRolled}
    return "draws" if len(kinds) != 1 else "cards" if CardDrawn in kinds else "dice"


def _side(side: SideStatistics, drawn: str, lang: str) -> Iterator[str]:
    count = sum(draw.count for draw in side.draws)
    numbers = sum(draw.value * draw.count for draw in side.draws)
    mean = _tenths(10 * numbers, count, lang) if count else ""
    said = {"count": count, "drawn": drawn, "mean": mean}
    yield "    " + fragment("stats.mean" if count else "stats.nothing", said, lang)
    if side.trials:
        names = {"draws": f"stats.drawn.{drawn}", "should": "stats.should-column"}
        yield _line([fragment(names.get(column, f"stats.{column}"), {}, lang) for _, column in COLUMNS])
        yield from (_trials(trials, lang) for trials in side.trials)


def _trials(trials: Trials, lang: str) -> str:
    luck = trials.reached * SCALE - trials.expected
    amount = _tenths(10 * abs(luck), SCALE, lang)
    sign = "" if not amount.strip("0.,") else "-" if luck < 0 else "+"
    numbers = (trials.passed, trials.failed, trials.draws, trials.reached)
    return _line([trials.purpose, *map(str, numbers), _tenths(10 * trials.expected, SCALE, lang), sign + amount])


def _line(cells: list[str]) -> str:
    (first, _), *others = COLUMNS
    return f"    {cells[0]:<{first}}" + "".join(
        f"{cell:>{width}}" for (width, _), cell in zip(others, cells[1:], strict=True)
    )


def _tenths(numerator: int, denominator: int, lang: str) -> str:
    """A tenth of a fraction, rounded to one decimal."""
    whole, rest = divmod((2 * numerator + denominator) // (2 * denominator), 10)
    return f"{whole}{fragment('luck.mark', {}, lang)}{rest}"
