"""The log of a page: the story by turns, in each by the formations that acted, with the units that each line names."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.scene import Scene
from replay.remembered import Remembered
from replay.writing.recording import Recording
from server.shown.kept import PerBattle
from server.shown.story import OrderStory, Story, ToldEvent, ToldTurn
from server.shown.subjects import members_of, units_of


class FormationPart(Struct, frozen=True):
    """What one formation did, then and there; `title` is "" for what no formation did. `n` is its first event."""

    n: int
    title: str
    groups: tuple[OrderStory, ...]


class LoggedTurn(Struct, frozen=True):
    """A turn of the log: its first event, side and number (0 for a phase before the first), the sentence that opened
    it, and whether another one has begun since."""

    n: int
    side: str
    turn: int
    said: str
    is_over: bool
    parts: tuple[FormationPart, ...]


class TurnChronicle(Struct, frozen=True):
    """The turns in their order; `earlier` is the event before the first told, or 0."""

    turns: tuple[LoggedTurn, ...]
    earlier: int


_NAMED: PerBattle[tuple[str, int], tuple[str, ...]] = PerBattle(65_536)
"""All texts in an event, by side and event: about 200 bytes each."""

LINE_BYTES = 500
"""About what a line takes in memory."""
_LOGGED: Remembered[LoggedTurn] = Remembered(
    8 << 20, lambda turn: LINE_BYTES * (1 + sum(1 + len(group.lines) for part in turn.parts for group in part.groups))
)
"""Turns that are over, by the turn that was told and what stands on the board."""


def chronicle(recording: Recording, side: str, told: Story, scene: Scene, *, has_ended: bool) -> TurnChronicle:
    """The story as a page logs it; `scene` is the worded board of its last event, as `side` sees it."""
    tokens = (*scene.tokens, *scene.aside)
    titles = {(one.side, one.id): one.title for one in scene.formations}
    formations = {token.id: (token.side, titles.get((token.side, token.formation), "")) for token in tokens}
    units = units_of(scene)

    kept = _NAMED.of(recording.timeline)

    def with_names(line: ToldEvent) -> ToldEvent:
        if (side, line.n) not in kept:
            kept[side, line.n] = _named(recording, side, line.n)
        names = [name for name in kept[side, line.n] if name in units]
        return replace(line, of=" ".join(names)) if names else line

    def made(turn: ToldTurn, *, is_over: bool) -> LoggedTurn:
        groups = [
            replace(group, head=group.head and with_names(group.head), lines=tuple(map(with_names, group.lines)))
            for group in turn.groups
        ]
        return LoggedTurn(turn.n, turn.side, turn.turn, turn.said, is_over, _parts(turn.side, groups, formations))

    stands = side, units, tuple(formations.items())

    def logged(turn: ToldTurn) -> LoggedTurn:
        if turn is told.turns[-1]:
            return made(turn, is_over=has_ended)
        return _LOGGED.get((turn,), stands, lambda: made(turn, is_over=True))

    return TurnChronicle(tuple(map(logged, told.turns)), told.earlier)


def _parts(
    side: str, groups: Sequence[OrderStory], formations: Mapping[str, tuple[str, str]]
) -> tuple[FormationPart, ...]:
    """The groups of a turn by formation: what the other side answers stays with what it answers to.

    Shape: `formations` are side and title by unit
    """
    parts: list[tuple[str, list[OrderStory]]] = []
    for group in groups:
        title = "" if group.head and group.head.by != side else _formation(side, group, formations)
        if not parts or (title and title != parts[-1][0]):
            parts.append((title, []))
        parts[-1][1].append(group)
    return tuple(FormationPart(there[0].n, title, tuple(there)) for title, there in parts)


def _formation(side: str, group: OrderStory, formations: Mapping[str, tuple[str, str]]) -> str:
    """That of the first unit of a side that is named; "" if there is none."""
    lines = (*((group.head,) if group.head else ()), *group.lines)
    found = (formations.get(name, ("", "")) for line in lines for name in line.of.split())
    return next((title for of, title in found if of == side and title), "")


def _named(recording: Recording, side: str, n: int) -> tuple[str, ...]:
    """The texts in an event, as the reader may know it."""
    event = recording.seen(side, recording.timeline.events[n - 1])
    return tuple(dict.fromkeys(name for _, name in members_of(event)))
