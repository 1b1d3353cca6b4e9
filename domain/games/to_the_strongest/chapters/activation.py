"""Chapter ACT: the card a unit needs to act, and what follows success or failure."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypedDict

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, Step
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.armed import HIGHEST_FALSE_ORDER, false_orders, fire, laid_from
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.command import in_command
from domain.games.to_the_strongest.chapters.replays import offer_replay
from domain.games.to_the_strongest.state.state import State, Unit, enemy, kind
from domain.mechanics.modifiers import Factor, Factors, total

HIGHEST_CARD = 10
LEAST_NEEDED = 2
SHOOTING_ACTIONS = frozenset({"shoot", "move-shoot", "shoot-back"})
OUT_OF_COMMAND, DISORDERED = "TTS-ACT-17", "TTS-ACT-22"  # how much: options `out_of_command`, `disorder_difficulty`
DIFFICULTIES: Mapping[str, Factor] = MappingProxyType(
    {
        factor.why: factor
        for factor in (
            Factor("TTS-ACT-11", "diagonal", 1),
            Factor("TTS-ACT-12", "sideways", 1),
            Factor("TTS-ACT-13", "backwards", 1),
            Factor("TTS-ACT-14", "turn", 1),
            Factor("TTS-ACT-14", "swap", 1),
            Factor("TTS-ACT-15", "rough", 1),
            Factor("TTS-ACT-16", "deep", 1),
            Factor("TTS-ACT-18", "formation", 1),
            Factor("TTS-ACT-19", "obstacle", 1),
            Factor("TTS-ACT-20", "artillery", 1),
            Factor("TTS-ACT-21", "return", 1),
        )
    }
)
"""The difficulties of TTS-ACT-06 whose size no option sets, by their `why`."""


class ActivationPlan(Struct, frozen=True, gc=False):
    """An order that the rules allow, worked out but not begun.

    `unit` draws the card; `factors` are its difficulties; `then` are the steps that carry the
    action out, the first to run first; `group` names all members of a group.
    """

    unit: Unit
    action: str
    factors: Factors
    then: tuple[Step, ...]
    group: tuple[str, ...] = ()

    @property
    def needed(self) -> int:
        """What the card must reach (TTS-ACT-01)."""
        return needed_number(self.unit, self.factors)


class PathCosts(TypedDict):
    """What a path touches: rough ground or a camp, an obstacle (TTS-ACT-15, -19)."""

    rough: bool
    obstacle: bool


Planner = Callable[[State, Unit, Any], ActivationPlan]


# --- rules


def needed_number(unit: Unit, factors: Factors) -> int:
    """What the activation card of a unit must reach.

    Rule:    TTS-ACT-01, -02: 2, or one more than the last card, plus the difficulties
    Returns: 2 or more; above 10 the order is refused (TTS-ACT-04)
    """
    return needed_after(unit.last, factors)


def needed_after(last: int, factors: Factors) -> int:
    """The same computed from the last card alone, 0 if none lies on the unit (TTS-ACT-01)."""
    return max(LEAST_NEEDED, last + 1) + total(factors)


def difficulties(
    state: State,
    unit: Unit,
    *,
    diagonal: bool = False,
    sideways: bool = False,
    backwards: bool = False,
    turning: str = "",
    rough: bool = False,
    formation: bool = False,
    obstacle: bool = False,
    artillery: bool = False,
    returning: bool = False,
) -> Factors:
    """The difficulty factors of an action, in ascending order of ID.

    Rule:    TTS-ACT-06, simple actions TTS-ACT-09, lights TTS-ACT-07, deep units TTS-ACT-16 and
             -08, disorder TTS-ACT-22
    `turning` is "", `turn` or `swap`; `artillery`: a gun moves, turns or leaves.
    """
    profile, options = kind(unit), state.options
    heavy = not profile.light
    factors = []
    if heavy and diagonal:
        factors.append(DIFFICULTIES["diagonal"])
    if heavy and sideways:
        factors.append(DIFFICULTIES["sideways"])
    if heavy and backwards:
        factors.append(DIFFICULTIES["backwards"])
    if heavy and turning:
        factors.append(DIFFICULTIES[turning])
    if rough and (heavy or "rough_pays" in profile.flags):
        factors.append(DIFFICULTIES["rough"])
    always = options.deep_difficulty == "always_plus_one"
    if profile.deep and (always or factors):
        factors.append(DIFFICULTIES["deep"])
    if heavy and options.out_of_command and not in_command(state, unit):
        factors.append(Factor(OUT_OF_COMMAND, "out-of-command", options.out_of_command))
    if heavy and formation:
        factors.append(DIFFICULTIES["formation"])
    if heavy and obstacle:
        factors.append(DIFFICULTIES["obstacle"])
    if artillery and profile.artillery:
        factors.append(DIFFICULTIES["artillery"])
    if heavy and returning:
        factors.append(DIFFICULTIES["return"])
    if unit.losses and options.disorder_difficulty:
        factors.append(Factor(DISORDERED, "disordered", options.disorder_difficulty))
    return tuple(factors)


def require_possible(plan: ActivationPlan) -> ActivationPlan:
    """Refuse an order that no card can pass (TTS-ACT-04); otherwise return its plan."""
    if plan.needed > HIGHEST_CARD:
        raise Refusal(
            "tts.need-over-10",
            "TTS-ACT-04",
            unit=plan.unit.id,
            needed=plan.needed,
            last=plan.unit.last,
            factors=msgspec.to_builtins(plan.factors),
        )
    return plan


# --- events


class _ActivationCompared(Event, frozen=True, gc=False):
    RULE = "TTS-ACT-01"

    unit: str
    action: str
    needed: int
    card: int
    factors: Factors
    group: tuple[str, ...]  # all members; () for a single unit


class ActivationPassed(_ActivationCompared, frozen=True, gc=False):
    """The final card suffices; it is laid on the unit, or on every member of the group."""


class ActivationFailed(_ActivationCompared, frozen=True, gc=False):
    """The final card does not suffice; the corps ends and nothing of the action happens."""


# --- steps


def begin_action(judge: Judge[State], plan: ActivationPlan) -> None:
    """Put an activation on the agenda."""
    judge.push(
        "activate",
        unit=plan.unit.id,
        action=plan.action,
        needed=plan.needed,
        factors=msgspec.to_builtins(plan.factors),
        group=list(plan.group),
        then=[[name, arguments] for name, arguments in plan.then],
    )


def step_activate(judge: Judge[State], *, unit: str, needed: int, group: list[str], **rest: Any) -> None:
    """Draw the activation card; a failure may be replayed (TTS-GEN-10)."""
    side = judge.state.units[unit].side
    card = draw(judge, side, "activation", unit, keep_from=laid_from(judge.state, side, needed))
    arguments = {"unit": unit, "needed": needed, "group": group, "card": card, **rest}
    if card >= needed or not offer_replay(judge, group or [unit], "activation", card, needed, "reactivate", arguments):
        judge.push("activated", **arguments)


def step_reactivate(judge: Judge[State], *, replayed: int, **arguments: Any) -> None:
    """The card after the replay was refused (`replayed` 0) or made stands."""
    if replayed:
        arguments["card"] = replayed
    judge.push("activated", **arguments)


def step_activated(
    judge: Judge[State],
    *,
    unit: str,
    action: str,
    needed: int,
    card: int,
    factors: list[dict[str, Any]],
    group: list[str],
    then: list[list[Any]],
) -> None:
    """Compare the final card; carry the action out, or end the corps (TTS-ACT-03)."""
    acting = judge.state.units[unit]
    trap = false_orders(judge.state, acting.side)
    if trap and needed <= card <= HIGHEST_FALSE_ORDER:  # TTS-STR-07
        fire(judge, enemy(acting.side), trap, unit)
        card = draw(judge, acting.side, "activation", unit, keep_from=needed)
    facts = unit, action, needed, card, convert(factors, Factors), tuple(group)
    if card >= needed:
        judge.emit(ActivationPassed(*facts), acting.side)
        for name, arguments in reversed(then):
            judge.push(name, **arguments)
        return
    judge.emit(ActivationFailed(*facts), acting.side)
    judge.push("fail-corps")
    if card == 1 and kind(acting).weapon == "cannon" and action in SHOOTING_ACTIONS:
        judge.push("burst", unit=unit)


# --- evolutions


def on_activation_passed(state: State, event: ActivationPassed) -> State:
    members = event.group or (event.unit,)
    changed = {unit: replace(state.units[unit], last=event.card) for unit in members}
    return replace(state, units={**state.units, **changed})


EVOLUTIONS: dict[Any, Any] = {ActivationPassed: on_activation_passed, ActivationFailed: unchanged}
STEPS: dict[str, Any] = {"activate": step_activate, "reactivate": step_reactivate, "activated": step_activated}
