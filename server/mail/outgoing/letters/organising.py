"""The daily letter of an organiser: what needs them, with the line or the address that settles it."""

from collections.abc import Iterator
from itertools import groupby

from server.acts.clubs.chore_words import chore_sentence
from server.acts.clubs.chores import CLUB, LINE, DeskChore, chores_of
from server.acts.plain_text import unlinked
from server.mail.blocks import Link, Paragraph
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.pieces import Lead, ListPiece, Piece
from server.mail.outgoing.letters.position import cut_of
from server.mail.outgoing.letters.reader import LetterReader
from server.play.live_battles import LiveBattles
from server.play.lobby import Lobby
from server.words import say

MOST_TOLD = 40
"""Chores that a letter tells; of more it says how many."""


async def organising_draft(battles: LiveBattles, lobby: Lobby, reader: LetterReader) -> LetterDraft | None:
    """The letter as things stand when it goes; None if nothing needs its reader any more."""
    found = await chores_of(battles.store, lobby, reader.player, battles.clock.now())
    if not found:
        return None
    lang, at = reader.lang, battles.settings.address
    pieces: list[Piece] = [Lead(say(lang, "organising.letter.lead", count=len(found))), cut_of(None, lang)]
    told = sorted(found[:MOST_TOLD], key=lambda one: (one.owner_kind, one.owner))
    for (kind, owner, title), chores in groupby(told, key=lambda one: (one.owner_kind, one.owner, one.title)):
        pieces.append(Paragraph(unlinked(title)))
        pieces.append(ListPiece(tuple((0, line) for one in chores for line in _lines(one, reader))))
        pieces.append(Link(unlinked(title), f"{at}/{'clubs' if kind == CLUB else 'campaigns'}/{owner}"))
    if len(found) > MOST_TOLD:
        pieces.append(Paragraph(say(lang, "organising.letter.more", count=len(found) - MOST_TOLD)))
    pieces.append(Paragraph(say(lang, "organising.letter.how")))
    pieces.append(Link(say(lang, "organising.title"), f"{at}/organising"))
    return LetterDraft(title=say(lang, "organising.letter.subject", count=len(found)), pieces=pieces)


def _lines(chore: DeskChore, reader: LetterReader) -> Iterator[str]:
    yield chore_sentence(chore, reader.lang, reader.zone)
    yield from (say(reader.lang, "organising.letter.line", line=act.value) for act in chore.acts if act.do == LINE)
