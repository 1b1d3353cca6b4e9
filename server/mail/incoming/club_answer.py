"""Process the answer to an invitation to a club.

It counts from the invited address alone. Anything that is neither yes nor no is no answer; the page of the invitation
stays open.
"""

from domain.basics.errors import Refusal
from domain.basics.message import Message
from server.acts.clubs.inviting import accept_club, decline_club, open_club_invitation
from server.mail.desk import Desk
from server.mail.incoming.identity import Sender
from server.mail.incoming.inviting_answer import answer_to_invitation
from server.mail.incoming.judgement import Judgement
from server.mail.verdict import MailReading, MailRequest, Verdict

WHY = "club-invitation"
OVER = Judgement(Verdict(what="closed", why=WHY))
UNCLEAR = Judgement(Verdict(what="stranger", why=WHY))


async def club_answered(desk: Desk, reading: MailReading, who: Sender) -> Judgement:
    """Do what a mail to the token of an invitation to a club says.

    Raises: StoreError
    """
    said = answer_to_invitation(reading.text, reading.subject)
    open_ = open_club_invitation(desk, who.written)
    if open_ is None:
        if said.what == "never" and reading.trust != "fail":
            await decline_club(desk, who.written, for_good=True)
        return OVER
    is_theirs = reading.sender == open_.email.lower() and reading.trust != "fail"
    is_doubted = bool(who.correspondent.signed) and reading.trust != "pass"
    if not is_theirs or is_doubted or not said.what:
        return UNCLEAR
    if said.what != "accept":
        await decline_club(desk, who.written, for_good=said.what == "never")
        return Judgement(Verdict(what="command", why=said.what))
    return await _accepted(desk, who, said.name)


async def _accepted(desk: Desk, who: Sender, name: str) -> Judgement:
    try:
        accepted = await accept_club(desk, who.written, name)
    except Refusal:  # a name that is taken, a club that is full: the page says so
        return UNCLEAR
    club, account = accepted.club, accepted.account
    done = Message("desk.did.club", {"club": club.club, "title": club.name, "name": account.name})
    request = MailRequest("club", (club.club,), done)
    return Judgement(Verdict(what="command", player=account.player, requests=(request,)), is_answered=True)
