"""Check a scenario file and make its opening event (to-the-strongest.md 5).

A scenario that does not is refused with `tts.bad-scenario`, the offending key and what is wrong
(TTS-SCN-02). All defaults are resolved here and recorded in `BattleOpened`, so that the state folds
from the log alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.engine.errors import Refusal
from domain.engine.state import SIDES
from domain.games.to_the_strongest.state.ground import BOX_KINDS, EASY, EDGE_KINDS, OPEN
from domain.games.to_the_strongest.state.identifiers import begins_an_order, is_box, is_well_formed
from domain.games.to_the_strongest.state.roster import (
    EXTRAS,
    MOST_CAMPS,
    PROFILES,
    QUALITIES,
    starting_medals,
    victory_points,
)
from domain.games.to_the_strongest.state.setup import (
    BattleOpened,
    CampSetUp,
    CorpsSetUp,
    GeneralSetUp,
    SideSetUp,
    UnitSetUp,
    camp_boxes,
    camp_parts,
    camp_size,
    on_battle_opened,
)
from domain.games.to_the_strongest.state.state import HOME_ROW_FACING, TRAITS, Options, State, Unit, kind
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS, cards_named
from domain.mechanics.square import FACINGS, MAX_COLUMNS, MAX_ROWS, VECTOR, XY, are_linked, on_board, step_between

RULE = "TTS-SCN-02"
IMPLIED = {"brilliant": {"senior"}, "great": {"senior", "heroic"}}
CHOICES = {
    "deck_mode": ("exhaust", "each_turn", "d10"),
    "deep_difficulty": ("double_when_difficult", "always_plus_one"),
}
FORMATION_FLAGS = {"normal": "", "shieldwall": "shieldwall", "tortoise": "tortoise", "dismounted": "dismount"}
UNIT_PER_AMMO_RESERVE, UNITS_PER_MARKER_RESERVE = 2, 3
MISSING = -1


# --- the file


class _Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The members that a scenario file may have; unknown keys are refused by name."""


class UnitGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A unit as written; −1 and "" stand for the default."""

    id: str
    type: str
    quality: str = ""
    box: str = ""
    facing: str = ""
    hero: bool = False
    disorder: int = 0
    ammo: int = MISSING
    lance: int = MISSING
    pilum: int = MISSING
    formation: str = "normal"
    place: str = ""
    extras: tuple[str, ...] = ()


class GeneralGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A general as written."""

    id: str
    mounted: bool = False
    attached: str = ""
    box: str = ""
    traits: tuple[str, ...] = ()


class CampGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A camp as written: in `box`, or in all of `boxes`; without either it waits for deployment.

    `boxes` is a number where joined camps wait (TTS-CMP-04).
    """

    box: str = ""
    fortified: tuple[str, ...] = ()
    boxes: int | tuple[str, ...] = 1

    @property
    def places(self) -> tuple[str, ...]:
        """The boxes in which it stands."""
        return self.boxes if isinstance(self.boxes, tuple) else (self.box,) if self.box else ()

    @property
    def size(self) -> int:
        """The number of its boxes."""
        return self.boxes if isinstance(self.boxes, int) else len(self.boxes)


class CorpsGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A corps as written."""

    id: str
    name: str = ""
    name_fr: str = ""
    general: GeneralGiven | None = None
    camp: CampGiven | None = None
    units: tuple[UnitGiven, ...] = ()


class SideGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A side as written."""

    name: str
    corps: tuple[CorpsGiven, ...]
    name_fr: str = ""
    medals: int | None = None
    stratagems: tuple[str, ...] | None = None


class BoardGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """The size of the board."""

    columns: int = 12
    rows: int = 8


class TerrainGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A box that is not open ground."""

    box: str
    kind: str


class EdgeGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """What lies between two neighbouring boxes."""

    between: tuple[str, str]
    kind: str


class ScenarioGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A whole scenario file; `history`, `sources` and what ends in `_fr` are for readers."""

    ruleset: str
    title: str
    sides: dict[str, SideGiven]
    first: str = "south"
    options: dict[str, Any] = {}
    board: BoardGiven = BoardGiven()
    terrain: tuple[TerrainGiven, ...] | None = None
    edge: tuple[EdgeGiven, ...] = ()
    title_fr: str = ""
    history: str = ""
    history_fr: str = ""
    sources: tuple[str, ...] = ()


# --- loading


def load(scenario: Mapping[str, Any]) -> BattleOpened:
    """A scenario (parsed TOML) as the event that opens its battle.

    Raises: Refusal tts.bad-scenario with `key` and `fault`
    """
    try:
        given = msgspec.convert(dict(scenario), ScenarioGiven)
        options = msgspec.convert(_options(given.options), Options)
    except msgspec.ValidationError as error:
        raise _bad(_path_of(error), "shape", found=str(error).partition(" - at ")[0]) from None
    opened = _opened(_in_capitals(given), options)
    _check(opened)
    return opened


def _bad(key: str, fault: str, **params: Any) -> Refusal:
    """`fault` says what is wrong at `key` and chooses the sentence."""
    return Refusal("tts.bad-scenario", RULE, key=key, fault=fault, **params)


def _path_of(error: msgspec.ValidationError) -> str:
    """Where in the file msgspec found the fault: `$.sides.south.corps[0]` without the dollar."""
    return str(error).partition(" - at `$")[2].rstrip("`").lstrip(".") or "the file"


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    for key, choices in CHOICES.items():
        if given.get(key, choices[0]) not in choices:
            raise _bad(f"options.{key}", "not-among", choices=list(choices))
    values = dict(given)
    if values.get("ammo_reserve") == "auto":
        del values["ammo_reserve"]
    table = values.get("wound_table")
    if isinstance(table, dict):
        if set(table) != {"killed", "serious", "light"}:
            raise _bad("options.wound_table", "keys", needed=["killed", "serious", "light"])
        values["wound_table"] = [table["killed"], table["serious"], table["light"]]
    return values


def _in_capitals(given: ScenarioGiven) -> ScenarioGiven:
    """Ids and boxes are case-insensitive and shown in capitals (to-the-strongest.md 2)."""
    sides = {
        side: replace(army, corps=tuple(_corps_in_capitals(c) for c in army.corps))
        for side, army in given.sides.items()
    }
    terrain = None if given.terrain is None else tuple(replace(t, box=t.box.upper()) for t in given.terrain)
    edges = tuple(replace(e, between=(e.between[0].upper(), e.between[1].upper())) for e in given.edge)
    return replace(given, sides=sides, terrain=terrain, edge=edges)


def _corps_in_capitals(corps: CorpsGiven) -> CorpsGiven:
    general, camp = corps.general, corps.camp
    if general:
        general = replace(general, id=general.id.upper(), attached=general.attached.upper(), box=general.box.upper())
    units = tuple(replace(u, id=u.id.upper(), box=u.box.upper(), facing=u.facing.upper()) for u in corps.units)
    return replace(
        corps,
        id=corps.id.upper(),
        general=general,
        camp=_camp_in_capitals(camp) if camp else None,
        units=units,
    )


def _camp_in_capitals(camp: CampGiven) -> CampGiven:
    boxes = camp.boxes if isinstance(camp.boxes, int) else tuple(box.upper() for box in camp.boxes)
    return replace(camp, box=camp.box.upper(), boxes=boxes)


def _opened(given: ScenarioGiven, options: Options) -> BattleOpened:
    if given.ruleset != "tts":
        raise _bad("ruleset", "not-among", choices=["tts"])
    if set(given.sides) != set(SIDES):
        raise _bad("sides", "keys", needed=list(SIDES))
    if given.first not in SIDES:
        raise _bad("first", "not-among", choices=list(SIDES))
    return BattleOpened(
        ruleset="tts",
        title=given.title,
        first=given.first,
        options=options,
        board={"columns": given.board.columns, "rows": given.board.rows},
        terrain={entry.box: entry.kind for entry in given.terrain or () if entry.kind != OPEN},
        edges={"/".join(sorted(entry.between)): entry.kind for entry in given.edge},
        sides={side: _side(side, given.sides[side], options) for side in SIDES},
        boxes=_shared_boxes(given),
        terrain_given=given.terrain is not None,
        stratagems=_stratagems(given),
    )


def _stratagems(given: ScenarioGiven) -> dict[str, tuple[str, ...]] | UnsetType:
    """The cards of the stratagems that the scenario gives to sides; UNSET if no side has any."""
    listed = {side: cards_named(army.stratagems) for side, army in given.sides.items() if army.stratagems}
    return listed or UNSET


def _shared_boxes(given: ScenarioGiven) -> dict[str, tuple[str, str]]:
    """The boxes with two units: `place` decides who is in front, else the order of the file."""
    by_box: dict[str, list[UnitGiven]] = {}
    for army in given.sides.values():
        for corps in army.corps:
            for unit in corps.units:
                if unit.place not in ("", "front", "rear"):
                    raise _bad(f"{unit.id}.place", "not-among", choices=["front", "rear"])
                by_box.setdefault(unit.box, []).append(unit)
    shared = {}
    for box, units in by_box.items():
        if box and len(units) > 1:
            front, *rest = sorted(units, key=lambda unit: ("front", "", "rear").index(unit.place))
            if len(rest) > 1:
                raise _bad(f"{rest[1].id}.box", "third-unit", box=box)
            shared[box] = (front.id, rest[0].id)
    return shared


def _side(side: str, given: SideGiven, options: Options) -> SideSetUp:
    for name in given.stratagems or ():
        if name not in STRATAGEMS:
            raise _bad(f"sides.{side}.stratagems", "unknown", found=[name])
    corps = tuple(_corps(side, entry) for entry in given.corps)
    units = [unit for entry in corps for unit in entry.units]
    missiles = sum(1 for unit in units if unit.ammo_full)
    ammo = -(-missiles // UNIT_PER_AMMO_RESERVE) if options.ammo_reserve < 0 else options.ammo_reserve
    vp = victory_points(
        [(PROFILES[unit.type], unit.extras) for unit in units],
        [entry.general.traits for entry in corps if entry.general],
        sum(entry.camp.size for entry in given.corps if entry.camp),
    )
    if given.medals is not None and given.medals < 1:
        raise _bad(f"sides.{side}.medals", "too-few", least=1)
    medals = starting_medals(vp) if given.medals is None else given.medals
    listed = UNSET if given.stratagems is None else len(given.stratagems)
    return SideSetUp(
        name=given.name,
        medals=medals,
        ammo=ammo,
        lance=_reserve(units, "lance_full"),
        pilum=_reserve(units, "pilum_full"),
        corps=corps,
        stratagems=listed,
    )


def _reserve(units: list[UnitSetUp], marker: str) -> int:
    carriers = sum(1 for unit in units if getattr(unit, marker))
    return -(-carriers // UNITS_PER_MARKER_RESERVE)


def _corps(side: str, given: CorpsGiven) -> CorpsSetUp:
    units = tuple(_unit(side, unit) for unit in given.units)
    camp = _camp(f"camp of {given.id}", given.camp) if given.camp else None
    return CorpsSetUp(given.id, given.name or given.id, _general(given), camp, units)


def _camp(key: str, given: CampGiven) -> CampSetUp:
    if given.size < 1 or (given.box and given.boxes != 1):
        raise _bad(key, "camp-boxes")
    if not set(given.fortified) <= set(FACINGS):
        raise _bad(key, "not-among", choices=list(FACINGS))
    places = given.places
    if given.size == 1:
        return CampSetUp("".join(places), given.fortified)
    if not places:
        return CampSetUp("", given.fortified, size=given.size)
    for box in places:
        if box not in XY:
            raise _bad(key, "off-board", box=box)
    if len(set(places)) < len(places) or not are_linked(places):
        raise _bad(key, "camp-apart", boxes=list(places))
    return CampSetUp(places[0], given.fortified, boxes=camp_parts(places, given.fortified))


def _general(given: CorpsGiven) -> GeneralSetUp | None:
    general = given.general
    if general is None:
        return None
    unknown = set(general.traits) - TRAITS
    if unknown:
        raise _bad(f"{general.id}.traits", "unknown", found=sorted(unknown))
    traits = set(general.traits).union(*(IMPLIED.get(trait, set()) for trait in general.traits))
    if general.attached and general.box:
        raise _bad(f"{general.id}.box", "two-places")
    if general.attached and general.attached not in {unit.id for unit in given.units}:
        raise _bad(f"{general.id}.attached", "not-of-corps", unit=general.attached, corps=given.id)
    if ("brilliant" in traits and general.attached) or ("great" in traits and general.box):
        raise _bad(f"{general.id}.traits", "wrong-place")
    return GeneralSetUp(general.id, general.mounted, general.attached, general.box, tuple(sorted(traits)))


def _unit(side: str, given: UnitGiven) -> UnitSetUp:
    if given.type not in PROFILES:
        raise _bad(f"{given.id}.type", "unknown", found=[given.type])
    unknown = set(given.extras) - set(EXTRAS)
    if unknown:
        raise _bad(f"{given.id}.extras", "unknown", found=sorted(unknown))
    profile = PROFILES[given.type]
    flags = profile.flags | set(given.extras)
    if given.formation not in FORMATION_FLAGS or not {FORMATION_FLAGS[given.formation]} <= flags | {""}:
        raise _bad(f"{given.id}.formation", "formation", type=given.type, formation=given.formation)
    lance_full, pilum_full = int("lance" in flags), int("pilum" in flags)
    ammo, lance, pilum = (
        full if wanted == MISSING else wanted
        for wanted, full in ((given.ammo, profile.ammo), (given.lance, lance_full), (given.pilum, pilum_full))
    )
    quality = given.quality or profile.quality
    if quality not in QUALITIES:
        raise _bad(f"{given.id}.quality", "not-among", choices=list(QUALITIES))
    if min(ammo, lance, pilum) < 0 or not 0 <= given.disorder < profile.steps:
        raise _bad(f"{given.id}.disorder", "losses", steps=profile.steps)
    return UnitSetUp(
        id=given.id,
        type=given.type,
        quality=quality,
        box=given.box,
        facing=given.facing or HOME_ROW_FACING[side],
        hero=given.hero,
        disorder=given.disorder,
        steps=profile.steps,
        ammo=ammo,
        ammo_full=max(ammo, profile.ammo),
        lance=lance,
        lance_full=max(lance, lance_full),
        pilum=pilum,
        pilum_full=max(pilum, pilum_full),
        formation=given.formation,
        extras=given.extras,
    )


# --- checks (TTS-SCN-02, TTS-ORD-01)


def _check(opened: BattleOpened) -> None:
    board = opened.board["columns"], opened.board["rows"]
    if not (2 <= board[0] <= MAX_COLUMNS and 2 <= board[1] <= MAX_ROWS):
        raise _bad("board", "size", columns=MAX_COLUMNS, rows=MAX_ROWS)
    for box, ground in opened.terrain.items():
        if not on_board(board, box):
            raise _bad(f"terrain.{box}", "off-board", box=box)
        if ground not in BOX_KINDS:
            raise _bad(f"terrain.{box}", "unknown", found=[ground])
    for name, edge in opened.edges.items():
        one, _, other = name.partition("/")
        if not (on_board(board, one) and on_board(board, other)) or step_between(one, other) not in VECTOR.values():
            raise _bad(f"edge.{name}", "no-edge")
        if edge not in EDGE_KINDS:
            raise _bad(f"edge.{name}", "unknown", found=[edge])
    _check_ids(opened, board)
    state = on_battle_opened(State(), opened)
    if not 1 <= 2 * state.options.deploy_rows <= board[1]:
        raise _bad("options.deploy_rows", "too-deep", most=board[1] // 2)
    for unit in state.units.values():
        _check_unit(state, board, unit)
    _check_generals(state, board)
    _check_camps(opened, board)
    for box, names in state.boxes.items():
        _check_stack(state, box, names)


def _check_ids(opened: BattleOpened, board: tuple[int, int]) -> None:
    seen: set[str] = set()
    for side, army in opened.sides.items():
        corps_ids = [corps.id for corps in army.corps]
        if not corps_ids or len(set(corps_ids)) < len(corps_ids):
            raise _bad(f"sides.{side}.corps", "no-corps")
        for kind_of, name in _ids(army):
            if name in seen:
                raise _bad(name, "twice")
            seen.add(name)
            if not is_well_formed(name):
                raise _bad(name, "id-form")
            if kind_of == "unit" and is_box(name, board):
                raise Refusal("tts.id-is-box", "TTS-ORD-01", key=name)
            if begins_an_order(name):
                raise _bad(name, "begins-an-order")


def _ids(army: SideSetUp) -> Iterator[tuple[str, str]]:
    for corps in army.corps:
        if corps.general:
            yield "general", corps.general.id
        for unit in corps.units:
            yield "unit", unit.id


def _check_unit(state: State, board: tuple[int, int], unit: Unit) -> None:
    if not unit.box:
        return
    if not on_board(board, unit.box):
        raise _bad(f"{unit.id}.box", "off-board", box=unit.box)
    if unit.facing not in FACINGS:
        raise _bad(f"{unit.id}.facing", "not-among", choices=list(FACINGS))
    if state.terrain.get(unit.box) == "impassable":
        raise _bad(f"{unit.id}.box", "impassable", box=unit.box)
    own_row = XY[unit.box][1] if unit.side == "south" else board[1] - 1 - XY[unit.box][1]
    if state.options.blind_deployment and own_row >= board[1] - state.options.deploy_rows:
        raise _bad(f"{unit.id}.box", "unseen", box=unit.box)


def _check_generals(state: State, board: tuple[int, int]) -> None:
    commanders: set[str] = set()
    for general in state.generals.values():
        if general.box and not on_board(board, general.box):
            raise _bad(f"{general.id}.box", "off-board", box=general.box)
        if "commander" in general.traits:
            if general.side in commanders:
                raise _bad(f"{general.id}.traits", "commanders")
            commanders.add(general.side)


def _check_camps(opened: BattleOpened, board: tuple[int, int]) -> None:
    taken: set[str] = set()
    for side, army in opened.sides.items():
        if sum(camp_size(corps.camp) for corps in army.corps if corps.camp) > MOST_CAMPS:
            raise _bad(f"sides.{side}.corps", "too-many-camps", most=MOST_CAMPS)
        for corps in army.corps:
            for box in camp_boxes(corps.camp):
                if not on_board(board, box):
                    raise _bad(f"camp of {corps.id}", "off-board", box=box)
                if opened.terrain.get(box, OPEN) not in EASY:
                    raise _bad(f"camp of {corps.id}", "camp-ground", box=box)
                if box in taken:
                    raise _bad(f"camp of {corps.id}", "camp-taken", box=box)
                taken.add(box)


def _check_stack(state: State, box: str, names: tuple[str, ...]) -> None:
    units = [state.units[name] for name in names]
    if len({unit.side for unit in units}) > 1:
        raise _bad(box, "both-sides", units=list(names))
    if len(units) > 2 or sum(kind(unit).stack for unit in units) > state.options.stack_capacity:
        raise _bad(box, "no-room", units=list(names))
    if len({unit.facing for unit in units if not kind(unit).light}) > 1:
        raise _bad(box, "facings", units=list(names))
