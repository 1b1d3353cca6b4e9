"""The outcome of each line of a script, as its player is told."""

from collections.abc import Sequence

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.scripts.conditions import SCRIPT
from domain.scripts.cursor import LineMark, ScriptCursor, lines_ahead
from domain.scripts.program import Script, ScriptLine

ACCEPTED, REFUSED, PARKED, NOT_PLAYED, SKIPPED = "accepted", "refused", "parked", "not-played", "skipped"


class LineOutcome(Struct, frozen=True):
    """The result of a line: `accepted`; `refused`; `parked`; `not-played`, where `why` says what ended the script
    before it, if it was not a refusal; or `skipped`, where `why` names the condition that skipped it, or why the rules
    refused an order that the course of the script had made impossible.

    `spans` are the events (first, last) of each order that the line gave; `first` … `last` are all of them. An accepted
    line without events is not an order: a condition that held, or a policy noted. `why` also says how a repeat ended.
    """

    line: ScriptLine
    status: str
    first: int = 0
    last: int = 0
    refusal: Refusal | None = None
    why: Refusal | None = None
    spans: tuple[tuple[int, int], ...] = ()


def outcomes(
    script: Script, cursor: ScriptCursor, marks: Sequence[LineMark], rest: str = NOT_PLAYED
) -> tuple[LineOutcome, ...]:
    """The outcome of each line; `rest` is the outcome of lines not reached."""
    by_line: dict[int, list[LineMark]] = {}
    for mark in marks:
        by_line.setdefault(mark.line, []).append(mark)
    remaining = lines_ahead(script, cursor)
    late = next((mark.why for mark in marks if mark.status == NOT_PLAYED), None)
    if cursor.stopped_at >= 0:
        late = Refusal("core.script-stopped", SCRIPT, line=script.orders[cursor.stopped_at].number)
    return tuple(
        _outcome(line, by_line.get(index, []), rest if index in remaining else "", late)
        for index, line in enumerate(script.orders)
    )


def _outcome(line: ScriptLine, marks: Sequence[LineMark], rest: str, late: Refusal | None) -> LineOutcome:
    """One line; `rest` is "" where nothing of it is left to play, `late` says why the rest was not played."""
    spans = tuple((mark.first, mark.last) for mark in marks if mark.status == ACCEPTED)
    refusal = next((mark.refusal for mark in marks if mark.refusal), None)
    why = next((mark.why for mark in reversed(marks) if mark.why), None)
    said = {mark.status for mark in marks}
    if refusal:
        status = REFUSED
    elif rest == PARKED:
        status = PARKED
    elif spans:
        status = ACCEPTED
    elif not said.isdisjoint((SKIPPED, "ended")):
        status = SKIPPED
    elif rest or NOT_PLAYED in said:
        status, why = NOT_PLAYED, why or late
    elif said:
        status = ACCEPTED
    else:
        status, why = SKIPPED, Refusal("core.other-branch", SCRIPT)
    first, last = (spans[0][0], spans[-1][1]) if spans else (0, 0)
    return LineOutcome(line, status, first, last, refusal, why, spans)
