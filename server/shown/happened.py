"""What happened of late, as lines and marks on a board: the turn of the newest order in brief, that order in full.

What an event shows never changes once it stands, so it is kept (`server.shown.kept`). All of it is made from what its
reader may know.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.effect import LINES, Effect
from domain.contract.ruleset import Ruleset
from domain.contract.scene import Arrow, Happened, Mark, Point, Scene, Throw, Token
from domain.events.battle import DecisionMade, Event, Fact
from domain.log.record import Recorded
from domain.mechanics.trial import Trial
from replay.drawing.canvas import middle
from replay.drawing.marks import CARD
from replay.reports.plain import is_order, is_turn
from replay.writing.recording import Recording
from server.shown.kept import PerBattle

BRIEF = frozenset({"harm", "lost", "gone", "rally", "failed", "flees", "tally", "burned"})
"""The marks that stay until the turn is over; others are shown for the newest order alone."""


HARM = {"lost": ("lost", "gone", "tally", "burned"), "hit": ("hit", "harm")}
"""What is lost, and what only suffers, by the kinds that show it; the graver first."""

LAST = frozenset({"gone", "tally"})
"""All that is still told of whoever is gone."""
RUNS = 2
"""Of the orders of a turn as many runs, each of one side, are shown."""


class EventSpan(Struct, frozen=True):
    """Events up to `last`: `turn` began the turn of the newest order, which is event `order` (0: there is none); with
    `first` began what its side has ordered of late, and before it the other side."""

    turn: int
    first: int
    order: int
    last: int


class MarkPlace(Struct, frozen=True, gc=False):
    """Where a token or cell lies, and how far it reaches from north to south."""

    at: Point
    depth: int = 0


class Shown(Struct, frozen=True):
    """What one event shows: lines, marks by the name they are at, throws by the name they are for, and where these
    names were just before the event."""

    strikes: tuple[Arrow, ...] = ()
    marks: tuple[tuple[str, Mark], ...] = ()
    throws: tuple[tuple[str, Throw], ...] = ()
    places: Mapping[str, MarkPlace] = {}


NOTHING = Shown()
_SHOWN: PerBattle[tuple[str, int], Shown] = PerBattle(16_384)
"""What events show, by side and event: about a kilobyte each."""


def span_of(events: Sequence[Recorded], n: int) -> EventSpan:
    """The turn in which the newest order up to event `n` was given."""
    order = next((at for at in range(n, 0, -1) if is_order(events[at - 1])), 0)
    turn = next((at for at in range(order, 0, -1) if is_turn(events[at - 1])), n)
    return EventSpan(turn, _first_of_two_runs(events, turn, order) if order else n, order, n)


def _first_of_two_runs(events: Sequence[Recorded], turn: int, order: int) -> int:
    """The first event of what two sides have ordered up to event `order`, each without a break. An answer breaks
    nothing. Sides that move turn about would else fill the board in the course of a long turn."""
    sides: list[str] = []
    for n in range(order, turn, -1):
        recorded = events[n - 1]
        if not is_order(recorded) or isinstance(events[n].event if n < len(events) else None, DecisionMade):
            continue
        if not sides or sides[-1] != recorded.by:
            sides.append(recorded.by)
        if len(sides) > RUNS:
            return next(at for at in range(n + 1, order + 1) if is_order(events[at - 1]))
    return turn


def with_happened(recording: Recording, side: str, span: EventSpan, scene: Scene) -> Scene:
    """The scene after the span, as `side` sees it, with what happened in it."""
    shown = _shown_by_event(recording, side, span)
    strikes = [replace(strike, is_old=n < span.order) for n, one in shown for strike in one.strikes if strike.points]
    drawn = {name for n, one in shown if n >= span.order for name, throw in one.throws if not throw.is_dice}
    tokens = tuple(_without_card(token) if token.id in drawn else token for token in scene.tokens)
    return replace(scene, tokens=tokens, strikes=tuple(strikes), happened=tuple(_gathered(shown, span, scene)))


def _without_card(token: Token) -> Token:
    """A token that bears no card: the card is among what happened, and is shown once."""
    return replace(token, marks=tuple(mark for mark in token.marks if mark.kind != CARD))


def _gathered(shown: Sequence[tuple[int, Shown]], span: EventSpan, scene: Scene) -> Iterator[Happened]:
    """Marks and throws by where they are; for what is gone, where it stood last."""
    marks: dict[str, dict[str, Mark]] = {}
    throws: dict[str, list[Throw]] = {}
    stood: dict[str, MarkPlace] = {}
    for n, one in shown:
        stood |= one.places
        for name, mark in one.marks:
            if n < span.order and mark.kind not in BRIEF:
                continue
            there = marks.setdefault(name, {})
            before = there.get(mark.kind)
            there[mark.kind] = replace(mark, count=mark.count + before.count) if before else mark
        for name, throw in one.throws if n >= span.order else ():
            throws.setdefault(name, []).append(throw)
    now = _places(scene)
    for name in dict.fromkeys((*marks, *throws)):
        place = now.get(name) or stood.get(name)
        if place:
            given = marks.get(name, {})
            if "gone" in given:
                given = {kind: mark for kind, mark in given.items() if kind in LAST}
            missing = name if "gone" in given or name not in now else ""
            yield Happened(place.at, place.depth, missing, tuple(given.values()), tuple(throws.get(name, ())))


def _shown_by_event(recording: Recording, side: str, span: EventSpan) -> list[tuple[int, Shown]]:
    """What the events of a span show, by event; those that do not count any more show nothing."""
    timeline = recording.timeline
    kept = _SHOWN.of(timeline)
    counted = [n for n in range(span.first, span.last + 1) if timeline.counts(n)]
    missing = [n for n in counted if (side, n) not in kept]
    if missing:
        for battle, recorded in timeline.along(missing[0], missing[-1]):
            if (side, recorded.n) not in kept:
                known = recording.ruleset.secrets.known(battle.game, side)
                kept[side, recorded.n] = _of_event(recording, side, known, recorded)
    return [(n, kept[side, n]) for n in counted]


# --- one event


def _of_event(recording: Recording, side: str, known: Any, recorded: Recorded) -> Shown:
    """What an event shows a side, `known` being what it knew before."""
    ruleset, event = recording.ruleset, recording.seen(side, recorded)
    effects = [one for one in ruleset.shown.effects.get(recorded.type, ()) if _applies(one, event)]
    throws = tuple(_throws(ruleset.draws.trial(known, Fact(recorded.by, recorded.rule, event))))
    if not effects:
        return Shown(throws=throws) if throws else NOTHING
    places = _places(ruleset.shown.view(known, side))
    strikes, marks, named = [], [], {}
    for effect in effects:
        for name in _names(event, effect.unit):
            if name in places:
                named[name] = places[name]
            if effect.kind not in LINES:
                marks.append((name, _mark(effect, event)))
            elif name in places:
                goals = [places[goal].at for goal in _names(event, effect.target) if goal in places]
                strikes += [Arrow(effect.kind, (places[name].at, goal), recorded.by) for goal in goals]
    return Shown(tuple(strikes), tuple(marks), throws, named)


def harm_of(ruleset: Ruleset, event: Event) -> str:
    """The gravest of `HARM` that an event, as its reader sees it, does; "" for none."""
    kinds = {effect.kind for effect in ruleset.shown.effects.get(type(event).__name__, ()) if _applies(effect, event)}
    return next((harm for harm, shown in HARM.items() if not kinds.isdisjoint(shown)), "")


def _applies(effect: Effect, event: Event) -> bool:
    return effect.given is None or getattr(event, effect.given[0], None) == effect.given[1]


def _mark(effect: Effect, event: Event) -> Mark:
    count = getattr(event, effect.count) if effect.count else 1
    return Mark(effect.kind, count if isinstance(count, int) else 1, text="half" if effect.is_half else "")


def _names(event: Event, member: str) -> tuple[str, ...]:
    """The names in a member; none where the reader may not know it."""
    value = getattr(event, member, None)
    return (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()


def _throws(trial: Trial | None) -> Iterator[tuple[str, Throw]]:
    if trial is not None and trial.draws:
        yield trial.units[0], Throw(trial.draws, trial.results(), trial.passes is not None)


def _places(scene: Scene) -> dict[str, MarkPlace]:
    """Where tokens are, what counts as one in its middle; and the cells."""
    places = {cell.id: MarkPlace(middle(cell)) for cell in scene.cells}
    places |= {token.id: MarkPlace(token.at, _depth(token)) for token in scene.tokens}
    for group in scene.groups:
        stands = [places[token] for token in group.tokens if token in places]
        if stands:
            xs, ys = [stand.at[0] for stand in stands], [stand.at[1] for stand in stands]
            depth = max(ys) - min(ys) + max(stand.depth for stand in stands)
            places[group.label] = MarkPlace((sum(xs) // len(xs), (max(ys) + min(ys)) // 2), depth)
    return places


def _depth(token: Token) -> int:
    """From north to south, as it faces."""
    is_across = token.facing is not None and 450 <= token.facing % 1800 < 1350
    return token.size[0] if is_across else token.size[1]
