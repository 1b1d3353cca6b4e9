"""Small battles for tests: a scenario, orders, dice, and what must come of them, recorded and verified."""

from domain.games.shot_to_pieces import RULESET
from replay.lab.lab import run_case


def unit(name, x, y, type="infantry", **more):
    """A unit, its place in centimetres."""
    return {"id": name, "type": type, "at": [round(100 * x), round(100 * y)], **more}


def corps(name, *units, general=None, **more):
    """A corps of units; `general` as in a scenario file."""
    made = {"id": name, "units": list(units), **more}
    return made | ({"general": general} if general else {})


def general(name, x, y, **more):
    """A general, alone at a place in centimetres."""
    return {"id": name, "at": [100 * x, 100 * y], **more}


SOUTH = corps("I", unit("U1", 90, 30), general=general("GS", 90, 10), ap=6)
NORTH = corps("X", unit("X1", 90, 90), general=general("GN", 90, 110), ap=6)


def scenario(south=(SOUTH,), north=(NORTH,), *, period="acw", step="", side="south", turn=1, **more):
    """A scenario; with `step` it begins there."""
    start = {"start": {"turn": turn, "side": side, "step": step}} if step else {}
    sides = {"south": {"name": "South", "corps": list(south)}, "north": {"name": "North", "corps": list(north)}}
    return {"ruleset": "stp", "title": "Test", "period": period, "sides": sides, **start, **more}


def play(battle, *orders, south=(), north=(), refused=None, final=None):
    """The events of a battle after some orders, as (type, data); `refused` has the code of each order that must be.

    Every order that is not in `refused` must be accepted, all dice must be used, and the record must verify.
    """
    reject = [{"order": at, "code": code} for at, code in (refused or {}).items()]
    case = battle | {
        "dice": {"south": list(south), "north": list(north)},
        "orders": list(orders),
        "reject": reject,
        "final": {"waiting": None} | (final or {}),
    }
    result = run_case(case, {RULESET.code: RULESET})
    assert result.ok, "\n".join(result.failures)
    return [(event["type"], event["data"]) for event in result.events]


def found(events, kind, /, **members):
    """The data of all events of a type that have these members."""
    return [data for name, data in events if name == kind and members.items() <= data.items()]


def names(events):
    """The types of events."""
    return [name for name, _ in events]
