"""Chapter STR, playing a stratagem: what every play has in common is checked here, the rest by the function of each."""

from collections.abc import Callable
from typing import Any

from domain.engine.judge import Judge, not_yours, off_board, unknown_id
from domain.games.to_the_strongest.chapters import plays_in_set_up, plays_in_turns
from domain.games.to_the_strongest.chapters.decisions import own_general, own_unit
from domain.games.to_the_strongest.chapters.stratagems import Play, misplayed, require_card, require_time
from domain.games.to_the_strongest.state.state import State, enemy, is_on_board
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS, Stratagem

# --- decisions


def decide_play(judge: Judge[State], side: str, command: Play) -> None:
    """Check the ids that an order names, the card, the time, and then the conditions of the stratagem."""
    row = STRATAGEMS[command.stratagem]
    _require_known(judge.state, side, row, command.arguments)
    if command.stratagem == "oracle" and command.arguments:
        plays_in_turns.reorder(judge, side, command.arguments)
        return
    require_card(judge.state, side, row)
    require_time(judge.state, side, row)
    least = sum(1 for argument in row.arguments if not argument.endswith("?"))
    if not least <= len(command.arguments) <= len(row.arguments):
        raise misplayed(command.stratagem, given=list(command.arguments))
    PLAYS[command.stratagem](judge, side, command.arguments)


def _require_known(state: State, side: str, row: Stratagem, arguments: tuple[str, ...]) -> None:
    """Refuse ids and boxes that do not exist, or belong to the wrong side."""
    wanted = [argument.rstrip("?") for argument in row.arguments]
    for name, sort in zip(arguments, _sorts(wanted, len(arguments)), strict=False):
        if sort == "unit":
            own_unit(state, side, name)
        elif sort == "general":
            own_general(state, side, name)
        elif sort == "enemy-general":
            if name not in state.generals:
                raise unknown_id(name)
            if state.generals[name].side == side:
                raise misplayed(row.key, given=[name])
        elif sort == "corps" and name not in state.armies[side].corps:
            raise not_yours(name, side) if name in state.armies[enemy(side)].corps else unknown_id(name)
        elif sort == "box" and not is_on_board(state, name):
            raise off_board(name)


def _sorts(wanted: list[str], given: int) -> list[str]:
    """The kind of each argument: if some may be missing, the last one keeps its place."""
    if given >= len(wanted) or not wanted:
        return wanted
    return [*wanted[: given - 1], wanted[-1]] if given else []


PLAYS: dict[str, Callable[[Judge[State], str, tuple[str, ...]], None]] = {
    "night-march": plays_in_turns.play_night_march,
    "ambush": plays_in_set_up.play_ambush,
    "flank-march": plays_in_set_up.play_flank_march,
    "stakes": plays_in_set_up.play_stakes,
    "false-orders": plays_in_turns.play_false_orders,
    "water": plays_in_turns.play_water,
    "hold": plays_in_turns.play_hold,
    "arrows": plays_in_turns.play_arrows,
    "traitor": plays_in_turns.play_traitor,
    "scouts": plays_in_set_up.play_scouts,
    "inspired": plays_in_turns.play_inspired,
    "ground": plays_in_set_up.play_ground,
    "oracle": plays_in_turns.play_oracle,
}
DECISIONS: dict[Any, Any] = {Play: decide_play}
