"""Step through a script: which order comes next, and what became of each line.

A `ScriptCursor` is the position in a script, as plain values. Together with the views it was shown it decides how the
script continues. The functions are pure: whoever plays (`server.play.run`), resumes or previews (`server.play.preview`)
passes in the result of each order and asks for the next, so an interrupted script takes the same path again from what
was recorded.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.senses import FAILS, NOTHING, REFUSED, Outcome
from domain.mechanics.conditions import Condition, holds
from domain.scripts.conditions import SCRIPT, ScriptView, Test, is_so
from domain.scripts.course import ScriptCourse
from domain.scripts.program import BranchTo, GiveOrder, Instruction, Jump, Policy, Repeat, Script, Stop

MOST_ORDERS = 400
"""The number of orders that one script may try."""
ENDS = frozenset(
    {
        "core.battle-ended",
        "core.not-begun",
        "core.waiting-for-contribution",
        "core.phrase-missing",
        "core.seal-missing",
        "core.bad-seal",
        "core.wrong-seal",
    }
)
"""Refusals that any order would meet: they end a script even where it only tries."""
OVER, WAITS, PENDING, NOT_YOURS = (
    "core.battle-ended",
    "core.waiting-for-contribution",
    "core.decision-pending",
    "core.not-your-turn",
)
UNPLAYED = frozenset({OVER, WAITS, PENDING, NOT_YOURS})
"""Refusals of what comes too late, once the script has begun: nobody is at fault, and the line is not played."""
UNASKED = "core.no-decision"
"""An answer to a question that was not put: not needed, once the script has begun."""
_REFUSED = Outcome(frozenset({FAILS, REFUSED}))


class Give(Struct, frozen=True, gc=False):
    """An order to be given. `tries`: no refusal by the rules ends the script; `answers`: a policy gives it; `before`:
    the order of the line needs it first."""

    line: int
    text: str
    tries: bool = False
    answers: bool = False
    before: bool = False


class LineMark(Struct, frozen=True):  # known to the collector: a refusal may hold frames that hold the mark
    """The result of a line, recorded once. `accepted` has its events; `refused` ends the script; `skipped`,
    `not-played` and `ended` (of a repeat) say `why`; `held`: a condition was true, a policy was noted, or a stop was
    made."""

    line: int
    status: str
    first: int = 0
    last: int = 0
    refusal: Refusal | None = None
    why: Refusal | None = None


class ScriptCursor(Struct, frozen=True, gc=False):
    """The position in a script: the instruction, the round of a repeat, and the ordinal of the next order.

    `given` is the order awaiting its result. `first` is the first event of the last order, 0 if there was none;
    `policies` are the questions answered from here on, with the instructions that answer them; `answer` is the next
    option of the current policy to try. `has_begun`: an order was accepted; `is_prepared`: the order that comes next
    was refused, and the one that it needs before it has been given.
    """

    at: int = 0
    rounds: int = 0
    place: int = 1
    given: Give | None = None
    first: int = 0
    was_refused: bool = False
    policies: tuple[tuple[str, int], ...] = ()
    answer: int = 0
    is_over: bool = False
    stopped_at: int = -1  # the line of the `stop` that ended it
    has_begun: bool = False
    is_prepared: bool = False


Moved = tuple[ScriptCursor, tuple[LineMark, ...]]


# --- the next order


def advance(script: Script, cursor: ScriptCursor, view: ScriptView) -> Moved:
    """Go on to the next order (`given`), or to the end (`is_over`)."""
    marks: list[LineMark] = []
    while cursor.given is None and not cursor.is_over:
        cursor, made = step(script, cursor, view)
        marks += made
    return cursor, tuple(marks)


def step(script: Script, cursor: ScriptCursor, view: ScriptView) -> Moved:
    """Go on by one instruction, which judges one condition at most: `given`, `is_over`, or neither yet. An order that
    is given already, because the next one needs it first, is given as it is."""
    if cursor.given is not None:
        return cursor, ()
    line = _line_at(script, cursor)
    try:
        cursor, made = _step(script, cursor, view)
    except Refusal as refusal:  # from a condition that names something that does not exist
        return _over(cursor), (LineMark(line, "refused", refusal=refusal.with_traceback(None)),)
    if cursor.given is not None and cursor.place > MOST_ORDERS:
        too_long = Refusal("core.script-too-long", SCRIPT, most=MOST_ORDERS)
        return _over(cursor), (*made, LineMark(cursor.given.line, "refused", refusal=too_long))
    return cursor, made


def _line_at(script: Script, cursor: ScriptCursor) -> int:
    instruction = script.program[cursor.at] if cursor.at < len(script.program) else None
    return getattr(instruction, "line", len(script.orders) - 1)


def _over(cursor: ScriptCursor) -> ScriptCursor:
    return replace(cursor, given=None, is_over=True)


def _step(script: Script, cursor: ScriptCursor, view: ScriptView) -> Moved:
    answering = _answering(script, cursor, view)
    if answering is not None:
        return answering, ()
    if cursor.at >= len(script.program):
        return _over(cursor), ()
    instruction = script.program[cursor.at]
    if isinstance(instruction, GiveOrder):
        return replace(cursor, given=Give(instruction.line, instruction.text, instruction.tries)), ()
    if isinstance(instruction, Repeat):
        return _repeat(cursor, instruction, view)
    if isinstance(instruction, Jump):
        return replace(cursor, at=instruction.to), ()
    if isinstance(instruction, BranchTo):
        if _holds(instruction.condition, cursor, view):
            return replace(cursor, at=cursor.at + 1), (LineMark(instruction.line, "held"),)
        return replace(cursor, at=instruction.to), (_false(instruction.line, instruction.condition.text),)
    if isinstance(instruction, Stop):
        if _holds(instruction.condition, cursor, view):
            over = replace(_over(cursor), at=cursor.at + 1, stopped_at=instruction.line)
            return over, (LineMark(instruction.line, "held"),)
        return replace(cursor, at=cursor.at + 1), (_false(instruction.line, instruction.condition.text),)
    policies = {**dict(cursor.policies), instruction.kind: cursor.at}
    return replace(cursor, at=cursor.at + 1, policies=tuple(policies.items())), (LineMark(instruction.line, "held"),)


def _false(line: int, condition: str) -> LineMark:
    return LineMark(line, "skipped", why=Refusal("core.condition-false", SCRIPT, condition=condition))


def _holds(condition: Condition[Test], cursor: ScriptCursor, view: ScriptView, subject: str = "") -> bool:
    return holds(condition, lambda test: is_so(test, view, lambda: _last(cursor, view), subject))


def _last(cursor: ScriptCursor, view: ScriptView) -> Outcome:
    """The outcome of the last order of the script."""
    if cursor.was_refused:
        return _REFUSED
    return view.it(cursor.first) if cursor.first else NOTHING


def _answering(script: Script, cursor: ScriptCursor, view: ScriptView) -> ScriptCursor | None:
    """The cursor with the answer that a policy gives to a question put to its side; None if there is none."""
    waiting = view.known.waiting if cursor.policies else None
    if waiting is None or waiting.side != view.side:
        return None
    at = dict(cursor.policies).get(waiting.kind)
    if at is None:
        return None
    policy = script.program[at]
    assert isinstance(policy, Policy)
    for index in range(cursor.answer, len(policy.answers)):
        answer = policy.answers[index]
        if _holds(answer.condition, cursor, view, answer.order):
            return replace(cursor, answer=index, given=Give(policy.line, answer.order, True, True))
    return None


def _repeat(cursor: ScriptCursor, repeat: Repeat, view: ScriptView) -> Moved:
    begun = cursor.rounds > 0
    own = cursor if begun else replace(cursor, first=0, was_refused=False)  # what came before it is not its own
    why = ""
    if FAILS in _last(own, view).results:
        why = "core.repeat-failed"
    elif cursor.rounds >= repeat.rounds:
        why = "core.repeat-rounds"
    elif begun and view.known.waiting is not None:
        why = "core.repeat-asked"
    elif repeat.until and _holds(repeat.until, own, view, repeat.text):
        why = "core.repeat-until"
    if not why:
        give = Give(repeat.line, repeat.text, repeat.tries or begun)
        return replace(cursor, given=give), ()
    text = repeat.until.text if repeat.until else ""
    ended = Refusal(why, SCRIPT, rounds=cursor.rounds, condition=text)
    return replace(cursor, at=cursor.at + 1, rounds=0), (
        LineMark(repeat.line, "ended" if begun else "skipped", why=ended),
    )


# --- results


def accepted(script: Script, cursor: ScriptCursor, first: int, last: int) -> Moved:
    """Record that the order was accepted, with its events."""
    give = cursor.given
    assert give is not None
    mark = LineMark(give.line, "accepted", first, last)
    cursor = replace(cursor, given=None, place=cursor.place + 1, answer=0, has_begun=True, is_prepared=give.before)
    if give.before:
        return cursor, (replace(mark, why=Refusal("core.given-first", SCRIPT, order=give.text)),)
    if give.answers:
        return cursor, (mark,)
    cursor = replace(cursor, first=first, was_refused=False)
    if isinstance(script.program[cursor.at], Repeat):
        return replace(cursor, rounds=cursor.rounds + 1), (mark,)
    return replace(cursor, at=cursor.at + 1), (mark,)


def refused(script: Script, cursor: ScriptCursor, refusal: Refusal, course: ScriptCourse, known: Any) -> Moved:
    """Record that the order was refused.

    It ends the script if it was wrong from the start (`domain.scripts.course`), unless it was only tried; otherwise the
    line is skipped. What nothing can follow is not played: the battle is over, or the side is asked something.
    `known` is the battle in which it was given, as its side knows it.
    """
    give = cursor.given
    assert give is not None
    cursor = replace(cursor, given=None, place=cursor.place + 1)
    is_late = cursor.has_begun and refusal.code in UNPLAYED and not (give.answers or cursor.rounds)
    if is_late or (cursor.has_begun and refusal.code == OVER):
        cursor = _skipped(cursor) if refusal.code == NOT_YOURS else _over(cursor)
        return cursor, (LineMark(give.line, "not-played", why=refusal),)
    if refusal.code in ENDS:
        return _over(cursor), (LineMark(give.line, "refused", refusal=refusal),)
    if give.answers:
        return replace(cursor, answer=cursor.answer + 1), ()
    if not (cursor.is_prepared or give.before):
        first = course.before(known, give.text)
        if first:
            return replace(cursor, given=Give(give.line, first, before=True)), ()
    if cursor.rounds:
        ended = replace(cursor, at=cursor.at + 1, rounds=0, is_prepared=False)
        return ended, (LineMark(give.line, "ended", why=refusal),)
    is_unneeded = cursor.has_begun and refusal.code in (UNASKED, *course.ruleset.orders.needless)
    is_wrong = not cursor.has_begun or course.is_wrong(give.text, refusal, known)
    if is_wrong and not (give.tries or give.before or is_unneeded):
        return _over(cursor), (LineMark(give.line, "refused", refusal=refusal),)
    return _skipped(cursor), (LineMark(give.line, "skipped", why=refusal),)


def _skipped(cursor: ScriptCursor) -> ScriptCursor:
    return replace(cursor, at=cursor.at + 1, rounds=0, was_refused=True, is_prepared=False)


# --- what is left


def left(script: Script, cursor: ScriptCursor) -> Iterator[Instruction]:
    """What may still come; both branches of an `if` not reached yet are included."""
    reached = {cursor.at}  # jumps lead forward only
    for at in range(cursor.at, len(script.program)):
        if at not in reached:
            continue
        instruction = script.program[at]
        if isinstance(instruction, (BranchTo, Jump)):
            reached.add(instruction.to)
        if not isinstance(instruction, Jump):
            reached.add(at + 1)
            yield instruction


def may_go_on(script: Script, cursor: ScriptCursor) -> bool:
    """Whether anything may still come, as far as can be known without looking at the battle."""
    return not cursor.is_over and (bool(cursor.policies) or any(True for _ in left(script, cursor)))


def lines_ahead(script: Script, cursor: ScriptCursor) -> frozenset[int]:
    """The lines that may still come."""
    return frozenset(step.line for step in left(script, cursor) if not isinstance(step, Jump))


def lines_waiting(script: Script, cursor: ScriptCursor) -> tuple[int, ...]:
    """The lines of a waiting script to show, in order: those that may still come, and the policies in force."""
    in_force = (script.program[at] for _, at in cursor.policies)
    return tuple(sorted(lines_ahead(script, cursor).union(step.line for step in in_force if isinstance(step, Policy))))
