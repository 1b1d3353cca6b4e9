"""The letters that the server writes to its players.

`LetterWriter.compose` makes the whole message for a row of the outbox. `news` and `answers` choose its pieces; `text`
and `html` turn pieces into the two bodies.
"""

from server.mail.outgoing.letters.writer import LetterWriter

__all__ = ["LetterWriter"]
