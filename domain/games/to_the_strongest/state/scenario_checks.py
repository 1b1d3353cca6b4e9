"""What a scenario must keep to as a whole: board, ids, units, generals, camps, boxes (TTS-SCN-02, TTS-ORD-01)."""

from collections.abc import Iterator

from domain.basics.errors import Refusal
from domain.games.to_the_strongest.state.ground import BOX_KINDS, EASY, EDGE_KINDS, OPEN
from domain.games.to_the_strongest.state.identifiers import begins_an_order, is_box, is_well_formed
from domain.games.to_the_strongest.state.roster import MOST_CAMPS
from domain.games.to_the_strongest.state.scenario_file import bad
from domain.games.to_the_strongest.state.setup import BattleOpened, SideSetUp, camp_boxes, camp_size, on_battle_opened
from domain.games.to_the_strongest.state.state import State, Unit, kind
from domain.mechanics.square import FACINGS, MAX_COLUMNS, MAX_ROWS, VECTOR, XY, on_board, step_between


def check(opened: BattleOpened) -> None:
    """Refuse a battle that its scenario cannot open.

    Raises: Refusal tts.bad-scenario, tts.id-is-box
    """
    board = opened.board["columns"], opened.board["rows"]
    if not (2 <= board[0] <= MAX_COLUMNS and 2 <= board[1] <= MAX_ROWS):
        raise bad("board", "size", columns=MAX_COLUMNS, rows=MAX_ROWS)
    for box, ground in opened.terrain.items():
        if not on_board(board, box):
            raise bad(f"terrain.{box}", "off-board", box=box)
        if ground not in BOX_KINDS:
            raise bad(f"terrain.{box}", "unknown", found=[ground])
    for name, edge in opened.edges.items():
        one, _, other = name.partition("/")
        if not (on_board(board, one) and on_board(board, other)) or step_between(one, other) not in VECTOR.values():
            raise bad(f"edge.{name}", "no-edge")
        if edge not in EDGE_KINDS:
            raise bad(f"edge.{name}", "unknown", found=[edge])
    _check_ids(opened, board)
    state = on_battle_opened(State(), opened)
    if not 1 <= 2 * state.options.deploy_rows <= board[1]:
        raise bad("options.deploy_rows", "too-deep", most=board[1] // 2)
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
            raise bad(f"sides.{side}.corps", "no-corps")
        for kind_of, name in _ids(army):
            if name in seen:
                raise bad(name, "twice")
            seen.add(name)
            if not is_well_formed(name):
                raise bad(name, "id-form")
            if kind_of == "unit" and is_box(name, board):
                raise Refusal("tts.id-is-box", "TTS-ORD-01", key=name)
            if begins_an_order(name):
                raise bad(name, "begins-an-order")


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
        raise bad(f"{unit.id}.box", "off-board", box=unit.box)
    if unit.facing not in FACINGS:
        raise bad(f"{unit.id}.facing", "not-among", choices=list(FACINGS))
    if state.terrain.get(unit.box) == "impassable":
        raise bad(f"{unit.id}.box", "impassable", box=unit.box)
    own_row = XY[unit.box][1] if unit.side == "south" else board[1] - 1 - XY[unit.box][1]
    if state.options.blind_deployment and own_row >= board[1] - state.options.deploy_rows:
        raise bad(f"{unit.id}.box", "unseen", box=unit.box)


def _check_generals(state: State, board: tuple[int, int]) -> None:
    commanders: set[str] = set()
    for general in state.generals.values():
        if general.box and not on_board(board, general.box):
            raise bad(f"{general.id}.box", "off-board", box=general.box)
        if "commander" in general.traits:
            if general.side in commanders:
                raise bad(f"{general.id}.traits", "commanders")
            commanders.add(general.side)


def _check_camps(opened: BattleOpened, board: tuple[int, int]) -> None:
    taken: set[str] = set()
    for side, army in opened.sides.items():
        if sum(camp_size(corps.camp) for corps in army.corps if corps.camp) > MOST_CAMPS:
            raise bad(f"sides.{side}.corps", "too-many-camps", most=MOST_CAMPS)
        for corps in army.corps:
            for box in camp_boxes(corps.camp):
                if not on_board(board, box):
                    raise bad(f"camp of {corps.id}", "off-board", box=box)
                if opened.terrain.get(box, OPEN) not in EASY:
                    raise bad(f"camp of {corps.id}", "camp-ground", box=box)
                if box in taken:
                    raise bad(f"camp of {corps.id}", "camp-taken", box=box)
                taken.add(box)


def _check_stack(state: State, box: str, names: tuple[str, ...]) -> None:
    units = [state.units[name] for name in names]
    if len({unit.side for unit in units}) > 1:
        raise bad(box, "both-sides", units=list(names))
    if len(units) > 2 or sum(kind(unit).stack for unit in units) > state.options.stack_capacity:
        raise bad(box, "no-room", units=list(names))
    if len({unit.facing for unit in units if not kind(unit).light}) > 1:
        raise bad(box, "facings", units=list(names))
