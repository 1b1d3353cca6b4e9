"""Check a whole log by the protocol, from its events alone (docs/record-format.md).

What is disclosed late (keys, the master, sealed members) is collected first; then every event is met in its order by
all checks that it concerns, so that the first fault is the earliest. At the end of each block come the duties of the
host. Nothing is asked of the rules of the game, and nothing of the program that has written the log but the arithmetic,
the canonical bytes and the shapes of events.

All work is linear in the log: blocks, periods, decks and secrets are each entered once and left once.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.contract.dispute_lines import SUBSTITUTE
from domain.contract.ruleset import Ruleset
from domain.log.draw_rules import ScopeRules
from domain.log.record import OPENED, PBEM_2_1, Recorded
from replay.proof.authority import Authority, SettledAct
from replay.proof.blocks import Block, ProtocolFault, cut
from replay.proof.branches import branch_of, require_branch, require_piles
from replay.proof.clock import ClockCheck
from replay.proof.contributions import Contributions
from replay.proof.draws import Draws, Tally
from replay.proof.duties import Duties
from replay.proof.keys import DisclosedKeys
from replay.proof.messages import Messages, Vouched, brought_by
from replay.proof.office import Office
from replay.proof.periods import PeriodMoment, Periods
from replay.proof.resuming import WalkSoFar, require_resumable
from replay.proof.scenario import ScenarioTold, checked_scenario
from replay.proof.sealed import Sealed, members_of
from replay.proof.seats import ProvenSeat, ProvenSeats, names_of
from replay.proof.silence import Silence


class Chronicle(Struct, frozen=True):
    """What is checked: the log of one battle. `lines[n - 1]` is event n as it is stored, `hashes[n]` its hash; `game`
    and `rules` are the ruleset of the header and its version, `version` is that of the protocol.
    `is_stacked`: the draws are those of a case, which no key has made (`replay.lab.proving`)."""

    battle: str
    game: str
    rules: str
    events: Sequence[Recorded]
    lines: Sequence[bytes]
    hashes: Sequence[bytes]
    version: int = OPENED
    is_stacked: bool = False


class SeatReport(Struct, frozen=True):
    """What is to be said of one holder of a seat, and what their messages vouch for. They took it with event `since`
    and gave it back with event `until`, 0 if they still hold it; `kid` names their key, "" without one. It does not
    hold for another holder of the seat."""

    side: str
    player: str
    since: int
    until: int
    kind: str
    mode: str
    is_operator: bool
    is_program: bool
    is_signed: bool
    kid: str
    without_phrase: bool
    vouched: Vouched


class Findings(Struct, frozen=True):
    """What a log without a fault shows. `unopened` are the events still sealed, `ended` the last event of the battle's
    last block (0 while it runs), `continued_from` the first index whose keys event 1 does not bind."""

    tally: Tally
    seats: tuple[SeatReport, ...]
    listed: tuple[SettledAct, ...]
    unopened: tuple[int, ...]
    ended: int
    continued_from: int
    scenario: ScenarioTold


def check(log: Chronicle, ruleset: Ruleset | None, progress: Callable[[int], None] | None = None) -> Findings:
    """Check a log; of `ruleset`, None if it is unknown, only the seats, the decks and the table of what may be sealed
    are asked.

    Raises:  ProtocolFault at the first event that is wrong
    """
    walk = _Walk(log, ruleset)
    for at, block in enumerate(walk.blocks):
        walk.check(at, block)
        if progress:
            progress(block.last)
    return walk.findings()


def check_on(log: Chronicle, ruleset: Ruleset | None, kept: WalkSoFar | None) -> WalkSoFar | None:
    """Check a log as `check` does, and say from where a later check of the same log may go on, None: from the start.

    With what an earlier check has `kept`, the events are the first one and those from `kept.block` on.

    Raises:  ProtocolFault at the first event that is wrong; NotResumable where the whole log has to be checked
    """
    if kept is not None:
        require_resumable(log.events, ruleset, kept)
    walk = _Walk(log, ruleset, kept)
    ends_at = walk.disclosed()
    for at, block in enumerate(walk.blocks):
        if at < walk.first:
            continue
        walk.check(at, block)
        if at == ends_at:
            kept = walk.so_far(block)
    if walk.is_over:
        return None
    return None if kept is None else replace(kept, checked=log.events[-1].n, head=log.hashes[-1])


class _Walk:
    def __init__(self, log: Chronicle, ruleset: Ruleset | None, kept: WalkSoFar | None = None) -> None:
        self.blocks = cut(log.events)
        self.first = 0 if kept is None else 2  # of the blocks; behind the opening and the one before the new ones
        blocks, events = self.blocks[self.first :], log.events if kept is None else log.events[1:]
        events = [entry for entry in events if kept is None or entry.n > kept.n]
        names = names_of(ruleset, log.events[0].event)
        opening = members_of(log.lines[0])
        self._scenario = checked_scenario(opening, log.version, log.rules, ruleset)
        self._periods = Periods(blocks, names, None if kept is None else kept.periods)
        self._keys = DisclosedKeys(log.battle, names, events, self._periods.count, None if kept is None else kept.keys)
        self._sealed = Sealed(
            log.battle,
            events,
            self._periods,
            lambda n: opening if n == 1 else members_of(log.lines[n - 1]),
            None if ruleset is None else ruleset.secrets.rows,
            None if kept is None else kept.sealed,
        )
        self._seats = ProvenSeats(names)
        self._silence = Silence(names, "pace" in opening)
        self._office = Office(self._seats, log.version, opening.get("unsigned_umpire", UNSET))
        self._authority = Authority(self._seats, log.rules, self._silence, self._office)
        self._messages = Messages(log.battle, log.hashes, self._seats, self._sealed, log.version)
        branch = branch_of(log.events)
        if branch is not None:
            require_branch(*branch, names)
        self._contributions = Contributions(log.battle, self._seats, version=log.version, is_branch=branch is not None)
        self._clock = ClockCheck(opening, names)
        self._draws = self._made_draws(log, ruleset, opening, names)
        self._duties = Duties(blocks, self._periods, self._sealed, self._keys.length)
        self._version = log.version
        self._at = 0
        self._by_type = self._checks(ruleset)
        if kept is not None:
            self._resume(kept)

    def _made_draws(
        self, log: Chronicle, ruleset: Ruleset | None, opening: Mapping[str, Any], names: tuple[str, ...]
    ) -> Draws:
        branch = branch_of(log.events)
        decks = None if ruleset is None else ruleset.draws.decks(opening)
        left = branch[1].decks if branch is not None and decks is not None else {}
        require_piles(decks or {}, left)
        faces = {} if ruleset is None else ruleset.draws.faces
        scopes = ScopeRules(names, log.version)
        return Draws(
            log.battle,
            scopes,
            faces,
            decks,
            self._keys,
            self._contributions,
            self._sealed,
            left,
            is_stacked=log.is_stacked,
        )

    def _resume(self, kept: WalkSoFar) -> None:
        self._seats.resume(kept.seats)
        self._silence.resume(kept.silence)
        self._office.resume(kept.office)
        self._authority.resume(kept.authority)
        self._messages.resume(kept.messages)
        self._contributions.resume(kept.contributions)
        self._clock.resume(kept.flagged)
        self._draws.resume(kept.draws)
        self._duties.resume(kept.closed)

    @property
    def is_over(self) -> bool:
        """Whether the battle has ended."""
        return bool(self._duties.ended)

    def disclosed(self) -> int:
        """The last of the new blocks whose draws can all be checked by now, hands apart; -1 for none."""
        if self._periods.fault is not None or self._keys.master_n:
            return -1
        newest = self._keys.newest
        new = range(max(self.first, 1), len(self.blocks) - 1)
        return next((at for at in reversed(new) if self._periods.after(self.blocks[at].last).index <= newest), -1)

    def so_far(self, block: Block) -> WalkSoFar:
        """What is known right after a block."""
        periods = self._periods.so_far(block.last)
        return WalkSoFar(
            n=block.last,
            block=block.first.n,
            checked=0,
            head=b"",
            periods=periods,
            keys=self._keys.so_far(block.last, periods.now.index),
            sealed=self._sealed.so_far(block.last),
            seats=self._seats.so_far(),
            silence=self._silence.so_far(),
            office=self._office.so_far(),
            authority=self._authority.so_far(),
            messages=self._messages.so_far(),
            contributions=self._contributions.so_far(),
            flagged=self._clock.so_far(),
            draws=self._draws.so_far(),
            closed=self._duties.so_far(),
        )

    def _checks(self, ruleset: Ruleset | None) -> dict[str, Callable[[Recorded, Any], None]]:
        """What is asked of an event, by its type."""
        checks: dict[str, Callable[[Recorded, Any], None]] = {
            "SideJoined": self._joined,
            "SideLeft": self._left,
            "BattleOpened": lambda entry, event: self._office.opened(),
            "BattleBegan": lambda entry, event: self._seats.begin(entry.n),
            "ContributionGiven": self._contributed,
            "OrderAccepted": self._ordered,
            "ClockFired": self._clock_fired,
            "FlagRuled": lambda entry, event: self._clock.ruled(entry.n, event.side),
            "RulesChanged": self._rules_changed,
            "BattleStopped": lambda entry, event: self._authority.stopped(entry.n, event, self._block),
            "KeyChanged": lambda entry, event: self._authority.key_changed(entry.n),
            "DeckShuffled": lambda entry, event: self._draws.shuffled(entry.n, event),
            "CardDrawn": lambda entry, event: self._draws.card(entry, self._now(entry), self._block.first.n),
            "DieRolled": self._rolled,
            "TurnEnded": lambda entry, event: self._draws.piles.turn_ended(event.side),
            "Rewound": self._rewound,
        }
        if ruleset is not None and ruleset.draws.looks:
            checks[ruleset.draws.looks] = self._looked
        return checks

    def check(self, at: int, block: Block) -> None:
        """Check a block, event by event, and then whether the host has done its duty."""
        self._at = at
        self._authority.block_began(block)
        ended = self._duties.ended
        for entry in block.events:
            self._require_right(entry)
            if not ended:  # what follows the end is the duties' to judge, but for authority
                self._check(entry)
            self._authority.check(entry, block)
        if ended and block.first.type in ("OrderAccepted", "KeyChanged"):
            self._check(block.first)
        self._duties.check(block)
        self._draws.piles.block_ended(block.last)
        self._silence.passed(block)

    def findings(self) -> Findings:
        """What the log shows, once all of it is checked."""
        return Findings(
            tally=self._draws.tally,
            seats=tuple(self._seat(seat) for seat in self._seats.holders()),
            listed=tuple(self._authority.listed),
            unopened=self._duties.unopened,
            ended=self._duties.ended,
            continued_from=self._keys.continued_from,
            scenario=self._scenario,
        )

    @property
    def _block(self) -> Block:
        return self.blocks[self._at]

    def _neighbour(self, step: int) -> Block | None:
        at = self._at + step
        return self.blocks[at] if 0 <= at < len(self.blocks) else None

    def _now(self, entry: Recorded) -> PeriodMoment:
        return self._periods.before(entry.n)

    def _require_right(self, entry: Recorded) -> None:
        """Raise what the collecting passes have found at this event."""
        for faults in (self._keys.faults, self._sealed.faults):
            if entry.n in faults:
                raise faults[entry.n]
        if self._periods.fault is not None and self._periods.fault.n == entry.n:
            raise self._periods.fault

    def _check(self, entry: Recorded) -> None:
        check = self._by_type.get(entry.type)
        if check is not None:
            check(entry, entry.event)

    # --- by type

    def _joined(self, entry: Recorded, event: Any) -> None:
        self._authority.joined(entry.n, event)
        seat = self._seats.joined(entry.n, event)
        self._messages.joined(entry, seat)
        self._contributions.joined(seat)

    def _left(self, entry: Recorded, event: Any) -> None:
        self._messages.left(entry, bool(self._seats.began) and event.reason == SUBSTITUTE)
        self._seats.left(entry.n, event.side)
        self._authority.left(entry.n, event, entry.at)

    def _contributed(self, entry: Recorded, event: Any) -> None:
        self._contributions.contributed(entry.n, event, self._now(entry), self._block, self._neighbour(1))
        if event.channel is UNSET:
            self._messages.gave_with_order(entry.n, event)
        else:
            self._messages.gave_alone(entry.n, event)
        if event.kind == "reanchor":
            self._authority.new_book(entry.n, event.side)

    def _ordered(self, entry: Recorded, event: Any) -> None:
        brought = brought_by(self._neighbour(-1), event.side)
        self._messages.ordered(entry, self._office, brought)
        now = self._now(entry)
        if event.t != now.t:
            raise ProtocolFault(entry.n, "other-turn", expected=now.t, found=event.t)
        self._contributions.saw_its_entry(entry.n, event)
        if not self._duties.ended:
            self._contributions.ordered(entry.n, event.side, now, self._block)

    def _rolled(self, entry: Recorded, event: Any) -> None:
        self._draws.die(entry, self._now(entry), self._block.first.n)

    def _looked(self, entry: Recorded, event: Any) -> None:
        self._draws.looked(entry, self._now(entry), self._block.first.n)

    def _rewound(self, entry: Recorded, event: Any) -> None:
        if self._version >= PBEM_2_1:
            self._require_entry_behind(entry.n)
        self._draws.piles.rewound(event.to)
        self._contributions.rewound()

    def _require_entry_behind(self, n: int) -> None:
        """Check that the entry of the side whose line takes play back is the next block, alone: nobody waits for it."""
        order, behind = self._block.first, self._neighbour(1)
        side = getattr(order.event, "side", "")
        if order.type != "OrderAccepted" or side not in self._seats.names:
            return
        given: Any = behind.first.event if behind is not None else None
        if behind is None or behind.first.type != "ContributionGiven" or given.side != side or given.channel is UNSET:
            raise ProtocolFault(n, "entry-missing", side=side)

    def _clock_fired(self, entry: Recorded, event: Any) -> None:
        self._clock.fired(entry.n, event, self._block)
        self._messages.clock_fired(entry)
        self._authority.clock_fired(entry.n, event, self._block)

    def _rules_changed(self, entry: Recorded, event: Any) -> None:
        self._authority.rules_changed(entry.n, event)
        self._messages.rules_changed(entry.n)

    def _seat(self, seat: ProvenSeat) -> SeatReport:
        return SeatReport(
            side=seat.side,
            player=seat.player,
            since=seat.since,
            until=seat.until,
            kind=seat.kind,
            mode=seat.mode,
            is_operator=seat.is_operator,
            is_program=seat.is_program,
            is_signed=seat.signer is not None,
            kid=seat.kid,
            without_phrase=seat.since in self._contributions.without_phrase,
            vouched=self._messages.vouched.get(seat.since, Vouched()),
        )
