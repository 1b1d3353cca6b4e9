"""A mail that answers a letter about several battles.

It holds orders for one battle or for many: below a line that names it (`battle 2`, `battle knkykgogfsypmo7f`), or
within the quoted letter, below its mark. The orders for each battle are judged as a mail of their own, under the token
of that battle and no other: nothing reaches a battle that the letter is not about. Lines without a battle belong to
the only one that still waits for an answer; if several do, nobody guesses. One answer tells it all.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from server.mail import desk
from server.mail.desk import must_confirm, order_alone
from server.mail.digests import DigestEntry, entries_of, section_key, token_of
from server.mail.incoming.identity import Sender
from server.mail.incoming.judgement import Confirm, Judgement, verdict_of
from server.mail.incoming.saying import decides, ends_battle
from server.mail.incoming.sorting import SortedReply, sorted_reply, with_below
from server.mail.numbering import listed
from server.mail.places import Exists, is_meant, named_in
from server.mail.verdict import LineVerdict, MailReading, Verdict
from server.play.live_battles import LiveBattles
from server.play.questions import question_of
from server.store import Statement
from server.store.tables.mail_tokens import MailToken

NO_BATTLE, WHICH_BATTLE, NONE_WAITS, TWICE, ALONE = "no-battle", "which-battle", "none-waits", "twice", "alone"
"""Verdicts on lines that name no battle of the letter, or none at all where several wait or none does; on orders for
one battle in two places, or beside one that must be confirmed."""
ONE = "one"
"""Lines without a battle that are for the only one that waits."""
BEST = ("played", "command", "held")
"""Verdicts on a battle after which the whole mail is called so, the first that there is."""
MOST_PARTS = 100

JudgeOne = Callable[[str, MailReading, Sender, Confirm, bool], Awaitable[Judgement]]
Hold = Callable[[str, MailReading, Sender, str], Judgement]
Holding = Callable[[str, Sender, Mapping[str, str]], tuple[str, Statement]]
IsBegun = Callable[[str, str], bool]


class BattlePart(Struct):
    """What a mail says below the name or the mark of a battle, "" for none."""

    named: str
    text: str
    dropped: tuple[str, ...] = ()


class PlacedLines(Struct):
    """What a mail says, by battle; verdicts on lines `elsewhere`; and what was left out."""

    by_battle: dict[str, list[BattlePart]]
    elsewhere: list[Verdict]
    dropped: tuple[str, ...] = ()


class SeveralBattles:
    """Judges mails about several battles. `judge_one` judges what they say about one, `hold` holds the whole mail,
    `holding` an order; `is_begun` knows whether orders under a key have been played before."""

    def __init__(
        self, battles: LiveBattles, judge_one: JudgeOne, hold: Hold, holding: Holding, is_begun: IsBegun
    ) -> None:
        self.battles = battles
        self.store = battles.store
        self._judge_one, self._hold, self._holding, self._is_begun = judge_one, hold, holding, is_begun

    def _exists(self, battle: str) -> bool:
        return self.store.battle(battle) is not None

    def _names_any(self, text: str) -> bool:
        return any(_named(line, self._exists) for line in text.split("\n"))

    async def wanted(self, known: MailToken) -> list[DigestEntry]:
        """The battles of a letter whose question is still open."""
        found = []
        for entry in entries_of(known):
            token = token_of(self.store, entry)
            if token is not None and token.question:
                live = await self.battles.get(entry.battle)
                if question_of(live, entry.side) == token.question:
                    found.append(entry)
        return found

    async def judge(
        self, key: str, reading: MailReading, who: Sender, confirm: Confirm, is_confirmed: bool
    ) -> Judgement | None:
        """Judge each battle's part; None if the mail has no orders for any: it is commands, prose, or empty."""
        assert who.token is not None
        entries = entries_of(who.token)
        begun = [entry for entry in entries if self._is_begun(who.token.player, section_key(key, entry.battle))]
        found = await self._placed_lines(reading, who, entries, begun)
        if not found.by_battle and not found.elsewhere:
            return None
        if who.doubt and not is_confirmed and not begun:
            return self._hold(key, reading, who, who.doubt)
        judged = [
            await self._of_battle(key, entry, found.by_battle[entry.battle], reading, who, confirm, is_confirmed)
            for entry in entries
            if entry.battle in found.by_battle
        ]
        verdicts = (*(one.verdict for one in judged), *found.elsewhere)
        whats = [verdict.what for verdict in verdicts]
        whole = Verdict(
            what=next((what for what in BEST if what in whats), whats[0]),
            player=who.token.player,
            dropped=found.dropped,
            digest=who.token.digest.hex(),
            sections=verdicts,
        )
        also = [statement for one in judged for statement in one.also]
        return Judgement(whole, also, bool(found.elsewhere) or any(one.is_answered for one in judged))

    async def _placed_lines(
        self, reading: MailReading, who: Sender, entries: Sequence[DigestEntry], begun: Sequence[DigestEntry]
    ) -> PlacedLines:
        """What a mail says of each battle; `begun`: those whose part has been played before a crash."""
        assert who.token is not None
        left = await self.wanted(who.token)
        if (
            reading.below
            and not self._names_any(reading.text)
            and not await self._without_battle(reading.text, left, entries)
        ):
            reading = with_below(reading, SortedReply(""))  # a greeting above the quote, orders below it
        parts = _parts(reading, self._exists)
        alone, by_battle, unknown = _by_battle(parts, entries)
        lost = [line for part in parts if part.named and not part.text.strip() for line in part.dropped]
        found = PlacedLines(by_battle, [_about_none(who, NO_BATTLE, part.text, ref=part.named) for part in unknown])
        found.dropped = (*reading.dropped, *lost)
        if not alone.text.strip():
            return found
        again = [entry for entry in begun if entry.battle not in by_battle]
        left = again or [entry for entry in left if entry.battle not in by_battle]
        what = ONE if again else await self._without_battle(alone.text, left, entries)
        if what == ONE:
            by_battle[left[0].battle] = [alone]
        elif what:
            numbers = [entries.index(entry) + 1 for entry in left]
            found.elsewhere.insert(0, _about_none(who, what, alone.text, numbers=numbers))
        else:
            found.dropped = (*found.dropped, *_lines(alone.text))
        return found

    async def _without_battle(self, text: str, left: Sequence[DigestEntry], entries: Sequence[DigestEntry]) -> str:
        """What lines without a battle are: ONE, WHICH_BATTLE or NONE_WAITS; "" if they are not orders. `left`: the
        battles that wait and are named nowhere else."""
        is_order = False
        for entry in left or entries:
            if decides(await self.battles.get(entry.battle), entry.side, text):
                is_order = True
                break
            requests = desk.read(text)
            if requests and requests[0].name != "say":
                continue
            reply = await self._reply(entry, text)
            is_order |= reply.has_orders or bool(reply.unknown or reply.asked)
        if not is_order:
            return ""
        return (ONE if len(left) == 1 else WHICH_BATTLE) if left else NONE_WAITS

    async def _reply(self, entry: DigestEntry, text: str) -> SortedReply:
        """The lines of a reply, as those of a letter about one battle."""
        ruleset, token = (await self.battles.get(entry.battle)).ruleset, token_of(self.store, entry)
        letter = listed(token.content if token is not None else b"")
        return await asyncio.to_thread(sorted_reply, text, ruleset, letter)  # a hostile text takes long

    async def _of_battle(
        self,
        key: str,
        entry: DigestEntry,
        parts: Sequence[BattlePart],
        reading: MailReading,
        who: Sender,
        confirm: Confirm,
        is_confirmed: bool,
    ) -> Judgement:
        """Judge what a mail says about one battle, as if it answered a letter about that battle alone."""
        token = token_of(self.store, entry)
        assert token is not None and who.token is not None and token.player == who.token.player
        one = replace(who, token=token, doubt="")
        texts = list(dict.fromkeys(part.text.strip("\n") for part in parts))
        dropped = tuple(line for part in parts for line in part.dropped)
        text = texts[0]
        if len(texts) > 1:
            return _refused(one, TWICE, "\n".join(texts), dropped)
        if not is_confirmed:
            reply = await self._reply(entry, text)
            orders = "\n".join(part for part in (reply.orders, reply.waiting) if part)
            if ends_battle(await self.battles.get(entry.battle), orders):
                return self._ending(section_key(key, entry.battle), one, orders, dropped)
            if any(must_confirm(request) for request in desk.read(text)):
                return self._ending(section_key(key, entry.battle), one, text, dropped)
        meant = replace(reading, text=text, dropped=dropped, subject="", below="", marked=())
        return await self._judge_one(section_key(key, entry.battle), meant, one, confirm, is_confirmed)

    def _ending(self, key: str, who: Sender, text: str, dropped: tuple[str, ...]) -> Judgement:
        """Hold an order that would end a battle until it is confirmed; with others beside it nothing is done."""
        asked = order_alone(text)
        if asked is None:
            return _refused(who, ALONE, text, dropped)
        held, statement = self._holding(key, who, {"battle": who.battle, "order": asked.args[-1]})
        lines = tuple(LineVerdict(line, "held") for line in _lines(text))
        return Judgement(
            verdict_of(who, "held", why="confirm", held=held, lines=lines, dropped=dropped), (statement,), True
        )


