"""Show two files of one battle side by side: what `phalera diff` prints."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict

from replay.battle_file import BattleFile
from replay.drawing.text.signs import plain as printable
from replay.proof import differences
from replay.proof.differences import Difference
from replay.reports import plain
from replay.reports.plain import PlainEvent
from replay.telling.words import ENGLISH, phrase

SHOWN = 10
"""Events of each file that are shown after the last common one; the rest are counted."""


def events_after(battle: BattleFile, common: int, lang: str = ENGLISH, most: int = SHOWN) -> list[PlainEvent]:
    """The first events of a file after the last common one."""
    return list(plain.lines(battle, common + 1, min(common + most, battle.last), lang))


def as_data(difference: Difference, one: BattleFile, other: BattleFile, lang: str = ENGLISH) -> dict[str, Any]:
    """The difference as plain data, with the same events."""
    after = {
        "one_after": events_after(one, difference.common, lang),
        "other_after": events_after(other, difference.common, lang),
    }
    return {**asdict(difference), "forked": difference.has_forked, **after}


def as_text(
    difference: Difference, one: BattleFile, other: BattleFile, names: tuple[str, str], lang: str = ENGLISH
) -> Iterator[str]:
    """The difference as lines: the last common event, what each file has after it, and what the heads say."""
    told = iter(list(differences.lines(difference, *names, lang)))
    yield next(told)
    if difference.common:
        last = next(plain.lines(one, difference.common, difference.common, lang))
        yield _line(last)
    for battle in (one, other):
        yield next(told)
        yield from map(_line, events_after(battle, difference.common, lang))
        more = battle.last - difference.common - SHOWN
        if more > 0:
            yield "  " + phrase("diff.more", {"count": more}, lang)
    yield from told


def _line(event: PlainEvent) -> str:
    return f"  {event.n}{'~' if event.voided else ' '} {event.at} {printable(event.said)}"
