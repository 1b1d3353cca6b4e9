"""What is proven of an event, how far, and by whom: the verifier's word, signed heads, and what nobody can know."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec import UNSET

from domain.events.battle import Corrected, OrderAccepted
from replay.battle_file import BattleFile
from replay.proof import notes, verdict
from replay.proof.differences import CONTRADICTED, HOLDS, held
from replay.proof.faults import quoted
from replay.proof.heads import Evidence, notes_in
from replay.proof.verify import Report, verify
from replay.reports.evidence.page import Block, ItemsBlock, WordsBlock
from replay.telling.words import phrase
from replay.telling.words.sentences import fragment

MOST_HEADS = 20
"""Heads of one piece of evidence that are told."""
ALWAYS = ("at", "told", "lost", "other-history", "player")
"""What no file can prove (fairness.md 7)."""


class ProvenBlock:
    """The proof of a block of a battle, in which event `n` is."""

    def __init__(self, battle: BattleFile, content: bytes, block: tuple[int, int], n: int, lang: str) -> None:
        self.battle = battle
        self.block = block
        self.n = n
        self.lang = lang
        self._content = content

    @cached_property
    def report(self) -> Report:
        """What the verifier says of the whole file."""
        return verify(self._content, lang=self.lang)

    def _phrase(self, what: str, /, **members: Any) -> str:
        return phrase(f"evidence.{what}", members, self.lang)

    # --- the rules

    def verdict(self) -> Iterator[Block]:
        """What the rules of this release say of the block."""
        report, (first, last) = self.report, self.block
        fault = report.fault
        told = {"n": first, "last": last, "rules": report.ruleset}
        if fault is not None and fault.n <= last:
            where = "fault-before" if fault.n < first else "fault"
            said = quoted({"fault": fault.n, "what": fault.sentence.rstrip(".")})
            yield WordsBlock(self._phrase(f"verdict-{where}", **told, **said), is_strong=True)
        elif report.other_rules:
            yield WordsBlock(" ".join(report.install))
        elif first in report.not_judged:
            yield WordsBlock(self._phrase("verdict-sealed", **told))
        else:
            yield WordsBlock(self._phrase("verdict-holds", **told))
            if fault is not None:
                yield WordsBlock(self._phrase("verdict-fault-later", n=fault.n), is_strong=True)
        for n, by in report.excused:
            if first <= n <= last:
                yield WordsBlock(phrase("verdict.excused", {"n": n, "by": by}, self.lang))
        for entry in self.battle.events[first - 1 : last]:
            if isinstance(entry.event, Corrected):
                yield WordsBlock(self._phrase("verdict-corrected", n=entry.n, count=len(entry.event.facts)))
        acts = tuple(act for act in report.listed if first <= act.n <= last)
        if acts:
            title, *lines = verdict.listed(acts, self.lang)
            yield WordsBlock(title)
            yield ItemsBlock(tuple(line.strip() for line in lines))

    # --- heads

    def heads(self, given: Sequence[Evidence]) -> Iterator[Block]:
        """What the heads prove that somebody has kept, that close the file, and that the players have named."""
        lines = list(self._file_head())
        for side in self.battle.ruleset.seats.seeding:
            lines += self._named_by(side)
        yield ItemsBlock(tuple(lines))
        for item in given:
            found = list(dict.fromkeys(notes_in(item.content)))[:MOST_HEADS]
            if not found:
                yield WordsBlock(fragment("diff.no-head", quoted({"source": item.source}), self.lang))
            for note in found:
                yield self._head(item.source, note)
        if not given:
            yield WordsBlock(self._phrase("no-heads"))

    def _file_head(self) -> Iterator[str]:
        log = self.battle.log
        last = len(log.lines)
        told = {
            "last": last,
            "n": self.n,
            "hash": log.hashes[last].hex(),
            "fingerprint": log.key_at(last).fingerprint(),
        }
        yield self._phrase("head-file" if log.checkpoint is not None else "head-none", **told)

    def _named_by(self, side: str) -> Iterator[str]:
        """The first order of a side that names a head at or behind the event."""
        for entry in self.battle.events[self.n :]:
            event: Any = entry.event
            if not isinstance(event, OrderAccepted) or event.side != side or event.seen is UNSET:
                continue
            seen = event.seen
            if seen.n >= self.n and self.battle.log.hashes[min(seen.n, self.battle.last)].hex() == seen.hash:
                signed = "yes" if event.serial is not UNSET else ""
                yield self._phrase("head-named", side=side, order=entry.n, head=seen.n, n=self.n, signed=signed)
                return
        yield self._phrase("head-not-named", side=side, n=self.n)

    def _head(self, source: str, note: str) -> WordsBlock:
        """A head that somebody kept, against the file and the event."""
        head, how = notes.unverified_head(note).n, held(self.battle.log, note)
        if how == HOLDS:
            how = "covers" if head >= self.n else "earlier"
        said = quoted({"source": source, "head": head, "n": self.n})
        return WordsBlock(fragment(f"evidence.head-{how}", said, self.lang), is_strong=how == CONTRADICTED)

    # --- what is open

    def unknown(self) -> Iterator[Block]:
        """What cannot be known of it, and why."""
        first, last = self.block
        lines = []
        for entry in self.battle.events[first - 1 : last]:
            if getattr(entry.event, "sealed", UNSET) is not UNSET and entry.n not in self.battle.timeline.vault:
                lines.append(self._phrase("open-sealed", n=entry.n))
        if not self.report.ended:
            lines.append(self._phrase("open-running"))
        lines += [self._phrase(f"open-{what}") for what in ALWAYS]
        yield ItemsBlock(tuple(lines))

    def file(self) -> Iterator[Block]:
        """What the verifier says of the whole file."""
        yield ItemsBlock(tuple(verdict.lines(self.report, self.lang)))
