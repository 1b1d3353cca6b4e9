"""Render a draft as a message ready to go: addresses, tokens, boards."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from email.message import EmailMessage

from domain.basics.errors import Refusal
from server.mail.blocks import BoardBlock, MapBlock
from server.mail.outgoing.carrier import Composed
from server.mail.outgoing.letters.binding import hand_key
from server.mail.outgoing.letters.boards import Drawing, drawing_of, picture_of
from server.mail.outgoing.letters.deadline import calendar_of
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.html import html_of
from server.mail.outgoing.letters.map_turn import map_of
from server.mail.outgoing.letters.mime import Envelope, message_of
from server.mail.outgoing.letters.pieces import LetterPicture, Piece
from server.mail.outgoing.letters.position import NEW, deadline_of, title_of
from server.mail.outgoing.letters.reader import LetterReader
from server.mail.outgoing.letters.text import text_of
from server.mail.outgoing.preferences import name_of
from server.people.addresses import Addresses
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.store import Statement
from server.store.tables import mail_tokens
from server.store.tables.outbox import Letter, LetterKind
from server.words import say

BOUNCE, UNSUBSCRIBE = "bounce", "unsubscribe"
"""Kinds of mail tokens that every letter has: one for bounces, one to unsubscribe."""
LETTER = "letter"
"""The subject of the token in a Message-ID if nothing can be answered; it is not issued."""
ENCLOSING = {LetterKind.END, LetterKind.ANSWER, LetterKind.DIGEST}
"""Letters that may be the last one of a battle: they bring what its witnesses have signed."""
MOST_HEADS = 20
"""Battles of a letter whose heads its References name."""
Foot = Sequence[tuple[str, str]]
"""The lines of the foot as (text, link); "" for no link."""


class Renderer:
    """Renders letters about live battles."""

    def __init__(self, battles: LiveBattles, addresses: Addresses) -> None:
        self.battles = battles
        self.addresses = addresses
        self.proof_of: Callable[[str], str] = _no_proof
        """What the witnesses have signed of a battle (docs/witnesses.md), "" for nothing. It reads files."""

    async def printed(self, draft: LetterDraft, row: Letter, reader: LetterReader, now: str) -> Composed:
        addresses, settings, lang = self.addresses, self.battles.settings, reader.lang
        live, trace = draft.live, draft.trace
        token = draft.reply or addresses.token(LETTER, str(row.id))
        battle, n = (live.id, live.n) if live else ("", row.id)
        head = live.recording.head if live else b""
        bounce = addresses.token(BOUNCE, str(row.id))
        leave = addresses.token(UNSUBSCRIBE, row.recipient) if row.recipient and reader.player else ""
        links = draft.unsubscribe or unsubscribe_links(settings.address, addresses, leave)
        envelope = Envelope(
            to=reader.email,
            mailbox=addresses.mailbox,
            reply_to=addresses.to(draft.reply),
            subject=self._subject(draft, lang),
            message_id=addresses.message_id(battle, n, head, token),
            date=now,
            lang=lang,
            boundary=token,
            in_reply_to=trace.id if trace else addresses.thread(live.id) if live else "",
            references=(*self._seen(draft, token), *(trace.references if trace else ())),
            list_id=f"letters.{addresses.host}",
            unsubscribe=links,
            answers=draft.is_answer,
        )
        proofs = await self._proofs(draft, row)
        foot = self._foot(draft, links, lang)
        foot += [(say(lang, "letter.foot.proof", file=name), "") for name in proofs]
        note = "\n".join(one.note() for one, _ in _parts(draft))
        boards = await self._boards(draft.pieces)
        calendar = self._calendar(draft, now, lang)
        message = await self.battles.workers.background.run(
            rendered, envelope, draft.pieces, boards, foot, note, calendar, proofs, reader.picture, settings.address
        )
        return Composed(
            message,
            reader.email,
            addresses.to(bounce) if draft.bounces else "",
            (*draft.also, *self._issued(row, draft, bounce, leave, now)),
        )

    def _seen(self, draft: LetterDraft, token: str) -> tuple[str, ...]:
        """The thread of the battle; of a letter about several the ids that name their heads, which a reply echoes."""
        if draft.live:
            return self._threads(draft.live)
        heads = ((live.id, live.n, live.recording.head) for live, _ in draft.parts[:MOST_HEADS])
        return tuple(self.addresses.message_id(*head, token) for head in heads)

    def _threads(self, live: LiveBattle) -> tuple[str, ...]:
        """The beginning of the thread of a battle, after those that it had under former names of this host."""
        battles, host = self.battles, live.recording.header.host
        of_name = [battles.settings.mailbox_of(host)] if host in battles.keys.former_names else []
        boxes = (*of_name, *battles.settings.post.former)
        before = (self.addresses.thread(live.id, box.rpartition("@")[2]) for box in boxes)
        return tuple(dict.fromkeys((*before, self.addresses.thread(live.id))))

    def _issued(self, row: Letter, draft: LetterDraft, bounce: str, leave: str, now: str) -> list[Statement]:
        """The tokens that every letter has: one for bounces, one to unsubscribe."""
        if not row.recipient:
            return []
        issued = [mail_tokens.issue(leave, UNSUBSCRIBE, row.recipient, now)]
        if draft.bounces:
            issued.append(
                mail_tokens.issue(
                    bounce, BOUNCE, row.recipient, now, battle=row.battle, side=draft.side, question=str(row.id)
                )
            )
        return issued

    def _subject(self, draft: LetterDraft, lang: str) -> str:
        """What a letter is about; an answer that asks nothing new has the subject of the mail that it answers, so that
        both are one thread in every mail program."""
        if draft.subject:
            return draft.subject
        if draft.trace is not None and draft.trace.subject:
            return f"Re: {draft.trace.subject}"
        return draft.title or say(lang, "letter.subject")

    async def _proofs(self, draft: LetterDraft, row: Letter) -> dict[str, str]:
        """The proofs of the battles of a letter that are over, as files to be kept beside the battle files."""
        if name_of(row.kind) not in ENCLOSING:
            return {}
        over = [live.id for live, _ in _parts(draft) if live.recording.battle.ended]
        found = {f"{battle}.battle.proof": await asyncio.to_thread(self.proof_of, battle) for battle in over}
        return {name: proof for name, proof in found.items() if proof}

    def _foot(self, draft: LetterDraft, links: Sequence[str], lang: str) -> list[tuple[str, str]]:
        """Where the battle is, how to get no more letters, and what the signed head below is for."""
        if not _parts(draft):
            return [(say(lang, "letter.foot.stop"), link) for link in links[:1]]
        foot: list[tuple[str, str]] = []
        for number, (live, side) in enumerate(_parts(draft), 1):
            page, of = say(lang, "letter.foot.page"), f"{number}. " if draft.parts else ""
            foot.append((f"{of}{page}", f"{self.battles.settings.address}/battles/{live.id}"))
            period, key = hand_key(live, side) if side else (-1, "")
            if key:
                foot.append((f"{of}{say(lang, 'letter.foot.hand', n=period, key=key)}", ""))
            if not draft.parts and (live.game.t <= NEW or live.recording.battle.ended):
                foot.append((say(lang, "letter.foot.head", n=live.n), ""))
        if draft.parts:
            foot.append((say(lang, "letter.foot.heads"), ""))
        return foot

    async def _boards(self, pieces: Sequence[Piece]) -> dict[BoardBlock, Drawing]:
        drawings: dict[BoardBlock, Drawing] = {}
        for piece in pieces:
            if isinstance(piece, BoardBlock):
                with suppress(Refusal):  # a battle that no longer exists is not shown
                    drawings[piece] = drawing_of(await self.battles.get(piece.battle), piece)
        return drawings

    def _calendar(self, draft: LetterDraft, now: str, lang: str) -> bytes:
        """The deadline of the side that has to act, as a file for its calendar."""
        live = draft.live
        deadline = deadline_of(live, draft.side, now) if live and draft.side in live.to_act() else ""
        if live is None or not deadline:
            return b""
        host = self.battles.settings.mailbox_of(live.recording.header.host).rpartition("@")[2]
        uid = f"{live.id}.{draft.side}@{host}"  # the entry of a calendar keeps its id when the host gets another name
        summary = say(lang, "letter.calendar", battle=live.id, title=title_of(live, lang))
        link = f"{self.battles.settings.address}/battles/{live.id}"
        return calendar_of(uid, live.n, now, deadline, summary, link)


def _no_proof(battle: str) -> str:
    return ""


def _parts(draft: LetterDraft) -> Sequence[tuple[LiveBattle, str]]:
    """The battles of a letter, each with its reader's side."""
    return draft.parts or (((draft.live, draft.side),) if draft.live else ())


