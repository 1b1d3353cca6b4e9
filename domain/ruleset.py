"""The contract of a game: what the engine, the server and the tools ask of it.

A `Ruleset` is a frozen record of data and functions, not a base class: the server, the replay
tools, `lab` and the tests know no more of a game than this. Everything that leaves the server is
made from `known(state, side)`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.commands import AcceptDraw, Command, DeclineDraw, OfferDraw, Resign
from domain.engine.errors import Refusal
from domain.engine.events import (
    BattleEnded,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    Event,
    Fact,
    SideResigned,
)
from domain.engine.judge import OTHER, Evolution, GameState, Judge
from domain.engine.message import Message
from domain.log.chance import Chance
from domain.scene import Scene
from domain.scripts.senses import SENSELESS, Senses

NOBODY = ""
"""The side of a reader who plays neither: `known(state, NOBODY)`."""


class Option(Struct, frozen=True, gc=False, omit_defaults=True):
    """A legal order, complete and playable as it stands (design.md 4).

    `needed` is what a card or die must reach (0: none is drawn), `factors` each modifier with its
    rule, `odds` [cards that do, cards left] of the first draw. Where a choice is continuous,
    `limits` bound it and `exhaustive` is false.
    """

    order: str
    kind: str
    unit: str = ""
    needed: int = 0
    factors: tuple[Any, ...] = ()
    odds: tuple[int, int] | None = None
    limits: dict[str, Any] | None = None
    exhaustive: bool = True


class Ruleset(Struct, frozen=True):
    """One game. `rules` maps generic events to the game's own rule IDs."""

    code: str
    version: str
    title: str
    events: Mapping[str, type[Event]]
    rules: Mapping[str, str]
    private: Callable[[Any, Event], tuple[str, ...]]
    """The fields of an event that only its side may see, in the state before it."""
    private_order: Callable[[Any, Command], bool]
    """Whether an order is its side's secret, in the state in which it is given."""
    scopes: Callable[[Any], tuple[str, ...]]
    """The public draws of the player-turn of a state: their nonces are disclosed at its end (fairness.md 4)."""
    command: Any
    evolutions: Mapping[type[Event], Evolution]
    steps: Mapping[str, Callable[..., None]]
    decisions: Mapping[type[Command], Callable[..., None]]
    initial: GameState
    load: Callable[[Mapping[str, Any]], Event]
    """A scenario (parsed TOML) to its `BattleOpened`; refuses a bad one with the offending key."""
    set_up: Callable[[Judge[Any]], None]
    """Emits what follows `BattleOpened` at once (decks)."""
    begin: Callable[[Judge[Any]], None]
    """Emits what follows `BattleBegan`: the first phase and turn. Draws nothing."""
    proceed: Callable[[Judge[Any]], None]
    """Emits what the game does by itself as soon as both sides have contributed; nothing, if nothing waits for that."""
    parse: Callable[[str], Command]
    write: Callable[[Command, str], str]
    """A command in canonical notation, in a language (`en`, `fr`)."""
    active: Callable[[Any], tuple[str, ...]]
    """The sides that may give ordinary orders now."""
    options: Callable[[Any, str], Sequence[Option]]
    known: Callable[[Any, str], Any]
    view: Callable[[Any, str], Scene]
    narrate: Callable[[Any, Fact], Message]
    """The sentence for a fact, in the state before it."""
    final: Callable[[Any], dict[str, Any]]
    """What a case may check of a state (rules spec, section on cases)."""
    tally: Callable[[Any], dict[str, int]]
    """What decides who wins, per side: medals, points …"""
    pile: Callable[[Any, str], tuple[str, ...]]
    """The cards a deck can give now, in canonical order; () for an unknown deck."""
    stacked: Callable[[Mapping[str, Any]], dict[str, list[int | str]]]
    """The stacked draws of a case: cards by deck, dice by scope."""
    standing: Callable[[Any, str, str], Sequence[str]] = lambda state, side, lang: ()
    """The standing orders of a side that may still answer, as lines in a language; the state as it knows it."""
    senses: Senses = SENSELESS
    """What scripts may ask: how an order went, what the next needs, how things stand (docs/scripts.md)."""


def to_act(ruleset: Ruleset, state: GameState) -> tuple[str, ...]:
    """Whose clock runs: the side asked, else the active ones; nobody before and after."""
    if state.winner is not None or not state.phase:
        return ()
    return (state.waiting.side,) if state.waiting else ruleset.active(state)


# --- folding


def evolve(ruleset: Ruleset, state: Any, event: Event, n: int) -> Any:
    """The state after event `n` of the log; events that no game rule reads only count."""
    evolution = ruleset.evolutions.get(type(event))
    return replace(evolution(state, event) if evolution else state, n=n)


