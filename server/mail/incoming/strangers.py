"""Answer a stranger who asks for the help, and nobody else: others could make us write to anyone they like."""

from server.mail import desk
from server.mail.incoming import limits
from server.mail.incoming.identity import STRANGER
from server.mail.incoming.judgement import Judgement
from server.mail.incoming.limits import RecentMail
from server.mail.verdict import MailReading, Verdict
from server.people.addresses import mailbox_of


def of_stranger(reading: MailReading, recent: RecentMail, now: str) -> Judgement:
    """The judgement on a mail of somebody without an account."""
    asked = desk.read(reading.text, reading.subject)
    is_answered = bool(
        reading.sender
        and asked
        and asked[0].name == "help"
        and reading.trust != "fail"
        and recent.allow_all((f"{limits.STRANGER}:{mailbox_of(reading.sender)}", limits.STRANGERS), now)
    )
    return Judgement(Verdict(what=STRANGER, requests=asked[:1] if is_answered else ()), (), is_answered)
