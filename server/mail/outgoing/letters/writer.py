"""Write the message for a row of the outbox.

A letter is made when it is sent, so it shows the battle at that time. News that is outdated by then is left
out; letters that a player does not want now wait.
"""

from email.message import EmailMessage

from msgspec.structs import replace

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from replay.telling.words import ENGLISH, sentence
from replay.writing.clock import later
from server.mail.blocks import Block, Paragraph
from server.mail.desk import Caller, Desk, own_battle
from server.mail.desk import show as show_command
from server.mail.digests import QUESTION
from server.mail.outgoing.carrier import Composed
from server.mail.outgoing.letters import pending
from server.mail.outgoing.letters.account import Asking
from server.mail.outgoing.letters.addressed import TO_AN_ADDRESS, letter_to_address
from server.mail.outgoing.letters.answers import (
    AWAY,
    COMMAND,
    HELD,
    TAKEN,
    UNREADABLE,
    answer,
    campaign_in,
    has_seated,
    told_to_stranger,
    written,
)
from server.mail.outgoing.letters.apart import APART, apart, fault_draft
from server.mail.outgoing.letters.asking import asking
from server.mail.outgoing.letters.binding import begun_at, bound
from server.mail.outgoing.letters.came_back import came_back
from server.mail.outgoing.letters.digest_writer import DigestWriter
from server.mail.outgoing.letters.disputes import disputed
from server.mail.outgoing.letters.draft import GLANCE_S, LetterDraft, waiting
from server.mail.outgoing.letters.invitation import InvitationOutcome, invitation_draft, outcome_of, token_of
from server.mail.outgoing.letters.mime import is_address
from server.mail.outgoing.letters.news import news, subject, word
from server.mail.outgoing.letters.pending import PLAYED
from server.mail.outgoing.letters.pieces import Lead, Piece
from server.mail.outgoing.letters.position import cut_of, title_of
from server.mail.outgoing.letters.reader import LetterReader, reader_of
from server.mail.outgoing.letters.renderer import Renderer
from server.mail.outgoing.letters.trace import Trace, trace_of
from server.mail.outgoing.preferences import ASKING, NEVER, due, name_of, waits_for_digest
from server.mail.verdict import MailRequest, Verdict
from server.people.addresses import Addresses
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.store import Statement
from server.store.tables import (
    accounts,
    blocks,
    correspondents,
    deliveries,
    invitations,
    mail_tokens,
    outbox,
    posts,
    raw_mail,
)
from server.store.tables.accounts import Account
from server.store.tables.outbox import Letter, LetterKind
from server.words import say

SAYING, CONFIRMS = "say", "confirm"
"""Kinds of mail tokens beside that of a question under which a letter can be answered."""
URGENT_ONLY = "urgent"


