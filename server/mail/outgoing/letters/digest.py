"""One letter about several battles: a table of them, and a section for each.

A section begins with its mark, below which its reader may write the orders for it, and has a token of its own. The
token of the letter's Reply-To leads to those of the sections. A section is short, and shorter where there are many.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256

from msgspec import Struct

from replay.telling.words.sentences import fragment
from server.mail import digests
from server.mail.blocks import BoardBlock, HeadingLine, Link, Paragraph, TableBlock
from server.mail.cut import CUT, uncut
from server.mail.digests import QUESTION, DigestEntry
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.news import state_of, subject
from server.mail.outgoing.letters.pieces import Cut, Lead, LetterWords, ListPiece, Piece
from server.mail.outgoing.letters.position import deadline_of
from server.mail.outgoing.letters.reader import LetterReader
from server.mail.outgoing.letters.text import LONGEST
from server.people.addresses import Addresses
from server.play.live_battle import LiveBattle
from server.shown.moments import moment_in_short
from server.store.tables import mail_tokens
from server.words import say

MOST_STANDINGS, MOST_BOARDS = 2, 4
"""Battles up to which each section tells how both sides stand; up to which it shows its board."""
SHORT, SHORTEST = 32, 24
"""Lines of a section that does not tell that much."""


class DigestSection(Struct):
    """A battle of the letter, or lines that are about none (`live` None, under a `title`). `token` is that of its own
    address, "" if there is none."""

    pieces: list[Piece]
    live: LiveBattle | None = None
    side: str = ""
    token: str = ""
    title: str = ""


def section_of(drafts: Sequence[LetterDraft]) -> DigestSection:
    """The section of a battle with several letters: the last in full, of the others what they say."""
    *others, main = drafts
    said: list[Piece] = []
    for draft in others:
        said += [_plain(piece) for piece in draft.pieces if isinstance(piece, (Lead, LetterWords))]
    return DigestSection([*said, *main.pieces], main.live, main.side, main.reply)


def entry_of(section: DigestSection) -> DigestEntry:
    """A section as it is kept with the token of the letter."""
    assert section.live is not None
    return DigestEntry(section.live.id, section.side, mail_tokens.digest(section.token).hex())


class Several(Struct, frozen=True):
    """What a letter about several battles says: its first line, its sections, and the battles of its table in the order
    of their numbers, each with its side and the entry that leads to its token."""

    lead: str
    sections: Sequence[DigestSection]
    battles: Sequence[tuple[LiveBattle, DigestEntry]]


def digest_of(several: Several, row_id: int, addresses: Addresses, reader: LetterReader, now: str) -> LetterDraft:
    """The letter. Its token depends on the battles and their order, so no number of an earlier try means another."""
    lang, battles = reader.lang, several.battles
    content = digests.written(tuple(entry for _, entry in battles))
    token = addresses.token(QUESTION, f"{row_id}.{sha256(content).hexdigest()[:16]}")
    pieces: list[Piece] = [Lead(several.lead), Cut(say(lang, "letter.cut.several", cut=CUT))]
    pieces.append(_table(battles, reader, now))
    if any(live.question() == entry.side or entry.side in live.to_act() for live, entry in battles):
        pieces.append(Paragraph(say(lang, "letter.how.several")))
    numbers = {live.id: number for number, (live, _) in enumerate(battles, 1)}
    for section in sorted(several.sections, key=_number_in(numbers)):
        pieces += _section(section, numbers, len(battles), addresses, lang)
    pieces.append(Cut(say(lang, "letter.cut.over", cut=CUT)))
    issued = mail_tokens.issue(token, QUESTION, reader.player, now, content=content)
    parts = tuple((live, entry.side) for live, entry in battles)
    return LetterDraft(title=say(lang, "letter.digest.title"), pieces=pieces, reply=token, also=(issued,), parts=parts)


def _section(
    section: DigestSection, numbers: dict[str, int], count: int, addresses: Addresses, lang: str
) -> list[Piece]:
    live = section.live
    if live is None:  # above all marks: what is written below it is for no battle
        return [HeadingLine(section.title), *(_plain(piece) for piece in section.pieces if not isinstance(piece, Cut))]
    room = LONGEST if count <= MOST_STANDINGS else SHORT if count <= MOST_BOARDS else SHORTEST
    number = numbers[live.id]
    mark = say(lang, "letter.cut.section", cut=CUT, number=number, battle=live.id)
    told: list[Piece] = [Cut(mark, room), HeadingLine(uncut(f"{number}. {subject(live, section.side, lang)}"))]
    kept = [_plain(piece) for piece in section.pieces if _is_kept(piece, count)]
    if section.token and section.side in live.to_act():
        address = addresses.to(section.token)
        kept.insert(1, Link(say(lang, "letter.digest.answer"), f"mailto:{address}"))
    return [*told, *kept]


def _number_in(numbers: dict[str, int]) -> Callable[[DigestSection], int]:
    """What sections are sorted by."""
    return lambda section: numbers[section.live.id] if section.live else 0


def _is_kept(piece: Piece, count: int) -> bool:
    """Whether a piece has room in a letter about so many battles."""
    if isinstance(piece, ListPiece):
        return count <= MOST_STANDINGS
    return not isinstance(piece, Cut) and (count <= MOST_BOARDS or not isinstance(piece, BoardBlock))


def _plain(piece: Piece) -> Piece:
    """The first line of a letter as one of many."""
    return Paragraph(piece.text) if isinstance(piece, Lead) else piece


def _table(battles: Sequence[tuple[LiveBattle, DigestEntry]], reader: LetterReader, now: str) -> TableBlock:
    lang = reader.lang
    heads = tuple(say(lang, f"letter.table.head.{name}") for name in ("battle", "against", "wanted", "until"))
    rows = []
    for live, entry in battles:
        what, told = state_of(live, entry.side, lang)
        due = deadline_of(live, entry.side, now)
        until = moment_in_short(due, reader.zone, lang) if due and what in WANTED else ""
        wanted = fragment(f"letter.table.{what}", {"turn": told["turn"]}, lang)
        rows.append((uncut(str(told["title"])), uncut(str(told.get("name", ""))), wanted, until))
    columns = 4 if any(until for *_, until in rows) else 3
    return TableBlock(
        ("", *heads[:columns]), tuple((str(number), *row[:columns]) for number, row in enumerate(rows, 1))
    )


WANTED = frozenset({"answer", "turn", "orders", "phrase"})
"""What may be wanted of a side."""
