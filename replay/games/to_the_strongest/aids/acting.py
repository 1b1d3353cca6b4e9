"""What the engine answers when a unit is given an order: permission, difficulty, and whether a held unit may.

The queries use a made-up battle as in `asking`: open ground, in command, nothing done yet this turn. A held unit
stands in the zone of control of an enemy on its left.
"""

from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.adjudication import plan_group_order, plan_unit_order
from domain.games.to_the_strongest.chapters.groups import MoveGroup
from domain.games.to_the_strongest.state.scenario import load
from domain.games.to_the_strongest.state.setup import on_battle_opened
from domain.games.to_the_strongest.state.state import State
from domain.mechanics.modifiers import Factors

UNIT, MATE = "U1", "U2"
FOOT, MOUNTED = "hoplites", "cavalry_lance"
LIGHTS = ("light_javelin", "light_cavalry_javelin")
LIGHT_BOWS = ("light_bow", "light_cavalry_bow")
LEFT_OF = {"D4": "C4", "D1": "C1"}
HELD, ONLY_HOLDER = "tts.held-by-zoc", ("tts.must-charge-holder", "tts.must-face-holder")
GROUP_HELD = "tts.group-held"


class Order(Struct, frozen=True):
    """Orders that say the same in several directions, and who gives them: a type on foot and one mounted, "" for
    none. `foe` is where an enemy stands with its back to the unit, `unit` what its line of the scenario has besides."""

    key: str
    orders: tuple[str, ...]
    foot: str = FOOT
    mounted: str = MOUNTED
    foe: str = ""
    friend: str = ""
    box: str = "D4"
    unit: dict[str, Any] = {}


ORDERS = (
    Order("ahead", ("ahead",)),
    Order("ahead-2", ("ahead 2",)),
    Order("diagonal", ("ahead-left", "ahead-right")),
    Order("diagonal-2", ("ahead-left then ahead", "ahead-right then ahead")),
    Order("sideways", ("left", "right")),
    Order("back", ("back",)),
    Order("back-2", ("back 2",)),
    Order("turn", ("turn right", "turn about")),
    Order("turn-2", ("turn right then ahead",)),
    Order("swap", ("swap",)),
    Order("swap-2", ("swap then ahead",)),
    Order("pass", ("pass ahead", "pass back"), *LIGHTS, friend="D5"),
    Order("march", ("march",)),
    Order("group", ("group",)),
    Order("charge", ("charge D5",), foe="D5"),
    Order("charge-diagonal", ("charge E5",), foe="E5"),
    Order("charge-2", ("charge D6",), foe="D6"),
    Order("charge-2-diagonal", ("charge E6",), foe="E6"),
    Order("shoot", ("shoot D5",), "bowmen", "cavalry_bow", foe="D5"),
    Order("move-shoot", ("ahead then shoot D6",), *LIGHTS, foe="D6"),
    Order("shoot-back", ("shoot D5 then back",), *LIGHT_BOWS, foe="D5"),
    Order("rally", ("rally",), unit={"disorder": 1}),
    Order("replenish", ("replenish ammo",), "bowmen", "cavalry_bow", unit={"ammo": 1}),
    Order("form", ("form shieldwall",), "spearmen", ""),
    Order("leave", ("leave",), box="D1"),
)
"""The orders of the table, in its order; `return` is not among them, because a unit must have left first."""


def answer(asked: Order, kind: str, order: str, held: bool = False) -> Factors | Refusal:
    """The difficulties of an order to a unit of a type, or its refusal."""
    state = _battle(asked, kind, held)
    text = f"group {UNIT} {MATE} ahead" if order == "group" else f"{UNIT} {order}"
    command = RULESET.orders.parse(text)
    try:
        if isinstance(command, MoveGroup):
            return plan_group_order(state, "south", command).factors
        return plan_unit_order(state, "south", command).factors
    except Refusal as refusal:
        return refusal


def is_allowed(asked: Order, kind: str) -> bool:
    """Whether a unit of a type may be given the order at all."""
    return bool(kind) and not isinstance(answer(asked, kind, asked.orders[0]), Refusal)


def may_reverse(asked: Order) -> bool:
    """Whether the order may request the opposite facing at its end (TTS-MOV-05)."""
    kind = asked.mounted or asked.foot
    try:
        RULESET.orders.parse(f"{UNIT} {asked.orders[0]} facing S")
    except Refusal:
        return False
    return not isinstance(answer(asked, kind, f"{asked.orders[0]} facing S"), Refusal)


def while_held(asked: Order) -> str:
    """`yes`, `no`, or `holder`: only towards an enemy that holds the unit (TTS-ZOC-03, -04)."""
    refused = answer(asked, asked.mounted or asked.foot, asked.orders[0], held=True)
    if not isinstance(refused, Refusal):
        return "yes"
    if refused.code in ONLY_HOLDER:
        return "holder"
    assert refused.code in (HELD, GROUP_HELD), refused.code
    return "no"


def _battle(asked: Order, kind: str, held: bool) -> State:
    """The battle for the query; the mate shares the unit's box, behind it."""
    given = {"id": UNIT, "type": kind, "box": asked.box, "place": "front", **asked.unit}
    own = [given, {"id": MATE, "type": "light_sling", "box": asked.box}]
    own += [{"id": "U3", "type": "light_sling", "box": asked.friend}] if asked.friend else []
    foes = [{"id": "N1", "type": FOOT, "box": "L8"}]
    foes += [{"id": "N2", "type": FOOT, "box": asked.foe, "facing": "N"}] if asked.foe else []
    foes += [{"id": "N3", "type": FOOT, "box": LEFT_OF[asked.box], "facing": "E"}] if held else []
    south = {"id": "I", "general": {"id": "G1", "attached": UNIT}, "units": own}
    sides = {"south": {"name": "S", "corps": [south]}, "north": {"name": "N", "corps": [{"id": "II", "units": foes}]}}
    return on_battle_opened(State(), load({"ruleset": "tts", "title": "-", "first": "south", "sides": sides}))
