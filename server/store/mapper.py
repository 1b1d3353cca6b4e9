"""Map a line of the log to the library's stored event, and back.

The stored state is `hash_n` followed by the canonical line: the very bytes that were hashed. Nothing is
encoded or decoded here, so a line written by an earlier release comes out byte for byte. The topic is the event type of
the line, not the path of a class: classes may move, and old battles stay readable.
"""

from typing import Any

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, StoredEvent, Transcoder
from msgspec import Struct

from server.store.append import HASH_BYTES


class LoggedLine(Struct, frozen=True, gc=False):
    """An event as the library passes it around: battle, n, and the bytes. (The names are the library's.)"""

    originator_id: str
    originator_version: int
    type: str
    hash: bytes
    line: bytes


class LineMapper(Mapper[str]):
    """Converts LoggedLine to StoredEvent by concatenation, and back by splitting after 32 bytes."""

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """The row of an event.

        Raises: TypeError for anything but a LoggedLine
        """
        if not isinstance(domain_event, LoggedLine):
            raise TypeError(f"the log holds lines, not {type(domain_event).__name__}")
        return StoredEvent(
            domain_event.originator_id,
            domain_event.originator_version,
            domain_event.type,
            domain_event.hash + domain_event.line,
        )

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[str]:
        """The event of a row."""
        return LoggedLine(
            str(stored_event.originator_id),
            stored_event.originator_version,
            stored_event.topic,
            stored_event.state[:HASH_BYTES],
            stored_event.state[HASH_BYTES:],
        )


class NoTranscoder(Transcoder):
    """Takes the place of the library's transcoder: the lines arrive as bytes."""

    def encode(self, obj: Any) -> bytes:
        """Refuse: the caller encodes, once, what it hashes."""
        raise TypeError("lines are encoded by their author")

    def decode(self, data: bytes) -> Any:
        """Refuse likewise."""
        raise TypeError("lines are decoded by their reader")