def _parts(reading: MailReading, exists: Exists) -> list[BattlePart]:
    """What a mail says, by the names and the marks of battles, in its order."""
    parts = _by_name("", reading.text, (), exists)
    for below in reading.marked:
        parts += _by_name(below.battle, below.text, below.dropped, exists)
    return parts


def _named(line: str, exists: Exists) -> tuple[str, str] | None:
    """The battle that a line names, and what stands behind it. A word alone may be a name that the letter does not
    have; before others it is prose, unless it is an id."""
    found = named_in(line)
    return found if found is not None and (not found[1] or is_meant(found[0], exists)) else None


def _by_name(mark: str, text: str, dropped: tuple[str, ...], exists: Exists) -> list[BattlePart]:
    parts = [BattlePart(mark, "", dropped)]
    for line in text.split("\n"):
        found = _named(line, exists) if len(parts) < MOST_PARTS else None
        if found is None:
            parts[-1].text += f"{line}\n"
        else:
            parts.append(BattlePart(found[0], f"{found[1]}\n" if found[1] else ""))
    return parts


def _by_battle(
    parts: Sequence[BattlePart], entries: Sequence[DigestEntry]
) -> tuple[BattlePart, dict[str, list[BattlePart]], list[BattlePart]]:
    """The lines without a battle, the parts of each battle of the letter, and those of others."""
    alone, by_battle, unknown = BattlePart("", ""), dict[str, list[BattlePart]](), list[BattlePart]()
    for part in parts:
        if not part.named:
            alone = part
        elif not part.text.strip():
            continue
        elif entry := _entry_of(part.named, entries):
            by_battle.setdefault(entry.battle, []).append(part)
        else:
            unknown.append(part)
    return alone, by_battle, unknown


def _entry_of(named: str, entries: Sequence[DigestEntry]) -> DigestEntry | None:
    """The battle of the letter with a number or an id."""
    if named.isdecimal():
        return entries[int(named) - 1] if 0 < int(named) <= len(entries) else None
    return next((entry for entry in entries if entry.battle == named), None)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.split("\n") if line.strip())


def _refused(who: Sender, what: str, text: str, dropped: tuple[str, ...]) -> Judgement:
    lines = tuple(LineVerdict(line, "not-played") for line in _lines(text))
    return Judgement(verdict_of(who, what, lines=lines, dropped=dropped), (), True)


def _about_none(who: Sender, what: str, text: str, **params: object) -> Verdict:
    """A verdict on lines that are about no battle of the letter."""
    lines = tuple(LineVerdict(line, "not-played") for line in _lines(text))
    return Verdict(what=what, player=who.player, lines=lines, params=dict(params))
