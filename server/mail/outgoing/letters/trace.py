"""The mail being answered: id, thread, subject and sender, as far as they may be repeated."""

from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import getaddresses

from msgspec import Struct

from server.mail.outgoing.letters.mime import ids_in, is_address, one_line

HEADERS = 32 * 1024
"""Maximum bytes of a mail that are examined."""
MOST_REFERENCES = 8


class Trace(Struct, frozen=True):
    """What is copied from a mail into the answer's headers; anything odd is left out."""

    id: str = ""
    references: tuple[str, ...] = ()
    subject: str = ""
    sender: str = ""


def trace_of(raw: bytes) -> Trace:
    """The trace of a raw mail. Never raises because of its content."""
    head = raw[:HEADERS].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    try:
        message = message_from_bytes(head + b"\n\n")
        id_ = ids_in(str(message.get("Message-ID", "")))
        references = ids_in(str(message.get("References", "")), MOST_REFERENCES)
        subject = _decoded(str(message.get("Subject", "")))
        senders = [address for _, address in getaddresses([str(message.get("From", ""))]) if address]
    except (ValueError, LookupError, RecursionError, TypeError):
        return Trace()
    sender = senders[0].lower() if len(senders) == 1 and is_address(senders[0]) else ""
    return Trace(id_[-1] if id_ else "", (*references, *id_), _plain(subject), sender)


def _decoded(subject: str) -> str:
    try:
        return str(make_header(decode_header(subject)))
    except (ValueError, LookupError):
        return ""


def _plain(subject: str) -> str:
    """A subject without its reply prefixes."""
    line = one_line(subject)
    while line[:3].casefold() in ("re:", "aw:", "sv:", "tr:") or line[:3].casefold() == "fw:":
        line = line[3:].strip()
    return line
