"""Fold the log of a battle, and go back to any event of it.

The fold of a whole log, whatever the game. `Timeline` is the one way to read a log: it knows that
after a `Rewound` the state is again that after event `to`, keeps keyframes so that any event can be
reached quickly, and marks the spans that no longer count.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.engine.errors import BrokenInvariant
from domain.engine.events import (
    INPUTS,
    BattleBegan,
    BattleOpened,
    ContributionGiven,
    Event,
    MasterRevealed,
    OrderAccepted,
    RulesChanged,
    SideJoined,
    SideLeft,
    Unsealed,
)
from domain.engine.judge import SIDES
from domain.log.record import Recorded, opened
from domain.ruleset import Ruleset, evolve

KEYFRAME_EVERY = 128
"""Events between two keyframes: a seek folds fewer than this many."""


class Seat(Struct, frozen=True, gc=False):
    """Who holds a side. `contribution` is the newest one (hex, "" before the first), given for
    player-turn `contribution_t`; `stale` after a rewind, until a new one is given. `anchor` is what
    the next seal of a sealed seat must hash to: s_0, then its newest seal."""

    side: str
    player: str
    name: str
    kind: str = "person"
    mode: str = "plain"
    anchor: str = ""
    contribution: str = ""
    contribution_t: int = -1
    stale: bool = False


class Battle(Struct, frozen=True, gc=False):
    """A battle of any game after event `n`. `order_t` is the t of its newest order, `order_n` its n
    while its consequences follow. `sealed` are the events with a part that is not opened yet, each
    with the order that caused it (0: none)."""

    n: int
    game: Any
    commitment: str = ""
    readers: str = "public"
    rules: str = ""
    seats: Mapping[str, Seat] = {}
    begun: bool = False
    revealed: bool = False
    order_t: int = 0
    sealed: Mapping[int, int] = {}
    order_n: int = 0

    @property
    def ended(self) -> bool:
        """Whether somebody has won, or nobody can any more."""
        return self.game.winner is not None

    @property
    def may_draw(self) -> bool:
        """Whether both sides have contributed, so that cards can fall (fairness.md 2)."""
        return len(self.seats) == len(SIDES) and all(s.contribution and not s.stale for s in self.seats.values())

    @property
    def owing(self) -> tuple[str, ...]:
        """The sides whose contribution is missing, so that no card can fall (fairness.md 2)."""
        if not self.begun or self.ended:
            return ()
        return tuple(side for side, seat in self.seats.items() if not seat.contribution or seat.stale)

    def seat_of(self, player: str) -> tuple[str, ...]:
        """The sides that a player holds."""
        return tuple(side for side, seat in self.seats.items() if seat.player == player)


def _with_seat(battle: Battle, seat: Seat) -> Battle:
    return replace(battle, seats={**battle.seats, seat.side: seat})


# --- evolutions of what is not the game's


def on_battle_opened(battle: Battle, event: BattleOpened) -> Battle:
    return replace(battle, commitment=event.commitment or "", readers=event.readers or "public")


def on_side_joined(battle: Battle, event: SideJoined) -> Battle:
    seat = Seat(event.side, event.player or "", event.name, event.kind or "person", event.mode or "plain")
    return _with_seat(battle, replace(seat, anchor=event.anchor or ""))


def on_side_left(battle: Battle, event: SideLeft) -> Battle:
    return replace(battle, seats={side: seat for side, seat in battle.seats.items() if side != event.side})


def on_battle_began(battle: Battle, event: BattleBegan) -> Battle:
    return replace(battle, begun=True)


def on_contribution_given(battle: Battle, event: ContributionGiven) -> Battle:
    if event.kind == "reanchor":
        return _with_seat(battle, replace(battle.seats[event.side], anchor=event.value))
    seat = battle.seats[event.side]
    anchor = event.value if event.kind == "seal" else seat.anchor
    seat = replace(seat, contribution=event.value, contribution_t=event.t, stale=False, anchor=anchor)
    return _with_seat(battle, seat)


def on_order_accepted(battle: Battle, event: OrderAccepted) -> Battle:
    return replace(battle, order_t=event.t)


def on_rules_changed(battle: Battle, event: RulesChanged) -> Battle:
    return replace(battle, rules=event.to)


def on_unsealed(battle: Battle, event: Unsealed) -> Battle:
    return replace(battle, sealed={n: order for n, order in battle.sealed.items() if n != event.n})


def on_master_revealed(battle: Battle, event: MasterRevealed) -> Battle:
    return replace(battle, revealed=True)


EVOLUTIONS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    SideJoined: on_side_joined,
    SideLeft: on_side_left,
    BattleBegan: on_battle_began,
    ContributionGiven: on_contribution_given,
    OrderAccepted: on_order_accepted,
    RulesChanged: on_rules_changed,
    Unsealed: on_unsealed,
    MasterRevealed: on_master_revealed,
}


def evolve_battle(ruleset: Ruleset, battle: Battle, event: Event, n: int, is_sealed: bool = False) -> Battle:
    """The battle after event `n`, given whole; `is_sealed`: the log does not show all of it.

    `Rewound` is `Timeline`'s.
    """
    game = evolve(ruleset, battle.game, event, n)
    evolution = EVOLUTIONS.get(type(event))
    if evolution is not None:
        battle = evolution(battle, event)
    elif isinstance(event, BattleOpened):
        battle = on_battle_opened(battle, event)
    order_n = battle.order_n
    if type(event) in INPUTS:
        order_n = n if type(event) is OrderAccepted else 0
    sealed = {**battle.sealed, n: order_n} if is_sealed else battle.sealed
    return Battle(
        n,
        game,
        battle.commitment,
        battle.readers,
        battle.rules,
        battle.seats,
        battle.begun,
        battle.revealed,
        battle.order_t,
        sealed,
        order_n,
    )


def rewound(then: Battle, now: Battle, n: int, rewinds: int) -> Battle:
    """The game as it was `then`, taken up again at event `n`: both sides must contribute anew.

    Who holds a seat, and how far its chain of seals has come, is not taken back.
    """
    seats = {side: replace(seat, stale=True) for side, seat in now.seats.items()}
    game = replace(then.game, n=n, rewinds=rewinds)
    return replace(then, n=n, seats=seats, sealed=now.sealed, rules=now.rules, game=game)


class Timeline:
    """A log being folded, from event 1 on; every event of it can be gone back to.

    `now` is the battle after the last event fed. `events` holds them all, `events[n - 1]` being
    event n. Where the log is sealed, `vault` has the content of sealed events by n: with it the fold
    is the full one, without it that of a stranger, who knows an event from the moment that the log
    opens it.
    """

    def __init__(self, ruleset: Ruleset, vault: Mapping[int, Mapping[str, Any]] | None = None, rules: str = "") -> None:
        """`rules` is the version that the log's header names; "" for the ruleset's own."""
        self.ruleset = ruleset
        self.vault = dict(vault or {})
        self.events: list[Recorded] = []
        self._now = Battle(0, ruleset.initial, rules=rules or ruleset.version)
        self._opened = 0  # the earliest event opened since the last fold; 0: none
        self._keyframes = {0: self._now}
        self._rewinds: list[tuple[int, int]] = []

    @property
    def now(self) -> Battle:
        """The battle after the last event fed."""
        if self._opened:
            self._fold_again()
        return self._now

    def feed(self, recorded: Recorded) -> Battle:
        """Fold the next event. What several opened events change is folded once, before anything else."""
        event = recorded.event
        now = self._now if isinstance(event, Unsealed) else self.now
        if recorded.n != now.n + 1:
            raise BrokenInvariant(f"event {recorded.n} after event {now.n}")
        self.events.append(recorded)
        if isinstance(event, Unsealed) and event.n not in self.vault:
            self.vault[event.n] = event.content
            self._opened = min(event.n, self._opened or event.n)
        self._now = self._after(now, recorded)
        if recorded.n % KEYFRAME_EVERY == 0:
            self._keyframes[recorded.n] = self.now
        return self._now

    def _fold_again(self) -> None:
        """What has been opened was so from the beginning: fold again from there on."""
        first, self._opened = self._opened, 0
        start = (first - 1) - (first - 1) % KEYFRAME_EVERY
        battle = self._keyframes[start]
        for recorded in self.events[start:]:
            battle = self._after(battle, recorded)
            if recorded.n % KEYFRAME_EVERY == 0:
                self._keyframes[recorded.n] = battle
        self._now = battle

    def at(self, n: int) -> Battle:
        """The battle after event `n` (0: before the first)."""
        if not 0 <= n <= self.now.n:
            raise BrokenInvariant(f"no event {n}: the log has {self.now.n}")
        if n == self.now.n:
            return self._now
        start = n - n % KEYFRAME_EVERY
        battle = self._keyframes[start]
        for recorded in self.events[start:n]:
            battle = self._after(battle, recorded)
        return battle

    def whole(self, recorded: Recorded) -> Event:
        """An event with its private part, where the vault has it."""
        content = self.vault.get(recorded.n)
        return opened(recorded.event, content) if content is not None else recorded.event

    def voided(self) -> list[tuple[int, int]]:
        """The spans (first, last) of events that do not count any more, in order.

        A rewind may itself be taken back; then what it had voided counts again.
        """
        spans: list[tuple[int, int]] = []
        end = self.now.n
        for to, last in reversed(self._rewinds):
            if last < end:
                spans.append((to + 1, last))
                end = to
        return spans[::-1]

    def _after(self, battle: Battle, recorded: Recorded) -> Battle:
        to = getattr(recorded.event, "to", None) if recorded.type == "Rewound" else None
        if to is None:
            is_sealed = getattr(recorded.event, "sealed", UNSET) is not UNSET
            return evolve_battle(self.ruleset, battle, self.whole(recorded), recorded.n, is_sealed)
        if (to, recorded.n - 1) not in self._rewinds:
            self._rewinds.append((to, recorded.n - 1))
        rewinds = sum(1 for _, last in self._rewinds if last < recorded.n)
        return rewound(self.at(to), battle, recorded.n, rewinds)


def vault_of(events: list[Recorded]) -> dict[int, Mapping[str, Any]]:
    """What a log itself has opened: the content of each sealed event, by n."""
    return {recorded.event.n: recorded.event.content for recorded in events if isinstance(recorded.event, Unsealed)}


def catalogue_of(ruleset: Ruleset) -> dict[str, type[Event]]:
    """Every event type that a log of this game may have: the core's and its own."""
    return {**CORE_EVENTS, **ruleset.events}


def free_sides(battle: Battle) -> tuple[str, ...]:
    """The sides that nobody holds."""
    return tuple(side for side in SIDES if side not in battle.seats)


def _core_events() -> dict[str, type[Event]]:
    from domain.engine import events

    found = (value for value in vars(events).values() if isinstance(value, type) and issubclass(value, Event))
    return {event.__name__: event for event in found if event is not Event and not event.__name__.startswith("_")}


CORE_EVENTS = _core_events()
