"""Process the answer to an invitation.

It counts from the invited address alone, which it proves: the token went nowhere else. To that address, and to no
other, the invitation goes once more if somebody else has answered, or if the answer says neither yes nor no; and if it
comes too late, a letter that says so.
"""

from msgspec.structs import replace

from domain.basics.data import parse_toml
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.run.inputs import Phrase
from server.acts.accept import accept, decline, open_invitation
from server.acts.bring import bring_invited
from server.acts.clubs.inviting import QUESTION
from server.acts.invite import digest_of
from server.acts.phrases import own_phrase
from server.acts.plain_text import unlinked
from server.armies import OwnArmy
from server.mail.desk import Desk
from server.mail.incoming import limits
from server.mail.incoming.bringing_answer import Bringing, army_in_answer
from server.mail.incoming.club_answer import club_answered
from server.mail.incoming.identity import Sender
from server.mail.incoming.inviting_answer import answer_to_invitation
from server.mail.incoming.judgement import Judgement
from server.mail.incoming.limits import RecentMail
from server.mail.verdict import MailReading, MailRequest, Verdict
from server.people.addresses import mailbox_of
from server.play.request import MAIL_CHANNEL
from server.shown.listing import title_of
from server.store.tables import accounts, mail_tokens, outbox
from server.store.tables import invitations as store
from server.store.tables.invitations import Invitation
from server.store.tables.outbox import LetterKind

WHY = "invitation"
OVER = Judgement(Verdict(what="closed", why=WHY))


async def answered(desk: Desk, recent: RecentMail, key: str, reading: MailReading, who: Sender) -> Judgement:
    """Do what a mail to the token of an invitation says. `recent` counts mails; the same `key` again changes nothing.

    Raises: StoreError
    """
    if who.token is not None and who.token.question == QUESTION:
        return await club_answered(desk, reading, who)
    said = answer_to_invitation(reading.text, reading.subject)
    open_ = open_invitation(desk, who.written)
    if open_ is None:
        if said.what == "never" and reading.trust != "fail":
            await decline(desk, who.written, for_good=True)
        if said.what == "accept":
            return await _accepted(desk, recent, key, reading, who, "")
        return OVER if said.what else _too_late(desk, recent, reading, who)
    if said.what != "never" and (await desk.battles.get(open_.battle)).closed:
        return OVER if said.what == "decline" else _too_late(desk, recent, reading, who)
    army = army_in_answer(reading.text)
    is_theirs = reading.sender == open_.email.lower() and reading.trust != "fail"
    is_doubted = bool(who.correspondent.signed) and reading.trust != "pass"
    if not is_theirs or is_doubted or not (said.what or army):
        return _once_more(desk, recent, open_, who)
    if army is not None:
        return await _brought(desk, recent, open_, key, reading, who, army)
    if said.what == "accept":
        try:
            return await _accepted(desk, recent, key, reading, who, said.name)
        except Refusal:  # a name that is taken, a side that they cannot take: the letter says how else
            return _once_more(desk, recent, open_, who)
    await decline(desk, who.written, for_good=said.what == "never")
    return Judgement(Verdict(what="command", why=said.what))


async def _accepted(
    desk: Desk, recent: RecentMail, key: str, reading: MailReading, who: Sender, name: str
) -> Judgement:
    """Seat who has accepted, and tell them; a repetition is told the same.

    Raises: Refusal of the seat; StoreError
    """
    try:
        accepted = await accept(desk, who.written, Phrase(own_phrase(key), MAIL_CHANNEL), name)
    except Refusal as refused:
        if refused.code != "core.invitation-over":
            raise
        return _too_late(desk, recent, reading, who)
    live, account = accepted.live, accepted.account
    if reading.sender != account.email.lower() or reading.trust == "fail":
        return OVER
    other = live.recording.battle.seats.get(live.seats.opponent(accepted.side))
    told = {"battle": live.id, "title": title_of(live), "side": accepted.side, "name": account.name}
    done = Message("desk.did.invitation", {**told, "other": other.name if other else ""})
    request = MailRequest("join", (live.id, accepted.side), done)
    verdict = Verdict(what="command", battle=live.id, side=accepted.side, player=account.player, requests=(request,))
    return Judgement(verdict, is_answered=True)


async def _brought(
    desk: Desk, recent: RecentMail, open_: Invitation, key: str, reading: MailReading, who: Sender, army: Bringing
) -> Judgement:
    """Propose the battle with the army of whoever was invited, and tell them; or send the invitation once more, if
    their army cannot be read, or is not legal."""
    try:
        table = await desk.battles.workers.people.run(parse_toml, army.text, "army") if army.text else None
        own = OwnArmy(army.list, 0, army.seed if army.seed >= 0 else int(key[:8], 16), table)
        came = await bring_invited(desk, who.written, own, MAIL_CHANNEL, key)
    except Refusal:
        return _once_more(desk, recent, open_, who)
    brought = came.brought
    told = {"battle": brought.live.id, "title": title_of(brought.live), "side": brought.side, "name": brought.opponent}
    request = MailRequest("join", (brought.live.id, brought.side), Message("desk.did.brought", told))
    verdict = Verdict(
        what="command", battle=brought.live.id, side=brought.side, player=came.account.player, requests=(request,)
    )
    return Judgement(verdict, is_answered=True)


def _too_late(desk: Desk, recent: RecentMail, reading: MailReading, who: Sender) -> Judgement:
    """Tell whom an invitation was for that it is over, once a day: only the digest of their mailbox is left of them."""
    found = store.find(desk.store, mail_tokens.digest(who.written))
    if found is None or found.state == store.ACCEPTED or reading.trust == "fail":
        return OVER
    if digest_of(desk, reading.sender) != found.mailbox or store.is_unwanted(desk.store, found.mailbox):
        return OVER
    if not recent.allow_all((f"{limits.STRANGER}:{mailbox_of(reading.sender)}", limits.STRANGERS), desk.now()):
        return OVER
    inviter = accounts.by_player(desk.store, found.inviter)
    params = {"reads": found.lang} | ({"name": unlinked(inviter.name)} if inviter else {})
    return Judgement(replace(OVER.verdict, params=params), is_answered=True)


def _once_more(desk: Desk, recent: RecentMail, open_: Invitation, who: Sender) -> Judgement:
    """Send an invitation again, once a day: it says how it is answered."""
    verdict = Verdict(what="stranger", why=WHY)
    counted = (f"{limits.STRANGER}:{mailbox_of(open_.email)}", limits.STRANGERS)
    if who.token is None or not recent.allow_all(counted, desk.now()):
        return Judgement(verdict)
    kind = f"{LetterKind.INVITE}:{who.token.content.decode()}"
    return Judgement(verdict, (outbox.post(open_.battle, 0, "", kind, desk.now()),))
