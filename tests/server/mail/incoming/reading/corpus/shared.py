"""What all mails of the corpus share: the host, the letter they answer, the ways to build one."""

import quopri
from base64 import b64encode
from typing import Any, NamedTuple

from server.mail.cut import CUT
from server.people.addresses import Addresses

OURS = Addresses("play@phalera.example", b"a secret of the host")
TOKEN = OURS.token("question", "12.south")
BOUNCE = OURS.token("bounce", "12")
HEAD = bytes(range(32))
LETTER_ID = OURS.message_id("g42abcde", 17, HEAD, TOKEN)
US = OURS.to(TOKEN)

ORDERS = "R1 charge E4\nR2 move E5\nend turn"
SIGNATURE = "-- "
LETTER = f"""{CUT} G42 turn 4: write ABOVE this line -----
It is your turn (south), Cannae.

A1 | . | . | R1 |
| 1. R9 flee A1
R9 shoot at R1
resign
https://phalera.example/battles/g42abcde

{SIGNATURE}
phalera.example/phalera/g42abcde 17 AAECAwQFBgc="""


class Case(NamedTuple):
    """A mail and what `read_mail` must find in it. `about`: what is odd. `also`: further fields of the Reading."""

    name: str
    about: str
    raw: bytes
    what: str = "mail"
    text: str = ""
    why: str = ""
    dropped: tuple[str, ...] | None = ()
    also: dict[str, Any] = {}
    trusted: tuple[str, ...] = ()


def told_lines(lines: list[str]) -> list[str]:
    """The lines with something on them."""
    return [line.strip() for line in lines if line.strip()]


def quoted(mark: str = "> ", text: str = LETTER) -> str:
    """A text as a mail program quotes it."""
    return "\n".join(f"{mark}{line}".rstrip() if line != "-- " else f"{mark}-- " for line in text.split("\n"))


def mail(
    body: str | bytes,
    *more: str,
    sender: str = "Anna <anna@example.org>",
    to: str = US,
    subject: str = "Re: [G42] Cannae",
    type_: str = "text/plain; charset=utf-8",
    encoding: str = "8bit",
    top: str = "",
    thread: bool = True,
) -> bytes:
    """A mail as a transport of ours hands it on; `more`: further fields, `top`: above all others."""
    content = body.encode() if isinstance(body, str) else body
    if encoding == "base64":
        content = b64encode(content)
        content = b"\n".join(content[at : at + 76] for at in range(0, len(content), 76))
    elif encoding == "quoted-printable":
        content = quopri.encodestring(content)
    fields = [
        top,
        f"Delivered-To: {to}",
        f"From: {sender}" if sender else "",
        f"To: Phalera <{to}>",
        f"Subject: {subject}",
        "Date: Mon, 07 Dec 2026 10:30:00 +0100",
        "Message-ID: <one@example.org>",
        f"In-Reply-To: {LETTER_ID}\nReferences: <g42abcde@phalera.example>\n {LETTER_ID}" if thread else "",
        "MIME-Version: 1.0",
        f"Content-Type: {type_}",
        f"Content-Transfer-Encoding: {encoding}",
        *more,
    ]
    return "\n".join(field for field in fields if field).encode() + b"\n\n" + content + b"\n"


def multi(
    *parts: tuple[str, str], kind: str = "alternative", boundary: str = "=_b", more: tuple[str, ...] = ()
) -> bytes:
    """A mail of several parts: (fields after Content-Type:, body)."""
    body = "".join(f"--{boundary}\nContent-Type: {head}\n\n{text}\n" for head, text in parts)
    return mail(f"This is MIME.\n{body}--{boundary}--\n", *more, type_=f'multipart/{kind}; boundary="{boundary}"')


PLAIN, HTML = "text/plain; charset=utf-8", "text/html; charset=utf-8"
ON = f"On Mon, Dec 7, 2026 at 10:12 AM Phalera <{US}>\nwrote:"
LE = f"Le lun. 7 déc. 2026 à 10:12, Phalera <{US}> a écrit :"
BLOCK_EN = f"""From: Phalera <{US}>
Sent: Monday, December 7, 2026 10:12 AM
To: Anna <anna@example.org>
Subject: [G42] Cannae
"""
BLOCK_FR = (
    f"De : Phalera <{US}>\nEnvoyé : lundi 7 décembre 2026 10:12\nÀ : Anna <anna@example.org>\nObjet : [G42] Cannae\n"
)
HTML_LETTER = "<p>" + "</p><p>".join(LETTER.replace("<", "&lt;").split("\n")) + "</p>"
HTML_ORDERS = "<div>" + "</div><div>".join(ORDERS.split("\n")) + "</div>"