def rendered(
    envelope: Envelope,
    pieces: Sequence[Piece],
    drawings: dict[BoardBlock, Drawing],
    foot: Foot,
    note: str,
    calendar: bytes,
    proofs: Mapping[str, str],
    with_pictures: bool,
    address: str,
) -> EmailMessage:
    """The message. Drawing takes long, so a worker process makes it."""
    shown: list[Piece] = []
    pictures: list[LetterPicture] = []
    host = envelope.mailbox.rpartition("@")[2]
    for piece in pieces:
        cid = f"board{len(pictures)}.{envelope.boundary}@{host}"
        if isinstance(piece, MapBlock):
            pictures.append(map_of(piece.scene, cid, envelope.lang, with_pictures))
            shown.append(pictures[-1])
        elif not isinstance(piece, BoardBlock):
            shown.append(piece)
        elif piece in drawings:
            pictures.append(picture_of(drawings[piece], cid, envelope.lang, with_pictures))
            shown.append(pictures[-1])
    named = [f"{say(envelope.lang, 'letter.link', text=said)} {link}" if link else said for said, link in foot]
    text = text_of(shown, named, note, envelope.lang)
    links = [*foot, (say(envelope.lang, "letter.foot.stop"), envelope.unsubscribe[0])] if envelope.unsubscribe else foot
    html = html_of(envelope.subject, shown, tuple(dict.fromkeys(links)), note, envelope.lang, address)
    return message_of(envelope, text, html, [picture for picture in pictures if picture.png], calendar, proofs)


def unsubscribe_links(address: str, addresses: Addresses, token: str) -> tuple[str, ...]:
    """How to unsubscribe: by a page, by a mail."""
    if not token:
        return ()
    return f"{address}/unsubscribe/{token}", f"mailto:{addresses.to(token)}?subject=unsubscribe"
