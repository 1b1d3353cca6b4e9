"""Tell a log in turns and orders, with what followed from each.

Sentences of a battle never change once they stand, so they are kept (`server.shown.kept`). A reader hears of sealed
events what they may: their own whole, the others as the log has them.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from msgspec import UNSET, Struct

from domain.contract.ruleset import Ruleset
from domain.contract.senses import FAILS, MISSES
from domain.events.battle import INPUTS, DecisionAsked, Event, Fact, OrderAccepted, PhaseBegan, TurnBegan
from domain.log.record import Recorded
from domain.run.seats import evolve_battle
from domain.run.timeline import Span, is_within
from replay.reports import plain
from replay.telling.words import ENGLISH
from replay.writing.recording import Recording
from server.shown.happened import harm_of
from server.shown.kept import PerBattle

SHOWN = 240
"""Maximum events on a page; earlier ones are a link away."""


class DrawnValues(Struct, frozen=True):
    """The cards or dice of a test as values, what was `needed` (None for a table), and which of them passed."""

    values: tuple[int, ...]
    is_dice: bool
    needed: int | None
    passed: tuple[bool, ...]


class ToldEvent(Struct, frozen=True):
    """An event in a sentence; `voided`: a later ruling voided it, `drawn`: the test that it was, `harm`: whether it was
    a `hit` or more is `lost` ("": neither); `of` are the units on the board that it names, where a page lights them
    (`server.shown.chronicle`)."""

    n: int
    at: str
    by: str
    rule: str
    said: str
    voided: bool
    drawn: DrawnValues | None = None
    of: str = ""
    harm: str = ""


class OrderStory(Struct, frozen=True):
    """An order (or another input), and its consequences. `head` is None where only the rest is told. `result` is what
    became of the order: `passed`, `missed` where it passed and then hit nothing, `failed`, `done` where chance had no
    say, "" for what is no order."""

    n: int
    head: ToldEvent | None
    lines: tuple[ToldEvent, ...]
    result: str = ""


class ToldTurn(Struct):
    """A player-turn (`turn` is its number), or a phase before the first (0): the sentence that opens it ("" at the very
    start), its side, and what happened, oldest first."""

    n: int
    side: str
    said: str
    groups: list[OrderStory]
    turn: int = 0


class Story(Struct, frozen=True):
    """All in the order in which it happened. `earlier` is the event before the first told, or 0."""

    turns: tuple[ToldTurn, ...]
    earlier: int


_KEPT: PerBattle[tuple[str, str, int], tuple[str, DrawnValues | None, str]] = PerBattle(65_536)
"""Sentences, the tests they tell of and the harm, by reader, language and event: about 400 bytes each."""

_TURNS: PerBattle[tuple[str, str, int, int, bool, tuple[Span, ...]], tuple[ToldTurn, ...]] = PerBattle(2_048)
"""Turns as they are told, by reader, language, first event, the one behind the last, whether the story ends there, and
what does not count: some ten kilobytes each."""


def story(recording: Recording, side: str, last: int, most: int = SHOWN, lang: str = ENGLISH) -> Story:
    """The events up to `last`, as a side may see them ("" for a stranger)."""
    first = max(1, last - most + 1)
    timeline = recording.timeline
    voided, kept = tuple(timeline.voided()), _TURNS.of(timeline)
    begun = [n for n in range(first, last + 1) if plain.is_turn(timeline.events[n - 1])]
    turns: list[ToldTurn] = []
    for start, end in pairwise(dict.fromkeys((first, *begun, last + 1))):
        is_cut = end > last
        key = side, lang, start, end, is_cut, voided
        if key not in kept:
            after = None if is_cut else timeline.events[end - 1].event
            kept[key] = _told_turns(recording, side, timeline.events[start - 1 : end - 1], after, lang)
        turns += kept[key]
    return Story(tuple(turns), first - 1)


def _told_turns(
    recording: Recording, side: str, events: Sequence[Recorded], after: Event | None, lang: str
) -> tuple[ToldTurn, ...]:
    """The turns in events behind which the next turn begins (`after`), or the story ends (None)."""
    heard = list(plain.plain_events(events))
    told = {line.n: line for line in tell(recording, side, heard, lang)}
    return tuple(_turns(recording, side, heard, told, after))


def since(recording: Recording, side: str, n: int, lang: str = ENGLISH) -> tuple[OrderStory, ...]:
    """What has happened after event `n` as `story` tells it, oldest first; of more than a page the newest."""
    told = story(recording, side, len(recording.timeline.events), lang=lang)
    groups = [group for turn in told.turns for group in turn.groups]
    return tuple(group for group in groups if group.n > n or (group.lines and group.lines[-1].n > n))


def tell(recording: Recording, side: str, heard: Sequence[Recorded], lang: str = ENGLISH) -> Iterator[ToldEvent]:
    """Events as sentences, in the order of the log."""
    spans = recording.timeline.voided()
    sentences = _sentences(recording, side, heard, lang)
    for recorded in heard:
        n = recorded.n
        said, drawn, harm = sentences[n]
        yield ToldEvent(n, recorded.at, recorded.by, recorded.rule, said, is_within(spans, n), drawn, harm=harm)


def question(recording: Recording, side: str, last: int, lang: str = ENGLISH) -> str:
    """The sentence of the newest question up to event `last`, or ""."""
    asked = next(
        (
            recorded
            for recorded in reversed(recording.timeline.events[:last])
            if isinstance(recorded.event, DecisionAsked)
        ),
        None,
    )
    return _sentences(recording, side, [asked], lang)[asked.n][0] if asked else ""


# --- sentences


def _sentences(
    recording: Recording, side: str, heard: Sequence[Recorded], lang: str
) -> dict[int, tuple[str, DrawnValues | None, str]]:
    """The sentences of events by n, each with its test and its harm; each is made once."""
    kept = _KEPT.of(recording.timeline)
    missing = [recorded for recorded in heard if (side, lang, recorded.n) not in kept]
    for recorded, before in _with_state(recording, missing):
        known = recording.ruleset.secrets.known(before, side)
        seen = recording.seen(side, recorded)
        said = plain.say(recording.ruleset, known, recorded, seen, lang)
        drawn = _test_values(recording.ruleset, known, Fact(recorded.by, recorded.rule, seen))
        kept[side, lang, recorded.n] = said, drawn, harm_of(recording.ruleset, seen)
    return {recorded.n: kept[side, lang, recorded.n] for recorded in heard}


def _test_values(ruleset: Ruleset, known: Any, fact: Fact) -> DrawnValues | None:
    """The test that an event was, if it has been made."""
    trial = ruleset.draws.trial(known, fact)
    if trial is None or not trial.draws:
        return None
    return DrawnValues(trial.draws, trial.passes is not None, trial.needed, trial.results())


def result_of(recording: Recording, side: str, order: str, events: Sequence[Recorded]) -> str:
    """What became of an order of the side `order`, as `side` may see it, from the events that followed: `passed`,
    `missed` where it passed and then hit nothing, `failed`, `done` where chance had no say."""
    seen = [recording.seen(side, recorded) for recorded in events]
    outcome = recording.ruleset.orders.senses.outcome(order, seen)
    if FAILS in outcome.results:
        return "failed"
    return "missed" if MISSES in outcome.results else "passed" if outcome.drawn else "done"


def _with_state(recording: Recording, events: Sequence[Recorded]) -> Iterator[tuple[Recorded, Any]]:
    """Each event with the game before it; folded on from one to the next."""
    timeline, ruleset = recording.timeline, recording.ruleset
    battle = None
    for recorded in events:
        if battle is None:
            battle = timeline.at(recorded.n - 1)
        for passed in timeline.events[battle.n : recorded.n - 1]:
            if passed.type == "Rewound":
                battle = timeline.at(passed.n)
                continue
            is_sealed = getattr(passed.event, "sealed", UNSET) is not UNSET
            battle = evolve_battle(ruleset, battle, timeline.whole(passed), passed.n, is_sealed)
        yield recorded, battle.game


# --- turns and orders


def _turns(
    recording: Recording, side: str, heard: Sequence[Recorded], told: dict[int, ToldEvent], after: Event | None
) -> list[ToldTurn]:
    """The turns, the newest last; `after` is the event that follows."""
    turns: list[ToldTurn] = []
    newest: list[ToldEvent] = []  # what followed from the newest order
    head: ToldEvent | None = None
    by_n = {recorded.n: recorded for recorded in heard}

    def close() -> None:
        if head is not None or newest:
            first = head or newest[0]
            is_order = head is not None and isinstance(by_n[head.n].event, OrderAccepted)
            events = [by_n[line.n] for line in newest]
            result = result_of(recording, side, first.by, events) if is_order else ""
            turns[-1].groups.append(OrderStory(first.n, head, tuple(newest), result))

    for at, recorded in enumerate(heard):
        line, event = told[recorded.n], recorded.event
        following = heard[at + 1].event if at + 1 < len(heard) else after
        if isinstance(event, TurnBegan) or (isinstance(event, PhaseBegan) and not isinstance(following, TurnBegan)):
            close()
            head, newest = None, []
            number = event.turn if isinstance(event, TurnBegan) else 0
            turns.append(ToldTurn(line.n, getattr(event, "side", ""), line.said, [], number))
            continue
        if not turns:
            turns.append(ToldTurn(line.n, "", "", []))
        if type(event) in INPUTS:
            close()
            head, newest = line, []
        else:
            newest.append(line)
    close()
    return turns
