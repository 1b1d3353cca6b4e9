"""What players send, as the recording of a battle takes it: with the head that they have seen."""

from collections.abc import Iterable, Mapping

from domain.run.inputs import Entry, Phrase
from replay.writing.recording import Recording


def phrase(recording: Recording, text: str, channel: str = "api") -> Phrase:
    """A phrase that comes alone, from somebody who has seen the newest head."""
    return Phrase(text, channel, recording.newest_head())


def phrases(recording: Recording, sides: Iterable[str], text: str) -> Mapping[str, Phrase]:
    """The same phrase of several sides."""
    return {side: phrase(recording, text) for side in sides}


def entry(recording: Recording, side: str, text: str, player: str, **more: object) -> Entry:
    """An order over the API, from somebody who has seen the newest head."""
    return Entry(side, text, player, "api", seen=recording.newest_head(), **more)  # type: ignore[arg-type]
