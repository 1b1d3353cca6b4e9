"""The luck in a battle that is over, for its page and its last letter: by side, and the draws with the most of it."""

from collections.abc import Sequence

from msgspec import Struct

from projections.luck import LuckRow
from replay.reports.luck import extremes, of_sides, title
from replay.telling.luck import amount, by_side, counted, luck_of
from replay.telling.words import phrase
from replay.telling.words.sentences import fragment
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
    heads, *sides = of_sides(standing, lang, live.seats)
    said = tuple(extremes(live.recording.timeline, standing, lang))
    heading = phrase("luck.luck", {}, lang)
    return LuckShown(heading, title(live.ruleset.shown.tallied, lang), heads, tuple(sides), said)


def luck_in_a_line(live: LiveBattle, lang: str) -> str:
    """Whom luck has favoured in a battle that is over, and its luckiest and unluckiest draw; "" where nothing was at
    stake."""
    rows = counted(luck_of(live.recording.timeline))
    if not rows:
        return ""
    tally = fragment(live.ruleset.shown.tallied, {}, lang)
    favoured = max(by_side(rows, live.seats), key=lambda one: one.total)
    luck = amount(favoured.total, fragment("luck.mark", {}, lang))
    told = phrase("luck.sum", {"tally": tally, "luck": luck, "side": favoured.side}, lang)
    return " ".join((told, *extremes(live.recording.timeline, rows, lang)))
