"""What a battle of any game remembers beside the game itself: its seats, their contributions, what is sealed."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.basics.seats import Seats
from domain.contract.ruleset import Ruleset
from domain.engine.dockets import NO_DISPUTES, UMPIRE, Disputes, Substitute, awarded, evolve_disputes
from domain.engine.event_map import EventMap
from domain.events.battle import (
    INPUTS,
    BattleBegan,
    BattleOpened,
    BattleStopped,
    Branch,
    ClockFired,
    ContributionGiven,
    Event,
    MasterRevealed,
    OrderAccepted,
    RulesChanged,
    SideJoined,
    SideLeft,
    TurnBegan,
    Unsealed,
)
from domain.events.event import of_core
from domain.log.fairness import LENGTH
from domain.log.record import OPENED, PBEM_2_1
from domain.run.decide import evolve
from domain.run.signed_lines import holder, is_released


class Seat(Struct, frozen=True, gc=False):
    """The holder of a side. `contribution` is the newest one (hex, "" before the first), given for player-turn
    `contribution_t`; `stale` until a new one is given (after a rewind, and after another seat has changed its book or
    its player). `anchor` is what the next seal of a sealed seat must hash to: s_0, then its newest seal; `new_book`
    says that it is s_0 of another book than its first. `is_operator`: the player runs the server. `signer` is the
    base64 of the player's Ed25519 key; with it every line is signed. `is_program`: the account is a bot's. `entry_n` is
    the event of its newest entry that came alone."""

    side: str
    player: str
    name: str
    kind: str = "person"
    mode: str = "plain"
    anchor: str = ""
    contribution: str = ""
    contribution_t: int = -1
    stale: bool = False
    new_book: bool = False
    is_operator: bool = False
    signer: str = ""
    is_program: bool = False
    entry_n: int = 0


class Battle(Struct, frozen=True, gc=False):
    """A battle of any game after event `n`. `period` counts the turns and rewinds begun so far: each has a key of the
    host's, of chains with `key_length` keys. `order_n` is the n of an order while its consequences follow. `sealed` are
    the events with a part that is not opened yet, each with the order that caused it (0: none). `given` are the seats
    that have contributed, whoever held them; `serials` have the newest serial of each seat that signs, and of each key
    that has joined with one (`domain.run.signed_lines.holder`). `branch` says
    where it began, if that was in the middle of another (docs/branches.md). `former` are the players who have given a
    side to a substitute. `stopped` says that the battle is over without a winner, by the host's word. `tags` are those
    it was opened with. `version` is that of the protocol, as the header of the log names it."""

    n: int
    game: Any
    commitment: str = ""
    readers: str = "public"
    rules: str = ""
    seats: Mapping[str, Seat] = {}
    begun: bool = False
    revealed: bool = False
    period: int = 0
    key_length: int = LENGTH
    sealed: EventMap = EventMap()
    order_n: int = 0
    given: frozenset[str] = frozenset()
    serials: Mapping[str, int] = {}
    branch: Branch | None = None
    disputes: Disputes = NO_DISPUTES
    former: frozenset[str] = frozenset()
    stopped: BattleStopped | None = None
    tags: tuple[str, ...] = ()
    version: int = OPENED

    @property
    def is_halted(self) -> bool:
        """Whether play is halted by a docket: no clock runs, and no order of the game is taken."""
        return bool(self.disputes.halted) and not self.ended

    @property
    def winner(self) -> str | None:
        """The winner, as it counts: a ruling goes before the result beside which it stands. None while the battle
        lasts, "" for a draw."""
        return awarded(self.disputes.result) if self.disputes.result else self.game.winner

    @property
    def how(self) -> str:
        """By which rule it has ended, as it counts."""
        if self.stopped is not None:
            return self.stopped.how
        return "ruling" if self.disputes.result else str(self.game.how)

    @property
    def ended(self) -> bool:
        """Whether somebody has won, or nobody can any more."""
        return self.game.winner is not None or self.stopped is not None

    def may_draw(self, seats: Seats) -> bool:
        """Whether all seats have contributed, so that cards can fall (fairness.md 2)."""
        return len(self.seats) == len(seats) and all(s.contribution and not s.stale for s in self.seats.values())

    @property
    def owing(self) -> tuple[str, ...]:
        """The sides whose contribution is missing, so that no card can fall (fairness.md 2)."""
        if not self.begun or self.ended:
            return ()
        return tuple(side for side, seat in self.seats.items() if not seat.contribution or seat.stale)

    def owes(self, side: str) -> bool:
        """Whether a contribution goes with the next ordinary order of a side: its first, and one in each player-turn
        of its own. An order in another side's player-turn owes none."""
        if side in self.owing:
            return True
        is_mover = self.begun and not self.ended and side == self.game.mover and side in self.seats
        return is_mover and self.seats[side].contribution_t < self.game.t

    def turn_of_entry(self, side: str) -> int:
        """The player-turn of a contribution that comes alone: 0 for the first of a seat, else the present one. A branch
        has no set-up that the first one could belong to."""
        return int(self.game.t) if side in self.given or self.branch else 0

    def waits_for_others(self, side: str) -> tuple[str, ...]:
        """The sides that must contribute before a seal of this side's new book is taken."""
        if not self.seats[side].new_book:
            return ()
        return tuple(other for other in self.owing if other != side)

    def may_follow(self, side: str, player: str, silent: int = 0) -> bool:
        """Whether a player may take over a side after the start (CORE-DSP-12): the umpire, or every other person, has
        named them for this seat, and its player has asked for them, or has been silent since event `silent` (0: they
        have not). A bot is not asked, nor who has left."""
        if self.ended or self.sits(player, side):
            return False
        named = self.named_for(side, player)
        persons = [of for of, seat in self.seats.items() if of != side and seat.kind == "person"]
        if side in self.seats and self.seats[side].kind == "person":
            if side not in named:
                named = {by: said for by, said in named.items() if silent and said.is_silent and said.n > silent}
            if self.signs_all(side) and not is_released(side, named, persons, self.signing):
                return False
            if side in named:
                return UMPIRE in named or all(of in named for of in persons)
        elif side not in self.seats:
            named = {**self.named_for("", player), **named}
        return UMPIRE in named or (bool(persons) and all(of in named for of in persons))

    def signs_all(self, side: str) -> bool:
        """Whether the player of a side signs whatever they do, not only what they order (PBEM-2.1)."""
        return self.version >= PBEM_2_1 and side in self.seats and bool(self.seats[side].signer)

    @property
    def signing(self) -> frozenset[str]:
        """The seats whose players sign whatever they do; `umpire` if the one in office does."""
        return frozenset(side for side in (*self.seats, UMPIRE) if self.version >= PBEM_2_1 and self.signer_of(side))

    def serial_of(self, side: str, signer: str) -> int:
        """The newest serial of a key at a seat, 0 before the first. Up to version 2 the seat counts."""
        return self.serials.get(holder(side, signer) if self.version >= PBEM_2_1 else side, 0)

    def named_for(self, side: str, player: str) -> dict[str, Substitute]:
        """The people who have named a player for a seat, and how; of the seat "" in lines that named none."""
        said = self.disputes.substitutes.get(side, {})
        return {by: one for by, one in said.items() if one.player == player}

    def sits(self, player: str, side: str) -> bool:
        """Whether a player holds a side."""
        return side in self.seats and self.seats[side].player == player

    def signer_of(self, side: str) -> str:
        """The key with which a side, or the umpire, signs; "" for none."""
        if side == UMPIRE:
            return self.disputes.umpire_signer
        return self.seats[side].signer if side in self.seats else ""

    def seat_of(self, player: str) -> tuple[str, ...]:
        """The sides that a player holds."""
        return tuple(side for side, seat in self.seats.items() if seat.player == player)


