"""The story of a battle in chapters: one for each turn, those in which nothing happened together.

A paragraph tells a player-turn: who moved, then each attack with what came of it, in the order in which it happened,
then where that left both sides, and whether the lead changed hands. What led to nothing is only named, or left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.message import Message
from domain.contract.narration import message_of
from domain.contract.weight import Weight
from domain.engine.state import OTHER, SIDES
from domain.events.battle import Fact
from replay.reports.account.corrections import CORRECTED, corrected
from replay.reports.account.reading import HARM, Exchange, Happening, ReportReading, TurnPart
from replay.reports.account.rosters import losses, roster, strength
from replay.reports.account.swings import swings
from replay.reports.account.voice import Voice, heading, sentence
from replay.telling.luck import LuckRow
from replay.telling.words.names import name_in

MOST_NAMED = 4
"""Units of a formation that are named when they move; more are counted."""
MOST_OUTCOMES = 5
"""Of what came of an attack, so much is told at once; what decides comes first."""
OFTEN = 3
"""So often the same is no longer told of each."""
LEVEL = 1e-9
LONG_ODDS = Fraction(1, 4)
"""From here on it is told how likely something was."""


class Chapter(Struct, frozen=True):
    """A heading and its paragraphs. `n` is its first event."""

    n: int
    title: str
    paragraphs: tuple[str, ...]


class Storyteller:
    """Tells a battle from its beginning to its end; remembers who was ahead, and who has finished off whom."""

    def __init__(self, reading: ReportReading, lang: str) -> None:
        self.reading = reading
        self.lang = lang
        self.voice = Voice(reading, lang)
        self._leader = ""
        self._at = ""
        self._introduced: set[tuple[str, str]] = set()
        self._victims: dict[str, list[str]] = {}
        self.result = ""
        """How the battle ended, when that has been told."""
        self.told: set[int] = set()
        """The exchanges that were told, by the event they begin with."""

    def chapters(self) -> Iterator[Chapter]:
        """The chapters, in order."""
        before, *turns = self.reading.parts
        yield Chapter(1, heading("before", {}, self.lang), tuple(self._opening(before)))
        yield from self._turns(turns)
        yield Chapter(self.reading.battle.last, heading("end", {}, self.lang), (" ".join(self._end()),))

    def _turns(self, parts: Sequence[TurnPart]) -> Iterator[Chapter]:
        turns = [list(of_turn) for _, of_turn in groupby(parts, lambda part: part.turn)]
        for is_quiet, run in groupby(turns, lambda turn: not any(part.has_harm for part in turn)):
            for chapter in [list(run)] if is_quiet else [[turn] for turn in run]:
                told = [part for turn in chapter for part in turn]
                first, last = told[0].turn, told[-1].turn
                spans = {
                    "first": first,
                    "next": last if last == first + 1 else "",
                    "last": last if last != first else "",
                }
                title = heading("turns", spans, self.lang)
                yield Chapter(told[0].n, title, tuple(self._paragraphs(told)))

    def _paragraphs(self, parts: Sequence[TurnPart]) -> Iterator[str]:
        for has_harm, run in groupby(parts, lambda part: part.has_harm):
            for part in run if has_harm else [_one(list(run))]:
                self.voice.paragraph()
                text = " ".join(line for line in self._part(part) if line)
                if text:
                    yield text

    # --- the opening

    def _opening(self, part: TurnPart) -> Iterator[str]:
        voice, reading = self.voice, self.reading
        seats = reading.battle.timeline.now.seats
        players = {side: seats[side].name if side in seats else "?" for side in SIDES}
        title = name_in(reading.opening.title, self.lang) or reading.battle.log.header.battle
        sides = {side: side for side in SIDES}
        same = players["south"] == players["north"]
        params = {**sides, "title": title, "southern": players["south"], "northern": players["north"]}
        lines = [sentence(voice.say("opening.same" if same else "opening", params))]
        counts = strength(reading)
        lines.append(
            sentence(voice.say("strength", {**sides, "southern": counts["south"], "northern": counts["north"]}))
        )
        for exchange in part.exchanges:
            lines += [sentence(clause) for _, clause in self._clauses(self._planned(exchange.of(*HARM)))]
        yield " ".join(line for line in lines if line)

    # --- the end

    def _end(self) -> Iterator[str]:
        voice, reading = self.voice, self.reading
        voice.paragraph()
        turns = [part.turn for part in reading.parts if part.turn]
        if reading.stopped is not None:
            self.result = sentence(voice.say(reading.stopped.how, {}))
            yield self.result
            return
        if reading.ended is None:
            yield sentence(voice.say("running" if turns else "no-turn", {}))
            return
        winner = reading.ended.winner
        message = message_of(Fact("", "", reading.ended), reading.battle.ruleset.code)
        ids = (f"{reading.battle.ruleset.code}.{message.id.partition('.')[2]}", message.id)
        params = {"winner": winner, "loser": OTHER.get(winner, "")}
        self.result = sentence(voice.say(next((one for one in ids if voice.has(one)), message.id), params))
        yield self.result
        if not turns:
            return
        lost = {side: len(losses(reading, side)) for side in SIDES}
        counted = {"turns": max(turns), "south": "south", "north": "north"}
        named = {"southern": lost["south"], "northern": lost["north"]}
        yield sentence(voice.say("lasted" if any(lost.values()) else "lasted.none", {**counted, **named}))
        hinge = next((one for one in swings(reading) if one.exchange.n in self.told), None)
        if hinge:
            told = {"turn": hinge.turn, "clause": self.retold(hinge.exchange)}
            yield sentence(voice.say("hinge", told))

    # --- a player-turn

    def _part(self, part: TurnPart) -> Iterator[str]:
        self._at = ""
        told = [*self._moves(part), *self._fights(part)]
        yield from told or [sentence(self.voice.say("idle" if part.side else "idle.both", {"side": part.side}))]
        yield from self._standing(part)

    def _moves(self, part: TurnPart) -> Iterator[str]:
        """Moves without a fight, army by army and formation by formation."""
        movers: dict[str, dict[str, list[str]]] = {}
        for exchange in part.exchanges:
            if exchange.has_harm or exchange.of(Weight.ATTACKED):
                continue
            for one in exchange.of(Weight.MOVED):
                if self._is_alone(one):
                    continue
                for unit in one.units:
                    side = self.reading.sides.get(unit, exchange.side)
                    units = movers.setdefault(side, {}).setdefault(self.voice.formation(unit), [])
                    units += [unit] if unit not in units else []
        for side, formations in movers.items():
            groups = self.voice.join([self._group(side, formation, units) for formation, units in formations.items()])
            yield sentence(self.voice.say("moves", {"side": side, "groups": groups}))

    def _group(self, side: str, formation: str, units: Sequence[str]) -> str:
        own = [unit for unit in roster(self.reading.opening, side) if self.voice.formation(unit) == formation]
        params: dict[str, Any] = {"units": list(units), "count": len(units), "formation": formation}
        if set(own) <= set(units) and (formation or not self.reading.formations):
            return self.voice.say("group-all" if formation else "everybody", params)
        if len(units) > MOST_NAMED:
            return self.voice.say("group-many" if formation else "some", params)
        return self.voice.say("group", params) if formation else self.voice.join(units)

    # --- fights

    def _fights(self, part: TurnPart) -> list[str]:
        """Each attack that came to something; before them who got out of the way and who attacked in vain, after them
        what happened to units by itself."""
        fights: list[str] = []
        avoided: dict[str, list[tuple[Happening, Happening]]] = {}
        vain: dict[str, list[str]] = {}
        idle: dict[str, list[str]] = {}
        tried: dict[tuple[tuple[str, ...], str], str] = {}
        alone: list[Happening] = []
        for exchange in part.exchanges:
            attacks, harm = exchange.of(Weight.ATTACKED), exchange.of(*HARM)
            alone += [one for one in exchange.happened if self._is_alone(one)]
            harm = [one for one in harm if not self._is_alone(one)]
            if attacks and harm and all(self.voice.has(f"aside.{one.message.id}") for one in harm):
                avoided.setdefault(harm[0].message.id, []).append((harm[0], attacks[0]))
                continue
            clause = self._fight(exchange, harm)
            if clause:
                self.told.add(exchange.n)
                how = next((tried[key] for one in attacks if (key := (one.units, one.target)) in tried), "")
                fights.append(sentence(self._led(exchange, self.voice.say(how, {"clause": clause}) if how else clause)))
                fights += self._odds(exchange)
                fights += self._records(exchange)
            for attack in attacks:
                tried[attack.units, attack.target] = "again" if clause else "retry"
                if not clause:
                    units = (idle if harm else vain).setdefault(_event_id(attack.message), [])
                    units += [unit for unit in attack.units if unit not in units]
        return [
            *(self._avoided(event, pairs) for event, pairs in avoided.items()),
            *(
                line
                for event, units in vain.items()
                if (line := sentence(self.voice.say(f"vain.{event}", {"units": units})))
            ),
            *(() if fights else self._lull(vain, idle)),
            *fights,
            *self._alone(alone),
        ]

    def _is_alone(self, one: Happening) -> bool:
        """Whether something is told by itself, whatever came before it."""
        return self.voice.has(f"alone.{one.message.id}")

    def retold(self, exchange: Exchange) -> str:
        """What happened in an exchange, as a clause that names everybody anew; "" if the story leaves it out."""
        if exchange.n not in self.told:
            return ""
        self.voice.paragraph()
        return self._fight(exchange, [one for one in exchange.of(*HARM) if not self._is_alone(one)])

    def _avoided(self, event: str, pairs: Sequence[tuple[Happening, Happening]]) -> str:
        """Units that got out of the way of others; how often, where it was many times."""
        if len(pairs) >= OFTEN:
            return sentence(self.voice.say(f"asides.{event}", {"count": len(pairs)}))
        units = list(dict.fromkeys(unit for one, _ in pairs for unit in one.units))
        attackers = list(dict.fromkeys(unit for _, attack in pairs for unit in attack.units))
        return sentence(self.voice.say(f"aside.{event}", {"units": units, "attackers": attackers}))

    def _lull(self, *attacks: Mapping[str, list[str]]) -> Iterator[str]:
        """The attackers of a player-turn in which no attack came to anything."""
        units: dict[str, list[str]] = {}
        for events in attacks:
            for event, names in events.items():
                units.setdefault(event, []).extend(names)
        for event, names in units.items():
            line = sentence(self.voice.say(f"lull.{event}", {"units": list(dict.fromkeys(names))}))
            if line:
                yield line

    def _alone(self, happened: Sequence[Happening]) -> Iterator[str]:
        """What an umpire has set, each ruling by itself; then what happened to units by itself, in one sentence."""
        rulings = [one for one in happened if one.message.id == CORRECTED]
        yield from (corrected(self.reading.battle, one.n, self.voice) for one in rulings)
        clauses = self._clauses([one for one in happened if one.message.id != CORRECTED], "alone.")
        if clauses:
            yield sentence(self.voice.join([clause for _, clause in clauses]))

    def _fight(self, exchange: Exchange, harm: Sequence[Happening]) -> str:
        """An attack with what came of it, as a clause; "" if nothing of it is told."""
        outcomes = self._planned(harm)
        if not outcomes:
            return ""
        attack = next((one for one in exchange.of(Weight.ATTACKED)), None)
        first = self.voice.clause(attack.message) if attack else ""
        told = self._clauses(outcomes)
        rest = self.voice.join([clause for _, clause in told])
        if not first or not rest:
            return rest
        hurt = {self.reading.sides.get(unit, "") for unit in told[0][0].units}
        how = "many" if len(told) > 1 else "but" if hurt == {exchange.side} else "and"
        return self.voice.say(how, {"attack": first, "rest": rest})

    def _planned(self, happened: Sequence[Happening]) -> list[Happening]:
        """What is told of what came of an attack: nothing of a unit that was lost but its loss, and not too much."""
        happened = [one for one in happened if self.voice.has(one.message.id)]
        lost = {unit for one in happened if one.weight is Weight.DECIDED for unit in one.units}
        left = [one for one in happened if one.weight is Weight.DECIDED or lost.isdisjoint(one.units)]
        if len(left) > MOST_OUTCOMES:
            left = sorted(sorted(left, key=lambda one: -one.weight)[:MOST_OUTCOMES], key=lambda one: one.n)
        return left

    def _clauses(self, happened: Sequence[Happening], kind: str = "") -> list[tuple[Happening, str]]:
        """A clause for each thing that happened; for several units to which the same happened, one."""
        alike: dict[str, list[Happening]] = {}
        for one in happened:
            alike.setdefault(self.voice.found(f"{kind}{one.message.id}"), []).append(one)
        clauses: list[tuple[Happening, str]] = []
        for ones in alike.values():
            one = _together(ones)
            before = clauses[-1][0].units if clauses else ()
            clause = self.voice.say(f"{kind}{one.message.id}", one.message.params, goes_on=before == one.units)
            if clause:
                clauses.append((one, clause))
        return clauses

    def _led(self, exchange: Exchange, clause: str) -> str:
        """A clause, after the formation that it is about where that is another than before."""
        units = [unit for one in exchange.of(Weight.ATTACKED, *HARM) for unit in one.units]
        unit = next((unit for unit in units if self.reading.sides.get(unit) == exchange.side), "")
        formation = self.voice.formation(unit) if unit else ""
        if not formation or formation == self._at:
            return clause
        self._at = formation
        is_new = (exchange.side, formation) not in self._introduced
        self._introduced.add((exchange.side, formation))
        how = "from" if exchange.of(Weight.ATTACKED) else "in"
        return self.voice.say(how, {"formation": self.voice.formation(unit, is_new), "clause": clause})

    def _odds(self, exchange: Exchange) -> Iterator[str]:
        """How likely it was, of what happened against long odds; where luck weighed most, if that was several times."""
        rows = [row for row in self.reading.luck.get(exchange.n, ()) if _was_unlikely(row)]
        if not rows:
            return
        row = max(rows, key=lambda row: abs(row.luck))
        params = {"side": row.side, "does": row.does, "of": row.out_of}
        yield sentence(self.voice.say("odds.won" if row.happened else "odds.lost", params))

    def _records(self, exchange: Exchange) -> Iterator[str]:
        """Of whom was lost: whom they had finished off before."""
        attack = next(iter(exchange.of(Weight.ATTACKED)), None)
        for one in exchange.of(Weight.DECIDED):
            for unit in one.units:
                if self.reading.lost_at.get(unit) != one.n:
                    continue
                victims = self._victims.pop(unit, [])
                if victims:
                    yield sentence(self.voice.say("record", {"units": [unit], "victims": victims}))
                if attack and attack.target == unit:
                    for attacker in attack.units:
                        self._victims.setdefault(attacker, []).append(unit)

    # --- where it left both sides

    def _standing(self, part: TurnPart) -> Iterator[str]:
        """What decides the game after a player-turn, if it has changed; and whether another side is ahead now."""
        after = dict(part.after)
        if after == dict(part.before):
            return
        tallied = self.reading.battle.ruleset.shown.tallied
        yield sentence(self.voice.say(tallied, tally_params(after)))
        lead = self.reading.lead(after)
        leader = "" if abs(lead) < LEVEL else "south" if lead > 0 else "north"
        if leader != self._leader:
            how = "level" if not leader else "reversal" if self._leader else "ahead"
            yield sentence(self.voice.say(how, {"side": leader}))
        self._leader = leader


def tally_params(tally: Any) -> dict[str, Any]:
    """What decides the game, for a text: numbers for the southern and the northern side, also in quarters of two."""
    southern, northern = tally.get("south", 0), tally.get("north", 0)
    return {
        "south": "south",
        "north": "north",
        "southern": southern,
        "northern": northern,
        "southern_quarters": 2 * southern,
        "northern_quarters": 2 * northern,
    }


def _one(parts: Sequence[TurnPart]) -> TurnPart:
    """Several player-turns as one."""
    sides = {part.side for part in parts}
    side = sides.pop() if len(sides) == 1 else ""
    return TurnPart(parts[0].n, parts[0].turn, side, [exchange for part in parts for exchange in part.exchanges])


def _together(ones: Sequence[Happening]) -> Happening:
    """What happened to several units alike, as one."""
    first = ones[0]
    units = tuple(dict.fromkeys(unit for one in ones for unit in one.units))
    several = {"unit": list(units)} if len(units) > 1 else {}
    return replace(
        first, units=units, message=Message(first.message.id, {**first.message.params, **several, "count": len(ones)})
    )


def _was_unlikely(row: LuckRow) -> bool:
    """Whether a draw fell against long odds."""
    return (row.odds if row.happened else 1 - row.odds) <= LONG_ODDS and row.luck != 0


def _event_id(message: Message) -> str:
    """The id of the event of a message, without what chooses between its sentences."""
    return ".".join(message.id.split(".")[:2])
