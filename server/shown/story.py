"""Tell a log in turns and orders, with what followed from each.

Sentences of a battle never change once they stand, so they are kept as long as the battle is in memory. A reader hears
of sealed events what they may: their own whole, the others as the log has them.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import UNSET, Struct

from domain.engine.events import INPUTS, DecisionAsked, PhaseBegan, TurnBegan
from domain.engine.seats import evolve_battle
from domain.engine.timeline import Timeline, is_within
from domain.log.record import Recorded
from replay.reports import plain
from replay.telling.words import ENGLISH
from server.play.recording import Recording

SHOWN = 240
"""Maximum events on a page; earlier ones are a link away."""


class ToldEvent(Struct, frozen=True):
    """An event in a sentence; `voided`: a later ruling voided it."""

    n: int
    at: str
    by: str
    rule: str
    said: str
    voided: bool


class Group(Struct, frozen=True):
    """An order (or another input), and its consequences. `head` is None where only the rest is told."""

    n: int
    head: ToldEvent | None
    lines: tuple[ToldEvent, ...]


class ToldTurn(Struct):
    """A player-turn, or a phase before the first: the sentence that opens it ("" at the very start), its side, and what
    happened, oldest first."""

    n: int
    side: str
    said: str
    groups: list[Group]


class Story(Struct, frozen=True):
    """The newest turns first, in each the newest orders first. `earlier` is the event before the first told, or 0."""

    turns: tuple[ToldTurn, ...]
    earlier: int


_KEPT: WeakKeyDictionary[Timeline, dict[tuple[str, str, int], str]] = WeakKeyDictionary()
"""Sentences by reader, language and event, for each battle in memory."""


def story(recording: Recording, side: str, last: int, most: int = SHOWN, lang: str = ENGLISH) -> Story:
    """The events up to `last`, as a side may see them ("" for a stranger)."""
    first = max(1, last - most + 1)
    events = recording.timeline.events[:last]
    heard = list(plain.spoken(events[first - 1 :]))
    told = {line.n: line for line in tell(recording, side, heard, lang)}
    return Story(tuple(reversed(_turns(heard, told))), first - 1)


def tell(recording: Recording, side: str, heard: Sequence[Recorded], lang: str = ENGLISH) -> Iterator[ToldEvent]:
    """Events as sentences, in the order of the log."""
    spans = recording.timeline.voided()
    sentences = _sentences(recording, side, heard, lang)
    for recorded in heard:
        n = recorded.n
        yield ToldEvent(n, recorded.at, recorded.by, recorded.rule, sentences[n], is_within(spans, n))


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
    return _sentences(recording, side, [asked], lang)[asked.n] if asked else ""


# --- sentences


def _sentences(recording: Recording, side: str, heard: Sequence[Recorded], lang: str) -> dict[int, str]:
    """The sentences of events by n; each is made once."""
    kept = _KEPT.setdefault(recording.timeline, {})
    missing = [recorded for recorded in heard if (side, lang, recorded.n) not in kept]
    for recorded, before in _with_state(recording, missing):
        known = recording.ruleset.secrets.known(before, side)
        seen = recording.seen(side, recorded)
        kept[side, lang, recorded.n] = plain.say(recording.ruleset, known, recorded, seen, lang)
    return {recorded.n: kept[side, lang, recorded.n] for recorded in heard}


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


def _turns(heard: Sequence[Recorded], told: dict[int, ToldEvent]) -> list[ToldTurn]:
    """The turns, the newest last; in each the newest order first."""
    turns: list[ToldTurn] = []
    newest: list[ToldEvent] = []  # what followed from the newest order
    head: ToldEvent | None = None

    def close() -> None:
        if head is not None or newest:
            first = head or newest[0]
            turns[-1].groups.insert(0, Group(first.n, head, tuple(newest)))

    for at, recorded in enumerate(heard):
        line, event = told[recorded.n], recorded.event
        following = heard[at + 1].event if at + 1 < len(heard) else None
        if isinstance(event, TurnBegan) or (isinstance(event, PhaseBegan) and not isinstance(following, TurnBegan)):
            close()
            head, newest = None, []
            turns.append(ToldTurn(line.n, getattr(event, "side", ""), line.said, []))
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
