"""The letter about a docket: to the other side, to the umpire with the evidence, to both with what has come of it.

It tells what was said last, what was said before, what going back would draw anew, and which lines answer it. A side
that must act gets its orders in the same letter.
"""

import asyncio
from collections.abc import Iterator, Sequence

from domain.contract.dispute_lines import DRAW, LOST, MORE, NONE, SUBSTITUTE, DisputeOrder, write
from domain.engine.dockets import AGREED, RULED, TAKEBACK, UMPIRE, Disputes, Docket, newest_of_others
from domain.events.battle import DISPUTES, INPUTS, SETTLEMENTS, BattleEnded, ContributionGiven, FlagRuled, RulingGiven
from domain.log.record import Recorded
from replay.reports.evidence import as_text, evidence_of
from replay.telling.dockets import statements, taken_back
from server.mail.blocks import HeadingLine, Listing, Paragraph
from server.mail.outgoing.letters import pending
from server.mail.outgoing.letters.asking import asking
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.pieces import Lead, ListPiece, Piece
from server.mail.outgoing.letters.position import cut_of, how_to, name_at, position, title_of
from server.mail.outgoing.letters.reader import LetterReader
from server.mail.outgoing.letters.seats import seat_changed
from server.mail.outgoing.occasions import OFFERED, TAKEN
from server.people.addresses import Addresses
from server.play.archive import export_battle
from server.play.disputing import entry_of_agreeing
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.shown.story import tell
from server.store.tables.outbox import Letter, LetterKind
from server.words import say

WORDS = "…"
"""What stands in a line for the words that its writer adds."""
MOST_TOLD = 8
"""Earlier statements of a docket that a letter repeats."""


async def disputed(
    battles: LiveBattles,
    addresses: Addresses,
    live: LiveBattle,
    row: Letter,
    side: str,
    reader: LetterReader,
    now: str,
) -> LetterDraft | None:
    """The draft of the letter of a row, to the holder of `side`, or to the umpire, whose first letter about a docket
    has the evidence; to the umpire about a flag. None for anybody else, and if a later letter tells the same."""
    disputes, (name, _, about) = live.recording.battle.disputes, row.kind.partition(":")
    if name == LetterKind.FLAG:
        return _flag_fallen(battles, addresses, live, row, about, reader, now)
    if about.startswith((OFFERED, TAKEN)):
        return seat_changed(live, row, about, reader, now, battles, addresses)
    side = side or (UMPIRE if disputes.umpire == row.recipient else "")
    if not side or pending.is_followed(battles.store, row):
        return None
    docket, evidence = disputes.docket(about), ""
    if docket is not None and side == UMPIRE and not pending.has_letter_about(battles.store, row):
        evidence = await asyncio.to_thread(_evidence, battles, live.id, docket.about, reader.lang)
    title = title_of(live, reader.lang)
    told = {"title": title, "docket": about} if docket is not None else {"title": title}
    subject = say(reader.lang, "letter.subject.dispute", **told)
    pieces = dispute(live, side, docket, row.n, reader, now, evidence)
    draft = LetterDraft(title=title, subject=subject, pieces=pieces, live=live, side=side)
    return asking(draft, row, battles.store, addresses, now, reader.lang)


def _flag_fallen(
    battles: LiveBattles, addresses: Addresses, live: LiveBattle, row: Letter, late: str, reader: LetterReader, now: str
) -> LetterDraft | None:
    """The draft of the letter to the umpire about the flag of the side `late`; None for anybody else, and if it no
    longer stands."""
    battle, lang = live.recording.battle, reader.lang
    face = live.clock(now).get(late)
    if battle.disputes.umpire != row.recipient or face is None or not face.flagged:
        return None
    title = title_of(live, lang)
    lines = [DisputeOrder("flag", side=late, remedy=effect, text=WORDS) for effect in (MORE, LOST, DRAW)]
    pieces: list[Piece] = [
        Lead(say(lang, "letter.flag.umpire", side=late, **name_at(live, late, lang))),
        cut_of(live, lang),
        Paragraph(say(lang, "letter.flag.umpire.how")),
        _listed(lines, lang),
    ]
    subject = say(lang, "letter.subject.flag", title=title, side=late)
    draft = LetterDraft(title=title, subject=subject, pieces=pieces, live=live, side=UMPIRE)
    return asking(draft, row, battles.store, addresses, now, lang)


def _evidence(battles: LiveBattles, battle: str, n: int, lang: str) -> str:
    """The evidence on an event, as anybody can make it from the battle file."""
    return as_text(evidence_of(export_battle(battles.store, battles.keys, battle), n, lang=lang))


