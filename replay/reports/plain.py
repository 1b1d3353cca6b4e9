"""Tell a battle event by event, in sentences and text boards.

What `phalera replay --plain` prints, and what `demo` and `play` show as they go. A reader sees what
stood in the log at that time: what was sealed stays sealed until the event that opens it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from domain.contract.ruleset import NOBODY, Ruleset
from domain.events.battle import (
    INPUTS,
    CardDrawn,
    ContributionGiven,
    DeckShuffled,
    Event,
    Fact,
    KeyDisclosed,
    KeysContinued,
    NonceDisclosed,
    OrderAccepted,
    TurnBegan,
    Unsealed,
)
from domain.log.record import Recorded
from domain.log.sealing import seat_of
from domain.run.timeline import is_within
from replay.battle_file import BattleFile
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.telling.words import ENGLISH, tell, worded

IN_A_ROW = 8
"""Cards that may fall one after another before the event that names them."""
BEHIND_THE_SCENES: tuple[type[Event], ...] = (
    ContributionGiven,
    DeckShuffled,
    KeyDisclosed,
    KeysContinued,
    NonceDisclosed,
    Unsealed,
)
"""What a spectator need not hear: it serves the proof."""


class PlainEvent(Struct, frozen=True):
    """An event as a line; `voided`: a later ruling took it back."""

    n: int
    at: str
    by: str
    rule: str
    type: str
    said: str
    voided: bool


def say(ruleset: Ruleset, before: Any, recorded: Recorded, event: Event | None = None, lang: str = ENGLISH) -> str:
    """The sentence of an event; `before` is the game before it as the reader knows it, `event` a
    fuller form of it that they may see."""
    return tell(ruleset, before, Fact(recorded.by, recorded.rule, recorded.event if event is None else event), lang)


def said_to(battle: BattleFile, n: int, side: str, lang: str = ENGLISH, known: Any = None) -> str:
    """The sentence of event `n` for a side, which knows its own secrets, or for a stranger; `known` is the game before
    it as they know it, where the caller has it."""
    recorded = battle.events[n - 1]
    event = recorded.event
    if getattr(event, "sealed", UNSET) is not UNSET and seat_of(event, recorded.by) == side:
        event = battle.timeline.whole(recorded)
    if known is None:
        known = battle.ruleset.secrets.known(battle.timeline.at(n - 1).game, side)
    return say(battle.ruleset, known, recorded, event, lang)


def board(ruleset: Ruleset, known: Any, side: str = NOBODY, lang: str = ENGLISH) -> str:
    """The board as text, for a state as the reader knows it; no line feed at the end."""
    return draw_text(ruleset.shown.view(known, side), lang=lang).rstrip("\n")


def lines(battle: BattleFile, first: int, last: int, lang: str = ENGLISH) -> Iterator[PlainEvent]:
    """The events from `first` to `last` as lines."""
    spans = battle.timeline.voided()
    for before, recorded in battle.timeline.along(first, last):
        n = recorded.n
        voided = is_within(spans, n)
        said = say(battle.ruleset, battle.ruleset.secrets.known(before.game, NOBODY), recorded, lang=lang)
        yield PlainEvent(n, recorded.at, recorded.by, recorded.rule, recorded.type, said, voided)


def known_at(battle: BattleFile, n: int) -> Any:
    """The game after event `n` as a stranger knows it."""
    return battle.ruleset.secrets.known(battle.timeline.at(n).game, NOBODY)


def board_at(battle: BattleFile, n: int, lang: str = ENGLISH) -> str:
    """The board after event `n`."""
    return board(battle.ruleset, known_at(battle, n), lang=lang)


PICTURES = ("txt", "svg", "json", "png", "gif", "webp")


def picture(battle: BattleFile, n: int, to: str, lang: str = ENGLISH) -> bytes:
    """The board after event `n` in a format of `PICTURES`."""
    scene = worded(battle.ruleset.shown.view(known_at(battle, n), NOBODY), lang)
    if to == "json":
        return msgspec.json.format(msgspec.json.encode(scene), indent=2) + b"\n"
    if to in ("png", "gif", "webp"):
        from replay.drawing.raster import draw_png, draw_still  # what takes long to import is not wanted by most

        return draw_png(scene, lang=lang) if to == "png" else draw_still(scene, to, lang=lang)
    return (draw_svg(scene, lang=lang) if to == "svg" else draw_text(scene, lang=lang)).encode()


def as_text(battle: BattleFile, first: int, last: int, lang: str = ENGLISH) -> Iterator[str]:
    """The same as blocks of text, with the board at the start of each turn and at the end."""
    width = len(str(last))
    for line, recorded in zip(lines(battle, first, last, lang), battle.events[first - 1 : last], strict=True):
        indent = "" if type(recorded.event) in INPUTS else "  "
        yield f"{line.n:>{width}}{'~' if line.voided else ' '} {indent}{line.said}"
        if isinstance(recorded.event, TurnBegan) and line.n < last:
            yield f"\n{board_at(battle, line.n, lang)}\n"
    yield f"\n{board_at(battle, last, lang)}"


# --- as it goes


def plain_events(events: Sequence[Recorded]) -> Iterator[Recorded]:
    """The events of one append that a spectator wants to hear: no proofs, and no cards that the event
    after them names."""
    for at, recorded in enumerate(events, start=1):
        is_card = isinstance(recorded.event, CardDrawn)
        if is_shown(recorded) and not (is_card and _is_named(events[at : at + IN_A_ROW])):
            yield recorded


def _is_named(following: Sequence[Recorded]) -> bool:
    """Whether the first event that is no card itself names the cards before it."""
    after = next((recorded.event for recorded in following if not isinstance(recorded.event, CardDrawn)), None)
    return hasattr(after, "card") or hasattr(after, "cards")


def is_shown(recorded: Recorded) -> bool:
    """Whether an event is shown to a spectator."""
    return not isinstance(recorded.event, BEHIND_THE_SCENES)


def is_order(recorded: Recorded) -> bool:
    """Whether an event is a player's order: what follows from it stands below it."""
    return isinstance(recorded.event, OrderAccepted)


def is_turn(recorded: Recorded) -> bool:
    """Whether a side's turn begins with this event."""
    return isinstance(recorded.event, TurnBegan)
