"""A service record in words: what a unit is called, what it has been through, and by which dice."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.contract.campaign_book import CAPTURED
from projections.ledger import records
from projections.ledger.records import ForceLedger, ServiceEntry, ServiceRecord
from replay.telling.words.catalogue import find
from replay.telling.words.forms import Speaker
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment, phrase

USUAL = "standard"
"""The quality that is not named."""


class ServiceTeller(Struct, frozen=True):
    """Tells service records in a language. `game` is the code of the ruleset, `names` has who holds a power, `powers`
    whose a force is."""

    game: str
    lang: str
    names: Mapping[str, str] = {}
    powers: Mapping[str, str] = {}

    def say(self, msgid: str, **params: Any) -> str:
        """A sentence about the ledger."""
        return phrase(f"ledger.{msgid}", params, self.lang)

    def part(self, msgid: str, **params: Any) -> str:
        """A part of one."""
        return fragment(f"ledger.{msgid}", params, self.lang)

    def power(self, power: str) -> str:
        """Who holds a power, the power itself where nobody does."""
        return self.names.get(power) or power

    # --- names

    def called(self, record: ServiceRecord, label: str | None = None) -> str:
        """What an element is: "veteran hoplites R1, with a hero"; `label` how good, if not as it is now."""
        if not record.is_unit:
            return self.part("leader", id=record.element)
        quality, _, extra = (record.label if label is None else label).partition(" ")
        told = {
            "quality": self._word("quality", quality) if quality != USUAL else "",
            "troop": self.troop(record.troop),
        }
        return self.part("unit", id=record.element, extra=self._word("extra", extra) if extra else "", **told)

    def name(self, record: ServiceRecord, label: str | None = None, honours: tuple[str, ...] | None = None) -> str:
        """The same with the honours that it bears, each once."""
        worn = tuple(dict.fromkeys(one.honour for one in record.honours)) if honours is None else honours
        return self.part("named", name=self.called(record, label), honours=self.join([*map(self.honour, worn)]))

    def quality(self, label: str) -> str:
        """How good a unit is, as a word of its own."""
        quality, _, extra = label.partition(" ")
        words = [self._word("quality", quality), *([self._word("extra", extra)] if extra else [])]
        return self.join(words)

    def troop(self, troop: str) -> str:
        """What a kind of troops is called."""
        return find(f"type.{troop}", self.lang) or troop.replace("_", " ")

    def honour(self, honour: str) -> str:
        """What an honour is called."""
        return find(f"deed.{self.game}.{honour}", self.lang) or honour

    def grown(self, record: ServiceRecord) -> Iterator[str]:
        """Its names from the first to what it is called now, each since when."""
        by_round = {number: (label, honours) for number, label, honours in record.titles()}
        for number, (label, honours) in by_round.items():
            name = self.name(record, label, honours)
            yield self.say("became", name=name, round=number) if number else name

    def now(self, record: ServiceRecord) -> str:
        """What has become of it."""
        return self.part(f"now.{record.now}")

    def join(self, items: list[str]) -> str:
        """Words as a list."""
        return Speaker({}, self.lang).join(items)

    def _word(self, kind: str, word: str) -> str:
        return find(f"{kind}.{word}", self.lang) or word

    # --- lines

    def line(self, entry: ServiceEntry) -> str:
        """A line of a record as a sentence."""
        told = {"area": entry.area, "points": entry.points, "was": entry.was, "by": entry.by, "now": entry.now}
        if entry.what == records.BATTLE:
            fared = self.part(f"fared.{entry.fared}") if entry.fared else ""
            powers = dict.fromkeys(self.powers.get(force, force) for force in entry.against)
            against = self.join([self.power(power) for power in powers])
            fate = self.fate(entry)
            where = self.where(entry)
            return self.say("line.battle", where=where, against=against, fared=fared, fate=fate, thrown=self.die(entry))
        if entry.what == records.OVERRUN:
            return self.say("line.overrun", **{**told, "fate": self.fate(entry), "thrown": self.die(entry)})
        if entry.what == records.HONOUR:
            return self.say("line.honour", honour=self.honour(entry.honour), where=self.where(entry))
        if entry.what == records.PROMOTED:
            told |= {"was": self.quality(entry.was), "now": self.quality(entry.now)}
        elif entry.what == records.RAISED:
            told |= {"now": self.quality(entry.now)}
        elif entry.what == records.RANSOMED:
            told |= {"by": self.power(entry.by)}
        return self.say(f"line.{entry.what}", **told)

    def where(self, entry: ServiceEntry) -> str:
        """The battle of an entry: its title, else its board or id."""
        title = name_in(entry.title, self.lang) if entry.title else ""
        return self.part("where", title=title, board=entry.board, battle=entry.battle)

    def fate(self, entry: ServiceEntry) -> str:
        """How an element left a battle, and what it was then."""
        if entry.now == CAPTURED:
            return self.part("fate.captured", by=self.power(entry.by) if entry.by else "")
        exact = f"fate.{entry.fate}.{entry.now}"
        return self.part(exact if find(f"ledger.{exact}", self.lang) else f"fate.{entry.fate}")

    def die(self, entry: ServiceEntry) -> str:
        """What was needed and what was thrown; "" where no die was."""
        return self.part("die", needed=entry.needed, die=entry.die) if entry.die else ""

    # --- forces

    def summary(self, force: ForceLedger) -> str:
        """A force in a line: what it is worth, how many it is, how it has fared."""
        fared = [entry.fared for entry in force.battles.values()]
        first = force.first_points if force.first_points != force.points else ""
        count = {"units": len(force.present), "all": len(force.units), "battles": len(fared)}
        ends = {how: fared.count(how) or "" for how in (records.WON, records.DRAWN, records.LOST_BATTLE)}
        return self.say("summary", points=force.points, first=first, **count, **ends)

    def row(self, record: ServiceRecord) -> str:
        """An element in a line."""
        honours = self.join([self.honour(one.honour) for one in record.honours])
        battles = len(record.battles) or ""
        return self.part("row", name=self.called(record), now=self.now(record), battles=battles, honours=honours)
