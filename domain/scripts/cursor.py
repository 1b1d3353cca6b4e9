"""Step through a script: which order comes next, and what became of each line.

A `ScriptCursor` is the position in a script, as plain values. Together with the views it was shown it decides how the
script continues. The functions are pure: whoever plays (`server.play.run`), resumes or previews (`server.play.preview`)
passes in the result of each order and asks for the next, so an interrupted script takes the same path again from what
was recorded.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.errors import Refusal
from domain.mechanics.conditions import Condition, holds
from domain.scripts.conditions import SCRIPT, ScriptView, Test, is_so
from domain.scripts.program import Branch, Instruction, Jump, Order, Policy, Repeat, Script, Stop
from domain.scripts.senses import FAILS, NOTHING, REFUSED, Outcome

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
_REFUSED = Outcome(frozenset({FAILS, REFUSED}))


class Give(Struct, frozen=True, gc=False):
    """An order to be given. `tries`: a refusal by the rules does not end the script; `answers`: a policy gives it."""

    line: int
    text: str
    tries: bool = False
    answers: bool = False


class LineMark(Struct, frozen=True, gc=False):
    """The result of a line, recorded once. `accepted` has its events; `refused` ends the script; `skipped` and `ended`
    (of a repeat) say `why`; `held`: a condition was true, a policy was noted, or a stop was made."""

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
    option of the current policy to try.
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


Moved = tuple[ScriptCursor, tuple[LineMark, ...]]


# --- the next order


def advance(script: Script, course: ScriptCursor, view: ScriptView) -> Moved:
    """Go on to the next order (`given`), or to the end (`is_over`)."""
    marks: list[LineMark] = []
    while course.given is None and not course.is_over:
        line = _line_at(script, course)
        try:
            course, made = _step(script, course, view)
        except Refusal as refusal:  # from a condition that names something that does not exist
            course, made = _over(course), (LineMark(line, "refused", refusal=refusal),)
        marks += made
    if course.given is not None and course.place > MOST_ORDERS:
        too_long = Refusal("core.script-too-long", SCRIPT, most=MOST_ORDERS)
        marks.append(LineMark(course.given.line, "refused", refusal=too_long))
        course = _over(course)
    return course, tuple(marks)


def _line_at(script: Script, course: ScriptCursor) -> int:
    instruction = script.program[course.at] if course.at < len(script.program) else None
    return getattr(instruction, "line", len(script.orders) - 1)


def _over(course: ScriptCursor) -> ScriptCursor:
    return replace(course, given=None, is_over=True)


def _step(script: Script, course: ScriptCursor, view: ScriptView) -> Moved:
    answering = _answering(script, course, view)
    if answering is not None:
        return answering, ()
    if course.at >= len(script.program):
        return _over(course), ()
    instruction = script.program[course.at]
    if isinstance(instruction, Order):
        return replace(course, given=Give(instruction.line, instruction.text, instruction.tries)), ()
    if isinstance(instruction, Repeat):
        return _repeat(course, instruction, view)
    if isinstance(instruction, Jump):
        return replace(course, at=instruction.to), ()
    if isinstance(instruction, Branch):
        if _holds(instruction.condition, course, view):
            return replace(course, at=course.at + 1), (LineMark(instruction.line, "held"),)
        return replace(course, at=instruction.to), (_false(instruction.line, instruction.condition.text),)
    if isinstance(instruction, Stop):
        if _holds(instruction.condition, course, view):
            over = replace(_over(course), at=course.at + 1, stopped_at=instruction.line)
            return over, (LineMark(instruction.line, "held"),)
        return replace(course, at=course.at + 1), (_false(instruction.line, instruction.condition.text),)
    policies = {**dict(course.policies), instruction.kind: course.at}
    return replace(course, at=course.at + 1, policies=tuple(policies.items())), (LineMark(instruction.line, "held"),)


def _false(line: int, condition: str) -> LineMark:
    return LineMark(line, "skipped", why=Refusal("core.condition-false", SCRIPT, condition=condition))


def _holds(condition: Condition[Test], course: ScriptCursor, view: ScriptView, subject: str = "") -> bool:
    return holds(condition, lambda test: is_so(test, view, lambda: _last(course, view), subject))


def _last(course: ScriptCursor, view: ScriptView) -> Outcome:
    """The outcome of the last order of the script."""
    if course.was_refused:
        return _REFUSED
    return view.it(course.first) if course.first else NOTHING


def _answering(script: Script, course: ScriptCursor, view: ScriptView) -> ScriptCursor | None:
    """The course with the answer that a policy gives to a question put to its side; None if there is none."""
    waiting = view.known.waiting if course.policies else None
    if waiting is None or waiting.side != view.side:
        return None
    at = dict(course.policies).get(waiting.kind)
    if at is None:
        return None
    policy = script.program[at]
    assert isinstance(policy, Policy)
    for index in range(course.answer, len(policy.answers)):
        answer = policy.answers[index]
        if _holds(answer.condition, course, view, answer.order):
            return replace(course, answer=index, given=Give(policy.line, answer.order, True, True))
    return None


def _repeat(course: ScriptCursor, repeat: Repeat, view: ScriptView) -> Moved:
    begun = course.rounds > 0
    own = course if begun else replace(course, first=0, was_refused=False)  # what came before it is not its own
    why = ""
    if FAILS in _last(own, view).results:
        why = "core.repeat-failed"
    elif course.rounds >= repeat.rounds:
        why = "core.repeat-rounds"
    elif begun and view.known.waiting is not None:
        why = "core.repeat-asked"
    elif repeat.until and _holds(repeat.until, own, view, repeat.text):
        why = "core.repeat-until"
    if not why:
        give = Give(repeat.line, repeat.text, repeat.tries or begun)
        return replace(course, given=give), ()
    text = repeat.until.text if repeat.until else ""
    ended = Refusal(why, SCRIPT, rounds=course.rounds, condition=text)
    return replace(course, at=course.at + 1, rounds=0), (
        LineMark(repeat.line, "ended" if begun else "skipped", why=ended),
    )


# --- results


def accepted(script: Script, course: ScriptCursor, first: int, last: int) -> Moved:
    """Record that the order was accepted, with its events."""
    give = course.given
    assert give is not None
    mark = LineMark(give.line, "accepted", first, last)
    course = replace(course, given=None, place=course.place + 1, answer=0)
    if give.answers:
        return course, (mark,)
    course = replace(course, first=first, was_refused=False)
    if isinstance(script.program[course.at], Repeat):
        return replace(course, rounds=course.rounds + 1), (mark,)
    return replace(course, at=course.at + 1), (mark,)


def refused(script: Script, course: ScriptCursor, refusal: Refusal) -> Moved:
    """Record that the order was refused: the end of the script, unless it was only tried."""
    give = course.given
    assert give is not None
    course = replace(course, given=None, place=course.place + 1)
    if not give.tries or refusal.code in ENDS:
        return _over(course), (LineMark(give.line, "refused", refusal=refusal),)
    if give.answers:
        return replace(course, answer=course.answer + 1), ()
    if course.rounds:
        return replace(course, at=course.at + 1, rounds=0), (LineMark(give.line, "ended", why=refusal),)
    course = replace(course, at=course.at + 1, was_refused=True)
    return course, (LineMark(give.line, "skipped", why=refusal),)


# --- what is left


def left(script: Script, course: ScriptCursor) -> Iterator[Instruction]:
    """What may still come; both branches of an `if` not reached yet are included."""
    reached = {course.at}  # jumps lead forward only
    for at in range(course.at, len(script.program)):
        if at not in reached:
            continue
        instruction = script.program[at]
        if isinstance(instruction, (Branch, Jump)):
            reached.add(instruction.to)
        if not isinstance(instruction, Jump):
            reached.add(at + 1)
            yield instruction


def may_go_on(script: Script, course: ScriptCursor) -> bool:
    """Whether anything may still come, as far as can be known without looking at the battle."""
    return not course.is_over and (bool(course.policies) or any(True for _ in left(script, course)))


def lines_ahead(script: Script, course: ScriptCursor) -> frozenset[int]:
    """The lines that may still come."""
    return frozenset(step.line for step in left(script, course) if not isinstance(step, Jump))


def lines_waiting(script: Script, course: ScriptCursor) -> tuple[int, ...]:
    """The lines of a waiting script to show, in order: those that may still come, and the policies in force."""
    in_force = (script.program[at] for _, at in course.policies)
    return tuple(sorted(lines_ahead(script, course).union(step.line for step in in_force if isinstance(step, Policy))))
