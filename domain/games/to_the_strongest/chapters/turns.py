"""Chapter TRN: player-turns, the open corps, and the end of a turn."""

from typing import Any

from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, not_yours, unknown_id
from domain.events.battle import Event, TurnBegan, TurnEnded
from domain.games.to_the_strongest.chapters.armed import StratagemTriggered
from domain.games.to_the_strongest.chapters.cards import draw, shuffle
from domain.games.to_the_strongest.chapters.losses import destroy
from domain.games.to_the_strongest.chapters.medals import require_turns_left
from domain.games.to_the_strongest.chapters.wounds import lose_stray
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import Army, Corps, Flank, State, Unit, enemy, general_box, with_army
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from domain.mechanics.cards import laid_returned

CORPS = "TTS-TRN-04"
NONE_OPEN = "tts.no-corps-open"
ARRIVAL = STRATAGEMS["flank-march"].numbers
STRAYS_AFTER = 1
"""`off_turns` of a unit whose last chance to return is the turn now ending (TTS-MOV-12)."""
LEFT_IN_OWN_TURN, LEFT_IN_ENEMY_TURN = 3, 2


# --- commands


class OpenCorps(Command, frozen=True, gc=False, tag="corps"):
    """Open a corps; the one open before is closed."""

    PHASES = phases_of("corps")

    corps: str


class Done(Command, frozen=True, gc=False, tag="done"):
    """Close the open corps, or one's part of a phase before the turns."""

    PHASES = phases_of("done")


class EndPlayerTurn(Command, frozen=True, gc=False, tag="end-turn"):
    """End the turn."""

    PHASES = phases_of("end-turn")


# --- rules


def has_units(state: State, corps: Corps) -> bool:
    """Whether a corps has a unit on the board or able to return (TTS-TRN-05)."""
    return any(unit.box or _can_come(state, unit) for unit in (state.units[name] for name in corps.units))


def _can_come(state: State, unit: Unit) -> bool:
    """Whether a unit can return, enter after a flank march, or show itself from an ambush."""
    if not unit.alive:
        return False
    if unit.off_turns:
        return unit.off_turns < LEFT_IN_OWN_TURN
    flank = flank_of(state, unit)
    return flank.arrived if flank else True  # in ambush, whoever may know where; or there was no place for it


def flank_of(state: State, unit: Unit) -> Flank | None:
    """The flank march on which a unit is still off the board (TTS-STR-05)."""
    if unit.box or unit.off_turns or not unit.alive:
        return None
    return next((flank for flank in state.armies[unit.side].flanks if flank.corps == unit.corps), None)


def require_corps_open(state: State, unit: Unit) -> None:
    """Refuse an order to a unit whose corps has ended, or while another is open (TTS-TRN-04)."""
    army = state.armies[unit.side]
    if unit.corps in army.ended:
        raise Refusal("tts.corps-ended", CORPS, unit=unit.id, corps=unit.corps)
    if army.opened and army.opened != unit.corps:
        raise Refusal("tts.not-current-corps", CORPS, unit=unit.id, corps=unit.corps, open=army.opened)


def order_before(refusal: Refusal) -> str:
    """What opens the corps of a unit that was refused because another is open (TTS-TRN-04); "" for other refusals."""
    is_closed = (refusal.code, refusal.rule) == ("tts.not-current-corps", CORPS)
    return f"corps {refusal.params['corps']}" if is_closed else ""


def is_turn_over(state: State) -> bool:
    """Whether the turn ends by itself: every corps has ended, and no detached general of the last
    one may still make a command move (TTS-TRN-06)."""
    army = state.armies[state.active]
    if army.opened or any(corps.id not in army.ended and has_units(state, corps) for corps in army.corps.values()):
        return False
    last = army.corps.get(army.ended[-1]) if army.ended else None
    general = state.generals.get(last.general) if last else None
    return not (general and general.detached and not general.moved and general_box(state, general))


# --- decisions


def decide_open_corps(judge: Judge[State], side: str, command: OpenCorps) -> None:
    army = judge.state.armies[side]
    corps = _named_corps(army, command.corps)
    if corps is None:
        foreign = _named_corps(judge.state.armies[enemy(side)], command.corps)
        raise not_yours(command.corps, side) if foreign else unknown_id(command.corps)
    if corps.id in army.ended or corps.id == army.opened:
        raise Refusal("tts.corps-ended", CORPS, corps=corps.id, open=army.opened)
    if not has_units(judge.state, corps):
        raise Refusal("tts.corps-empty", "TTS-TRN-05", corps=corps.id)
    judge.push("endcheck")
    open_corps(judge, side, corps.id)


def _named_corps(army: Army, name: str) -> Corps | None:
    """The corps of an army by the id in the scenario, ignoring case (TTS-ORD-02)."""
    return next((corps for corps in army.corps.values() if corps.id.casefold() == name.casefold()), None)


def decide_done(judge: Judge[State], side: str) -> None:
    if not judge.state.armies[side].opened:
        raise Refusal(NONE_OPEN, CORPS, side=side)
    judge.push("endcheck")
    close_corps(judge, side, "done")


def decide_end_turn(judge: Judge[State], side: str, command: EndPlayerTurn) -> None:
    judge.push("end-turn")


