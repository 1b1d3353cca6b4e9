"""Gather the evidence on one event from the bytes of a battle file.

The page stands on four legs: the sentences and reasons of the log (`replay.telling`), boards, the draws step by step
(`by_hand`), and what the verifier says of the file (`proven`). It shows what a stranger may know: what is sealed stays
sealed, and the page says so.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from textwrap import wrap
from typing import Any

from domain.contract.ruleset import NOBODY
from domain.engine.dockets import Docket
from domain.events.battle import INPUTS, CardDrawn, OrderAccepted
from domain.log.record import Recorded
from domain.run.timeline import is_within
from replay import battle_file
from replay.battle_file import BattleFile, UnreadableFile
from replay.proof.heads import Evidence
from replay.reports import plain
from replay.reports.evidence import by_hand, proven
from replay.reports.evidence.page import Block, Code, EvidenceBoard, EvidencePage, EvidencePart, ItemsBlock, WordsBlock
from replay.telling.dockets import statements
from replay.telling.odds import DRAWS
from replay.telling.rulebook import rule
from replay.telling.why import Explanation, Reckoning, drawn_lines, explain, reckoned_line
from replay.telling.words import ENGLISH, phrase, worded
from replay.telling.words.names import name_in

MOST_EVENTS = 60
"""Events of a block that are told; the order may have had more consequences."""
MOST_MEASURED = 12
MOST_DRAWS = 8
"""Draws that are shown step by step."""
WIDTH_OF_HEX = 64
LONGEST_DOCKET = 40


def evidence_of(
    content: bytes, n: int = 0, heads: Sequence[Evidence] = (), lang: str = ENGLISH, docket: str = ""
) -> EvidencePage:
    """The evidence on event `n` of a battle file, or on the event that a docket is about, with what was said in it.

    Shape:   `heads` are receipts, mails or earlier files that hold signed heads
    Raises:  UnreadableFile for what is not a battle file, or has no such event or docket
    """
    battle = battle_file.parse(content, lang=lang)
    matter = battle.timeline.now.disputes.docket(docket) if docket else None
    if docket and matter is None:
        raise UnreadableFile(phrase("evidence.no-docket", {"docket": docket[:LONGEST_DOCKET]}, lang))
    battle.require_event(matter.about if matter else n, lang=lang)
    return _Gathering(battle, content, matter.about if matter else n, lang).page(heads, matter)


class _Gathering:
    """The page in the making: the block of the event, and what is said of it."""

    def __init__(self, battle: BattleFile, content: bytes, n: int, lang: str) -> None:
        self.battle = battle
        self.content = content
        self.n = n
        self.lang = lang
        self.first, self.last = block_of(battle.events, n)

    def page(self, heads: Sequence[Evidence], docket: Docket | None) -> EvidencePage:
        """The whole page."""
        why = self._explained(self.n)
        proof = proven.ProvenBlock(self.battle, self.content, (self.first, self.last), self.n, self.lang)
        parts = (
            ("docket", self._docket(docket)),
            ("order", self._order()),
            ("rule", self._rule(why)),
            ("numbers", self._numbers(why)),
            ("position", self._position()),
            ("draws", self._draws(why)),
            ("verdict", proof.verdict()),
            ("heads", proof.heads(heads)),
            ("open", proof.unknown()),
            ("file", proof.file()),
        )
        made = (EvidencePart(self._phrase(f"part-{name}"), tuple(blocks)) for name, blocks in parts)
        title = self._phrase("title", n=self.n, battle=self._title(), docket=docket.id if docket else "")
        return EvidencePage(self.lang, title, tuple(part for part in made if part.blocks))

    def _phrase(self, what: str, /, **members: Any) -> str:
        return phrase(f"evidence.{what}", members, self.lang)

    def _title(self) -> str:
        title = getattr(self.battle.events[0].event, "title", "")
        gid = self.battle.log.header.battle
        return f"{name_in(title, self.lang)} ({gid})" if title and isinstance(title, str) else gid

    def _entry(self, n: int) -> Recorded:
        return self.battle.events[n - 1]

    def _explained(self, n: int) -> Explanation:
        before, events = plain.known_at(self.battle, n - 1), self.battle.events
        gid = self.battle.log.header.battle
        return explain(self.battle.ruleset, before, events[:n], events[n:], self.lang, gid)

    # --- what was said of it

    def _docket(self, docket: Docket | None) -> Iterator[Block]:
        if docket is None:
            return
        yield WordsBlock(self._phrase("docket", docket=docket.id, n=docket.about, kind=docket.kind))
        said = [(one.n, one.at) for one in statements(self.battle.events, docket)]
        told = (plain.said_to(self.battle, n, NOBODY, self.lang) for n, _ in said)
        yield ItemsBlock(tuple(f"{n}, {at}: {words}" for (n, at), words in zip(said, told, strict=True)))

    # --- the order and its consequences

    def _order(self) -> Iterator[Block]:
        entry = self._entry(self.first)
        event: Any = self.battle.timeline.whole(entry)
        if isinstance(event, OrderAccepted):
            members = {name: getattr(event, name) for name in ("side", "player", "channel", "line")}
            yield WordsBlock(self._phrase("order", n=entry.n, at=entry.at, **members))
            if isinstance(event.text, str):
                yield Code((event.text,))
            else:
                yield WordsBlock(self._phrase("order-sealed"))
        else:
            yield WordsBlock(self._phrase("no-order", n=entry.n, at=entry.at, type=entry.type))
        yield WordsBlock(self._phrase("block", first=self.first, last=self.last))
        last = min(self.last, self.first + MOST_EVENTS - 1)
        yield ItemsBlock(tuple(self._sentence(n) for n in range(self.first, last + 1)))
        if last < self.last:
            yield WordsBlock(self._phrase("more", count=self.last - last))
        if self._is_voided(self.n):
            yield WordsBlock(self._phrase("voided", n=self.n), is_strong=True)

    def _sentence(self, n: int) -> str:
        """An event of the block; what the log has opened by now is told whole."""
        entry, known = self._entry(n), plain.known_at(self.battle, n - 1)
        said = plain.say(self.battle.ruleset, known, entry, self.battle.timeline.whole(entry), self.lang)
        return f"{n}{'~' if self._is_voided(n) else ''}{' →' if n == self.n else ''} {said}"

    def _is_voided(self, n: int) -> bool:
        return is_within(self.battle.timeline.voided(), n)

    # --- the rule and the numbers

    def _rule(self, why: Explanation) -> Iterator[Block]:
        ids = dict.fromkeys((why.rule.id, *(other.id for other in why.see)))
        if self.n == self.first:  # what it led to is what was decided
            ids |= dict.fromkeys(one.rule.id for one in self._measured)
        found = [rule(self.battle.ruleset.code, one, self.lang) for one in ids]
        for one in found:
            if one.text:
                yield WordsBlock(self._phrase("rule", id=one.id, title=one.title, source=one.source))
                yield WordsBlock(one.text)
            else:
                yield WordsBlock(self._phrase("rule-unknown", id=one.id))
        if why.rulings:
            told = [{"number": one.number, "question": one.question, "text": one.text} for one in why.rulings]
            yield ItemsBlock(tuple(phrase("why-text.ruling", one, self.lang) for one in told))

    @cached_property
    def _measured(self) -> list[Explanation]:
        """What was measured against a number in the block."""
        block = self.battle.events[self.first : min(self.last, self.first + MOST_EVENTS)]
        told = (self._explained(one.n) for one in block if not isinstance(one.event, DRAWS))
        return list(islice((one for one in told if one.reckoning or one.counted or one.draws), MOST_MEASURED))

    def _numbers(self, why: Explanation) -> Iterator[Block]:
        beside = [one for one in self._measured if one.n != self.n]
        for one in sorted([why, *beside], key=lambda one: one.n):
            lines = [*self._reckoned(one.reckoning), *drawn_lines(one, self.lang)]
            if lines:
                yield WordsBlock(self._phrase("event", n=one.n, said=one.said))
                yield ItemsBlock(tuple(lines))

    def _reckoned(self, reckoning: Reckoning | None) -> Iterator[str]:
        """How a number came about, and each of its modifiers with the rule that it stands in."""
        if reckoning is None:
            return
        yield reckoned_line(reckoning, self.lang)
        for factor in reckoning.factors:
            one = rule(self.battle.ruleset.code, factor["rule"], self.lang)
            effect = reckoning.sign * factor["plus"]
            told = {"effect": f"{effect:+d}", "why": factor["why"], "id": one.id, "title": one.title, "text": one.text}
            yield self._phrase("factor", **told)

    # --- the table

    def _position(self) -> Iterator[Block]:
        before = max(self.first - 1, 1)
        yield self._board("before", before)
        if self.last > before:
            yield self._board("after", self.last)

    def _board(self, when: str, n: int) -> EvidenceBoard:
        scene = worded(self.battle.ruleset.shown.view(plain.known_at(self.battle, n), NOBODY), self.lang)
        return EvidenceBoard(when, self._phrase(when, n=n), scene)

    # --- the draws

    def _draws(self, why: Explanation) -> Iterator[Block]:
        numbers = [draw.n for draw in why.draws]
        if not numbers:
            block = self.battle.events[self.first - 1 : self.last]
            numbers = [e.n for e in block if isinstance(e.event, DRAWS)]
        if not numbers:
            yield WordsBlock(self._phrase("no-draws"))
            return
        yield WordsBlock(self._phrase("by-hand"))
        seed, gid = "", self.battle.log.header.battle
        for n in sorted(numbers)[:MOST_DRAWS]:
            seed, steps = by_hand.steps(gid, self.battle.events, n, self._pile(n), seed)
            yield WordsBlock(self._phrase("draw", n=n, said=self._explained(n).said))
            for step in steps:
                yield from self._step(step)
        if len(numbers) > MOST_DRAWS:
            yield WordsBlock(self._phrase("more-draws", count=len(numbers) - MOST_DRAWS))

    def _pile(self, n: int) -> Sequence[str]:
        event = self._entry(n).event
        if not isinstance(event, CardDrawn):
            return ()
        return self.battle.ruleset.draws.pile(plain.known_at(self.battle, n - 1), event.deck)

    def _step(self, step: by_hand.HandStep) -> Iterator[Block]:
        yield ItemsBlock((self._phrase(f"step-{step.what}", **step.members),))
        if step.data:
            formula = wrap(step.formula, WIDTH_OF_HEX, subsequent_indent="  ", break_long_words=False)
            yield Code((*formula, *_command(step), f"= {step.result.hex()}"))
        if not step.holds:
            yield WordsBlock(self._phrase("step-differs"), is_strong=True)


MOST_BYTES = 2048
"""Bytes that are shown in hex; what is longer can be made from the formula."""


def _command(step: by_hand.HandStep) -> Iterator[str]:
    """A command of the shell that makes the hash again."""
    if len(step.data) > MOST_BYTES:
        return
    digits = step.data.hex()
    lines = [digits[at : at + WIDTH_OF_HEX] for at in range(0, len(digits), WIDTH_OF_HEX)]
    yield "echo \\"
    yield from (f"{line} \\" for line in lines)
    if step.key:
        yield "| xxd -r -p | openssl dgst -sha256 -mac HMAC -macopt \\"
        yield f"hexkey:{step.key.hex()}"
    else:
        yield "| xxd -r -p | openssl dgst -sha256"


def block_of(events: Sequence[Recorded], n: int) -> tuple[int, int]:
    """The first and the last event of the block of event `n`: an input and what follows from it."""
    first = next(e.n for e in reversed(events[:n]) if isinstance(e.event, tuple(INPUTS)) or e.n == 1)
    behind = (e.n - 1 for e in islice(events, n, None) if isinstance(e.event, tuple(INPUTS)))
    return first, next(behind, len(events))
