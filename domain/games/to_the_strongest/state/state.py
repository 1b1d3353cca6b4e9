"""The state of a battle of To the Strongest! at one moment.

All values are frozen; evolutions make new ones. Boxes are names ("D4"), "" for off the board.
Units and generals stand in scenario order, the order that decides wherever the rules need one.
`boxes` holds, for each occupied box, the ids of the units in it, the front one first (TTS-STK-03).
"""

from collections.abc import Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.state import OTHER, GameState
from domain.games.to_the_strongest.state.records import Profile
from domain.games.to_the_strongest.state.roster import profile_of
from domain.mechanics.cards import FULL_DECK, Deck
from domain.mechanics.square import Board, on_board

HOME_ROW_FACING = {"south": "N", "north": "S"}
"""Towards the enemy, and inwards from the own edge."""
MARKERS = ("ammo", "lance", "pilum")
"""What a unit uses up and may replenish (TTS-SHT-12, -13)."""
FORMATIONS = ("normal", "shieldwall", "tortoise", "dismounted")
CLOSED_FORMATIONS = frozenset({"shieldwall", "tortoise"})
"""Formations in which a unit neither charges nor moves with a group (TTS-MOV-10)."""
TRAITS = frozenset({"heroic", "senior", "brilliant", "great", "commander"})
"""What a general may be beside the general of a corps (TTS-GEN-01)."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a battle (to-the-strongest.md 1), with their defaults; `ammo_reserve` −1 stands for `auto`."""

    deck_mode: str = "exhaust"
    deep_difficulty: str = "double_when_difficult"
    disorder_difficulty: int = 0
    out_of_command: int = 1
    rally_costs_medal: bool = False
    rout_strict: bool = True
    rout_same_box: bool = True
    radius_attached: int = 1
    radius_detached: int = 2
    radius_brilliant: int = 3
    radius_great: int = 2
    stack_capacity: int = 4
    bonus_cap: int = 2
    closing_fire: bool = True
    exertion: bool = True
    run_amok: bool = True
    hero_shooting: bool = False
    auto_end_turn: bool = True
    turn_limit: int = 0
    deploy_rows: int = 2
    terrain_phase: bool = True
    blind_deployment: bool = False
    stratagems_per_side: int = 1
    ammo_reserve: int = -1
    group_max: int = 6
    wound_table: tuple[int, int, int] = (3, 6, 8)


class Unit(Struct, frozen=True, gc=False):
    """A unit. `last` is its last successful activation card this turn, 0 if none (TTS-ACT-01);
    `off_turns` counts the own turns it may still stay off the field (0: on it), `left_box` and
    `left_edge` are where it left, `paid` the medals paid for leaving (TTS-MOV-12, TTS-MED-06)."""

    id: str
    side: str
    corps: str
    type: str
    quality: str
    extras: tuple[str, ...]
    hero: bool
    steps: int
    box: str
    facing: str
    losses: int
    ammo: int
    ammo_full: int
    lance: int
    lance_full: int
    pilum: int
    pilum_full: int
    formation: str = "normal"
    alive: bool = True
    last: int = 0
    shifted: bool = False
    charged: bool = False
    attacked: bool = False
    hero_spent: bool = False
    off_turns: int = 0
    left_box: str = ""
    left_edge: str = ""
    paid: int = 0


class General(Struct, frozen=True, gc=False):
    """A general. `attached` binds them to a unit, `riding` lets them go with one of their choice;
    `box` counts only while both are empty. `spent` lists the replays used this turn, `placing` says
    that deployment places the general (TTS-SCN-01)."""

    id: str
    side: str
    corps: str
    mounted: bool
    traits: frozenset[str]
    attached: str = ""
    riding: str = ""
    box: str = ""
    alive: bool = True
    wound: str = ""
    moved: bool = False
    spent: tuple[str, ...] = ()
    paid: int = 0
    placing: bool = False

    @property
    def detached(self) -> bool:
        """Whether the general has a base of their own (TTS-GEN-01)."""
        return not self.attached


class Camp(Struct, frozen=True, gc=False):
    """A camp in a box, or one box of joined camps; `fortified` are its sides (N E S W) that help those inside
    (TTS-CMP-03, -04)."""

    side: str
    corps: str
    box: str
    fortified: tuple[str, ...] = ()


