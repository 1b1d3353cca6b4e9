"""The luck in a battle that is over, as a page shows it: a table by side, the luckiest and the unluckiest draw."""

from collections.abc import Sequence

from msgspec import Struct

from projections.luck import LuckRow
from replay.reports.luck import extremes, of_sides, title
from replay.telling.luck import counted
from replay.telling.words import phrase
from server.play.live_battle import LiveBattle


class LuckShown(Struct, frozen=True):
    """`heads` stand above the columns, the first above the names of the sides; `rows` are those of the sides, `said`
    one sentence for each of the two draws."""

    heading: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    said: tuple[str, ...]


def luck_shown(live: LiveBattle, rows: Sequence[LuckRow], lang: str) -> LuckShown | None:
    """The luck of a battle in a language; None where nothing was at stake."""
    if not (standing := counted(rows)):
        return None
    heads, *sides = of_sides(standing, lang)
    said = tuple(extremes(live.recording.timeline, standing, lang))
    heading = phrase("luck.luck", {}, lang)
    return LuckShown(heading, title(live.ruleset.shown.tallied, lang), heads, tuple(sides), said)
