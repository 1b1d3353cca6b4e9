"""A person with a quick mail program: the same mails as from mutt, without a terminal.

For the tests that need hundreds of mails. A reply quotes the letter below the orders and names it in In-Reply-To and
References, as every mail program does.
"""

import smtplib
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, localtime, make_msgid, parseaddr
from typing import NamedTuple

from tests.mailhost.dovecot import Dovecot
from tests.mailhost.loopback import HOST
from tests.support.waiting import LIMIT_S, until


class Letter(NamedTuple):
    """A mail as its reader sees it, and what his mail program knows of it."""

    message_id: str
    text: str
    mail: EmailMessage

    @property
    def reply_to(self) -> str:
        """The bare address that a reply goes to."""
        return parseaddr(str(self.mail["Reply-To"] or self.mail["From"]))[1]


class Person:
    """Somebody with a mailbox."""

    def __init__(self, address: str, name: str, dovecot: Dovecot, smtp_port: int) -> None:
        self.address = address
        self.name = name
        self._user, _, self._domain = address.partition("@")
        self._dovecot = dovecot
        self._smtp_port = smtp_port
        self._opened: set[str] = set()
        self.last: Letter | None = None

    def letters(self) -> list[Letter]:
        """Everything in the mailbox, oldest first."""
        return [_letter(raw) for raw in self._dovecot.raw(self._user)]

    def waiting(self) -> list[str]:
        """The Message-IDs of the mails not yet opened, oldest first; the second copy of a mail counts as opened."""
        return [each for each in dict.fromkeys(self._dovecot.unread(self._user)) if each not in self._opened]

    def read(self) -> Letter:
        """Wait until there is a mail not yet opened, and open the newest.

        Raises: TooLate
        """
        return self.open(until(f"mail for {self.name}", self.waiting)[-1])

    def open(self, message_id: str) -> Letter:
        """Open a certain mail."""
        self._opened.add(message_id)
        self.last = _letter(self._dovecot.take(self._user, message_id))
        return self.last

    def reply(self, orders: str, to: Letter | None = None) -> EmailMessage:
        """Answer a mail, else the newest one not yet opened; gives what was sent, so that it can be sent once more."""
        letter = to or self.read()
        mail = EmailMessage()
        mail["From"], mail["To"] = f"{self.name} <{self.address}>", letter.reply_to
        subject = str(letter.mail["Subject"])
        mail["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
        mail["In-Reply-To"] = letter.mail["Message-ID"]
        mail["References"] = f"{letter.mail['References'] or ''} {letter.mail['Message-ID']}".strip()
        mail["Message-ID"] = make_msgid(domain=self._domain)
        mail["Date"] = format_datetime(localtime())
        quoted = "\n".join(f"> {line}" for line in letter.text.splitlines())
        mail.set_content(f"{orders}\n\nOn {letter.mail['Date']}, Phalera wrote:\n{quoted}\n")
        self.send(mail)
        return mail

    def write(self, to: str, subject: str, text: str) -> EmailMessage:
        """Write a new mail."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = f"{self.name} <{self.address}>", to, subject
        mail["Message-ID"], mail["Date"] = make_msgid(domain=self._domain), format_datetime(localtime())
        mail.set_content(text)
        self.send(mail)
        return mail

    def send(self, mail: EmailMessage) -> None:
        """Hand a mail to Postfix, for the first time or again."""
        wire = policy.SMTP.clone(max_line_length=990)  # Message-IDs are not to be broken
        content = mail.as_bytes(policy=wire)
        with smtplib.SMTP(HOST, self._smtp_port, timeout=LIMIT_S) as client:
            client.sendmail(self.address, [str(mail["To"])], content)


def _letter(raw: bytes) -> Letter:
    mail = message_from_bytes(raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    body = mail.get_body(("plain",))
    text = str(body.get_content()) if body is not None else ""
    return Letter(str(mail["Message-ID"]).strip().strip("<>"), text, mail)