def require_not_halted(battle: Battle) -> None:
    """Refuse orders and contributions while a docket halts play (CORE-DSP-03).

    Raises: Refusal core.docket-halted
    """
    if battle.is_halted:
        raise Refusal("core.docket-halted", "CORE-DSP-03", docket=battle.disputes.halted)


def require_playing(battle: Battle, side: str) -> None:
    """Refuse an order of the game that the umpire gives, or while a docket halts play.

    Raises: Refusal core.docket-umpire-orders, core.docket-halted
    """
    if side == UMPIRE:
        raise Refusal("core.docket-umpire-orders", "CORE-DSP-10")
    require_not_halted(battle)


def free_sides(battle: Battle, seats: Seats) -> tuple[str, ...]:
    """The sides that nobody holds, in the order of play."""
    return tuple(side for side in seats.names if side not in battle.seats)


def _with_seat(battle: Battle, seat: Seat) -> Battle:
    return replace(battle, seats={**battle.seats, seat.side: seat})


# --- evolutions of what is not the game's


def on_battle_opened(battle: Battle, event: BattleOpened) -> Battle:
    length = LENGTH if event.keys is UNSET else event.keys.length
    readers = event.readers or "public"
    branch, tags = event.branch or None, event.tags or ()
    commitment = event.commitment or ""
    return replace(battle, commitment=commitment, key_length=length, readers=readers, branch=branch, tags=tags)


def on_side_joined(battle: Battle, event: SideJoined) -> Battle:
    """A player takes a side; a substitute makes the other seats contribute again, so that nobody has chosen their part
    of a seed after the newcomer's was bound (fairness.md 2)."""
    seat = Seat(
        event.side,
        event.player or "",
        event.name,
        event.kind or "person",
        event.mode or "plain",
        event.anchor or "",
        is_operator=event.operator is True,
        signer=event.signer or "",
        is_program=event.program is True,
    )
    battle = with_serial(battle, event, seat.signer)
    if not battle.begun:
        return _with_seat(battle, seat)
    return _with_seat(_with_stale_seats(battle), replace(seat, new_book=seat.mode == "sealed"))


