"""Write down a case that was played as a host would, and verify what was written.

A case has its draws from a stack, so what fell cannot be recomputed, and a card may be one that the pile does not hold.
All else is judged as in any file: who contributed before what, scope, turn and number of each draw, what is sealed and
opened when, the host's disclosures; and the rules find the same consequences again. So a game that a host could not
write, or that a reader would refuse, fails with its first case.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from domain.basics.errors import BrokenInvariant, Refusal
from domain.contract.ruleset import Ruleset
from domain.log import record
from domain.log.chance import DeckTooShort, StackedChance
from domain.log.keys import HostKeys
from domain.log.record import FileFault, Header, Recorded
from domain.run import inputs
from domain.run.block_writer import Entered, Secrets
from domain.run.draw_door import WaitingForContribution, require_in_time
from domain.run.inputs import Entry, Phrase
from domain.run.seats import Battle, Seat
from replay.bench.bench import scenario_of
from replay.proof import protocol, shapes
from replay.proof.audit import AuditFault, audit
from replay.proof.blocks import ProtocolFault
from replay.proof.faults import fault_sentence
from replay.proof.protocol import Chronicle
from replay.telling.words import refusal_sentence

BATTLE, HOST, AT = "case", "lab.example", "2026-01-01T00:00:00.000Z"
MASTER, LENGTH = bytes(32), 16
PHRASE = "a phrase for a case"
CHANNEL = "mail"
"""A letter may leave out the head that it answers."""


def proof_failures(
    ruleset: Ruleset, case: Mapping[str, Any], orders: Iterable[tuple[str, str]], lang: str
) -> list[str]:
    """Why a case cannot be written down, or what a reader would find wrong with it; nothing if all holds.

    Shape: `case` its scenario and its stacked draws, `orders` those that were accepted, as side and line
    """
    written = _WrittenCase(ruleset, StackedChance(ruleset.draws.stacked(case)))
    try:
        written.play(case, orders)
    except Refusal as refusal:
        return [f"it cannot be written down: {refusal_sentence(refusal, lang)}"]
    except WaitingForContribution as waiting:
        return [f"it cannot be written down: a draw comes before the contribution of {waiting.side}"]
    except DeckTooShort as short:
        return [f"it cannot be written down: it draws more from {short.name}"]
    except BrokenInvariant as broken:
        return [f"it cannot be written down: {broken}"]
    return _faults(ruleset, written, lang)


class _WrittenCase:
    """The log of a case."""

    def __init__(self, ruleset: Ruleset, chance: StackedChance) -> None:
        self.header = Header(
            BATTLE, AT, record.FORMAT, HOST, f"{HOST}+00000000+", ruleset.version, ruleset.code, record.VERSION
        )
        self.lines: list[bytes] = []
        self.battle = Battle(0, ruleset.rules.initial, rules=ruleset.version, version=record.VERSION)
        self._ruleset = ruleset
        self._chance = chance
        salts = (hashlib.sha256(number.to_bytes(8, "big")).digest() for number in count())
        self._vault: dict[int, Any] = {}
        keys = HostKeys(MASTER, BATTLE, ruleset.seats.seeding, LENGTH)
        self._secrets = Secrets(keys, lambda: next(salts), self._vault)
        self._drawn: set[tuple[int, str]] = set()

    def play(self, case: Mapping[str, Any], orders: Iterable[tuple[str, str]]) -> None:
        """Open the battle, take all seats, give the orders."""
        ruleset, names = self._ruleset, self._ruleset.seats.names
        scenario = scenario_of(case)
        facts = inputs.facts_of_opening(ruleset, scenario)
        self._take(inputs.open_battle(ruleset, facts, self._secrets, "public", version=record.VERSION))
        phrases = {side: Phrase(PHRASE, CHANNEL) for side in names}
        for side in names:
            seat = Seat(side, side, side)
            self._take(inputs.join(ruleset, self.battle, seat, self._deal, self._secrets, phrases))
        for line, (side, text) in enumerate(orders, 1):
            entry = Entry(side, text, side, CHANNEL, line, phrase=f"{PHRASE} {line}")
            self._take(inputs.enter_order(ruleset, self.battle, entry, self._deal, self._secrets))

    def _deal(self, battle: Battle) -> "_GuardedChance":
        return _GuardedChance(self._chance, battle, self._ruleset.seats.seeding, self._drawn)

    def _take(self, entered: Sequence[Entered]) -> None:
        for item in entered:
            n = len(self.lines) + 1
            self.lines.append(record.encode(n, AT, item.fact, AT))
            if item.secret:
                self._vault[n] = item.secret
            if item.after is not None:
                self.battle = item.after


class _GuardedChance:
    """Draws from a stack where a host could draw from its keys; `drawn` are the periods and scopes that have begun."""

    def __init__(
        self, chance: StackedChance, battle: Battle, names: tuple[str, ...], drawn: set[tuple[int, str]]
    ) -> None:
        self._chance, self._battle, self._names, self._drawn = chance, battle, names, drawn

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        self._require_in_time(scope, t)
        return self._chance.card(scope, pile, t, deck)

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        self._require_in_time(scope, t)
        return self._chance.die(scope, sides, t, values)

    def _require_in_time(self, scope: str, t: int) -> None:
        period = self._battle.period + t - self._battle.game.t
        if (period, scope) not in self._drawn:
            require_in_time(self._battle, self._names, period, scope)
            self._drawn.add((period, scope))


def _faults(ruleset: Ruleset, written: _WrittenCase, lang: str) -> list[str]:
    try:
        events = shapes.read_events(written.lines, ruleset.version, ruleset, version=record.VERSION)
        protocol.check(_chronicle(ruleset, written, events), ruleset)
        audit(ruleset, events, version=record.VERSION)
    except FileFault as fault:
        return [_sentence(fault.line - 1, fault.what, fault.details, lang)]
    except (ProtocolFault, AuditFault) as fault:
        return [_sentence(fault.n, fault.what, fault.details, lang)]
    return []


def _sentence(n: int, what: str, details: Mapping[str, Any], lang: str) -> str:
    return f"its log would be refused at event {n}: {fault_sentence(what, details, lang)}"


def _chronicle(ruleset: Ruleset, written: _WrittenCase, events: Sequence[Recorded]) -> Chronicle:
    hashes = [record.first_hash(record.encode_header(written.header))]
    for line in written.lines:
        hashes.append(record.next_hash(hashes[-1], line))
    return Chronicle(
        BATTLE, ruleset.code, ruleset.version, events, written.lines, hashes, written.header.version, is_stacked=True
    )
