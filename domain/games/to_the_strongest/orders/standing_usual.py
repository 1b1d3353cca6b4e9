"""Chapter TRN: the standing orders that most players give at the beginning (TTS-TRN-11)."""

from domain.basics.commands import Standing
from domain.games.to_the_strongest.chapters.medals import unit_medals
from domain.games.to_the_strongest.chapters.standing import LONGEST_VALUE
from domain.games.to_the_strongest.orders.notation import write
from domain.games.to_the_strongest.state.state import State, army_units

REPLAY = "if needs at most 6"


def usual(state: State, side: str) -> tuple[str, ...]:
    """The usual answers in advance: evade from heavier troops (TTS-EVD-04), draw a likely card again, join the unit
    that is soundest and worth most (TTS-GEN-08).

    Rule:  TTS-TRN-11
    Shape: order lines in canonical notation; `state` as the side knows it; () while the battle is being set up
    """
    if state.phase != "turns":
        return ()
    units = sorted(army_units(state, side), key=lambda unit: (unit.losses - unit.steps, -unit_medals(unit)))
    homes = ""
    for unit in units:
        if len(homes) + len(unit.id) + 1 > LONGEST_VALUE:
            break
        homes = f"{homes} {unit.id}".strip()
    orders = [Standing("evade", "", "heavier"), Standing("replay", "", REPLAY)]
    if homes:
        orders.append(Standing("join", "", homes))
    return tuple(write(order, "en") for order in orders)
