"""Chapter STR, the stratagems that are played in the turns, each from its arguments to events."""

from typing import Any

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.games.to_the_strongest.chapters.cards import own_pile, pile, shuffle
from domain.games.to_the_strongest.chapters.generals import require_on_field, save_or_wound
from domain.games.to_the_strongest.chapters.movement import Move, arrive, move_unit, plan_move
from domain.games.to_the_strongest.chapters.phases import standing_box
from domain.games.to_the_strongest.chapters.rally import UnitRallied
from domain.games.to_the_strongest.chapters.stratagems import ReserveChanged, StratagemPlayed, emit_play, misplayed
from domain.games.to_the_strongest.state.state import State
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from domain.mechanics.square import VECTOR, box_by


def play_night_march(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-03: each unit of a corps that can goes one box straight ahead, in scenario order."""
    emit_play(judge, side, "night-march", arguments)
    for name in judge.state.armies[side].corps[arguments[0]].units:
        unit = judge.state.units[name]
        if not unit.box or not unit.alive:
            continue
        try:
            plan_move(judge.state, unit, Move(name, "ahead"))
        except Refusal:
            continue
        box = box_by(judge.state.board, unit.box, *VECTOR[unit.facing])
        arrive(judge, move_unit(judge, unit, (box,), unit.facing, "stratagem"))


def play_false_orders(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-07: armed for the next low card with which the enemy succeeds."""
    emit_play(judge, side, "false-orders", arguments)


def play_hold(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-09: armed for the next rout test of a unit."""
    unit = judge.state.units[arguments[0]]
    if not unit.alive:
        raise Refusal("tts.unit-gone", "TTS-DIS-03", unit=unit.id, off=False)
    emit_play(judge, side, "hold", arguments)


def play_water(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-08: one disorder of a unit is gone, held or not."""
    unit = judge.state.units[arguments[0]]
    if not standing_box(judge.state, unit):
        raise Refusal("tts.unit-gone", "TTS-DIS-03", unit=unit.id, off=unit.alive)
    if not unit.losses:
        raise Refusal("tts.not-disordered", "TTS-RLY-02", unit=unit.id)
    emit_play(judge, side, "water", arguments)
    losses = unit.losses - STRATAGEMS["water"].numbers["losses"]
    judge.emit(UnitRallied(unit.id, losses, 0, 0, ()), side, STRATAGEMS["water"].rule)


def play_arrows(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-10: more ammunition in reserve."""
    emit_play(judge, side, "arrows", arguments)
    left = judge.state.armies[side].ammo + STRATAGEMS["arrows"].numbers["ammo"]
    judge.emit(ReserveChanged(side, "ammo", left), side)


def play_traitor(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-11: an enemy general saves, whatever their type, or is wounded."""
    row = STRATAGEMS["traitor"]
    general = judge.state.generals[arguments[0]]
    require_on_field(judge.state, general)
    emit_play(judge, side, "traitor", arguments)
    judge.push("traitor", general=general.id, needed=row.numbers["needed"])


def play_inspired(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-13: a general has one replay more this turn."""
    general = judge.state.generals[arguments[0]]
    require_on_field(judge.state, general)
    emit_play(judge, side, "inspired", arguments)


def play_oracle(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """TTS-STR-15: the owner alone sees their next cards; they are drawn now, under a secret scope."""
    if judge.state.armies[side].deck.looked:
        raise Refusal("tts.stratagem-not-now", STRATAGEMS["oracle"].rule, stratagem="oracle", when="own-turn")
    if not pile(judge.state, side):
        shuffle(judge, side)
    shown = judge.look(own_pile(judge.state, side), side, STRATAGEMS["oracle"].numbers["cards"])
    emit_play(judge, side, "oracle", arguments, shown=shown)


def reorder(judge: Judge[State], side: str, arguments: tuple[str, ...]) -> None:
    """The second half of an oracle: the cards come in the order named (TTS-STR-15)."""
    deck = judge.state.armies[side].deck
    row = STRATAGEMS["oracle"]
    if not deck.looked or len(deck.looked) != deck.shown:
        raise Refusal("tts.stratagem-not-now", row.rule, stratagem="oracle", when=row.when)
    if sorted(arguments) != [str(place) for place in range(1, len(deck.looked) + 1)]:
        raise misplayed("oracle", given=list(arguments))
    judge.emit(StratagemPlayed(side=side, stratagem="oracle", args=arguments), side)


# --- steps


def step_traitor(judge: Judge[State], *, general: str, needed: int) -> None:
    """The general saves, or draws for a wound (TTS-STR-11, TTS-GEN-07)."""
    save_or_wound(judge, general, needed, "traitor")


STEPS: dict[str, Any] = {"traitor": step_traitor}
