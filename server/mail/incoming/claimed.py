"""Process a mail from the address that a guest calls theirs.

The guest was told to write to a token of its own; nothing was sent to the address before. The signature of its mail
system proves it, if the mail was written to that token: the guest could deliver a copy of any other mail to it, also of
one that was written to this server. Without one anybody may have written its name: then the letter
that asks goes there, once a day.
"""

from contextlib import suppress

from domain.basics.errors import Refusal
from server.acts.address import KIND, write_there
from server.mail.desk import Desk, confirming
from server.mail.incoming import limits
from server.mail.incoming.identity import STRANGER, Sender
from server.mail.incoming.judgement import Judgement
from server.mail.incoming.limits import RecentMail
from server.mail.verdict import MailReading, MailRequest, Verdict
from server.people.addresses import mailbox_of
from server.store.tables import mail_tokens


async def claimed(desk: Desk, recent: RecentMail, reading: MailReading, who: Sender, address: str) -> Judgement:
    """Take `address` as proven, ask there, or do nothing. `recent` counts mails.

    Raises: StoreError
    """
    known = mail_tokens.good(desk.store, who.written, KIND, desk.now())
    silent = Judgement(Verdict(what=STRANGER, why="claim"))
    if known is None or reading.trust == "fail" or reading.sender != address.lower():
        return silent
    if reading.trust == "pass" and who.written in reading.named:
        message = await confirming.moved(desk, known, who.written, address)
        asked = MailRequest("confirm", (who.written,), message)
        return Judgement(Verdict(what="command", player=known.player, requests=(asked,)), is_answered=True)
    if recent.allow_all((f"{limits.STRANGER}:{mailbox_of(address)}", limits.STRANGERS), desk.now()):
        with suppress(Refusal):  # it was asked today
            await write_there(desk, known.player, address)
    return silent
