"""How the bot sets up: terrain, scouting, deployment.

Opinions for the bot of this game, never rules: it chooses among the options that it is given. Foot
stands in the middle and mounted corps on the wings, heavy units in front of the sector of their
corps, lights next to them, generals where they serve most units, camps behind their corps.
"""

from collections.abc import Callable, Sequence

from domain.contract.option import Option
from domain.games.to_the_strongest.bot.places import general_places
from domain.games.to_the_strongest.chapters.decisions import DecisionAsked
from domain.games.to_the_strongest.chapters.deployment import own_row, touches_camp
from domain.games.to_the_strongest.chapters.geometry import is_impassable, is_rough
from domain.games.to_the_strongest.chapters.medals import unit_medals
from domain.games.to_the_strongest.chapters.phases import missing_of, to_deploy
from domain.games.to_the_strongest.chapters.terrain import SHIFT_ONE, shifted_place
from domain.games.to_the_strongest.orders.setup_options import camp_named
from domain.games.to_the_strongest.state.ground import ROUGH
from domain.games.to_the_strongest.state.state import (
    HOME_ROW_FACING,
    Corps,
    State,
    Unit,
    army_units,
    enemy,
    kind,
    units_in,
)
from domain.mechanics.square import VECTOR, XY, box_at, box_by

FLANK = 1
"""The column, from either edge, in which woods narrow the field."""
MOUNTED = 0.5
"""The share of mounted medals above which a corps belongs on a wing."""


def set_up(state: State, side: str, options: Sequence[Option]) -> str:
    """The order of a side before the turns, except for its stratagems."""
    if state.phase == "terrain":
        return _terrain(state, side, options)
    if state.phase == "deployment":
        return _deployment(state, side, options)
    return options[-1].order


# --- terrain


def _horse(state: State, side: str) -> float:
    """The share of an army that rough ground hinders most."""
    units = list(army_units(state, side))
    return sum(unit_medals(unit) for unit in units if kind(unit).mounted) / max(1, sum(map(unit_medals, units)))


def _terrain(state: State, side: str, options: Sequence[Option]) -> str:
    """The side with fewer horse narrows the field with woods; each side takes hills for its own line."""
    listed = {option.order for option in options}
    plan = [*_woods(state, side), *_hills(state, side)]
    placed = state.placed.get(side, {}).get("piece", 0)
    wanted = [order for ground, box in plan if (order := f"place {ground} {box}") in listed]
    return wanted[0] if wanted and placed < len(plan) else options[-1].order


def _woods(state: State, side: str) -> list[tuple[str, str]]:
    """Next to the middle of the field, where horse would ride round the line."""
    if _horse(state, side) >= _horse(state, enemy(side)):
        return []
    middle = state.board[1] // 2
    rows = [_row(state, side, middle - 1), _row(state, side, middle)]
    return [("wood", box) for row in rows for box in _both_ends(state, FLANK, row)]


