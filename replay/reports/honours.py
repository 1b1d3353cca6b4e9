"""The honours of a battle in lines and as data: the deeds for which the report of it honours units.

They are read from the events that count, as everybody may know them: what a rewind has taken back earns nothing.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from domain.contract.deeds import awarded, deeds_of
from replay.battle_file import BattleFile, parse
from replay.reports.account.contents import MOST_HONOURS, honour_in_words
from replay.reports.account.reading import read
from replay.reports.account.voice import Voice, heading
from replay.telling.words import ENGLISH, phrase


class HonourData(Struct, frozen=True):
    """A deed for which a unit is honoured: `deed` as the game names it, the unit, `of` whom it is about ("" for
    nobody), the events that earned it; `title` and `text` are in the language that was asked for."""

    deed: str
    title: str
    text: str
    unit: str
    of: str
    events: tuple[int, ...]


class SideHonours(Struct, frozen=True):
    """The honours of a side, in the order in which they were earned: three at most."""

    side: str
    honours: tuple[HonourData, ...]


def honours_in(battle: BattleFile, lang: str = ENGLISH) -> tuple[SideHonours, ...]:
    """The honours of a battle so far, in the order of play."""
    ruleset, reading = battle.ruleset, read(battle)
    deeds, voice = deeds_of(ruleset, reading.facts()), Voice(reading, lang)
    found = []
    for side in ruleset.seats.names:
        given = []
        for deed in awarded(deeds, side, MOST_HONOURS):
            told = honour_in_words(ruleset.code, deed, voice)
            given.append(HonourData(deed.id, told.title, told.text, deed.unit, deed.of, deed.events))
        found.append(SideHonours(side, tuple(given)))
    return tuple(found)


def honours_written(content: bytes, lang: str) -> bytes:
    """The honours of the battle in the bytes of a file, as JSON: for a worker, whom no other request waits for.

    Raises: UnreadableFile
    """
    return msgspec.json.encode(honours_in(parse(content, lang=lang), lang))


def honour_lines(battle: BattleFile, lang: str = ENGLISH) -> Iterator[str]:
    """The honours of a battle, a line each; none where nobody has earned any."""
    found = honours_in(battle, lang)
    if not any(one.honours for one in found):
        return
    yield "  " + heading("honours", {}, lang)
    for one in found:
        for given in one.honours:
            events = " ".join(map(str, given.events))
            told = {"side": one.side, "title": given.title, "text": given.text, "events": events}
            yield "    " + phrase("stats.honour", told, lang)
