"""The engine's own half of decide and evolve: what is the same for every game.

It refuses what no game allows, hands the order to the game's decision, and folds events into the game's state.
Resigning and agreeing on a draw are decided here, so that no game has to.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.commands import AcceptDraw, Command, DeclineDraw, OfferDraw, Resign
from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.engine.judge import Judge
from domain.engine.state import GameState, require_lasting
from domain.events.battle import (
    BattleEnded,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    Event,
    Fact,
    SideResigned,
)
from domain.log.chance import Chance


def to_act(ruleset: Ruleset, state: GameState) -> tuple[str, ...]:
    """Whose clock runs: the side asked, else the active ones; nobody before and after."""
    if state.winner is not None or not state.phase:
        return ()
    return (state.waiting.side,) if state.waiting else (ruleset.rules.awaited or ruleset.rules.active)(state)


# --- folding


def evolve(ruleset: Ruleset, state: Any, event: Event, n: int) -> Any:
    """The state after event `n` of the log; events that no game rule reads only count."""
    evolution = ruleset.evolutions.get(type(event))
    return replace(evolution(state, event) if evolution else state, n=n)


def folded(ruleset: Ruleset, state: Any, facts: Iterable[Fact]) -> Any:
    """The state after some facts, one event after the other."""
    for fact in facts:
        state = evolve(ruleset, state, fact.event, state.n + 1)
    return state


# --- deciding


def opening(ruleset: Ruleset, scenario: Mapping[str, Any]) -> tuple[Fact, ...]:
    """The facts that open a battle; the first is its `BattleOpened`.

    Raises: Refusal of the game for a bad scenario
    """

    def start(judge: Judge[Any]) -> None:
        opened = ruleset.opening.load(scenario)
        judge.emit(opened, rule=ruleset.rules.cited.get("BattleOpened", opened.RULE))
        ruleset.opening.set_up(judge)

    return _judge(ruleset, ruleset.rules.initial, _NO_CHANCE).complete(start)


def set_up_after(ruleset: Ruleset, opened: Event) -> tuple[Fact, ...]:
    """The facts that follow a `BattleOpened` at once: what an audit compares. A branch finds everything set up."""
    if getattr(opened, "position", UNSET) is not UNSET:
        return ()
    state = evolve(ruleset, ruleset.rules.initial, opened, 1)
    return _judge(ruleset, state, _NO_CHANCE).complete(ruleset.opening.set_up)


def beginning(ruleset: Ruleset, state: GameState) -> tuple[Fact, ...]:
    """The facts that start play, once all sides are taken. A branch goes on in the phase of its position."""
    if state.resumes:
        return ()
    return _judge(ruleset, state, _NO_CHANCE).complete(ruleset.opening.begin)


def proceeding(ruleset: Ruleset, state: GameState, chance: Chance) -> tuple[Fact, ...]:
    """The facts that had to wait until cards could fall: all sides have contributed now."""
    if state.winner is not None:
        return ()
    return _judge(ruleset, state, chance).complete(ruleset.opening.proceed)


def decide(ruleset: Ruleset, state: GameState, side: str, command: Command, chance: Chance) -> tuple[Fact, ...]:
    """What follows from an order; a `Refusal` if it may not be given."""
    require_allowed(ruleset, state, side, command)
    kind = type(command)
    decision = ruleset.orders.decisions.get(kind) or DECISIONS[kind]

    def start(judge: Judge[Any]) -> None:
        if state.draw_offer == side:
            judge.emit(DrawLapsed(side), side)
        decision(judge, side, command)

    return _judge(ruleset, state, chance).complete(start)


def require_allowed(ruleset: Ruleset, state: GameState, side: str, command: Command) -> None:
    """Refuse what no game allows: the first checks of every order, in the order of the codes."""
    waiting = state.waiting
    require_lasting(state)
    if not state.phase:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    answers = waiting is not None and (command.ANSWERS, side) == (waiting.kind, waiting.side)
    if waiting and not (command.FREE or answers or (command.ANSWERS and not _waits(ruleset, side, waiting.side))):
        raise Refusal("core.decision-pending", "CORE-DECIDE", side=waiting.side, kind=waiting.kind, unit=waiting.unit)
    if command.ANSWERS:
        if not answers:
            raise Refusal("core.no-decision", "CORE-DECIDE", kind=command.ANSWERS, side=side)
    elif not command.FREE and side not in ruleset.rules.active(state):
        raise Refusal("core.not-your-turn", "CORE-TURN", side=side, active=state.active)
    if command.PHASES and state.phase not in command.PHASES:
        raise Refusal("core.wrong-phase", "CORE-TURN", phase=state.phase, phases=sorted(command.PHASES))


def _waits(ruleset: Ruleset, side: str, asked: str) -> bool:
    """Whether an answer that is not to the question that waits is refused as any other order is."""
    return ruleset.orders.waits_first or (ruleset.orders.asked_first and side != asked)


class _NoChance:
    """Set-up before the first contributions draws nothing."""

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        raise AssertionError(scope)

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        raise AssertionError(scope)


_NO_CHANCE = _NoChance()


def _judge(ruleset: Ruleset, state: Any, chance: Chance) -> Judge[Any]:
    return Judge(state, chance, ruleset.evolutions, ruleset.rules.steps, ruleset.rules.cited, ruleset.seats)


# --- decisions that every game has


def decide_resign(judge: Judge[Any], side: str, command: Resign) -> None:
    """The other side wins; a game with more than two decides itself (`Ruleset.seats`)."""
    judge.emit(SideResigned(side), side)
    judge.emit(BattleEnded(judge.seats.opponent(side), "resignation"), rule=judge.rule_of("SideResigned"))


def decide_offer_draw(judge: Judge[Any], side: str, command: OfferDraw) -> None:
    """The offer stands until it is answered or its side gives another order."""
    judge.emit(DrawOffered(side), side)


def decide_accept_draw(judge: Judge[Any], side: str, command: AcceptDraw) -> None:
    """Nobody wins, once all others have accepted."""
    _require_offer(judge.state, side)
    judge.emit(DrawAccepted(side), side)
    if set(judge.seats.others(judge.state.draw_offer)) <= {*judge.state.draw_agreed}:
        judge.emit(BattleEnded("", "draw"), rule=judge.rule_of("DrawAccepted"))


def decide_decline_draw(judge: Judge[Any], side: str, command: DeclineDraw) -> None:
    """The battle goes on: one that does not want it is enough."""
    _require_offer(judge.state, side)
    judge.emit(DrawDeclined(side), side)


def _require_offer(state: GameState, side: str) -> None:
    if state.draw_offer in ("", side) or side in state.draw_agreed:
        raise Refusal("core.no-draw-offer", "CORE-DRAW", side=side)


DECISIONS: dict[type[Command], Callable[..., None]] = {
    Resign: decide_resign,
    OfferDraw: decide_offer_draw,
    AcceptDraw: decide_accept_draw,
    DeclineDraw: decide_decline_draw,
}
"""The commands of every game (`domain.basics.commands.SHARED_COMMANDS`)."""