def dispute(
    live: LiveBattle, side: str, docket: Docket | None, n: int, reader: LetterReader, at: str, evidence: str = ""
) -> list[Piece]:
    """The letter about what was said up to event `n`, to the holder of `side` or to the umpire; `evidence` is the page
    on the disputed event."""
    lang, events = reader.lang, live.recording.timeline.events
    block = said_in_block(events, n)
    lead = " ".join(_sentences(live, side, block, lang)) or say(lang, "letter.dispute")
    pieces: list[Piece] = [Lead(lead), cut_of(live, lang)]
    if docket is not None:
        earlier = [one for one in statements(events, docket) if block and one.n < block[0].n]
        told = _sentences(live, side, [events[one.n - 1] for one in earlier[-MOST_TOLD:]], lang)
        pieces += [ListPiece(tuple((0, line) for line in told))] if told else []
        pieces += _anew(live, docket, lang)
    pieces += _how(live.recording.battle.disputes, side, docket, lang)
    entry = entry_of_agreeing(live.recording.battle, docket, side) if docket is not None else ""
    pieces += [Paragraph(say(lang, f"letter.dispute.entry.{entry}"))] if entry else []
    if evidence:
        pieces += [HeadingLine(say(lang, "letter.dispute.evidence")), Listing(tuple(evidence.splitlines()))]
    if side != UMPIRE and (side in live.to_act() or side in live.recording.battle.owing):
        pieces += [*how_to(live, side, lang), *position(live, side, reader, at)]
    return pieces


def said_in_block(events: Sequence[Recorded], n: int) -> list[Recorded]:
    """What the block of event `n` says of disputes; a contribution belongs to the agreement that brought it."""
    first, begins = n, INPUTS - {ContributionGiven}
    while first > 1 and type(events[first - 1].event) not in begins:
        first -= 1
    kinds = DISPUTES | SETTLEMENTS | {BattleEnded}
    return [one for one in events[first:n] if type(one.event) in kinds]


def ruling_of_end(live: LiveBattle, side: str, lang: str) -> list[Piece]:
    """The umpire's words, in a battle that they have ended."""
    events = live.recording.timeline.events
    end = next((one.n for one in reversed(events) if isinstance(one.event, BattleEnded)), 0)
    ruled = [one for one in said_in_block(events, end) if isinstance(one.event, (RulingGiven, FlagRuled))]
    return [Paragraph(line) for line in _sentences(live, side, ruled, lang)]


def _sentences(live: LiveBattle, side: str, events: Sequence[Recorded], lang: str) -> list[str]:
    return [told.said for told in tell(live.recording, "" if side == UMPIRE else side, events, lang)]


def _anew(live: LiveBattle, docket: Docket, lang: str) -> Iterator[Piece]:
    """What the offers of a docket, or the rewind that it has come to, draw anew."""
    timeline = live.recording.timeline
    offers = {said.what for said in docket.offers.values() if said.what.startswith("rewind ")}
    for remedy in sorted(offers):
        to = int(remedy.split()[1])
        told = [
            say(lang, "letter.dispute.anew", side=one.side, cards=one.cards, dice=one.dice)
            for one in taken_back(timeline.events, timeline.counts, to, timeline.ruleset.seats)
        ]
        if told:
            yield Paragraph(f"{say(lang, 'letter.dispute.back', to=to)} {' '.join(told)}")


def _how(disputes: Disputes, side: str, docket: Docket | None, lang: str) -> Iterator[Piece]:
    """The lines that answer it."""
    lines: list[DisputeOrder] = []
    if docket is None and not (lines := _seats_to_answer(disputes, side)):
        proposed = newest_of_others(disputes.proposed, side) if side != UMPIRE else None
        is_new = proposed is not None and proposed.what != disputes.umpire
        lines = [DisputeOrder("agree umpire")] if is_new else []
    elif docket is None:
        pass
    elif side == UMPIRE and docket.how not in (AGREED, RULED):
        back = next((said.what for said in docket.offers.values()), f"rewind {docket.about}")
        lines = [DisputeOrder("rule", docket.id, remedy=remedy, text=WORDS) for remedy in (NONE, back)]
        lines.append(DisputeOrder("answer", docket.id, text=WORDS))
    elif docket.is_open and side != UMPIRE:
        is_theirs = docket.side != side and (docket.kind == TAKEBACK or not disputes.umpire)
        may_agree = newest_of_others(docket.offers, side) is not None
        may = {"agree": may_agree, "withdraw": docket.side == side, "decline": is_theirs}
        lines = [DisputeOrder(verb, docket.id) for verb, can in may.items() if can]
        lines.append(DisputeOrder("answer", docket.id, text=WORDS))
        lines.append(DisputeOrder("offer", docket.id, remedy="rewind N"))
    if lines:
        yield Paragraph(say(lang, "letter.dispute.how"))
        yield _listed(lines, lang)


def _seats_to_answer(disputes: Disputes, side: str) -> list[DisputeOrder]:
    """The lines that agree to a substitute whom somebody else has named: for one's own seat, or as its player asks."""
    return [
        DisputeOrder(SUBSTITUTE, side=seat, player=one.name or one.player)
        for seat, said in disputes.substitutes.items()
        for by, one in said.items()
        if side != by and seat in (side, by) and (side not in said or said[side].player != one.player)
    ]


def _listed(lines: Sequence[DisputeOrder], lang: str) -> Listing:
    """Lines to copy, in the words of the reader's language; any language is read."""
    return Listing(tuple(write(line, lang) for line in lines))
