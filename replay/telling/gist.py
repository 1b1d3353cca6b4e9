"""What a stretch of a battle came to, in a few sentences.

A game says how much each kind of event tells (`Presentation.gist`); the sentences are those of the events themselves.
Of what hurt somebody the gravest is told, in the order in which it happened, each with the attack that led to it; who
moved, who attacked in vain and whose draw failed is only named.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from msgspec import Struct

from domain.contract.weight import Weight
from domain.events.battle import DecisionMade, OrderAccepted, TurnBegan
from domain.log.record import Recorded
from replay.telling.words import ENGLISH, phrase
from replay.telling.words.sentences import fragment

MOST = 5
"""Sentences of a summary."""
MOST_NAMED = 5
"""Units named; more are counted."""
HARM = (Weight.HURT, Weight.DECIDED)


class _Exchange(Struct):
    """An order with what followed: its attack, what came of it; events by weight."""

    side: str
    by_weight: dict[Weight, list[Recorded]]

    def of(self, *weights: Weight) -> list[Recorded]:
        return [recorded for weight in weights for recorded in self.by_weight.get(weight, ())]


def gist(
    weights: Mapping[str, Weight],
    heard: Sequence[Recorded],
    said: Mapping[int, str],
    lang: str = ENGLISH,
    most: int = MOST,
) -> list[str]:
    """At most `most` sentences, [] if nothing worth telling happened.

    Shape: `weights` by event name; `heard` in the order of the log; `said` their sentences by n
    """
    exchanges = list(_exchanges(weights, heard))
    lost = {
        unit for exchange in exchanges for recorded in exchange.of(Weight.DECIDED) for unit in _units(recorded.event)
    }
    harms = [
        (recorded, exchange)
        for exchange in exchanges
        for recorded in exchange.of(*HARM)
        if weights[recorded.type] == Weight.DECIDED or lost.isdisjoint(_units(recorded.event))
    ]
    rest = list(_rest(exchanges, lang, "besides" if harms else "alone"))
    room = max(most - len(rest), 1)
    left = len(harms) - room
    room -= left > 0 and room > 1
    gravest = sorted(harms, key=lambda harm: (-weights[harm[0].type], -harm[0].n))[:room]
    told = {recorded.n for recorded, _ in gravest}
    for harm, exchange in gravest:
        attack = [one for one in exchange.of(Weight.ATTACKED) if one.n < harm.n][-1:]  # one order may settle several
        if attack and len(told) < room:
            told.add(attack[0].n)
    left = len(harms) - len(gravest)
    more = [phrase("gist.more", {"count": left}, lang)] if left else []
    return [*(said[n] for n in sorted(told)), *more, *rest]


def _exchanges(weights: Mapping[str, Weight], heard: Sequence[Recorded]) -> Iterator[_Exchange]:
    """The events that count, order by order."""
    current, gives_way = _Exchange("", {}), False  # who moves after an attack or an answer gives way
    for recorded in heard:
        if isinstance(recorded.event, OrderAccepted | TurnBegan):
            yield current
            current = _Exchange(recorded.event.side, {})
            gives_way = False
        elif recorded.type in weights:
            weight = weights[recorded.type]
            if weight != Weight.MOVED or not gives_way:
                current.by_weight.setdefault(weight, []).append(recorded)
            gives_way |= weight == Weight.ATTACKED
        else:
            gives_way |= isinstance(recorded.event, DecisionMade)
    yield current


def _rest(exchanges: Sequence[_Exchange], lang: str, how: str) -> Iterator[str]:
    """The units that moved, attacked in vain or failed a draw: a sentence for each side."""
    for side in dict.fromkeys(exchange.side for exchange in exchanges if exchange.side):
        own = [exchange for exchange in exchanges if exchange.side == side]
        found = {
            "moved": [recorded for exchange in own for recorded in exchange.of(Weight.MOVED)],
            "vain": [
                recorded for exchange in own if not exchange.of(*HARM) for recorded in exchange.of(Weight.ATTACKED)
            ],
            "failed": [recorded for exchange in own for recorded in exchange.of(Weight.FAILED)],
        }
        parts = [
            fragment(f"gist.{what}", _unit_count(units), lang)
            for what, events in found.items()
            if (units := list(dict.fromkeys(unit for recorded in events for unit in _units(recorded.event))))
        ]
        if parts:
            joined = reduce(lambda one, other: fragment("gist.joined", {"one": one, "other": other}, lang), parts)
            yield phrase(f"gist.{how}", {"side": side, "parts": joined}, lang)
            how = "alone"


def _unit_count(units: Sequence[str]) -> Mapping[str, Any]:
    """The units by name, or how many where they are many."""
    return {"units": units} if len(units) <= MOST_NAMED else {"count": len(units)}


def _units(event: Any) -> tuple[str, ...]:
    """The units that an event is about."""
    unit = getattr(event, "unit", "") or getattr(event, "attacker", "") or getattr(event, "firer", "")
    return (unit,) if isinstance(unit, str) and unit else ()
