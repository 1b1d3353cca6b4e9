"""The letters of a club: the one that invites somebody, and the one to a member whom it has seated.

An invitation goes to somebody who may never have heard of this server: it says who invites, to what, and how to be left
alone. Whom an organiser has seated in many battles at once gets one letter about all of them.
"""

from collections.abc import AsyncIterator

from domain.basics.decoding import decode
from server.acts.clubs.inviting import KIND
from server.acts.clubs.pairing import CheckedPairing
from server.acts.plain_text import unlinked
from server.mail.blocks import Link, Paragraph
from server.mail.outgoing.letters.account import Asking
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.pieces import Lead, ListPiece, Piece
from server.mail.outgoing.letters.position import cut_of, title_of
from server.mail.outgoing.letters.reader import LetterReader
from server.people.addresses import Addresses
from server.play.live_battles import LiveBattles
from server.store.tables import accounts, club_battles, club_invitations, clubs, correspondents, mail_tokens
from server.store.tables import invitations as of_battles
from server.store.tables.outbox import Letter
from server.words import say


def club_invitation_letter(battles: LiveBattles, addresses: Addresses, row: Letter) -> Asking | None:
    """The letter for a row `club-invite:NAME` of the outbox; None when it is open no longer, or not wanted."""
    store = battles.store
    token = addresses.token(KIND, row.kind.partition(":")[2])
    found = club_invitations.find(store, mail_tokens.digest(token))
    if found is None or not found.is_open(battles.clock.now()) or of_battles.is_unwanted(store, found.mailbox):
        return None
    club, inviter = clubs.find(store, found.club), accounts.by_player(store, found.inviter)
    if club is None or inviter is None:
        return None
    lang, name, title = found.lang, unlinked(inviter.name), unlinked(club.name)
    link = f"{battles.settings.address}/clubs/{club.club}/invited/{token}"
    blocks = (
        Paragraph(say(lang, "letter.club.answer", until=found.expires[:10])),
        Paragraph(say(lang, "letter.club.what", most=club.running)),
        Link(say(lang, "letter.club.link"), link),
        Paragraph(say(lang, "letter.club.never")),
    )
    told = {"name": name, "club": title}
    return Asking(
        found.email,
        token,
        lang,
        say(lang, "letter.club.subject", **told),
        say(lang, "letter.club.lead", **told),
        blocks,
    )


MOST_LISTED = 50
"""Battles that a letter lists; of more it says how many."""


async def seated_draft(battles: LiveBattles, about: str, reader: LetterReader) -> LetterDraft | None:
    """The letter to a member about the battles of a list in which they sit; None if there are none any more, or if they
    want no letters."""
    bulk = club_battles.find(battles.store, about)
    club = clubs.find(battles.store, bulk.club) if bulk else None
    wishes = correspondents.find(battles.store, reader.player)
    if bulk is None or club is None or wishes.stopped or wishes.delivery == "none":
        return None
    lang, lines = reader.lang, [line async for line in _seats(battles, about, reader)]
    if not lines:
        return None
    organiser = accounts.by_player(battles.store, bulk.account)
    told = {"name": unlinked(organiser.name if organiser else ""), "club": unlinked(club.name), "count": len(lines)}
    pieces: list[Piece] = [
        Lead(say(lang, "letter.seated.lead", **told)),
        cut_of(None, lang),
        ListPiece(tuple((0, line) for line in lines[:MOST_LISTED])),
        Paragraph(say(lang, "letter.seated.how")),
        Link(say(lang, "letter.seated.link"), f"{battles.settings.address}/clubs/{club.club}"),
    ]
    return LetterDraft(title=say(lang, "letter.seated.subject", **told), pieces=pieces)


async def _seats(battles: LiveBattles, bulk: str, reader: LetterReader) -> AsyncIterator[str]:
    """A line for each battle of a list that goes on, and in which the reader sits."""
    for row in club_battles.pairings(battles.store, bulk):
        if not row.battle or reader.player not in decode(row.content, CheckedPairing).seats.values():
            continue
        live = await battles.get(row.battle)
        for side in () if live.closed else live.recording.battle.seat_of(reader.player):
            other = live.recording.battle.seats.get(live.seats.opponent(side))
            named = {"other": unlinked(other.name)} if other else {}
            title = unlinked(title_of(live, reader.lang))
            yield say(reader.lang, "letter.seated.seat", battle=live.id, title=title, side=side, **named)
