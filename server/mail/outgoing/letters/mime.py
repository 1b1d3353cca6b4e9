"""Make a message of a letter: headers and parts.

Nothing that anybody wrote goes into a header as it is: titles lose what is not printable, ids of other mails are taken
only if they look like ids.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from server.mail.outgoing.letters.deadline import FILE
from server.mail.outgoing.letters.pieces import LetterPicture

NAME = "Phalera"
LONGEST_TITLE = 120
ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]@\\\x00-\x20\x7f]{1,64}@[^\s<>,;:\"()\[\]@\\\x00-\x20\x7f]{1,255}")
MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{3,250}>")
MOST_FIELDS = 256
_ALIKE = frozenset(
    {"content-type", "content-transfer-encoding", "content-disposition", "mime-version", "auto-submitted"}
)
"""Fields that many letters have alike."""
_WHOLE = ("references", "in-reply-to", "list-unsubscribe", "list-id")


class _Whole(UnstructuredHeader, BaseHeader):
    """A header of ids or links: broken between them only. Python would put a long one into encoded words."""

    def fold(self, *, policy: Any) -> str:
        joined = (policy.linesep + " ").join(str(self).split())
        return f"{self.name}: {joined}{policy.linesep}"


class _Registry(HeaderRegistry):
    """Parses what many letters have alike once: Python asks for the Content-Type of a part half a dozen times."""

    def __call__(self, name: str, value: Any) -> BaseHeader:
        return _parsed(name, value) if name.lower() in _ALIKE else super().__call__(name, value)


@lru_cache(MOST_FIELDS)
def _parsed(name: str, value: str) -> BaseHeader:
    return _PARSER(name, value)


_PARSER = HeaderRegistry()


def _policy() -> "EmailPolicy[EmailMessage]":
    registry = _Registry()
    for name in _WHOLE:
        registry.map_to_type(name, _Whole)
    return SMTP.clone(header_factory=registry)


POLICY = _policy()


class Envelope(Struct, frozen=True, kw_only=True):
    """The content of the headers. `references` from the oldest; `unsubscribe` links; `answers`: it answers a mail;
    `boundary` separates the parts: nothing of a letter is left to chance."""

    to: str
    mailbox: str
    reply_to: str
    subject: str
    message_id: str
    date: str
    lang: str
    boundary: str
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    list_id: str = ""
    unsubscribe: tuple[str, ...] = ()
    answers: bool = False


def message_of(
    envelope: Envelope,
    text: str,
    html: str,
    pictures: Sequence[LetterPicture] = (),
    calendar: bytes = b"",
    proofs: Mapping[str, str] = MappingProxyType({}),
) -> EmailMessage:
    """The whole message: text, HTML with its pictures, the deadline as a calendar file, and proofs by name of file."""
    message = EmailMessage(policy=POLICY)
    message["Date"] = format_datetime(datetime.fromisoformat(envelope.date))
    message["From"] = f"{NAME} <{envelope.mailbox}>"
    message["To"] = envelope.to
    message["Reply-To"] = f"{NAME} <{envelope.reply_to}>"
    message["Subject"] = one_line(envelope.subject)
    message["Message-ID"] = envelope.message_id
    if envelope.in_reply_to:
        message["In-Reply-To"] = envelope.in_reply_to
    if envelope.references:
        message["References"] = " ".join(dict.fromkeys(envelope.references))
    message["Auto-Submitted"] = "auto-replied" if envelope.answers else "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    if envelope.list_id:
        message["List-Id"] = f"<{envelope.list_id}>"
    if envelope.unsubscribe:
        message["List-Unsubscribe"] = ", ".join(f"<{link}>" for link in envelope.unsubscribe)
        if any(link.startswith("https:") for link in envelope.unsubscribe):
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    _fill(message, text, html, pictures)
    if calendar:
        message.add_attachment(
            calendar.decode(), subtype="calendar", filename=FILE, params={"method": "PUBLISH", "name": FILE}
        )
    for name, proof in proofs.items():
        message.add_attachment(proof, charset="utf-8", cte="quoted-printable", filename=name)
    message["Content-Language"] = envelope.lang
    for at, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=_{at}_{envelope.boundary}")
    return message


def _fill(message: EmailMessage, text: str, html: str, pictures: Sequence[LetterPicture]) -> None:
    message.set_content(text, charset="utf-8", cte="quoted-printable", params={"format": "fixed"})
    message.add_alternative(html, subtype="html", charset="utf-8", cte="quoted-printable")
    page = list(message.iter_parts())[-1]
    for at, picture in enumerate(pictures, 1):
        page.add_related(
            picture.png,
            "image",
            "png",
            cid=f"<{picture.cid}>",
            disposition="inline",
            filename=f"board{at if len(pictures) > 1 else ''}.png",
        )


def one_line(text: str) -> str:
    """A title in a form fit for a header: printable, one line, limited in length."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return plain[:LONGEST_TITLE]


def is_address(text: str) -> bool:
    """Whether a text is one plain address that can be written into To as it stands."""
    return ADDRESS.fullmatch(text) is not None


def ids_in(text: str, most: int = 20) -> tuple[str, ...]:
    """The last Message-IDs in a header of somebody else's mail, and nothing else of it."""
    return tuple(MESSAGE_ID.findall(text)[-most:])
