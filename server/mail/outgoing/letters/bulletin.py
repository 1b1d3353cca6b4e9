"""The letter of a bulletin: the organiser's own words, then what the logs tell of a week or a round."""

from server.acts.clubs.bulletins import bulletin_text
from server.acts.clubs.chores import CLUB
from server.acts.plain_text import unlinked
from server.mail.blocks import Link, Paragraph
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.pieces import Lead, LetterWords, ListPiece, Piece
from server.mail.outgoing.letters.position import cut_of
from server.mail.outgoing.letters.reader import LetterReader
from server.play.live_battles import LiveBattles
from server.play.lobby import Lobby
from server.store.tables import bulletins
from server.words import say

MOST_LINES = 25
"""Lines of a section in a letter; the page has all."""


async def bulletin_draft(battles: LiveBattles, lobby: Lobby, about: str, reader: LetterReader) -> LetterDraft | None:
    """The letter of a bulletin by its id; None if there is none."""
    kind, owner, place = about.split(".")
    row = bulletins.find(battles.store, kind, owner, int(place))
    told = await bulletin_text(battles.store, lobby, row, reader.lang) if row is not None else None
    if row is None or told is None:
        return None
    lang, title = reader.lang, unlinked(told.title)
    pieces: list[Piece] = [Lead(title), cut_of(None, lang)]
    if told.words:
        pieces.append(LetterWords(say(lang, "bulletin.words"), told.words))
    for one in told.sections:
        lines = tuple((0, unlinked(line.text)) for line in one.lines[:MOST_LINES])
        pieces += [Paragraph(one.heading), ListPiece(lines)]
    where = "clubs" if row.owner_kind == CLUB else "campaigns"
    link = f"{battles.settings.address}/{where}/{row.owner}/bulletins/{row.place}"
    pieces.append(Link(say(lang, "bulletin.link"), link))
    return LetterDraft(title=title, pieces=pieces)
