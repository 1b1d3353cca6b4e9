"""Check that every consequence in a log follows from its input by the rules.

Each input goes to the rules with the draws that the log has for it; their decision is compared
with the log byte for byte (design.md 4). Spans played by another version of the rules cannot be
judged here; `RulesVersion` says which release can.

While a battle is running, something of it may be sealed. What that explains is a closed list (docs/record-format.md):

- An input that is sealed, or that draws what is sealed, is not judged: the report lists it.
- A sealed `StandingOrderSet` explains that an older standing order of its side did not answer. Nothing is taken on
  trust here: the block is judged again without the older orders, and must fit.
- What a game's own secrets explain, the game says (`SecrecyRules.excuse`); the report lists event and excuse.

Once the battle is over nothing is excused. What was sealed is held against the rules as soon as it is open: an event
that the rules do not call private must not have been sealed.

An order of a dispute is judged like any other (`domain.disputes.disputes`); whether somebody's authority stands behind
it, `replay.proof.authority` says. Facts that an umpire sets are those of the ruling; the audit counts them.

Rejected: to excuse every breach as long as anything is sealed (one event left sealed forever excused them all).
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.decoding import decoder
from domain.basics.errors import Refusal
from domain.contract.dispute_lines import DisputeOrder
from domain.contract.ruleset import Breach, Ruleset
from domain.disputes.disputes import decide_dispute
from domain.engine.draws import draws_of
from domain.events.battle import (
    DISCLOSURES,
    BattleBegan,
    BattleEnded,
    BattleOpened,
    BattleStopped,
    CardDrawn,
    ClockFired,
    ContributionGiven,
    Corrected,
    DecisionAsked,
    Event,
    Fact,
    OrderAccepted,
    RulingGiven,
    SideJoined,
    StandingOrderSet,
)
from domain.log import record
from domain.log.canonical import ENCODER
from domain.log.chance import DeckTooShort, RecordedChance
from domain.log.record import OPENED, Recorded
from domain.run.decide import beginning, decide, proceeding, set_up_after
from domain.run.own_word import OwnWord, Signed
from domain.run.seats import Battle, evolve_battle, require_playing
from domain.run.timeline import Timeline, WrongReference, vault_of
from domain.time.clock import TIMED_FACTS, Clocks, evolve_clocks, fired, flagged, opened_clocks
from domain.time.silence import silent_side
from replay.called_off import ADJUDICATE, CAMPAIGN, calling_off
from replay.proof.entries import is_input, is_sealed, is_spelled_alike, public_shape
from replay.proof.settled import SeatLeft, ruled_facts, seat_left, spoken_in, without_facts


class AuditFault(Exception):
    """Event `n` differs from what the rules decide. `what` is a stable code, `details` plain values."""

    def __init__(self, n: int, what: str, **details: Any) -> None:
        super().__init__(n, what, details)
        self.n = n
        self.what = what
        self.details = details
        self.breach = Breach(what)


class AuditReport(Struct, frozen=True):
    """What the rules could judge: `judged` inputs, and the `other_versions` of the rules that were not ours.

    `not_judged` are the inputs that are sealed or draw what is sealed; `excused` pairs of an event that does not follow
    from what is open, and of the sealed one that may explain it. Both are empty once all is open. `corrected` counts
    the facts that an umpire has set."""

    judged: int
    not_judged: tuple[int, ...]
    excused: tuple[tuple[int, int], ...]
    other_versions: tuple[str, ...]
    corrected: int = 0


def audit(
    ruleset: Ruleset,
    events: Sequence[Recorded],
    progress: Callable[[int], None] | None = None,
    rules: str = "",
    version: int = OPENED,
) -> AuditReport:
    """Judge every input of a log again; `rules` is the version of the rules that its header names ("": the ruleset's
    own), `version` that of the protocol.

    Raises: AuditFault at the first event that differs
    """
    auditor = _Auditor(ruleset, events, rules, version)
    if events and not is_input(events[0]):
        raise AuditFault(1, "no-input", type=events[0].type)
    starts = [at for at, entry in enumerate(events) if is_input(entry)]
    for start, end in pairwise([*starts, len(events)]):
        auditor.judge(events[start:end])
        if progress:
            progress(end)
    if auditor.is_over and auditor.not_judged:
        n = auditor.not_judged[0]
        raise AuditFault(n, "not-judged", type=events[n - 1].type)
    others = tuple(dict.fromkeys(auditor.other_versions))
    return AuditReport(auditor.judged, tuple(auditor.not_judged), tuple(auditor.excused), others, auditor.corrected)


class _Auditor:
    def __init__(self, ruleset: Ruleset, events: Sequence[Recorded], rules: str, version: int) -> None:
        self.ruleset = ruleset
        self.timeline = Timeline(ruleset, vault_of(list(events)), rules, version)
        self.is_over = any(isinstance(entry.event, (BattleEnded, BattleStopped)) for entry in events)
        self.judged = 0
        self.not_judged: list[int] = []
        self.excused: list[tuple[int, int]] = []
        self.other_versions: list[str] = []
        self.corrected = 0
        self.hidden: dict[tuple[Any, ...], list[Recorded]] = {}  # what is still sealed so far, by its public shape
        self.clocks: Clocks | None = None
        self.seat_left: SeatLeft | None = None  # by the block before, to a substitute
        # a union is prepared once: `convert` would do so for each order
        self.commands: msgspec.json.Decoder[Command] = decoder(ruleset.command)

    def judge(self, group: Sequence[Recorded]) -> None:
        """Judge one input with its consequences."""
        first, *following = group
        battle = self.timeline.now
        clocks = self._clocks_after(battle, first)
        consequences = [entry for entry in following if type(entry.event) not in DISCLOSURES]
        sealed = {entry.n for entry in group if is_sealed(entry)}  # of most blocks nothing
        if not (is_ours := battle.rules == self.ruleset.version):
            self.other_versions.append(battle.rules)
        elif any(self._is_hidden_source(entry) for entry in group if entry.n in sealed):
            self.not_judged.append(first.n)
        else:
            self._require_seat_given(battle, first)
            self._weigh(battle, first, ruled_facts(first, consequences))
            self.judged += 1
            facts = (len(entry.event.facts) for entry in consequences if isinstance(entry.event, Corrected))
            self.corrected += sum(facts)
        for entry in group:
            if entry.n in sealed:
                self._require_private(entry)
            if clocks is not None and type(entry.event) in TIMED_FACTS:
                clocks = evolve_clocks(clocks, self.ruleset, self.timeline.now, entry)
            try:
                self.timeline.feed(entry if is_ours else without_facts(entry))
            except WrongReference as wrong:
                raise AuditFault(wrong.n, wrong.what, to=wrong.to) from None
            if entry.n in sealed and entry.n not in self.timeline.vault:
                self.hidden.setdefault(public_shape(entry), []).append(entry)
        self.clocks = clocks

    # --- what is sealed

    def _is_hidden(self, entry: Recorded) -> bool:
        """Whether an event has a part that the log never opens."""
        return is_sealed(entry) and entry.n not in self.timeline.vault

    def _is_hidden_source(self, entry: Recorded) -> bool:
        """Whether an event is hidden from which the rest of its block follows: its input, or a draw."""
        is_source = is_input(entry) or isinstance(entry.event, CardDrawn) or hasattr(entry.event, "shown")
        return is_source and self._is_hidden(entry) and getattr(entry.event, entry.event.TOLD_BY, "") is not UNSET

    def _require_private(self, entry: Recorded) -> None:
        """What has been sealed and is open now must have been a secret by the rules."""
        battle = self.timeline.now
        if self._is_hidden(entry) or battle.rules != self.ruleset.version:
            return
        event = self.timeline.whole(entry)
        if isinstance(event, OrderAccepted):
            is_private = self.ruleset.secrets.order(battle.game, self._command(entry.n, event))
        else:
            is_private = bool(self.ruleset.secrets.fields(battle.game, event))
        if not is_private:
            raise AuditFault(entry.n, "sealed-without-need", type=entry.type)

    def _weigh(self, battle: Battle, first: Recorded, consequences: list[Recorded]) -> None:
        """Judge a block by what is open; what does not fit must have an excuse.

        Raises: AuditFault
        """
        try:
            self._requireruled_facts(battle, first, consequences)
        except Exception as raised:
            if self.is_over or not self.hidden:
                raise
            fault = (
                raised if isinstance(raised, AuditFault) else AuditFault(first.n, "not-judgeable", reason=str(raised))
            )
            if self._fits_without_older_orders(battle, first, consequences):
                return
            block = tuple(entry.event for entry in consequences)
            breach = replace(fault.breach, side=getattr(first.event, "side", ""), block=block)
            excuse = self.ruleset.secrets.excuse(battle.game, breach, self._secrets())
            if not excuse:
                raise
            self.excused.append((fault.n, excuse))

    def _hidden(self, shape: tuple[Any, ...]) -> Recorded | None:
        """The newest event of a shape that is still sealed and counts. What a rewind took back never counts again, so
        each is dropped once: however much is sealed, an excuse is found in a few steps."""
        events = self.hidden.get(shape, [])
        while events and not self.timeline.counts(events[-1].n):
            events.pop()
        return events[-1] if events else None

    def _secrets(self) -> dict[int, Event]:
        """The newest of each shape of the game's own, by n."""
        found = (self._hidden(shape) for shape in self.hidden if shape[0] not in _IN_ADVANCE)
        return {entry.n: entry.event for entry in found if entry}

    def _fits_without_older_orders(self, battle: Battle, first: Recorded, consequences: list[Recorded]) -> bool:
        """Whether a block follows by the rules once the older standing orders on a question do not answer, which was
        put to a side that has a sealed one on it."""
        standing, excuses = battle.game.standing, list[tuple[int, int]]()
        for entry in consequences:
            asked = entry.event
            if not isinstance(asked, DecisionAsked):
                continue
            newest = self._hidden((StandingOrderSet, asked.side, asked.kind))
            older = {o.n for o in standing if (o.side, o.topic) == (asked.side, asked.kind)}
            if newest and min(older, default=newest.n) < newest.n:
                standing = tuple(o for o in standing if o.n not in older or o.n > newest.n)
                excuses.append((entry.n, newest.n))
        if not excuses:
            return False
        try:
            supposed = replace(battle, game=replace(battle.game, standing=standing))
            self._requireruled_facts(supposed, first, consequences)
        except Exception:  # a state that never was may break any rule, in any way
            return False
        self.excused += excuses
        return True

    # --- what the rules say

    def _requireruled_facts(self, battle: Battle, first: Recorded, consequences: list[Recorded]) -> None:
        """Refuse a block that is not what the rules decide in this state."""
        self._compare(battle, first, self._decided(battle, first, consequences), consequences)

    def _clocks_after(self, battle: Battle, first: Recorded) -> Clocks | None:
        """The clocks of a battle that has a pace, after an input."""
        try:
            if isinstance(first.event, BattleOpened):
                return opened_clocks(first.event, first.at, self.ruleset.seats)
        except Refusal as refusal:
            raise _not_allowed(first.n, refusal) from None
        return self.clocks and evolve_clocks(self.clocks, self.ruleset, battle, first)

    def _decided(self, battle: Battle, first: Recorded, consequences: list[Recorded]) -> tuple[Fact, ...]:
        """What the rules decide."""
        event = self.timeline.whole(first)
        chance = RecordedChance(self._draws(battle, consequences))
        try:
            if isinstance(event, OrderAccepted):
                command = self._command(first.n, event)
                if isinstance(command, DisputeOrder):
                    flags = flagged(self.clocks, self.ruleset, battle, first.at)
                    silent = silent_side(self.ruleset, battle, self.clocks, self.timeline.events, command, first.at)
                    spoken = spoken_in(first, event, command, consequences, flags, silent)
                    facts = decide_dispute(self.ruleset, battle, self.timeline, spoken)
                else:
                    require_playing(battle, event.side)
                    facts = decide(self.ruleset, replace(battle.game, n=first.n), event.side, command, chance)
            elif isinstance(event, BattleOpened):
                facts = set_up_after(self.ruleset, event)
            elif isinstance(event, BattleBegan):
                facts = beginning(self.ruleset, battle.game)
            elif isinstance(event, ContributionGiven):
                battle = evolve_battle(self.ruleset, battle, event, first.n)
                facts = proceeding(self.ruleset, battle.game, chance) if battle.may_draw(self.ruleset.seats) else ()
            elif isinstance(event, ClockFired):
                facts = self._fired(battle, first, event, consequences)
            else:
                facts = ()
        except Refusal as refusal:
            raise _not_allowed(first.n, refusal) from None
        except DeckTooShort as short:
            raise AuditFault(first.n, "draw-missing", scope=short.name) from None
        if chance.left:
            raise AuditFault(first.n, "draw-unused", scope=chance.left[-1][0])
        return facts

    def _require_seat_given(self, battle: Battle, first: Recorded) -> None:
        """CORE-DSP-12: a substitute who was named for a seat takes it from nobody who is there."""
        before, event = self.seat_left, first.event
        self.seat_left = seat_left(self.ruleset, battle, self.clocks, self.timeline.events, first)
        if isinstance(event, SideJoined) and before is not None and not before.is_given_to(event):
            raise AuditFault(first.n, "seat-present", side=event.side, player=event.player)

    def _fired(
        self, battle: Battle, first: Recorded, event: ClockFired, consequences: Sequence[Recorded]
    ) -> tuple[Fact, ...]:
        """The consequences of a clock event: a flag must agree with the times of the log, a claim with a flag in it, an
        end by the campaign with what both sides have."""
        if event.what == CAMPAIGN:
            given = (entry.event.effect for entry in consequences if isinstance(entry.event, RulingGiven))
            return calling_off(self.timeline, next(given, ADJUDICATE))[1:]
        word = OwnWord(
            event.seen or None, None if event.serial is UNSET else Signed(event.serial, event.signature or "")
        )
        said = event.what, event.side, first.at, event.text, word
        input_, *facts = fired(self.clocks, self.ruleset, battle, *said)
        if (first.by, first.rule) != (input_.by, input_.rule):
            raise AuditFault(first.n, "other-author", expected=input_.by, found=first.by)
        return tuple(facts)

    def _draws(self, battle: Battle, consequences: Sequence[Recorded]) -> list[tuple[str, str]]:
        """The draws that the rules will request, in order: (scope, code or value)."""
        events = [(self.timeline.whole(entry), entry.by) for entry in consequences]
        return [(draw.scope, draw.code) for event, by in events for draw in draws_of(event, by, battle.game.rewinds)]

    def _command(self, n: int, event: OrderAccepted) -> Command:
        try:
            command: Command = self.commands.decode(ENCODER.encode(event.command))
        except msgspec.ValidationError as error:
            raise AuditFault(n, "no-such-command", reason=str(error)) from None
        if event.text is not UNSET and not self._reads(event.text, command):
            raise AuditFault(n, "text-differs", text=event.text, command=self.ruleset.write(command, "en"))
        return command

    def _reads(self, text: str, command: Command) -> bool:
        """Whether a text is the line of a command, and of no other: `write` alone may lose a part of it."""
        try:
            return self.ruleset.write(command, "en") == text and self.ruleset.read(text) == command
        except Refusal:
            return False

    def _compare(self, battle: Battle, first: Recorded, facts: tuple[Fact, ...], consequences: list[Recorded]) -> None:
        for at, fact in enumerate(facts):
            if at >= len(consequences):
                last = consequences[-1].n if consequences else first.n
                raise _differing(AuditFault(last, "event-missing", expected=type(fact.event).__name__), fact, None)
            entry = consequences[at]
            if is_spelled_alike(fact, entry):
                continue
            found = Fact(entry.by, entry.rule, self._without_commitment(entry))
            shown = self._as_shown(battle, fact, entry)
            expected_line, found_line = record.encode(1, first.at, shown), record.encode(1, first.at, found)
            if expected_line != found_line:
                details = {"expected": expected_line.decode(), "found": found_line.decode()}
                raise _differing(AuditFault(entry.n, "event-differs", **details), fact, found)
        if len(consequences) > len(facts):
            extra = consequences[len(facts)]
            found = Fact(extra.by, extra.rule, extra.event)
            raise _differing(AuditFault(extra.n, "event-without-cause", type=extra.type), None, found)

    def _without_commitment(self, entry: Recorded) -> Event:
        """The event as far as it is known, without its `sealed`."""
        event = self.timeline.whole(entry)
        return replace(event, sealed=UNSET) if is_sealed(entry) else event

    def _as_shown(self, battle: Battle, fact: Fact, entry: Recorded) -> Fact:
        """What the rules decide, as a reader sees it: without what is private, if the event is still sealed."""
        if not self._is_hidden(entry):
            return fact
        private = dict.fromkeys(self.ruleset.secrets.fields(battle.game, fact.event), UNSET)
        return Fact(fact.by, fact.rule, replace(fact.event, **private))


def _not_allowed(n: int, refusal: Refusal) -> AuditFault:
    fault = AuditFault(n, "not-allowed", code=refusal.code, rule=refusal.rule, **refusal.params)
    fault.breach = Breach("not-allowed", code=refusal.code, params=refusal.params)
    return fault


def _differing(fault: AuditFault, expected: Fact | None, found: Fact | None) -> AuditFault:
    fault.breach = Breach(fault.what, expected=expected, found=found)
    return fault


_IN_ADVANCE = (OrderAccepted, StandingOrderSet)
"""Sealed events of the engine's own: no game is asked about them."""
