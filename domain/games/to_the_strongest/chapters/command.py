"""Chapter CMD: whether a unit is within the radius of a general who commands it."""

from domain.games.to_the_strongest.state.state import General, State, Unit, corps_general, general_box, kind
from domain.mechanics.square import boxes_within, king_distance

ARMY_WIDE = frozenset({"senior", "brilliant", "great"})


def radius(state: State, general: General) -> int:
    """The command radius of a general in boxes (TTS-CMD-01)."""
    options = state.options
    if general.wound == "serious":
        return 0
    if "brilliant" in general.traits:
        return options.radius_brilliant
    if "great" in general.traits:
        return options.radius_great
    return options.radius_attached if general.attached else options.radius_detached


def is_served(state: State, unit: Unit, general: General) -> bool:
    """Whether a unit on the field is within the radius of a general."""
    box = general_box(state, general)
    return bool(box) and king_distance(unit.box, box) <= radius(state, general)


def served_boxes(state: State, general: General) -> tuple[str, ...]:
    """The boxes within the radius of a general, their own first; () for one off the field."""
    box = general_box(state, general)
    return (box, *boxes_within(state.board, box, radius(state, general))) if box else ()


def in_command(state: State, unit: Unit) -> bool:
    """Whether a unit pays no out-of-command penalty.

    Rule: TTS-CMD-01 own general, -02 army-wide generals, -03 general lost, TTS-SCN-01 no general;
          lights never pay (TTS-ACT-07), nor do units off the field (TTS-MOV-12)
    """
    if not unit.box or kind(unit).light:
        return True
    own = corps_general(state, unit)
    if own and is_served(state, unit, own):
        return True
    return any(
        g.side == unit.side and g.alive and not ARMY_WIDE.isdisjoint(g.traits) and is_served(state, unit, g)
        for g in state.generals.values()
    )