# --- deciding


def opening(ruleset: Ruleset, scenario: Mapping[str, Any]) -> tuple[Fact, ...]:
    """The facts that open a battle; the first is its `BattleOpened`."""

    def start(judge: Judge[Any]) -> None:
        opened = ruleset.load(scenario)
        judge.emit(opened, rule=ruleset.rules.get("BattleOpened", opened.RULE))
        ruleset.set_up(judge)

    return _judge(ruleset, ruleset.initial, _NO_CHANCE).complete(start)


def set_up_after(ruleset: Ruleset, opened: Event) -> tuple[Fact, ...]:
    """The facts that follow a `BattleOpened` at once: what an audit compares."""
    state = evolve(ruleset, ruleset.initial, opened, 1)
    return _judge(ruleset, state, _NO_CHANCE).complete(ruleset.set_up)


def beginning(ruleset: Ruleset, state: GameState) -> tuple[Fact, ...]:
    """The facts that start play, once both sides are taken."""
    return _judge(ruleset, state, _NO_CHANCE).complete(ruleset.begin)


def proceeding(ruleset: Ruleset, state: GameState, chance: Chance) -> tuple[Fact, ...]:
    """The facts that had to wait until cards could fall: both sides have contributed now."""
    if state.winner is not None:
        return ()
    return _judge(ruleset, state, chance).complete(ruleset.proceed)


def decide(ruleset: Ruleset, state: GameState, side: str, command: Command, chance: Chance) -> tuple[Fact, ...]:
    """What follows from an order; a `Refusal` if it may not be given."""
    require_allowed(ruleset, state, side, command)

    def start(judge: Judge[Any]) -> None:
        if state.draw_offer == side:
            judge.emit(DrawLapsed(side), side)
        ruleset.decisions[type(command)](judge, side, command)

    return _judge(ruleset, state, chance).complete(start)


def require_allowed(ruleset: Ruleset, state: GameState, side: str, command: Command) -> None:
    """Refuse what no game allows: the first checks of every order, in the order of the codes."""
    waiting = state.waiting
    if state.winner is not None:
        raise Refusal("core.battle-ended", "CORE-END", winner=state.winner, how=state.how)
    if not state.phase:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    if waiting and not (command.FREE or command.ANSWERS):
        raise Refusal("core.decision-pending", "CORE-DECIDE", side=waiting.side, kind=waiting.kind, unit=waiting.unit)
    if command.ANSWERS:
        if not waiting or waiting.kind != command.ANSWERS or waiting.side != side:
            raise Refusal("core.no-decision", "CORE-DECIDE", kind=command.ANSWERS, side=side)
    elif not command.FREE and side not in ruleset.active(state):
        raise Refusal("core.not-your-turn", "CORE-TURN", side=side, active=state.active)
    if command.PHASES and state.phase not in command.PHASES:
        raise Refusal("core.wrong-phase", "CORE-TURN", phase=state.phase, phases=sorted(command.PHASES))


class _NoChance:
    """Set-up before the first contributions draws nothing."""

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        raise AssertionError(scope)

    def die(self, scope: str, sides: int, t: int = 0) -> int:
        raise AssertionError(scope)


_NO_CHANCE = _NoChance()


def _judge(ruleset: Ruleset, state: Any, chance: Chance) -> Judge[Any]:
    return Judge(state, chance, ruleset.evolutions, ruleset.steps, ruleset.rules)


# --- decisions that every game has


def decide_resign(judge: Judge[Any], side: str, command: Resign) -> None:
    judge.emit(SideResigned(side), side)
    judge.emit(BattleEnded(OTHER[side], "resignation"), rule=judge.rule_of("SideResigned"))


def decide_offer_draw(judge: Judge[Any], side: str, command: OfferDraw) -> None:
    judge.emit(DrawOffered(side), side)


def decide_accept_draw(judge: Judge[Any], side: str, command: AcceptDraw) -> None:
    _require_offer(judge.state, side)
    judge.emit(DrawAccepted(side), side)
    judge.emit(BattleEnded("", "draw"), rule=judge.rule_of("DrawAccepted"))


def decide_decline_draw(judge: Judge[Any], side: str, command: DeclineDraw) -> None:
    _require_offer(judge.state, side)
    judge.emit(DrawDeclined(side), side)


def _require_offer(state: GameState, side: str) -> None:
    if state.draw_offer != OTHER[side]:
        raise Refusal("core.no-draw-offer", "CORE-DRAW", side=side)


DECISIONS: dict[type[Command], Callable[..., None]] = {
    Resign: decide_resign,
    OfferDraw: decide_offer_draw,
    AcceptDraw: decide_accept_draw,
    DeclineDraw: decide_decline_draw,
}
