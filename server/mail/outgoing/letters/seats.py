"""The letters about a seat that changes hands: to who may take it over, and to who has lost it."""

from server.mail.blocks import Listing, Paragraph
from server.mail.outgoing.letters.asking import asking
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.pieces import Lead, Piece
from server.mail.outgoing.letters.position import cut_of, name_at, title_of
from server.mail.outgoing.letters.reader import LetterReader
from server.mail.outgoing.occasions import OFFERED
from server.people.addresses import Addresses
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.store.tables.outbox import Letter
from server.words import say


def seat_changed(
    live: LiveBattle,
    row: Letter,
    about: str,
    reader: LetterReader,
    now: str,
    battles: LiveBattles,
    addresses: Addresses,
) -> LetterDraft | None:
    """The draft of the letter of a row about a seat; None where it is out of date. It is answered with a command."""
    recording, lang, (what, _, side) = live.recording, reader.lang, about.partition("-")
    title = title_of(live, lang)
    told = {"side": side, "title": title, **name_at(live, side, lang)}
    subject = say(lang, "letter.subject.seat", **told)
    if not OFFERED.startswith(what):
        return LetterDraft(
            title=title, subject=subject, pieces=[Lead(say(lang, "letter.seat.taken", **told))], live=live
        )
    if not recording.battle.may_follow(side, row.recipient, recording.silent_since(side, now)):
        return None
    line = say(lang, "letter.seat.join", battle=live.id, side=side)
    pieces: list[Piece] = [
        Lead(say(lang, "letter.seat.offered", **told)),
        cut_of(None, lang),
        Paragraph(say(lang, "letter.seat.how")),
        Listing((line, f"{battles.settings.address}/battles/{live.id}")),
    ]
    draft = LetterDraft(title=title, subject=subject, pieces=pieces)
    return asking(draft, row, battles.store, addresses, now, lang)