class Corps(Struct, frozen=True, gc=False):
    """The units under one general; `general` is "" if the corps never had one. `camp_sides` are the
    fortified sides granted to a camp that deployment places, −1 if the corps has no such camp; `camp_boxes`
    are the boxes of that camp, several if camps are joined (TTS-CMP-04)."""

    id: str
    name: str
    general: str
    units: tuple[str, ...]
    camp_sides: int = -1
    camp_boxes: int = 1


class Held(Struct, frozen=True, gc=False):
    """A stratagem card in a hand, which came there by event `n`; both are unknown to the other side."""

    card: str = ""
    n: int = 0


class Armed(Struct, frozen=True, gc=False):
    """A stratagem that waits to fire by itself, played by event `n` (TTS-STR-02)."""

    stratagem: str
    arguments: tuple[str, ...]
    n: int
    card_n: int


class Flank(Struct, frozen=True, gc=False):
    """A corps on its flank march to the column at an edge, E or W (TTS-STR-05)."""

    corps: str
    edge: str
    arrived: bool = False


class Ambush(Struct, frozen=True, gc=False):
    """Units hidden in a box, by event `n` (TTS-STR-04)."""

    side: str
    units: tuple[str, ...]
    box: str
    n: int
    card_n: int


class Piece(Struct, frozen=True, gc=False):
    """A piece of terrain as placed: `box` is two boxes `D4/D5` for an edge (TTS-TER-10)."""

    number: int
    side: str
    kind: str
    box: str


class HiddenPlacement(Struct, frozen=True, gc=False):
    """What event `n` of a blind deployment hides (TTS-DEP-07): `what` is unit, general, camp, corps,
    stakes, flank-march or card, and `id` names it. `box`, `facing` and `place` are what everybody knew
    of a unit before; for stakes `box` lists the boxes where nobody knew of any."""

    n: int
    side: str
    what: str
    id: str
    box: str = ""
    facing: str = ""
    place: str = ""


class Army(Struct, frozen=True, gc=False):
    """One side. `turns` counts the turns begun; `ended` lists the corps closed this turn, the last
    one last; `opened` is the open corps or ""; before the turns, the corps being deployed.

    `given` are the stratagem cards that the scenario lists, until they are in the `hand`; without
    such a list the side `draws` them. `scouts` are quarter points from a stratagem; `deployed` lists
    the corps that are.
    """

    side: str
    name: str
    medals: int
    medals_full: int
    deck: Deck
    corps: dict[str, Corps]
    ammo: int
    lance: int
    pilum: int
    turns: int = 0
    opened: str = ""
    ended: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    draws: bool = False
    dealt: bool = False
    hand: tuple[Held, ...] = ()
    armed: tuple[Armed, ...] = ()
    scouts: int = 0
    deployed: tuple[str, ...] = ()
    flanks: tuple[Flank, ...] = ()
    inspired: str = ""


class State(GameState, frozen=True, gc=False):
    """A battle. `edges` are keyed by the two boxes in alphabetical order.

    `terrain_given`: no terrain is placed by the players. `pieces` are those of the terrain phase whose
    card has not been drawn, `placed` counts all of a side by class; `done` are the sides that have
    closed their part of the phase. `stratagems_out` are the cards that have left the common deck of
    stratagems, `stratagem_draws` its (epoch, index). `veiled` is what a blind deployment hides.
    """

    title: str = ""
    first: str = "south"
    options: Options = Options()
    board: Board = (12, 8)
    terrain: dict[str, str] = {}
    edges: dict[tuple[str, str], str] = {}
    armies: dict[str, Army] = {}
    units: dict[str, Unit] = {}
    generals: dict[str, General] = {}
    camps: dict[str, Camp] = {}
    boxes: dict[str, tuple[str, ...]] = {}
    terrain_given: bool = True
    pieces: tuple[Piece, ...] = ()
    placed: dict[str, dict[str, int]] = {}
    terrain_deck: Deck = Deck(discards=FULL_DECK)
    done: tuple[str, ...] = ()
    stratagem_draws: tuple[int, int] = (0, 0)
    stratagems_out: frozenset[tuple[str, str]] = frozenset()
    ambushes: tuple[Ambush, ...] = ()
    veiled: tuple[HiddenPlacement, ...] = ()


# --- reading


