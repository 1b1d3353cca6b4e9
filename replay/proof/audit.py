"""Check that every consequence in a log follows from its input by the rules.

Each input goes to the rules with the draws that the log has for it; their decision is compared
with the log byte for byte (design.md 4). Spans played by another version of the rules cannot be
judged here; `RulesVersion` says which release can.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.engine.commands import Command
from domain.engine.decide import beginning, decide, proceeding, set_up_after
from domain.engine.errors import Refusal
from domain.engine.events import (
    DRIVER,
    INPUTS,
    BattleBegan,
    BattleOpened,
    ClockFired,
    ContributionGiven,
    DecisionAsked,
    Event,
    Fact,
    OrderAccepted,
    StandingOrderSet,
)
from domain.engine.inputs import at_order
from domain.engine.seats import Battle, evolve_battle
from domain.engine.timeline import Timeline, vault_of
from domain.log import record
from domain.log.chance import DeckTooShort, RecordedChance
from domain.log.draws import draws_of
from domain.log.record import Recorded
from domain.ruleset import Ruleset
from domain.time.clock import Clocks, evolve_clocks, fired, opened_clocks


class AuditFault(Exception):
    """Event `n` differs from what the rules decide. `what` is a stable code, `details` plain values."""

    def __init__(self, n: int, what: str, **details: Any) -> None:
        super().__init__(n, what, details)
        self.n = n
        self.what = what
        self.details = details


class AuditReport(Struct, frozen=True):
    """How many inputs were judged, how many cannot be judged yet, and the versions that were not ours.

    An input cannot be judged while it is sealed itself, or if it does not fit while some part of the
    battle that may explain it is still sealed. Once the battle is over, nothing is sealed."""

    judged: int
    sealed: int
    other_versions: tuple[str, ...]


def audit(
    ruleset: Ruleset, events: Sequence[Recorded], progress: Callable[[int], None] | None = None, rules: str = ""
) -> AuditReport:
    """Judge every input of a log again; `rules` is the version its header names ("": the ruleset's own).

    Raises: AuditFault at the first event that differs
    """
    auditor = _Auditor(ruleset, events, rules)
    at = 0
    while at < len(events):
        end = at + 1
        while end < len(events) and not _is_input(events[end]):
            end += 1
        auditor.judge(events[at:end])
        at = end
        if progress:
            progress(at)
    return AuditReport(auditor.judged, auditor.sealed, tuple(dict.fromkeys(auditor.other_versions)))


class _Auditor:
    def __init__(self, ruleset: Ruleset, events: Sequence[Recorded], rules: str) -> None:
        self.ruleset = ruleset
        self.timeline = Timeline(ruleset, vault_of(list(events)), rules)
        self.judged = 0
        self.sealed = 0
        self.unopened = 0
        self.in_advance: set[tuple[str, str]] = set()
        self.other_versions: list[str] = []
        self.clocks: Clocks | None = None
        self._commands: msgspec.json.Decoder[Any] | None = None

    def judge(self, group: Sequence[Recorded]) -> None:
        """Judge one input with its consequences."""
        first, *following = group
        if not _is_input(first):
            raise AuditFault(first.n, "no-input", type=first.type)
        battle = self.timeline.now
        consequences = [entry for entry in following if type(entry.event) not in DRIVER]
        self.unopened += sum(1 for entry in group if self._hides(entry))
        clocks = self.clocks
        try:
            clocks = self._clocks_after(battle, first)
            facts = self._decided(battle, first, consequences)
            if facts is not None:
                self._compare(first, facts, consequences)
                self.judged += 1
        except Exception:  # a state that lacks its secrets may break any rule, in any way
            if not (self.unopened or self._is_left_open(consequences)):
                raise
            self.sealed += 1
        self.clocks = clocks
        for entry in group:
            self.timeline.feed(entry)
            if isinstance(entry.event, StandingOrderSet) and self._is_sealed(entry):
                self.in_advance.add((entry.event.side, entry.event.topic))

    def _clocks_after(self, battle: Battle, first: Recorded) -> Clocks | None:
        """The clocks of a battle that has a pace, after an input."""
        try:
            if isinstance(first.event, BattleOpened):
                return opened_clocks(first.event, first.at)
        except Refusal as refusal:
            raise _not_allowed(first.n, refusal) from None
        return self.clocks and evolve_clocks(self.clocks, self.ruleset, battle, first)

    def _hides(self, entry: Recorded) -> bool:
        """Whether an event has a part that the log has not opened, and on which judgement may depend.

        Answers given in advance are excluded: their consequences open them. One that leaves a question open has none.
        """
        return self._is_sealed(entry) and not isinstance(entry.event, _IN_ADVANCE)

    def _is_sealed(self, entry: Recorded) -> bool:
        return getattr(entry.event, "sealed", UNSET) is not UNSET and entry.n not in self.timeline.vault

    def _is_left_open(self, consequences: list[Recorded]) -> bool:
        """Whether a question was put to a side that has a sealed standing order on such questions: it may have
        replaced one that is open, and answered nothing."""
        questions = (entry.event for entry in consequences if isinstance(entry.event, DecisionAsked))
        return any((question.side, question.kind) in self.in_advance for question in questions)

    def _decided(self, battle: Battle, first: Recorded, consequences: list[Recorded]) -> tuple[Fact, ...] | None:
        """What the rules decide, or None where they cannot be asked."""
        if battle.rules != self.ruleset.version:
            self.other_versions.append(battle.rules)
            return None
        event = self.timeline.whole(first)
        if isinstance(event, BattleOpened) and self._hides(first):
            self.sealed += 1
            return None
        chance = RecordedChance(self._draws(battle, consequences))
        try:
            if isinstance(event, OrderAccepted):
                if event.command is UNSET:
                    self.sealed += 1
                    return None
                command = self._command(first.n, event)
                facts = decide(self.ruleset, at_order(battle.game, first.n), event.side, command, chance)
            elif isinstance(event, BattleOpened):
                facts = set_up_after(self.ruleset, event)
            elif isinstance(event, BattleBegan):
                facts = beginning(self.ruleset, battle.game)
            elif isinstance(event, ContributionGiven):
                battle = evolve_battle(self.ruleset, battle, event, first.n)
                facts = proceeding(self.ruleset, battle.game, chance) if battle.may_draw else ()
            elif isinstance(event, ClockFired):
                facts = self._fired(battle, first, event)
            else:
                facts = ()
        except Refusal as refusal:
            raise _not_allowed(first.n, refusal) from None
        except DeckTooShort as short:
            raise AuditFault(first.n, "draw-missing", scope=short.name) from None
        if chance.left:
            raise AuditFault(first.n, "draw-unused", scope=chance.left[-1][0])
        return facts

    def _fired(self, battle: Battle, first: Recorded, event: ClockFired) -> tuple[Fact, ...]:
        """The consequences of a clock event: a flag must agree with the times of the log, a claim with a flag in it."""
        input_, *facts = fired(self.clocks, self.ruleset, battle, event.what, event.side, first.at)
        if (first.by, first.rule) != (input_.by, input_.rule):
            raise AuditFault(first.n, "other-author", expected=input_.by, found=first.by)
        return tuple(facts)

    def _draws(self, battle: Battle, consequences: Sequence[Recorded]) -> list[tuple[str, str]]:
        """The draws that the rules will request, in order: (scope, code or value)."""
        events = [(self.timeline.whole(entry), entry.by) for entry in consequences]
        return [
            (draw.scope, draw.code)
            for event, by in events
            for draw in draws_of(event, by, battle.order_t, battle.game.rewinds)
        ]

    def _command(self, n: int, event: OrderAccepted) -> Command:
        try:
            command: Command = msgspec.convert(event.command, self.ruleset.command)
        except msgspec.ValidationError as error:
            raise AuditFault(n, "no-such-command", reason=str(error)) from None
        if event.text is not UNSET and self.ruleset.orders.write(command, "en") != event.text:
            raise AuditFault(n, "text-differs", text=event.text, command=self.ruleset.orders.write(command, "en"))
        return command

    def _compare(self, first: Recorded, facts: tuple[Fact, ...], consequences: list[Recorded]) -> None:
        for at, fact in enumerate(facts):
            if at >= len(consequences):
                last = consequences[-1].n if consequences else first.n
                raise AuditFault(last, "event-missing", expected=type(fact.event).__name__)
            entry = consequences[at]
            expected = record.encode(0, first.at, fact)
            found = record.encode(0, first.at, Fact(entry.by, entry.rule, self._public(entry)))
            if expected != found:
                raise AuditFault(entry.n, "event-differs", expected=expected.decode(), found=found.decode())
        if len(consequences) > len(facts):
            extra = consequences[len(facts)]
            raise AuditFault(extra.n, "event-without-cause", type=extra.type)

    def _public(self, entry: Recorded) -> Event:
        """The event with its private part, as the rules decide it."""
        event = self.timeline.whole(entry)
        return replace(event, sealed=UNSET) if getattr(event, "sealed", UNSET) is not UNSET else event


def _not_allowed(n: int, refusal: Refusal) -> AuditFault:
    return AuditFault(n, "not-allowed", code=refusal.code, rule=refusal.rule, **refusal.params)


_IN_ADVANCE = (OrderAccepted, StandingOrderSet)


def _is_input(entry: Recorded) -> bool:
    return type(entry.event) in INPUTS or isinstance(entry.event, BattleOpened)