class LetterWriter:
    """Writes letters about live battles. Without a desk the answers to commands show nothing."""

    def __init__(self, battles: LiveBattles, addresses: Addresses, desk: Desk | None = None) -> None:
        self.battles = battles
        self.store = battles.store
        self.addresses = addresses
        self.desk = desk
        self.press = Renderer(battles, addresses)
        self.digests = DigestWriter(self.store, addresses, self._live)

    async def compose(self, row: Letter) -> Composed | None:
        """The letter of a row, or when to ask again; None if there is nothing left to say, or nobody to say it to.

        Raises: StoreError
        """
        now = self.battles.clock.now()
        current = outbox.find(self.store, row.id)
        if current is None or current.sent_at is not None:
            return None
        if name_of(row.kind) == LetterKind.ANSWER and not row.recipient:
            return await self._to_stranger(row, now)
        if name_of(row.kind) in TO_AN_ADDRESS:
            return await self._asking(letter_to_address(self.battles, self.addresses, row), row, now)
        if name_of(row.kind) == LetterKind.INVITE:
            return await self._to_invited(row, now)
        account = accounts.by_player(self.store, row.recipient)
        if account is None or not is_address(account.email):
            return None
        if name_of(row.kind) == LetterKind.INVITED:
            return await self._to_inviter(row, account, now)
        wishes = correspondents.find(self.store, row.recipient)
        until = due(row.kind, wishes, row.created, now)
        if until:
            return None if until == NEVER else _later(account, until)
        reader = reader_of(self.store, account)
        if waits_for_digest(row.kind, wishes) or name_of(row.kind) == LetterKind.DIGEST:
            return await self._digest(row, account, reader, now)
        draft = await self._draft(row, account, reader, now)
        if draft is not None and draft.wait_until:
            return _later(account, draft.wait_until, draft.also)
        return await self.press.printed(draft, row, reader, now) if draft else None

    # --- what it says

    async def _draft(
        self, row: Letter, account: Account, reader: LetterReader, now: str, is_section: bool = False
    ) -> LetterDraft | None:
        name, _, about = row.kind.partition(":")
        if name == LetterKind.ANSWER:
            return await self._answer(row, about, account, reader, now)
        if name in APART:
            lobby = self.desk.lobby if self.desk else None
            told = await apart(self.battles, lobby, name, about, reader, self.addresses.mailbox)
            return asking(told, row, self.store, self.addresses, now, reader.lang) if told is not None else None
        if name == LetterKind.FAULT:
            return fault_draft(row, about, reader.lang)
        if (live := await self._live(row.battle, row.n)) is None:
            return None
        side = self._side(row, name, about, live, now)
        if name == LetterKind.DISPUTE or (name == LetterKind.FLAG and not side):
            return await disputed(self.battles, self.addresses, live, row, side, reader, now)
        if side and name == LetterKind.SAY:
            return self._word(row, about, live, side, reader, now, is_section)
        if not side or not pending.has_news(self.store, row, live, side, now):
            return None
        joining = pending.joining(self.store, row, now) if name in pending.SAME else []
        if (
            name in pending.SAME
            and pending.may_wait(row, now)
            and pending.waits_for_answer(self.store, live, side, row)
        ):
            return waiting(now, pending.hastened(joining, now))
        pieces = news(live, side, row.kind, reader, now, self._file(live), is_section)
        if name in ASKING:
            pieces[2:2] = came_back(self.store, live, side, reader)
        begun = begun_at(live)
        if begun and row.n >= begun and outbox.is_first(self.store, row, begun):
            pieces += bound(live, reader.lang)
        title, about = title_of(live, reader.lang), subject(live, side, reader.lang)
        draft = LetterDraft(title=title, subject=about, pieces=pieces, live=live, side=side)
        draft.also = tuple(outbox.sent(one.id, now) for one in joining)  # it has waited too long: this tells the same
        return asking(draft, row, self.store, self.addresses, now, reader.lang)

    def _side(self, row: Letter, name: str, about: str, live: LiveBattle, now: str) -> str:
        """The side of its reader that a letter is about, "" if they hold none. To the player of both sides it stays the
        same, though the letter is written once more after a crash: under one token, or not at all."""
        held = live.recording.battle.seat_of(row.recipient)
        if len(held) > 1:
            for side in held:
                if mail_tokens.find(self.store, self.addresses.token(QUESTION, f"{row.id}.{side}")) is not None:
                    return side
            since = about.rpartition(":")[2]
            if name == LetterKind.REMINDER and since.isdigit():
                return pending.waiting_since(live, held, int(since), now)
        return pending.side_of(live, row.recipient)

    def _file(self, live: LiveBattle | None) -> str:
        """Where the battle file is."""
        return f"{self.battles.settings.address}/api/v1/battles/{live.id}/export" if live else ""

    def _word(
        self,
        row: Letter,
        about: str,
        live: LiveBattle,
        side: str,
        reader: LetterReader,
        now: str,
        is_section: bool,
    ) -> LetterDraft | None:
        post = posts.find(self.store, int(about)) if about.isdigit() else None
        if post is None or post.battle != live.id or blocks.is_blocked(self.store, post.player, [row.recipient]):
            return None
        title, pieces = title_of(live, reader.lang), word(live, post, reader.lang)
        draft = LetterDraft(title=title, pieces=pieces, live=live, side=side)
        if is_section:  # which is answered with orders, and with words behind `say`
            draft.pieces = [*pieces[:-1], *news(live, side, "", reader, now, is_section=True)]
            return asking(draft, row, self.store, self.addresses, now, reader.lang)
        draft.reply = self.addresses.token(SAYING, f"{row.id}.{side}")
        draft.also = (mail_tokens.issue(draft.reply, SAYING, reader.player, now, battle=live.id, side=side),)
        return draft

    async def _answer(
        self, row: Letter, about: str, account: Account, reader: LetterReader, now: str
    ) -> LetterDraft | None:
        mail = raw_mail.find(self.store, bytes.fromhex(about))
        if mail is None or mail.verdict is None:
            return None
        verdict = decode(mail.verdict, Verdict)
        if verdict.sections:
            return await self._several(verdict, row, account, reader, now, trace_of(mail.raw))
        live = await self._live(verdict.battle) if verdict.battle else None
        seat = live.recording.battle.seats.get(verdict.side) if live else None
        if seat is None or seat.player != reader.player:
            live = None
        if live and verdict.what == PLAYED and pending.may_wait(row, now) and pending.waits_for_bot(live):
            return waiting(now)
        is_urgent = correspondents.find(self.store, row.recipient).delivery == URGENT_ONLY
        until = pending.joins_until(live, verdict, row, is_urgent) if live else ""
        if until > now:
            return LetterDraft(title="", pieces=[], wait_until=until)
        draft = await self._answered(verdict, live, account, reader, now)
        if (
            live and verdict.what == PLAYED and pending.side_of(live, reader.player) == draft.side
        ):  # or it asks for the other
            taken_in = pending.said_by(self.store, row.recipient, row.battle, live.n)
            draft.also = tuple(outbox.sent(one.id, now) for one in taken_in)
            draft.subject = subject(live, draft.side, reader.lang) if taken_in else ""
        if live is None and self.desk and verdict.what == COMMAND:
            own = await own_battle(self.desk, verdict.requests, Caller(account, reader.lang))
            if own is not None:  # a player whose letter was lost asks for the orders, and can answer this one
                draft.live, draft.side = own
                draft.title = title_of(own[0], reader.lang)
                await self._take_in(draft, verdict, row, reader, now)
        draft.trace = trace_of(mail.raw)
        if verdict.what == HELD:  # perhaps not theirs: its subject would stand in our letter
            draft.trace = replace(draft.trace, subject="")
        if draft.reply:
            return draft
        return asking(draft, row, self.store, self.addresses, now, reader.lang, campaign_in(verdict))

    async def _take_in(self, draft: LetterDraft, verdict: Verdict, row: Letter, reader: LetterReader, now: str) -> None:
        """Let the answer to a mail that has opened or joined a battle, and did nothing else, be the letter that waits:
        one letter, not two."""
        live = await self._live(draft.live.id) if draft.live else None
        waiting = pending.said_by(self.store, row.recipient, live.id, live.n) if live else []
        left = [request for request in verdict.requests if request.name == UNREADABLE]
        done = [request for request in verdict.requests if request.name != UNREADABLE]
        is_alone = len(done) == 1 and has_seated(done[0])
        if live is None or not (waiting and is_alone) or draft.side not in live.to_act():
            return
        draft.pieces = news(live, draft.side, waiting[-1].kind, reader, now, self._file(live))
        if done[0].message is not None:
            draft.pieces.insert(2, Paragraph(sentence(done[0].message, reader.lang)))
        if left:
            lines = " / ".join(written(line) for request in left for line in request.args)
            draft.pieces.insert(2, Paragraph(say(reader.lang, "letter.left-out", lines=lines)))
        begun = begun_at(live)
        if begun and any(one.n >= begun and outbox.is_first(self.store, one, begun) for one in waiting):
            draft.pieces += bound(live, reader.lang)
        draft.subject = subject(live, draft.side, reader.lang)
        draft.also = tuple(outbox.sent(one.id, now) for one in waiting)

    async def _several(
        self, verdict: Verdict, row: Letter, account: Account, reader: LetterReader, now: str, trace: Trace
    ) -> LetterDraft:
        """The answer to a mail about several battles."""
        lives = [await self._live(one.battle) for one in verdict.sections if one.what == PLAYED]
        if pending.may_wait(row, now) and any(pending.waits_for_bot(live) for live in lives if live is not None):
            return waiting(now)

        async def answered(one: Verdict, live: LiveBattle | None) -> LetterDraft:
            return await self._answered(one, live, account, reader, now, is_section=True)

        draft = await self.digests.of_verdict(verdict, row, reader, now, answered)
        draft.trace = trace
        return draft

    async def _answered(
        self,
        verdict: Verdict,
        live: LiveBattle | None,
        account: Account,
        reader: LetterReader,
        now: str,
        is_section: bool = False,
    ) -> LetterDraft:
        """The answer to a mail. A held mail is answered from the address of its confirmation."""
        draft = LetterDraft(title="", pieces=[], live=live, waiting=verdict.waiting)
        draft.title, draft.side = (title_of(live, reader.lang), verdict.side) if live else ("", "")
        draft.is_answer, draft.bounces = True, verdict.what in TAKEN
        confirm = None
        if verdict.held and verdict.what in (HELD, AWAY):
            draft.reply = self.addresses.token(CONFIRMS, verdict.held)
            confirm = (f"{self.battles.settings.address}/confirm/{draft.reply}", self.addresses.to(draft.reply))
        caller = Caller(account, reader.lang, verdict.battle, verdict.side)

        async def show(request: MailRequest) -> list[Block]:
            return await show_command(self.desk, request, caller) if self.desk else []

        draft.pieces = await answer(verdict, live, reader, now, confirm, show, self._file(live), is_section)
        return draft

    async def _to_stranger(self, row: Letter, now: str) -> Composed | None:
        """The help, to somebody without an account who asked for it, or that an invitation is over: their address is
        only in their mail. Nothing they wrote is repeated, or we would carry others' words to anyone they like."""
        mail = raw_mail.find(self.store, bytes.fromhex(row.kind.partition(":")[2]))
        trace = trace_of(mail.raw) if mail else Trace()
        if mail is None or mail.verdict is None or not trace.sender:
            return None
        asked = told_to_stranger(decode(mail.verdict, Verdict))
        if asked is None:
            return None
        lang = asked.params.get("reads", ENGLISH)
        reader = LetterReader("", email=trace.sender, lang=lang, picture=False)
        draft = await self._answered(asked, None, Account("", "", trace.sender, now), reader, now)
        draft.trace = Trace(trace.id, trace.references)
        return await self.press.printed(draft, row, reader, now)

    async def _asking(self, asked: Asking | None, row: Letter, now: str) -> Composed | None:
        """A letter about an account: to the address a player wants to use from now on, to who logs in, to whose account
        something has happened."""
        if asked is None:
            return None
        pieces: list[Piece] = [Lead(asked.lead), cut_of(None, asked.lang), *asked.blocks]
        draft = LetterDraft(title=asked.title, pieces=pieces, reply=asked.token)
        reader = LetterReader("", email=asked.address, lang=asked.lang, picture=False)
        return await self.press.printed(draft, row, reader, now)

    async def _to_invited(self, row: Letter, now: str) -> Composed | None:
        """An invitation, while it is open."""
        token = token_of(self.addresses, row)
        invitation = invitations.find(self.store, mail_tokens.digest(token))
        live = await self._live(row.battle)
        if invitation is None or not invitation.is_open(now) or live is None or live.closed:
            return None
        known = mail_tokens.with_digest(self.store, invitation.token)
        is_stopped = known is not None and bool(correspondents.find(self.store, known.player).stopped)
        is_unwanted = not invitation.follows and invitations.is_unwanted(self.store, invitation.mailbox)
        if is_stopped or is_unwanted or not is_address(invitation.email):  # it waits on the page
            return None
        first = await self._live(invitation.follows) if invitation.follows else None
        has_ended = first is not None and first.recording.battle.ended
        draft, reader = invitation_draft(self.battles, self.addresses, invitation, token, live, has_ended)
        return await self.press.printed(draft, row, reader, now)

    async def _to_inviter(self, row: Letter, account: Account, now: str) -> Composed | None:
        """What has become of an invitation, in one letter; until then it waits."""
        invitation = invitations.find(self.store, mail_tokens.digest(token_of(self.addresses, row)))
        live, reader = await self._live(row.battle), reader_of(self.store, account)
        is_wanted = not correspondents.find(self.store, account.player).stopped
        found = outcome_of(invitation, live, account.player, reader.lang) if live and is_wanted else InvitationOutcome()
        if found.until:
            return _later(account, found.until)
        if live is None or not found.said:
            return None
        pieces: list[Piece] = [Lead(found.said), cut_of(None, reader.lang)]
        draft = LetterDraft(title=title_of(live, reader.lang), pieces=pieces, also=found.also)
        asking(draft, row, self.store, self.addresses, now, reader.lang)
        return await self.press.printed(draft, row, reader, now)

    # --- several in one

    async def _digest(self, row: Letter, account: Account, reader: LetterReader, now: str) -> Composed | None:
        """Everything that waits for a player in one mail; what another letter included is not repeated."""
        host = pending.host_of(self.store, row)
        if host is not None and host.sent_at is not None:
            return None
        if host is not None and (retry := deliveries.find(self.store, host.id).next_try) > now:
            return _later(account, retry)
        drafts = [
            (one, await self._draft(one, account, reader, now, is_section=True))
            for one in pending.waiting(self.store, row.recipient)
        ]
        if any(one.id == row.id and draft is not None and draft.wait_until for one, draft in drafts):
            return _later(account, later(now, GLANCE_S))
        drafts = [(one, draft) for one, draft in drafts if draft is None or not draft.wait_until]
        rows = [one for one, _ in drafts]
        told = [(one, draft) for one, draft in drafts if draft is not None]
        if not told:
            return None
        marks = pending.taken_in(self.store, rows, row, now)
        alone = await self._draft(told[0][0], account, reader, now) if len(told) == 1 else None
        if alone is not None:
            alone.also = (*alone.also, *marks)
            return await self.press.printed(alone, row, reader, now)
        whole = self.digests.of_letters([draft for _, draft in told], marks, row, reader, now)
        return await self.press.printed(whole, row, reader, now)

    async def _live(self, battle: str, n: int = 0) -> LiveBattle | None:
        """A battle, at event `n` at least; None if there is none."""
        try:
            live = await self.battles.get(battle)
        except Refusal:
            return None
        await live.reach(n)
        await live.remember()
        return live


def _later(account: Account, until: str, meanwhile: tuple[Statement, ...] = ()) -> Composed:
    """Send nothing now."""
    return Composed(EmailMessage(), account.email, "", wait_until=until, meanwhile=meanwhile)
