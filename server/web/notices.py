"""What the host tells everybody now, as pages and answers show it; read anew each second."""

from collections.abc import Callable
from urllib.parse import quote

from server.people.announcements import words_now
from server.store.contract import TableRows
from server.store.tables import announcements
from server.store.tables.announcements import Announcement

HEADER = "Phalera-Notice"
"""The header of an answer to a program that holds the notice, in UTF-8 with percent signs."""


class HostNotice:
    """The notice of a server. `now`: its clock."""

    def __init__(self, store: TableRows, now: Callable[[], str]) -> None:
        self._store = store
        self._now = now
        self._notices: list[Announcement] = []

    def look(self) -> None:
        """Read it from the store."""
        self._notices = announcements.all_of(self._store)

    @property
    def is_kept(self) -> bool:
        """Whether there is one, told now or another time."""
        return bool(self._notices)

    def text(self, lang: str) -> str:
        """What is told now; "" for nothing."""
        return words_now(self._notices, lang, self._now()) if self._notices else ""

    def header(self, lang: str) -> str:
        """The same as the value of a header."""
        return quote(self.text(lang), safe=" ,.:;!?()'")
