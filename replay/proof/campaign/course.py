"""Judge every input of a campaign again: it has exactly the consequences and disclosures that the log has (CAM-LOG-06).

A block is an input, what the rules decide from it, and what the host discloses after it; where the next one begins
follows from that, because an umpire's line may bring what is an input elsewhere.
"""

from collections.abc import Sequence, Set
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign import acts
from domain.campaign.config import config_of
from domain.campaign.decide import decide, order_of
from domain.campaign.disclosing import disclosures
from domain.campaign.events import (
    CONSEQUENCES,
    INPUTS,
    AbsenceNoted,
    BattleSet,
    CampaignBegan,
    CampaignEnded,
    CampaignOpened,
    ClockFired,
    EntrantJoined,
    EntrantLeft,
    ReserveJoined,
    ResultCounted,
    RoleGiven,
    TableClaimed,
)
from domain.campaign.evolve import START, evolve
from domain.campaign.judge import SERVER, UMPIRE
from domain.campaign.notation import write_order
from domain.campaign.sealing import is_sealed, to_open
from domain.campaign.state import CampaignState, Officer
from domain.campaign.theatre.events import THEATRE_EVENTS, ElementFared, ElementPromoted, HonourWon, LeaderReplaced
from domain.campaign.theatre.fog_events import FOG_EVENTS
from domain.campaign.theatre.order_events import ForceOrdered, ReadySet
from domain.contract.campaign_book import CampaignBook
from domain.events.battle import (
    ContributionGiven,
    Event,
    Fact,
    KeyChanged,
    MasterRevealed,
    OrderAccepted,
    RulesChanged,
    Unsealed,
)
from domain.events.disclosures import DISCLOSURES
from domain.log import record
from domain.log.record import Recorded
from replay.proof.blocks import ProtocolFault
from replay.proof.campaign.draws import CampaignDraws, RecordedKeys, key_length
from replay.proof.campaign.own_words import CampaignWords, brought_at, is_brought
from replay.proof.campaign.recorded import circumstances
from replay.proof.campaign.seals import CampaignSeals
from replay.proof.entries import is_spelled_alike

ORGANISER = acts.ORGANISER
ALSO_FOLLOW = frozenset({EntrantJoined, EntrantLeft})
"""Inputs that also follow from an umpire's line."""
FOLLOWED = frozenset(
    {CampaignBegan, ClockFired, ContributionGiven, EntrantLeft, OrderAccepted, ResultCounted, TableClaimed}
)
"""Inputs from which something may follow."""
OF_THE_HOST = frozenset({ClockFired, KeyChanged, ReserveJoined, ResultCounted, RulesChanged})
CASUALTIES = (ElementFared, LeaderReplaced, HonourWon, ElementPromoted)
"""What a battle leaves of the forces that fought it."""
OF_A_SILENT_ONE = "CAM-RUL-08"
RULES_OF_JOINING = frozenset({EntrantJoined.RULE, "CAM-PPL-02"})