def _hills(state: State, side: str) -> list[tuple[str, str]]:
    """In the front row of the own zone, on either side of the middle, where foot will stand."""
    row = _row(state, side, state.options.deploy_rows - 1)
    return [("gentle_hill", box) for box in _both_ends(state, state.board[0] // 3, row)]


def _row(state: State, side: str, row: int) -> int:
    """A row counted from the own edge, as the board counts it."""
    return row if HOME_ROW_FACING[side] == "N" else state.board[1] - 1 - row


def _both_ends(state: State, column: int, row: int) -> tuple[str, ...]:
    """The boxes of a row that are `column` columns from either edge."""
    return tuple(box_by(state.board, "A1", at, row) for at in (column, state.board[0] - 1 - column))


def shift(state: State, side: str, options: Sequence[Option]) -> str:
    """Move an enemy piece where it does the own side most good, or least harm (TTS-TER-11)."""
    waiting, piece = state.waiting, state.pieces[0]
    assert isinstance(waiting, DecisionAsked)
    boxes = 1 if str(waiting.card)[:-1] in SHIFT_ONE else 2
    eager = _horse(state, enemy(side)) - _horse(state, side)

    def worth(order: str) -> float:
        to = order.split()[1]
        place = piece.box if to == "none" else "" if to == "open" else shifted_place(state, piece.box, to, boxes)
        return _worth_of_ground(state, side, piece.kind, place, eager)

    return max((option.order for option in options), key=lambda order: (worth(order), order))


def _worth_of_ground(state: State, side: str, ground: str, place: str, eager: float) -> float:
    """`eager`: how much more the enemy is hindered by rough ground; hills are good behind one's line."""
    if not place:
        return 0.0
    box = place.partition("/")[0]
    middle = (state.board[0] - 1) / 2
    central = 1 - abs(XY[box][0] - middle) / (middle + 1)
    if ground == "gentle_hill":
        return 0.3 if 2 * own_row(state, side, box) < state.board[1] else -0.3
    return eager * central * (1.0 if ground in ROUGH else 0.5)


# --- deployment


def _deployment(state: State, side: str, options: Sequence[Option]) -> str:
    """The next piece of the corps being deployed: units, heavy ones first, then the general, the camp."""
    by_piece: dict[str, list[Option]] = {}
    for option in options:
        if option.kind == "deploy":
            by_piece.setdefault(option.order.split()[1], []).append(option)
    opened = state.armies[side].opened
    corps = min(
        (corps for corps in to_deploy(state, side) if opened in ("", corps.id)),
        key=lambda corps: (_mounted_share(state, corps), corps.id),
        default=None,
    )
    if corps is None:
        return options[-1].order
    missing = [name for name in missing_of(state, side, corps) if name in by_piece]
    units = [state.units[name] for name in missing if name in state.units]
    if units:
        unit = min(units, key=lambda unit: (_patience(unit), unit.id))
        return _best(by_piece[unit.id], _BoxValues(state, side, corps, unit).worth)
    if missing and missing[0] != "camp":
        return _general(state, side, missing[0], by_piece[missing[0]])
    if missing:
        return _camp(state, side, corps, by_piece["camp"], options)
    return options[-1].order


def _best(options: Sequence[Option], worth: Callable[[str], float]) -> str:
    """The option whose box is worth most; ties by the text."""
    return min(options, key=lambda option: (-worth(option.order.split()[2]), option.order)).order


def _patience(unit: Unit) -> tuple[bool, bool, int, int]:
    """The key that puts units needing no room in front last."""
    profile = kind(unit)
    return profile.light, profile.shooter or profile.artillery, -profile.stack, -unit_medals(unit)


def _mounted_share(state: State, corps: Corps) -> float:
    units = [state.units[name] for name in corps.units]
    return sum(unit_medals(unit) for unit in units if kind(unit).mounted) / max(1, sum(map(unit_medals, units)))


def sectors(state: State, side: str) -> dict[str, tuple[float, float]]:
    """The first and last column of each corps: foot in the middle, mounted corps on the wings."""
    army = state.armies[side]
    kept_off = {flank.corps for flank in army.flanks}
    left: list[Corps] = []
    right: list[Corps] = []
    middle: list[Corps] = []
    for corps in army.corps.values():
        if corps.id in kept_off:
            continue
        if _mounted_share(state, corps) < MOUNTED:
            middle.append(corps)
        else:
            (left if len(left) <= len(right) else right).append(corps)
    line = [*left, *middle, *reversed(right)]
    widths = {corps.id: sum(0.5 if kind(state.units[u]).light else 1.0 for u in corps.units) for corps in line}
    columns = state.board[0]
    scale = min(1.0, columns / max(1.0, sum(widths.values())))
    at = (columns - scale * sum(widths.values())) / 2
    found = {}
    for corps in line:
        found[corps.id] = at, at + scale * widths[corps.id] - 1
        at += scale * widths[corps.id]
    return found


class _BoxValues:
    """The value of each box for a unit of a corps."""

    def __init__(self, state: State, side: str, corps: Corps, unit: Unit) -> None:
        self.state, self.side, self.unit = state, side, unit
        last = state.board[0] - 1
        self.first, self.last = sectors(state, side).get(corps.id, (0.0, float(last)))
        self.middle = (self.first + self.last) / 2

    def worth(self, box: str) -> float:
        """In its sector, in the front row, in a box of its own, on ground that suits it."""
        state, profile = self.state, kind(self.unit)
        column, row = XY[box][0], own_row(state, self.side, box)
        outside = max(0.0, self.first - column, column - self.last)
        worth = -0.5 * outside - (0.03 if profile.light else 0.06) * abs(column - self.middle)
        worth += 0.6 * (row + 1) / state.options.deploy_rows
        for other in units_in(state, box):
            worth -= 0.35 if profile.light or kind(other).light else 0.9
        return worth + self._ground(box) + self._beside(box)

    def _ground(self, box: str) -> float:
        profile, worth = kind(self.unit), 0.0
        tender = profile.mounted or profile.elephant or "close" in profile.flags
        if is_rough(self.state, box):
            worth += -0.8 if tender else 0.1
        for boxes in (1, 2):
            ahead = box_at(self.state.board, box, HOME_ROW_FACING[self.side], boxes, 0)
            if ahead and is_impassable(self.state, ahead):
                worth -= 0.5
            elif ahead and is_rough(self.state, ahead) and tender:
                worth -= 0.25
        return worth

    def _beside(self, box: str) -> float:
        """Friends in the next boxes make a line."""
        near = (box_by(self.state.board, box, *VECTOR[way]) for way in ("E", "W"))
        return sum(0.1 for other in near if any(unit.side == self.side for unit in units_in(self.state, other)))


def _general(state: State, side: str, name: str, options: Sequence[Option]) -> str:
    """Detached where they serve most units; else with the unit that is worth most."""
    alone = [option for option in options if option.order.split()[2] != "with"]
    if alone:
        places = general_places(state, side, name, {option.order.split()[2] for option in alone})
        return _best(alone, places.__getitem__)
    return max(options, key=lambda option: (unit_medals(state.units[option.order.split()[3]]), option.order)).order


def _camp(state: State, side: str, corps: Corps, camps: Sequence[Option], options: Sequence[Option]) -> str:
    """Behind the middle of the corps, where a unit touches it."""
    boxes = [state.units[name].box for name in corps.units if state.units[name].box]
    middle = sum(XY[box][0] for box in boxes) / max(1, len(boxes))
    touched = [o for o in camps if touches_camp(state, side, corps, camp_named(o.order))]
    if not touched:
        return options[-1].order
    return _best(touched, lambda box: -abs(XY[box][0] - middle))
