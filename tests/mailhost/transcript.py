"""One turn by mail, as a person at mutt sees it.

python -m tests.mailhost.transcript [--imap]

Prints the letter as mutt shows it, the reply as mutt sent it, and the answer.
"""

import sys
from email import message_from_bytes, policy
from email.message import EmailMessage

from tests.mailhost import captain
from tests.mailhost.host import mail_host
from tests.mailhost.loopback import Absent, require
from tests.mailhost.phalera import Kept
from tests.support.waiting import until

RULE = "=" * 78
SHOWN = ("Date", "From", "To", "Subject", "Message-ID", "In-Reply-To", "References", "User-Agent")


def show(title: str, text: str) -> None:
    """A part of the transcript."""
    print(f"{RULE}\n{title}\n{RULE}\n\n{text.rstrip()}\n")


def as_sent(kept: Kept) -> str:
    """A mail of mutt's, with the headers that matter, as it reached Phalera."""
    mail = message_from_bytes(kept.raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    headers = "\n".join(f"{name}: {mail[name]}" for name in SHOWN if mail[name])
    return f"{headers}\n\n{mail.get_content()}"


def main(intake: str) -> None:
    """Print the transcript."""
    with mail_host(intake) as host:
        anna = host.at_mutt("Anna")
        host.at_mutt("Bob")
        host.battle("Anna", "Bob")
        letter = anna.read()
        show("1. The letter, as mutt shows it", letter.text)
        anna.reply(f"phrase the geese are awake\n{captain.answer(letter.text)}", letter)
        kept = until("the reply arrives", lambda: [mail for mail in host.phalera.kept() if mail.what])
        show("2. The reply, as mutt sent it: orders on top, the letter quoted", as_sent(kept[0]))
        show("3. The answer, as mutt shows it", anna.read().text)


if __name__ == "__main__":
    try:
        require("postfix", "dovecot", "mutt", "script")
    except Absent as absent:
        sys.exit(f"The transcript cannot be made here: {absent}.")
    main("imap" if "--imap" in sys.argv else "lmtp")