class CampaignWalk:
    """Follows one campaign. `judged` counts its inputs that are judged, `sealed` are those that cannot be yet, by n;
    `cut` are the results of battles that it had cut off, `given` the events by which a silent organiser's role was
    given to another: the host's word."""

    def __init__(
        self,
        events: Sequence[Recorded],
        draws: CampaignDraws,
        seals: CampaignSeals,
        words: CampaignWords,
        book: CampaignBook | None = None,
    ) -> None:
        self.state: CampaignState = START
        self.judged = 0
        self.sealed: list[int] = []
        self._is_running = not any(isinstance(entry.event, CampaignEnded) for entry in events)
        self.cut: set[int] = set()
        self.given: list[int] = []
        self._events = seals.events
        self._seals = seals
        self._draws = draws
        self._words = words
        self._book = book
        self._keys = RecordedKeys(events, key_length(events))

    @property
    def n(self) -> int:
        """The last event that has been judged."""
        return self.state.n

    def check(self) -> None:
        """Judge all.

        Raises: ProtocolFault at the first event that differs
        """
        at = 0
        while at < len(self._events):
            at = self._block(at)
        self.judged -= len(self.sealed)

    def _block(self, at: int) -> int:
        """Judge the block that begins at an index; returns where the next one does."""
        entry = self._events[at]
        self._require_input(entry)
        self.judged += 1
        self._require_word(at)
        if is_sealed(entry.event):
            return self._sealed_block(at)
        if self.state.is_veiled and self._is_running:
            end = next((n for n in range(at + 1, len(self._events)) if self._is_input(self._events[n])), None)
            block = self._events[at:end]
            if any(map(_is_under_fog, block)):
                return self._veiled_block(block)
        fact = Fact(entry.by, entry.rule, entry.event)
        following = self._following(at) if type(entry.event) in FOLLOWED else ()
        try:
            facts = decide(self.state, fact, circumstances(self.state, entry, following, self._book))
        except Refusal as refusal:
            told = {**refusal.params, "code": refusal.code, "rule": refusal.rule}
            raise ProtocolFault(entry.n, "not-allowed", **told) from None
        before = self.state
        if entry.rule == OF_A_SILENT_ONE:
            self.given.append(entry.n)
        self._draws.require_key(entry)
        self._fold(entry)
        at = self._compare(at + 1, facts, before)
        opened = self._expected_openings([fact.event, *(each.event for each in facts)])
        at = self._disclose(at, disclosures((fact, *facts), before.round, self._keys, opened))
        if self.state.is_over and at < len(self._events):
            late = self._events[at]
            raise ProtocolFault(late.n, "after-the-end", type=late.type)
        return at

    def _sealed_block(self, at: int) -> int:
        """An order that is still sealed is not judged: behind it stand what it has made of a force, sealed too, and
        that its entrant is not ready any more."""
        entry = self._events[at]
        event: Any = entry.event
        was_ready = event.side in self.state.ordering.ready
        self.sealed.append(entry.n)
        self._fold(entry)
        behind: list[Event] = [ForceOrdered(), *((ReadySet(event.side, ready=False),) if was_ready else ())]
        for expected in behind:
            at += 1
            if at == len(self._events) or type(self._events[at].event) is not type(expected):
                raise ProtocolFault(self.n, "event-missing", expected=record.type_name(type(expected)))
            entry = self._events[at]
            is_hidden = is_sealed(entry.event) or entry.event == expected
            if entry.by != event.side or entry.rule != expected.RULE or not is_hidden:
                raise ProtocolFault(entry.n, "event-without-cause", type=entry.type)
            self._fold(entry)
        return at + 1

    def _veiled_block(self, block: Sequence[Recorded]) -> int:
        """What follows from an input under fog, as long as much of it is sealed, is not judged: it is of the kinds that
        may follow, each alliance is told the same number of times, its dice fell as they had to, and behind it stands
        what the host has to disclose (CAM-FOG-01)."""
        before = self.state
        self.sealed.append(block[0].n)
        facts = [Fact(entry.by, entry.rule, entry.event) for entry in block if type(entry.event) not in DISCLOSURES]
        for entry in block[: len(facts)]:
            if entry is not block[0] and type(entry.event) not in CONSEQUENCES | ALSO_FOLLOW:
                raise ProtocolFault(entry.n, "event-without-cause", type=entry.type)
            self._draws.require_key(entry)
            self._draws.require_draw(entry, self.state, before)
            self._fold(entry)
        self._require_alliances([fact.event for fact in facts])
        due = disclosures(facts, before.round, self._keys, self._expected_openings([fact.event for fact in facts]))
        at = self._disclose(self.n, due)
        if at < block[-1].n:
            late = self._events[at]
            raise ProtocolFault(late.n, "disclosure-not-due", type=late.type, about=_about(Fact("", "", late.event)))
        return at

    def _require_alliances(self, events: Sequence[Event]) -> None:
        """Each alliance has its event of fog, in the order of the file: that one is there tells nothing."""
        for kind in FOG_EVENTS:
            found = [getattr(event, "alliance", "") for event in events if isinstance(event, kind)]
            told = self.state.theatre.alliances
            if found != [*told] * (len(found) // len(told)):
                raise ProtocolFault(self.n, "event-missing", expected=record.type_name(kind))

    def _is_input(self, entry: Recorded) -> bool:
        """Whether a block begins here: an umpire's line also brings what is an input elsewhere."""
        return type(entry.event) in INPUTS and not (type(entry.event) in ALSO_FOLLOW and entry.by == UMPIRE)

    def _expected_openings(self, events: Sequence[Event]) -> Sequence[Unsealed]:
        """What a block opens, as the log opens it; `Sealed` says whether it is what was sealed."""
        due = to_open(events, self.state.sealed)
        found = (
            {entry.event.n: entry.event for entry in self._events if isinstance(entry.event, Unsealed)} if due else {}
        )
        return [found.get(n, Unsealed(n, "", {})) for n in due]

    def _following(self, at: int) -> Sequence[Recorded]:
        """What may have followed from an input: all up to the next one that follows from nothing."""
        end = at + 1
        while end < len(self._events) and not self._begins(self._events[end]):
            end += 1
        return self._events[at + 1 : end]

    def _begins(self, entry: Recorded) -> bool:
        kind = type(entry.event)
        return kind in INPUTS and kind not in ALSO_FOLLOW

    def _fold(self, entry: Recorded) -> None:
        """Go on behind an event."""
        self._seals.require(entry.n)
        if isinstance(entry.event, ResultCounted) and entry.event.board:
            board = self.state.boards.get(entry.event.board)
            if board is not None and board.is_cut:
                self.cut.add(entry.n)
        self.state = evolve(self.state, entry.event)

    def _compare(self, at: int, facts: Sequence[Fact], before: CampaignState) -> int:
        for fact in facts:
            entry = self._events[at] if at < len(self._events) else None
            if entry is None or self._begins(entry) or type(entry.event) in DISCLOSURES:
                raise ProtocolFault(self.n, "event-missing", expected=record.type_name(type(fact.event)))
            self._draws.require_draw(entry, self.state, before)
            if not is_spelled_alike(fact, entry):
                found = Fact(entry.by, entry.rule, entry.event)
                lines = (record.encode(1, entry.at, one).decode() for one in (fact, found))
                if _is_other_scenario(fact.event, entry.event):
                    event: Any = fact.event
                    raise ProtocolFault(entry.n, "battle-scenario", battle=event.battle, board=event.board)
                kind = "casualties" if isinstance(fact.event, CASUALTIES) else "event-differs"
                raise ProtocolFault(entry.n, kind, **dict(zip(("expected", "found"), lines, strict=True)))
            self._fold(entry)
            at += 1
        return at

    def _disclose(self, at: int, due: Sequence[Fact]) -> int:
        for fact in due:
            entry = self._events[at] if at < len(self._events) else None
            if entry is None or type(entry.event) is not type(fact.event):
                kind = record.type_name(type(fact.event))
                raise ProtocolFault(self.n, "disclosure-missing", type=kind, about=_about(fact))
            self._draws.require_key(entry)
            if not is_spelled_alike(fact, entry):
                found = Fact(entry.by, entry.rule, entry.event)
                raise ProtocolFault(entry.n, "disclosure-not-due", type=entry.type, about=_about(found))
            self._fold(entry)
            at += 1
        return at

    # --- inputs

    def _require_word(self, at: int) -> None:
        """An input is signed as its author signs; what a line brings is signed with the line."""
        entry = self._events[at]
        fact = Fact(entry.by, entry.rule, entry.event)
        comes_with = is_brought(self._events, at)
        if not comes_with:
            self._words.require(entry.n, self.state, fact, brought_at(self._events, at))
        self._words.follow(entry.n, self.state, fact, comes_with)

    def _require_input(self, entry: Recorded) -> None:
        event: Any = entry.event
        kind = type(event)
        if kind in DISCLOSURES:
            about = _about(Fact(entry.by, entry.rule, event))
            raise ProtocolFault(entry.n, "disclosure-not-due", type=entry.type, about=about)
        if kind not in INPUTS:
            raise ProtocolFault(entry.n, "no-input" if entry.n == 1 else "event-without-cause", type=entry.type)
        if (kind is CampaignOpened) != (entry.n == 1):
            raise ProtocolFault(entry.n, "opened-late")
        expected = _author(event)
        if entry.by not in expected:
            raise ProtocolFault(entry.n, "other-author", expected=expected[0], found=entry.by)
        if entry.rule not in _rules(event, entry.by):
            raise ProtocolFault(entry.n, "other-rule", expected=event.RULE, found=entry.rule)
        if kind is CampaignOpened:
            _require_opening(entry, event)
        elif kind is ContributionGiven:
            self._draws.require_contribution(entry, event, self.state)
        elif kind is OrderAccepted:
            self._require_order(entry, event)

    def _require_order(self, entry: Recorded, event: OrderAccepted) -> None:
        """An order says in its text what it does, and stands in its round."""
        if event.t != self.state.round:
            raise ProtocolFault(entry.n, "other-turn", expected=self.state.round, found=event.t)
        if is_sealed(event):
            if event.side not in self.state.entrants or self.state.entrants[event.side].left:
                raise ProtocolFault(entry.n, "seat-empty", side=event.side)
            return
        try:
            order = order_of(event)
        except Refusal as refusal:
            raise ProtocolFault(entry.n, "no-such-command", reason=refusal.code) from None
        except msgspec.ValidationError as reason:
            raise ProtocolFault(entry.n, "no-such-command", reason=str(reason)) from None
        written = write_order(order)
        if event.text != written:
            raise ProtocolFault(entry.n, "text-differs", text=event.text or "", command=written)


def _is_under_fog(entry: Recorded) -> bool:
    """Whether nobody can judge an event who does not know what is sealed."""
    event = entry.event
    is_battle = isinstance(event, BattleSet) and event.fielded is not UNSET
    return is_sealed(event) or is_battle or isinstance(event, THEATRE_EVENTS)


def _is_other_scenario(expected: Event, found: Event) -> bool:
    """Whether a battle is set with other forces or another scenario than the state of the campaign makes."""
    if not isinstance(expected, BattleSet) or not isinstance(found, BattleSet) or expected.fielded is UNSET:
        return False
    members = {name: getattr(expected, name) for name in ("scenario", "fielded", "ground", "title")}
    return replace(found, **members) == expected


def _rules(event: Any, by: str) -> Set[str]:
    """The rules by which somebody may say an input."""
    if isinstance(event, EntrantJoined):
        return RULES_OF_JOINING
    if isinstance(event, RoleGiven) and by != ORGANISER:
        return {OF_A_SILENT_ONE}
    return {event.RULE}


def _author(event: Any) -> tuple[str, ...]:
    """The people who may say an input; the first is named where another has."""
    kind = type(event)
    if kind in OF_THE_HOST:
        return (SERVER,)
    if kind is CampaignBegan:
        return (ORGANISER, SERVER)
    if kind is RoleGiven:
        return (ORGANISER, UMPIRE, SERVER)
    if kind is EntrantJoined:
        return (event.entrant, ORGANISER)
    if kind in (EntrantLeft, TableClaimed, AbsenceNoted):
        return (event.entrant,)
    if kind in (OrderAccepted, ContributionGiven):
        return (event.side,)
    return (ORGANISER,)


def _require_opening(entry: Recorded, event: CampaignOpened) -> None:
    """The first event has what its configuration says, and all of that."""
    try:
        config = config_of(event.config)
    except Refusal as refusal:
        told = {**refusal.params, "code": refusal.code, "rule": refusal.rule}
        raise ProtocolFault(entry.n, "not-allowed", **told) from None
    organiser = Officer(*(event.organiser.get(key, "") for key in ("player", "name", "signer")))
    fact = acts.opening(config, organiser)
    found = Fact(entry.by, entry.rule, replace(event, commitment=UNSET, keys=UNSET))
    lines = [record.encode(1, entry.at, one).decode() for one in (fact, found)]
    if lines[0] != lines[1]:
        raise ProtocolFault(entry.n, "event-differs", expected=lines[0], found=lines[1])


def _about(fact: Fact) -> str:
    """What a disclosure is about, as faults of battles say it."""
    event: Any = fact.event
    if isinstance(event, MasterRevealed):
        return ""
    return str(getattr(event, "index", getattr(event, "generation", "")))