def open_corps(judge: Judge[State], side: str, corps: str) -> None:
    """Open a corps, closing the one open before; no effect if it is already open."""
    opened = judge.state.armies[side].opened
    if opened == corps:
        return
    if opened:
        close_corps(judge, side, "closed")
    judge.emit(CorpsBegan(side, corps), side)


def close_corps(judge: Judge[State], side: str, reason: str) -> None:
    """Close the open corps (TTS-TRN-05)."""
    judge.emit(CorpsEnded(side, judge.state.armies[side].opened, reason), side)


def begin_turn(judge: Judge[State], side: str) -> None:
    """Open a side's turn (TTS-TRN-02); a corps on a flank march may arrive (TTS-STR-05)."""
    judge.emit(TurnBegan(side, judge.state.armies[side].turns + 1), side)
    for flank in marching(judge.state, side):
        card = draw(judge, side, "arrival", "", stream="open")
        if card >= ARRIVAL["needed"]:
            event = StratagemTriggered(side=side, stratagem="flank-march", unit=flank.corps)
            judge.emit(event, side, STRATAGEMS["flank-march"].rule)


def marching(state: State, side: str) -> list[Flank]:
    """The flank marches for which a card is drawn in this turn of their side."""
    army = state.armies[side]
    if army.turns < ARRIVAL["turn"]:
        return []
    return [
        flank
        for flank in army.flanks
        if not flank.arrived and any(state.units[unit].alive for unit in army.corps[flank.corps].units)
    ]


# --- events


class CorpsBegan(Event, frozen=True, gc=False):
    """A corps is opened."""

    RULE = CORPS

    side: str
    corps: str


class CorpsEnded(Event, frozen=True, gc=False):
    """A corps is closed and stays so for this turn."""

    RULE = "TTS-TRN-05"
    TOLD_BY = "reason"

    side: str
    corps: str
    reason: str  # failed done closed end-turn


# --- steps


def step_fail_corps(judge: Judge[State]) -> None:
    """A failed activation ends the corps at once (TTS-ACT-03)."""
    close_corps(judge, judge.state.active, "failed")


def step_endcheck(judge: Judge[State]) -> None:
    """After an order of the active side, end the turn if it is over (TTS-TRN-06)."""
    if judge.state.options.auto_end_turn and is_turn_over(judge.state):
        judge.push("end-turn")


def step_end_turn(judge: Judge[State]) -> None:
    """Close the open corps, lose the strays, end the turn; then the other side's begins."""
    side = judge.state.active
    if judge.state.armies[side].opened:
        close_corps(judge, side, "end-turn")
    judge.push("turn-over")
    for unit in reversed(tuple(judge.state.units.values())):
        if unit.side == side and unit.alive and unit.off_turns == STRAYS_AFTER:
            judge.push("stray", unit=unit.id)


def step_stray(judge: Judge[State], *, unit: str) -> None:
    """A unit too long off the field is lost, a general with it (TTS-MOV-12)."""
    lost = judge.state.units[unit]
    destroy(judge, lost, "strayed")
    lose_stray(judge, lost)
    judge.push("corps-lost", side=lost.side, corps=lost.corps)


def step_turn_over(judge: Judge[State]) -> None:
    """The turn closes; decks, turn limit, and the other side's turn (TTS-TRN-06)."""
    state = judge.state
    side = state.active
    judge.emit(TurnEnded(side, state.turn), side)
    if state.options.deck_mode == "each_turn":
        shuffle(judge, side)
    require_turns_left(judge)
    begin_turn(judge, enemy(side))


# --- evolutions


def on_turn_began(state: State, event: TurnBegan) -> State:
    army = replace(state.armies[event.side], turns=event.turn, opened="", ended=())
    return with_army(state, army)


def on_turn_ended(state: State, event: TurnEnded) -> State:
    """The cards leave the units, the once-a-turn rights return (TTS-TRN-06, -07), and the time off
    the field runs (TTS-MOV-12)."""
    army = state.armies[event.side]
    army = replace(army, deck=laid_returned(army.deck), opened="", inspired="")
    units = {
        name: replace(unit, last=0, shifted=False, hero_spent=False, off_turns=max(0, unit.off_turns - 1))
        if unit.side == event.side and (unit.last or unit.shifted or unit.hero_spent or unit.off_turns)
        else unit
        for name, unit in state.units.items()
    }
    generals = {
        name: replace(general, moved=False, spent=()) if general.moved or general.spent else general
        for name, general in state.generals.items()
    }
    return replace(with_army(state, army), units=units, generals=generals)


def on_corps_began(state: State, event: CorpsBegan) -> State:
    return with_army(state, replace(state.armies[event.side], opened=event.corps))


def on_corps_ended(state: State, event: CorpsEnded) -> State:
    army = state.armies[event.side]
    return with_army(state, replace(army, opened="", ended=(*army.ended, event.corps)))


EVOLUTIONS: dict[Any, Any] = {
    TurnBegan: on_turn_began,
    TurnEnded: on_turn_ended,
    CorpsBegan: on_corps_began,
    CorpsEnded: on_corps_ended,
}
STEPS: dict[str, Any] = {
    "fail-corps": step_fail_corps,
    "endcheck": step_endcheck,
    "end-turn": step_end_turn,
    "turn-over": step_turn_over,
    "stray": step_stray,
}
DECISIONS: dict[Any, Any] = {OpenCorps: decide_open_corps, EndPlayerTurn: decide_end_turn}
