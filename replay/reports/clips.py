"""The battle from one event to another as a clip, as a side or a stranger knew it then.

A clip has a frame for each event that a spectator wants to hear; where those are too many, one for each order, with all
that followed from it.
"""

from collections.abc import Iterator, Sequence

from domain.contract.ruleset import NOBODY
from domain.contract.scene import Scene
from domain.events.battle import INPUTS
from domain.log.record import Recorded
from replay.battle_file import BattleFile
from replay.drawing.clip import MOST_FRAMES, ClipFrame
from replay.drawing.describe import titled_captions
from replay.drawing.moves import with_moves
from replay.reports import plain
from replay.telling.words import ENGLISH, phrase, worded


class TooLong(Exception):
    """There are more orders than frames; the text is a sentence."""


def frames(battle: BattleFile, first: int, last: int, side: str = NOBODY, lang: str = ENGLISH) -> list[ClipFrame]:
    """The frames of the events from `first` to `last`, for `replay.drawing.clip.draw_clip`; `side` is whose eyes see
    them.

    Raises:  TooLong
    """
    shown = events_with_frames(battle.events[first - 1 : last], lang)
    return list(_frames(battle, shown, side, lang))


def events_with_frames(events: Sequence[Recorded], lang: str = ENGLISH) -> list[int]:
    """The events that have a frame.

    Raises:  TooLong
    """
    heard = {recorded.n for recorded in plain.plain_events(events)} or {events[-1].n}
    if len(heard) > MOST_FRAMES:
        heard = _last_of_each_block(events, heard)
    if len(heard) > MOST_FRAMES:
        members = {"first": events[0].n, "last": events[-1].n, "count": len(heard), "most": MOST_FRAMES}
        raise TooLong(phrase("clip.too-long", members, lang))
    return sorted(heard)


def _last_of_each_block(events: Sequence[Recorded], heard: set[int]) -> set[int]:
    """Of the events heard, the last one of each order or other input."""
    last, block = dict[int, int](), 0
    for recorded in events:
        block = recorded.n if type(recorded.event) in INPUTS else block
        if recorded.n in heard:
            last[block] = recorded.n
    return set(last.values())


def _frames(battle: BattleFile, shown: Sequence[int], side: str, lang: str) -> Iterator[ClipFrame]:
    before = _scene(battle, max(shown[0] - 1, 1), side, lang)
    for n in shown:
        after = _scene(battle, n, side, lang)
        place = next((words for of, words in titled_captions(after) if not of), after.title)
        yield ClipFrame(with_moves(before, after), f"{n}  {plain.said_to(battle, n, side, lang)}", place)
        before = after


def _scene(battle: BattleFile, n: int, side: str, lang: str) -> Scene:
    known = battle.ruleset.secrets.known(battle.timeline.at(n).game, side)
    return worded(battle.ruleset.shown.view(known, side), lang)
