"""The lesson of a game: a small battle against a bot, whose steps are told as far as its events have come.

Battle and steps are data of the game (`data/lesson`). Nothing is kept of the progress: a battle is a lesson if it was
opened as one, and its steps are done when their events are in its log.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.data import LESSON, has_data, read_toml
from domain.basics.decoding import convert
from domain.catalogue import RULESETS
from domain.engine.state import OTHER
from domain.events.battle import BattleEnded, BattleOpened
from domain.events.inputs import OF_ONE_BATTLE
from domain.log.record import Recorded
from replay.telling.words import ENGLISH
from replay.writing.recording import Recording

LEARNER = "south"
"""The side of who learns; a bot holds the other."""

Texts = Mapping[str, str]


class LessonSign(Struct, frozen=True, forbid_unknown_fields=True):
    """An event by its type, and who has brought it about: the learner, the other side, or either."""

    event: str
    by: Literal["own", "other", "any"] = "own"

    def of(self, recorded: Recorded) -> bool:
        """Whether it is this event."""
        who = getattr(recorded.event, "side", recorded.by)
        return type(recorded.event).__name__ == self.event and (self.by == "any" or who == _side(self.by))


class LessonStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A step, done with one of some events; `later`: with one after the step before."""

    title: Texts
    text: Texts
    done: tuple[LessonSign, ...]
    later: bool = False


class Aside(Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """What is said besides, from one of some events until one of others."""

    text: Texts
    since: tuple[LessonSign, ...]
    until: tuple[LessonSign, ...]


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """The steps of a lesson, and what is said when its battle is over, by its winner: own, other, drawn."""

    step: tuple[LessonStep, ...]
    end: Mapping[str, Texts]
    aside: tuple[Aside, ...] = ()


class StepShown(Struct, frozen=True):
    """A step in words; `state` is done, current or coming."""

    title: str
    text: str
    state: str


class LessonShown(Struct, frozen=True):
    """A lesson as far as it has come: its steps, what is said besides, and how it ended, "" as long as it goes on."""

    steps: tuple[StepShown, ...]
    asides: tuple[str, ...] = ()
    end: str = ""

    @property
    def done(self) -> int:
        """How many steps are done."""
        return sum(step.state == "done" for step in self.steps)


def has_lesson(code: str) -> bool:
    """Whether a game has a lesson."""
    return has_data(code, LESSON)


def lesson_scenario(code: str) -> dict[str, Any]:
    """The scenario of a game's lesson, as a battle is opened with."""
    return read_toml(code, LESSON, "scenario.toml")


def lesson_outline(code: str, lang: str = ENGLISH) -> LessonShown:
    """The steps of a game's lesson before its battle."""
    return _lesson_view(_lesson(code), -1, (), "", lang)


def lesson_shown(recording: Recording, side: str, n: int, lang: str = ENGLISH) -> LessonShown | None:
    """The steps of a battle after its event `n`, for its learner; None in a battle that is no lesson."""
    code = recording.ruleset.code
    if side != LEARNER or not has_lesson(code) or not _is_opened_by(recording.timeline.events[0].event, code):
        return None
    counts = recording.timeline.counts
    events = [recorded for recorded in recording.timeline.events[:n] if counts(recorded.n)]
    lesson = _lesson(code)
    over = next((one.event for one in events if isinstance(one.event, BattleEnded)), None)
    asides = () if over else _asides(lesson, events, lang)
    won = {LEARNER: "own", OTHER[LEARNER]: "other"}.get(over.winner or "", "drawn") if over else ""
    return _lesson_view(lesson, _done(lesson.step, events), asides, won, lang)


def _lesson_view(lesson: Lesson, done: int, asides: tuple[str, ...], won: str, lang: str) -> LessonShown:
    def state(at: int) -> str:
        return "done" if at < done else "current" if at == done and not won else "coming"

    steps = (StepShown(_in(step.title, lang), _in(step.text, lang), state(at)) for at, step in enumerate(lesson.step))
    return LessonShown(tuple(steps), asides, _in(lesson.end[won], lang) if won else "")


def _done(steps: Sequence[LessonStep], events: Sequence[Recorded]) -> int:
    """How many steps are done, in their order."""
    before = 0
    for done, step in enumerate(steps):
        n = next((one.n for one in _meant(step.done, events) if one.n > before or not step.later), 0)
        if not n:
            return done
        before = max(before, n)
    return len(steps)


def _asides(lesson: Lesson, events: Sequence[Recorded], lang: str) -> tuple[str, ...]:
    def newest(signs: Sequence[LessonSign]) -> int:
        return max((one.n for one in _meant(signs, events)), default=0)

    return tuple(_in(one.text, lang) for one in lesson.aside if newest(one.since) > newest(one.until))


def _meant(signs: Sequence[LessonSign], events: Sequence[Recorded]) -> Iterator[Recorded]:
    return (recorded for recorded in events if any(sign.of(recorded) for sign in signs))


def _side(by: str) -> str:
    return LEARNER if by == "own" else OTHER[LEARNER]


def _is_opened_by(opened: Any, code: str) -> bool:
    """Whether a battle begins exactly as the lesson does, but for what is of that battle alone."""
    return isinstance(opened, BattleOpened) and replace(opened, **dict.fromkeys(OF_ONE_BATTLE, UNSET)) == _opening(code)


@cache
def _opening(code: str) -> Any:
    return RULESETS[code].opening.load(lesson_scenario(code))


@cache
def _lesson(code: str) -> Lesson:
    return convert(read_toml(code, LESSON, "steps.toml"), Lesson)


def _in(texts: Texts, lang: str) -> str:
    return texts.get(lang, texts[ENGLISH])
