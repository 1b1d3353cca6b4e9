"""TTS-STR-02, -07, -09: armed stratagems, which fire by themselves."""

from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.to_the_strongest.state.state import Ambush, Armed, State, enemy, with_army
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS

HIGHEST_FALSE_ORDER = STRATAGEMS["false-orders"].numbers["highest"]


class StratagemTriggered(Event, frozen=True, gc=False, kw_only=True):
    """An armed stratagem fires. `unit` is its target (for a flank march the corps);
    `opens` are the sealed events that belong to it. `rule` is the stratagem's own."""

    RULE = "TTS-STR-02"
    TOLD_BY = "stratagem"

    side: str
    stratagem: str
    unit: str
    opens: tuple[int, ...] | UnsetType = UNSET


def armed_with(state: State, side: str, stratagem: str, unit: str = "") -> Armed | None:
    """The armed stratagem of a side, for a unit if it names one."""
    return next(
        (
            armed
            for armed in state.armies[side].armed
            if armed.stratagem == stratagem and (not unit or armed.arguments == (unit,))
        ),
        None,
    )


def false_orders(state: State, side: str) -> Armed | None:
    """The false orders that wait for a low card of a side (TTS-STR-07)."""
    return armed_with(state, enemy(side), "false-orders")


def laid_from(state: State, side: str, needed: int) -> int:
    """The least activation card that is laid on the unit: below it a card fails, or false orders have it
    drawn again, and it is discarded at once (TTS-DCK-03, TTS-STR-07)."""
    return max(needed, HIGHEST_FALSE_ORDER + 1) if false_orders(state, side) else needed


def fire(judge: Judge[State], side: str, armed: Armed, unit: str) -> None:
    """An armed stratagem fires, and everybody learns of it."""
    emit_triggered(judge, side, armed.stratagem, unit, armed)


def emit_triggered(judge: Judge[State], side: str, stratagem: str, unit: str, told: Armed | Ambush) -> None:
    """Open what was sealed: the card, and the play that laid it ready."""
    opens = (*((told.card_n,) if told.card_n else ()), told.n)
    event = StratagemTriggered(side=side, stratagem=stratagem, unit=unit, opens=opens)
    judge.emit(event, side, STRATAGEMS[stratagem].rule)


def on_stratagem_triggered(state: State, event: StratagemTriggered) -> State:
    """It has fired: it is no longer armed, or hidden; a corps on a flank march has arrived."""
    army = state.armies[event.side]
    opened = event.opens or ()
    flanks = tuple(
        replace(flank, arrived=True) if event.stratagem == "flank-march" and flank.corps == event.unit else flank
        for flank in army.flanks
    )
    army = replace(army, armed=tuple(armed for armed in army.armed if armed.n not in opened), flanks=flanks)
    ambushes = tuple(ambush for ambush in state.ambushes if ambush.n not in opened)
    return replace(with_army(state, army), ambushes=ambushes)


EVOLUTIONS: dict[Any, Any] = {StratagemTriggered: on_stratagem_triggered}
