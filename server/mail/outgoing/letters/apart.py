"""The letters that are about no single battle: to newcomers, about complaints, to members of clubs and organisers."""

from collections.abc import Callable

from server.mail.blocks import Paragraph
from server.mail.outgoing.letters.bulletin import bulletin_draft
from server.mail.outgoing.letters.campaign import campaign_draft
from server.mail.outgoing.letters.club import seated_draft
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.news import faulty, welcome
from server.mail.outgoing.letters.organising import organising_draft
from server.mail.outgoing.letters.pieces import Lead, LetterWords, Piece
from server.mail.outgoing.letters.position import cut_of
from server.mail.outgoing.letters.reader import LetterReader
from server.play.live_battles import LiveBattles
from server.play.lobby import Lobby
from server.store.contract import TableRows
from server.store.tables import complaints
from server.store.tables.outbox import Letter, LetterKind
from server.words import say

APART = frozenset(
    {
        LetterKind.WELCOME,
        LetterKind.COMPLAINT,
        LetterKind.SEATED,
        LetterKind.CAMPAIGN,
        LetterKind.ORGANISING,
        LetterKind.BULLETIN,
    }
)


async def apart(
    battles: LiveBattles, lobby: Callable[[], Lobby] | None, name: str, about: str, reader: LetterReader, mailbox: str
) -> LetterDraft | None:
    """A letter of these kinds, by its subject (`about`); None if there is nothing to say."""
    if name == LetterKind.WELCOME:
        return LetterDraft(title=say(reader.lang, "letter.welcome.subject"), pieces=welcome(reader, mailbox))
    if name == LetterKind.SEATED:
        return await seated_draft(battles, about, reader)
    if name == LetterKind.CAMPAIGN:
        return await campaign_draft(battles, about, reader)
    if name == LetterKind.ORGANISING:
        return await organising_draft(battles, lobby(), reader) if lobby is not None else None
    if name == LetterKind.BULLETIN:
        return await bulletin_draft(battles, lobby(), about, reader) if lobby is not None else None
    return settled_draft(battles.store, about, reader)


def fault_draft(row: Letter, about: str, lang: str) -> LetterDraft:
    """That a battle of the server cannot be proven; nobody answers it."""
    return LetterDraft(title=say(lang, "letter.fault.subject"), pieces=faulty(row.battle, row.n, about, lang))


def settled_draft(store: TableRows, id_: str, reader: LetterReader) -> LetterDraft | None:
    """What became of a complaint, and what the administrators write; None while it is open. It repeats nothing that was
    reported."""
    found = complaints.find(store, id_)
    if found is None or not found.settled or found.reporter != reader.player:
        return None
    lang = reader.lang
    pieces: list[Piece] = [
        Lead(say(lang, f"letter.complaint.{found.outcome}", day=found.at[:10])),
        cut_of(None, lang),
    ]
    if found.answer:
        pieces.append(LetterWords(say(lang, "letter.complaint.by"), tuple(found.answer.split("\n"))))
    pieces.append(Paragraph(say(lang, "letter.complaint.block")))
    return LetterDraft(title=say(lang, "letter.complaint.subject"), pieces=pieces)
