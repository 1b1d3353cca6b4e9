"""Write letters about several battles: of what waits for a player, and in answer to a mail about several."""

from collections.abc import Awaitable, Callable, Sequence

from server.mail.digests import DigestEntry, entries_of
from server.mail.outgoing.letters import pending
from server.mail.outgoing.letters.answers import TAKEN
from server.mail.outgoing.letters.asking import asking
from server.mail.outgoing.letters.digest import DigestSection, Several, digest_of, entry_of, section_of
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.pending import PLAYED
from server.mail.outgoing.letters.position import deadline_of
from server.mail.outgoing.letters.reader import LetterReader
from server.mail.verdict import Verdict
from server.people.addresses import Addresses
from server.play.live_battle import LiveBattle
from server.shown.moments import moment
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import mail_tokens, outbox
from server.store.tables.outbox import Letter
from server.words import say

Battles = Sequence[tuple[LiveBattle, DigestEntry]]


class DigestWriter:
    """Writes letters about several battles. `live_of` finds a battle, `answered` writes the answer to what a mail says
    about one."""

    def __init__(
        self,
        store: TableRows,
        addresses: Addresses,
        live_of: Callable[[str], Awaitable[LiveBattle | None]],
    ) -> None:
        self.store = store
        self.addresses = addresses
        self.live_of = live_of

    def of_letters(
        self, drafts: Sequence[LetterDraft], marks: Sequence[Statement], row: Letter, reader: LetterReader, now: str
    ) -> LetterDraft:
        """One letter of many; those about the same battle are one section. `marks`: what is stored with it."""
        groups: dict[str, list[LetterDraft]] = {}
        for draft in drafts:
            assert draft.live is not None
            groups.setdefault(draft.live.id, []).append(draft)
        sections = [section_of(group) for group in groups.values()]
        battles = [(section.live, entry_of(section)) for section in sections if section.live is not None]
        wanted = _wanted(battles)
        dues = sorted(filter(None, (deadline_of(live, entry.side, now) for live, entry in wanted)))
        by = {"by": moment(dues[0], reader.zone, reader.lang)} if dues else {}
        counts = {"count": len(battles), "wanted": len(wanted)}
        lead = say(reader.lang, "letter.digest" if wanted else "letter.digest.nothing", **counts, **by)
        whole = digest_of(Several(lead, sections, battles), row.id, self.addresses, reader, now)
        whole.subject = say(reader.lang, "letter.subject.digest", **counts) if wanted else ""
        whole.also = (*(statement for draft in drafts for statement in draft.also), *whole.also, *marks)
        return whole

    async def of_verdict(
        self,
        verdict: Verdict,
        row: Letter,
        reader: LetterReader,
        now: str,
        answered: Callable[[Verdict, LiveBattle | None], Awaitable[LetterDraft]],
    ) -> LetterDraft:
        """The answer to a mail about several battles: what came of it in each, what is asked next, and in the table
        those that it did not name. The numbers stay those of the letter that was answered."""
        known = mail_tokens.with_digest(self.store, bytes.fromhex(verdict.digest))
        battles = {entry.battle: (live, entry) for live, entry in await self._battles(entries_of(known), reader)}
        sections: list[DigestSection] = []
        also: list[Statement] = []
        for one in verdict.sections:
            live = battles[one.battle][0] if one.battle in battles else None
            draft = await answered(one, live)
            if live is None:
                sections.append(DigestSection(draft.pieces, title=_title_of(one, reader.lang)))
                continue
            others = [side for side in live.recording.battle.seat_of(reader.player) if side != one.side]
            if one.what == PLAYED and not any(side in live.to_act() for side in others):  # else it asks for the other
                said = pending.said_by(self.store, row.recipient, live.id, live.n)
                also += [outbox.sent(letter.id, now) for letter in said]
            asking(draft, row, self.store, self.addresses, now, reader.lang)
            also += draft.also
            sections.append(DigestSection(draft.pieces, live, one.side, draft.reply))
            battles[live.id] = (live, entry_of(sections[-1]))
        told = list(battles.values())
        lead = _lead(verdict, told, reader.lang)
        whole = digest_of(Several(lead, sections, told), row.id, self.addresses, reader, now)
        whole.is_answer, whole.bounces = True, verdict.what in TAKEN
        whole.also = (*also, *whole.also)
        return whole

    async def _battles(
        self, entries: Sequence[DigestEntry], reader: LetterReader
    ) -> list[tuple[LiveBattle, DigestEntry]]:
        """The battles of a letter in which its reader still holds the side."""
        found = []
        for entry in entries:
            live = await self.live_of(entry.battle)
            seat = live.recording.battle.seats.get(entry.side) if live else None
            if live is not None and seat is not None and seat.player == reader.player:
                found.append((live, entry))
        return found


def _wanted(battles: Battles) -> Battles:
    """Those in which the reader must act."""
    return [
        (live, entry)
        for live, entry in battles
        if entry.side in live.to_act() or entry.side in live.recording.battle.owing
    ]


def _title_of(verdict: Verdict, lang: str) -> str:
    """The heading above lines that are about no battle of the letter."""
    ref = verdict.params.get("ref", "")
    return say(lang, "letter.several.unknown", ref=ref) if ref else say(lang, "letter.several.alone")


def _lead(verdict: Verdict, battles: Battles, lang: str) -> str:
    """In how many battles a mail was played, and which of them wait for its writer now."""
    named = [one for one in verdict.sections if one.battle]
    played = sum(one.what == PLAYED for one in named)
    said = say(lang, "letter.several.played", played=played, count=len(named)) if named else ""
    waiting = [str(number) for number, one in enumerate(battles, 1) if one in _wanted(battles)]
    rest = say(lang, "letter.several.wanted", numbers=waiting) if waiting else say(lang, "letter.several.done")
    odd = say(lang, "letter.several.odd") if len(named) < len(verdict.sections) else ""
    return " ".join(part for part in (said, odd, rest) if part)
