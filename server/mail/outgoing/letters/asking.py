"""The address under which a letter can be answered."""

from hashlib import sha256

from domain.engine.dockets import UMPIRE
from server.mail.digests import QUESTION, about_campaign
from server.mail.numbering import list_of
from server.mail.outgoing.letters.advice import advice
from server.mail.outgoing.letters.draft import LetterDraft
from server.people.addresses import Addresses
from server.play.questions import question_of
from server.store.contract import TableRows
from server.store.tables import mail_tokens
from server.store.tables.outbox import Letter, LetterKind


def asking(
    draft: LetterDraft, row: Letter, store: TableRows, addresses: Addresses, now: str, lang: str, campaign: str = ""
) -> LetterDraft:
    """The draft with the address for answers: one for each letter and battle, valid while its question is open; that of
    a letter about a campaign leads to it. A letter that was made before and could not be handed over has another
    address if it lists other orders now: a copy of either means what it shows."""
    live, side = draft.live, draft.side
    asked = question_of(live, side) if live else ""
    is_elsewhere = live is not None and live.id != row.battle  # one of several in an answer
    name = f"{row.id}.{live.id}.{side}" if live is not None and is_elsewhere else f"{row.id}.{side}"
    battle = live.id if live else ""
    content = list_of(live, side, draft.waiting) if live and asked else b""
    if live is None:
        kind, _, about = row.kind.partition(":")
        own = about.partition(".")[0] if kind == LetterKind.CAMPAIGN else ""
        content = about_campaign(campaign or own)
    if live is not None and side != UMPIRE:
        draft.pieces += advice(live, side, lang)
    draft.reply = addresses.token(QUESTION, name)
    made = mail_tokens.find(store, draft.reply)
    if made is not None and (made.question, made.content) != (asked, content):
        draft.reply = addresses.token(QUESTION, f"{name}.{asked}.{sha256(content).hexdigest()[:16]}")
    issued = mail_tokens.issue(
        draft.reply, QUESTION, row.recipient, now, battle=battle, side=side, question=asked, content=content
    )
    draft.also = (*draft.also, issued)
    return draft
