"""What does the server write to its players?

`Writer.compose` makes the whole message of a row of the outbox. `news` and `answer` say what stands in it, as pieces;
`text` and `html` turn pieces into the two bodies.
"""

from server.mail.outgoing.letters.writer import Writer

__all__ = ["Writer"]
