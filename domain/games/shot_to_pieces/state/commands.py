"""The orders of the game as commands (chapter ORD): lengths in 1/100 cm, angles and bearings in 1/100 degree.

All of them stand here, because several chapters plan each other's orders: a group moves, turns, and forms by the same
actions as a single unit.
"""

from typing import Literal

from msgspec import Struct

from domain.basics.commands import Command

Point = tuple[int, int]
Side = Literal["", "left", "right"]
NONE = -1
"""A length or bearing that was not given."""


class Heading(Struct, frozen=True, gc=False):
    """Where to face: a bearing, so far to a side, about, or at a unit or general."""

    to: Literal["bearing", "left", "right", "about", "at"]
    angle: int = 0
    unit: str = ""


# --- command and deployment


class OrderCorps(Command, frozen=True, gc=False, tag="order"):
    """A general order to a corps (STP-CMD-01, -07)."""

    corps: str
    general_order: Literal["advance", "hold"]
    goal: Point | None = None


class Detach(Command, frozen=True, gc=False, tag="detach"):
    """Units go to another corps (STP-OPT-07)."""

    units: tuple[str, ...]
    corps: str


class DeployAt(Command, frozen=True, gc=False, tag="deploy"):
    """Place a unit or a general before the battle (STP-GAP-25); facing `NONE` and formation "" are the usual ones."""

    name: str
    at: Point
    facing: int = NONE
    formation: str = ""


# --- units


class Face(Command, frozen=True, gc=False, tag="face"):
    """Turn on the spot: an order of its own (STP-ORD-02)."""

    unit: str
    heading: Heading


class MoveStraight(Command, frozen=True, gc=False, tag="move"):
    """Turn, then go straight, at most `angle` to a side of the facing (STP-MOV-02)."""

    unit: str
    distance: int
    face: Heading | None = None
    side: Side = ""
    angle: int = 0
    engage: str = ""


class Back(Command, frozen=True, gc=False, tag="back"):
    """Back away, facing the enemy (STP-MOV-05, -06)."""

    unit: str
    distance: int


class About(Command, frozen=True, gc=False, tag="about"):
    """Turn about, cavalry on the flank named, and perhaps go on (STP-MOV-03)."""

    unit: str
    side: Side = ""
    distance: int = NONE


class Beside(Command, frozen=True, gc=False, tag="beside"):
    """Step from the rear of a friend to its flank (STP-MOV-04)."""

    unit: str
    friend: str
    side: Side


class Prolong(Command, frozen=True, gc=False, tag="prolong"):
    """Manhandle a gun (STP-MOV-15)."""

    unit: str
    distance: int
    bearing: int


class Charge(Command, frozen=True, gc=False, tag="charge"):
    """Charge a target (STP-CHG-01); without `face` at its centre."""

    unit: str
    target: str
    face: Heading | None = None
    side: Side = ""
    angle: int = 0
    mode: Literal["normal", "all-out", "rash"] = "normal"


class BreakOff(Command, frozen=True, gc=False, tag="break"):
    """Cavalry leaves a melee (STP-ORD-07)."""

    unit: str
    side: Side = ""
    angle: int = 0


class Occupy(Command, frozen=True, gc=False, tag="occupy"):
    """Choose the facing in what was taken (STP-BLD-01)."""

    unit: str
    heading: Heading


class ChangeFormation(Command, frozen=True, gc=False, tag="form"):
    """Change formation, mount or dismount (STP-FRM-01)."""

    unit: str
    formation: str


class ByReference(Command, frozen=True, gc=False, tag="reference"):
    """A move without a ruler (STP-ORD-10): it comes to one of the others, by the state in which it is given.

    `place` is the id of terrain or of a unit, `at` a point in its stead; `band` `short`, `long` or `max`; `distance`
    `NONE` for as far as there is a reason to go.
    """

    unit: str
    verb: Literal[
        "ahead", "contact", "range", "towards", "behind", "into", "along", "wheel", "turn", "back", "level", "join"
    ]
    face: Heading | None = None
    distance: int = NONE
    side: Side = ""
    angle: int = 0
    band: Literal["", "short", "long", "max"] = ""
    place: str = ""
    at: Point | None = None


Action = (
    Face | MoveStraight | Back | About | Beside | Prolong | Charge | BreakOff | Occupy | ChangeFormation | ByReference
)
"""What one unit may be told to do before the fire."""


class MoveAsGroup(Command, frozen=True, gc=False, tag="group"):
    """One move for all of a group, after a wheel if there is one (STP-ORD-05); distance `NONE`: the wheel alone."""

    units: tuple[str, ...]
    distance: int = NONE
    side: Side = ""
    angle: int = 0
    wheel: Side = ""
    wheel_angle: int = 0


class Together(Command, frozen=True, gc=False, tag="together"):
    """Each member of a group with its own action, for one order (STP-ACT-05)."""

    actions: tuple[Action, ...]


# --- generals


class MoveGeneralBy(Command, frozen=True, gc=False, tag="general-move"):
    """A general goes so far in a direction (STP-ACT-04)."""

    general: str
    distance: int
    bearing: int


class SendGeneral(Command, frozen=True, gc=False, tag="general-to"):
    """A general goes to a place (STP-ACT-04)."""

    general: str
    to: Point


class AttachGeneral(Command, frozen=True, gc=False, tag="general-with"):
    """A general joins a unit, or with "" leaves it (STP-CMD-06)."""

    general: str
    unit: str = ""


# --- fire


class Fire(Command, frozen=True, gc=False, tag="fire"):
    """Declare fire; the first unit is the reference unit (STP-ORD-06)."""

    units: tuple[str, ...]
    target: str
    indirect: bool = False


class Strafe(Command, frozen=True, gc=False, tag="strafe"):
    """An aircraft flies over the table (STP-WW1-11)."""

    start: Point
    end: Point


# --- the course of a turn


class CloseStep(Command, frozen=True, gc=False, tag="done"):
    """Close the step."""


class CloseTurn(Command, frozen=True, gc=False, tag="end-turn"):
    """Close every step that is left to the side (STP-SEQ-07)."""


class StandUsual(Command, frozen=True, gc=False, tag="usual"):
    """Give all the usual standing orders (STP-ORD-11)."""

    FREE = True
    PRIVATE = True


# --- answers


class EvadeCharge(Command, frozen=True, gc=False, tag="evade"):
    """Whether a unit evades, and in which direction (STP-EVD-01, -07)."""

    ANSWERS = "evade"

    answer: Literal["yes", "no"]
    side: Side = ""
    angle: int = 0


class FollowThrough(Command, frozen=True, gc=False, tag="pursue"):
    """How far a charger goes whose target is gone (STP-CHG-05)."""

    ANSWERS = "pursue"

    answer: Literal["place", "full"]


class Advance(Command, frozen=True, gc=False, tag="advance"):
    """Whether the winner of a melee goes forward (STP-GAP-06)."""

    ANSWERS = "advance"

    answer: Literal["yes", "no"]


class Reroll(Command, frozen=True, gc=False, tag="reroll"):
    """Whether an attached leader has a die thrown again (STP-CMD-06)."""

    ANSWERS = "reroll"

    answer: Literal["yes", "no"]


class Resolve(Command, frozen=True, gc=False, tag="resolve"):
    """Which salvo is fired next (STP-SEQ-04)."""

    ANSWERS = "fire-order"

    answer: str


class ChooseEvent(Command, frozen=True, gc=False, tag="event"):
    """What a D20 event is to be, or whom it is for (STP-EVT-11, -20)."""

    ANSWERS = "event"

    answer: str