@cache
def _kind(unit_type: str, dismounted: bool, extras: tuple[str, ...]) -> Profile:
    return profile_of(unit_type, dismounted=dismounted, extras=extras)


def kind(unit: Unit) -> Profile:
    """The profile that a unit fights with: its type, changed by extras and by dismounting."""
    return _kind(unit.type, unit.formation == "dismounted", unit.extras)


def units_in(state: State, box: str) -> tuple[Unit, ...]:
    """The units in a box, the front one first."""
    return tuple(state.units[unit] for unit in state.boxes.get(box, ()))


def enemies_in(state: State, box: str, side: str) -> tuple[Unit, ...]:
    """The enemy units of a side in a box, the front one first."""
    ids = state.boxes.get(box)
    if not ids or state.units[ids[0]].side == side:
        return ()
    return tuple(state.units[unit] for unit in ids)


def comrade(state: State, unit: Unit) -> Unit | None:
    """The other unit of its box."""
    return next((state.units[other] for other in state.boxes.get(unit.box, ()) if other != unit.id), None)


def army_units(state: State, side: str) -> Iterator[Unit]:
    """The living units of a side, on and off the field, in scenario order."""
    return (unit for unit in state.units.values() if unit.side == side and unit.alive)


def general_unit(general: General) -> str:
    """The unit that a general is attached to or riding with, or ""."""
    return general.attached or general.riding


def general_box(state: State, general: General) -> str:
    """Where a general stands; "" when dead or off the field (TTS-CMD-04)."""
    unit = general_unit(general)
    if not general.alive:
        return ""
    return state.units[unit].box if unit else general.box


def generals_in(state: State, box: str, side: str) -> tuple[General, ...]:
    """The living generals of a side in a box, in scenario order."""
    if not box:
        return ()
    return tuple(g for g in state.generals.values() if g.side == side and g.alive and general_box(state, g) == box)


def corps_general(state: State, unit: Unit) -> General | None:
    """The living general of a unit's corps."""
    general = state.generals.get(state.armies[unit.side].corps[unit.corps].general)
    return general if general and general.alive else None


def edge_kind(state: State, edge: tuple[str, str]) -> str:
    """What lies on the edge between two boxes, or ""."""
    one, other = edge
    return state.edges.get((one, other) if one < other else (other, one), "")


def camp_for(state: State, unit: Unit) -> Camp | None:
    """The camp of its own side in whose box the unit stands."""
    camp = state.camps.get(unit.box)
    return camp if camp and camp.side == unit.side else None


def camps_of(state: State, side: str, corps: str) -> tuple[Camp, ...]:
    """The camp of a corps, box by box; () if it does not stand, or is taken."""
    return tuple(camp for camp in state.camps.values() if (camp.side, camp.corps) == (side, corps))


def is_fortified_camp(state: State, box: str) -> bool:
    """Whether a box belongs to a camp with at least one fortified side (TTS-CMP-03); joined camps are one
    (TTS-CMP-04)."""
    camp = state.camps.get(box)
    return camp is not None and any(part.fortified for part in camps_of(state, camp.side, camp.corps))


def is_on_board(state: State, box: str) -> bool:
    """Whether the board of this battle has the box."""
    return on_board(state.board, box)


def enemy(side: str) -> str:
    """The other side."""
    return OTHER[side]


# --- changing: used by evolutions only


def with_unit(state: State, unit: Unit) -> State:
    """The state with one unit changed; its box does not change."""
    return replace(state, units={**state.units, unit.id: unit})


def with_general(state: State, general: General) -> State:
    """The state with one general changed."""
    return replace(state, generals={**state.generals, general.id: general})


def with_army(state: State, army: Army) -> State:
    """The state with one army changed."""
    return replace(state, armies={**state.armies, army.side: army})


def with_unit_in(state: State, unit: Unit, box: str, place: str = "rear") -> State:
    """The state with a unit changed and standing in `box` ("" for off the board), in front of or
    behind whoever is there."""
    boxes = dict(state.boxes)
    if unit.box:
        left = tuple(other for other in boxes[unit.box] if other != unit.id)
        if left:
            boxes[unit.box] = left
        else:
            del boxes[unit.box]
    if box:
        there = boxes.get(box, ())
        boxes[box] = (unit.id, *there) if place == "front" else (*there, unit.id)
    return replace(state, units={**state.units, unit.id: replace(unit, box=box)}, boxes=boxes)
