"""The events that a search finds, as lines of text, JSON Lines or CSV: what `phalera log` prints.

JSON Lines have each event's data as the log has it. CSV begins with a line of names (`replay.reports.spreadsheet`).
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, to_builtins

from replay.battle_file import BattleFile
from replay.drawing.text.signs import plain as printable
from replay.reports import plain, spreadsheet
from replay.reports.plain import PlainEvent
from replay.search import SearchIndex, Term
from replay.telling.luck import luck_of, of_events
from replay.telling.words import ENGLISH

FORMS = ("txt", "jsonl", "csv")
COLUMNS = PlainEvent.__struct_fields__


class SelectedEvent(Struct, frozen=True):
    """An event as a line of JSON: that of `PlainEvent`, with the data that the log has of it."""

    n: int
    at: str
    by: str
    rule: str
    type: str
    said: str
    voided: bool
    data: object


def find(battle: BattleFile, terms: Iterable[Term], lang: str = ENGLISH) -> list[PlainEvent]:
    """The events of which all terms hold."""
    wanted = tuple(terms)
    told = list(plain.lines(battle, 1, battle.last, lang))
    luck = of_events(luck_of(battle.timeline)) if any(term.field == "luck" for term in wanted) else {}
    index = SearchIndex()
    for line, recorded in zip(told, battle.events, strict=True):
        index.add(recorded, line.said, luck.get(recorded.n, ()))
    return [told[n - 1] for n in index.find(wanted)]


def written(battle: BattleFile, found: Iterable[PlainEvent], form: str) -> Iterator[str]:
    """Events in one of `FORMS`, line by line."""
    match form:
        case "jsonl":
            yield from (_json(battle, line) for line in found)
        case "csv":
            yield spreadsheet.line(COLUMNS)
            yield from (spreadsheet.line(getattr(line, name) for name in COLUMNS) for line in found)
        case _:
            width = len(str(battle.last))
            yield from (f"{line.n:>{width}}{'~' if line.voided else ' '} {printable(line.said)}" for line in found)


def _json(battle: BattleFile, line: PlainEvent) -> str:
    data = to_builtins(battle.events[line.n - 1].event)
    members = {name: getattr(line, name) for name in COLUMNS}
    return msgspec.json.encode(SelectedEvent(**members, data=data)).decode()