def on_side_left(battle: Battle, event: SideLeft) -> Battle:
    battle = on_signed(battle, event)
    left = {battle.seats[event.side].player} if battle.begun and event.side in battle.seats else set()
    seats = {side: seat for side, seat in battle.seats.items() if side != event.side}
    return replace(battle, seats=seats, former=battle.former | left)


def on_battle_began(battle: Battle, event: BattleBegan) -> Battle:
    return replace(battle, begun=True)


def on_contribution_given(battle: Battle, event: ContributionGiven) -> Battle:
    battle = on_signed(battle, event)
    seat = battle.seats[event.side]
    if event.kind == "reanchor":
        return _with_seat(_with_stale_seats(battle), replace(seat, anchor=event.value, new_book=True))
    anchor = event.value if event.kind == "seal" else seat.anchor
    is_alone = event.channel is not UNSET and (not seat.contribution or seat.stale)
    seat = replace(seat, entry_n=battle.n + 1) if is_alone else seat
    given = replace(seat, contribution=event.value, contribution_t=event.t, stale=False, anchor=anchor, new_book=False)
    return replace(_with_seat(battle, given), given=battle.given | {event.side})


def on_signed(battle: Battle, event: ContributionGiven | OrderAccepted | SideLeft | ClockFired) -> Battle:
    """A serial is used up with its signature."""
    return with_serial(battle, event, battle.signer_of(event.side))


def with_serial(battle: Battle, event: Any, signer: str) -> Battle:
    """The battle after a signed event of the player with this key."""
    if event.serial is UNSET:
        return battle
    used = {event.side: event.serial}
    if battle.version >= PBEM_2_1:
        used[holder(event.side, signer)] = event.serial
    return replace(battle, serials={**battle.serials, **used})


def _with_stale_seats(battle: Battle) -> Battle:
    return replace(battle, seats={side: replace(seat, stale=True) for side, seat in battle.seats.items()})


def on_turn_began(battle: Battle, event: TurnBegan) -> Battle:
    return replace(battle, period=battle.period + 1)


def on_rules_changed(battle: Battle, event: RulesChanged) -> Battle:
    return replace(battle, rules=event.to)


def on_battle_stopped(battle: Battle, event: BattleStopped) -> Battle:
    return replace(battle, stopped=event)


def on_unsealed(battle: Battle, event: Unsealed) -> Battle:
    return replace(battle, sealed=battle.sealed.without(event.n))


def on_master_revealed(battle: Battle, event: MasterRevealed) -> Battle:
    return replace(battle, revealed=True)


EVOLUTIONS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    BattleOpened: on_battle_opened,
    SideJoined: on_side_joined,
    SideLeft: on_side_left,
    BattleBegan: on_battle_began,
    ContributionGiven: on_contribution_given,
    OrderAccepted: on_signed,
    ClockFired: on_signed,
    TurnBegan: on_turn_began,
    RulesChanged: on_rules_changed,
    BattleStopped: on_battle_stopped,
    Unsealed: on_unsealed,
    MasterRevealed: on_master_revealed,
}


def evolve_battle(ruleset: Ruleset, battle: Battle, event: Event, n: int, is_sealed: bool = False) -> Battle:
    """The battle after event `n`, given whole; `is_sealed`: the log does not show all of it.

    `Rewound` is `Timeline`'s.
    """
    is_over = battle.ended
    game = evolve(ruleset, battle.game, event, n)
    kind = type(event)
    evolution = _evolution_of(kind)
    if evolution is not None:
        battle = evolution(battle, event)
    order_n = battle.order_n
    if kind in INPUTS:
        order_n = n if kind is OrderAccepted else 0
    sealed = battle.sealed.with_event(n, order_n) if is_sealed else battle.sealed
    disputes = evolve_disputes(battle.disputes, kind, event, n, is_over)
    return replace(battle, n=n, game=game, sealed=sealed, order_n=order_n, disputes=disputes)


@cache
def _evolution_of(kind: type[Event]) -> Callable[[Battle, Any], Battle] | None:
    return of_core(EVOLUTIONS, kind)


def rewound(then: Battle, now: Battle, n: int, rewinds: int) -> Battle:
    """The game as it was `then`, restored at event `n`: all sides must contribute again.

    Who holds a seat, how far its chain of seals and the host's keys have come, and what is open, is not taken back.
    """
    now = _with_stale_seats(now)
    return replace(now, n=n, period=now.period + 1, game=replace(then.game, n=n, rewinds=rewinds), order_n=then.order_n)
