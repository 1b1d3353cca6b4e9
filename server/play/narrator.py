"""Tell a battle event by event to somebody who watches it being played.

A narrator follows the log as one side, or a stranger, knows it: it reports each event as it happens and
shows the board when a turn begins. It cannot report sealed parts, except to the side they belong to.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.contract.ruleset import NOBODY
from domain.contract.scene import Scene
from domain.log.record import Recorded
from domain.run.timeline import Timeline
from replay.reports import plain
from replay.telling.words import ENGLISH, worded
from replay.writing.recording import Recording

INDENT = "    "


class Narrator:
    """Narrates the battle of a recording to a side ("" for a stranger)."""

    def __init__(self, recording: Recording, side: str = NOBODY) -> None:
        self.ruleset = recording.ruleset
        self.side = side
        self.timeline = Timeline(self.ruleset)
        self._recording = recording

    @property
    def known(self) -> Any:
        """The game as the listener knows it."""
        return self.ruleset.secrets.known(self.timeline.now.game, self.side)

    def scene(self) -> Scene:
        """The table as the listener sees it."""
        return worded(self.ruleset.shown.view(self.known, self.side), ENGLISH)

    def board(self) -> str:
        """The board as text."""
        return plain.board(self.ruleset, self.known, self.side)

    def hear(self, events: Sequence[Recorded]) -> Iterator[str]:
        """New events as blocks of text."""
        spoken = {recorded.n for recorded in plain.plain_events(events)}
        for recorded in events:
            said = self._fed(recorded)
            if plain.is_turn(recorded):
                yield f"\n--- {said}\n\n{self.board()}\n"
            elif plain.is_order(recorded):
                yield f"> {said}"
            elif recorded.n in spoken:
                yield f"{INDENT}{said}"

    def _fed(self, recorded: Recorded) -> str:
        """The sentence of the next event, which is folded at the same time."""
        if self._recording.is_secret_of(self.side, recorded.n):
            self.timeline.vault[recorded.n] = self._recording.timeline.vault[recorded.n]
        said = plain.say(self.ruleset, self.known, recorded, self.timeline.whole(recorded))
        self.timeline.feed(recorded)
        return said
