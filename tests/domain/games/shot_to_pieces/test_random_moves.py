"""Random moves on random tables: bases stay apart and on the table, and a mirrored table gives mirrored moves."""

import random

import pytest

from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.plane.base import Base, is_on_table
from domain.games.shot_to_pieces.plane.gaps import overlap
from replay.bench.bench import play_case

WIDTH, HEIGHT = 18000, 12000
SLACK = 4
"""How much smaller bases are made before they are tested: wheels round each place by itself."""
TYPES = {
    "acw": ("infantry", "infantry", "skirmisher", "cavalry_a", "artillery_foot"),
    "emp": ("infantry", "light_infantry", "skirmisher", "cavalry_heavy", "artillery_light"),
}
SIDES = ("left", "right")
OTHER = {"left": "right", "right": "left"}


def figure(hundredths):
    return f"{hundredths / 100:.2f}"


def unit(pick, name, x, y, facing, period):
    return {"id": name, "type": pick.choice(TYPES[period]), "at": [x, y], "facing": facing}


def army(pick, letter, y, facing, period):
    """Eight units in two lines, some of them abutting."""
    found = []
    for at in range(8):
        x = 6000 + 1400 * (at % 4) + (0 if at % 2 else 700) + pick.randrange(80)
        found.append(unit(pick, f"{letter}{at}", x, y + (500 if at > 3 else 0), facing, period))
    return found


def order(pick):
    """An order as words that may be mirrored: a pair of a kind and a figure is an angle to a side or a bearing."""
    name, side = f"S{pick.randrange(8)}", pick.choice(SIDES)
    turn, length = ("bearing", pick.randrange(0, 36000, 250)), ("length", pick.randrange(0, 1800, 50))
    angle = ("angle", pick.randrange(0, 2600, 250))
    return pick.choice(
        [
            [name, "face", turn],
            [name, "face", turn, "move", length],
            [name, "move", length, side, angle],
            [name, "back", length],
            [name, "about"],
            [name, "about", side, "move", length],
            [name, "beside", f"S{pick.randrange(8)}", side],
            [name, "prolong", ("length", pick.randrange(600)), turn],
            ["group", name, f"S{pick.randrange(8)}", "move", length, side, angle],
            ["group", name, f"S{pick.randrange(8)}", "wheel", side, angle, "move", length],
        ]
    )


def written(words, *, is_mirrored):
    def text(word):
        if isinstance(word, str):
            return OTHER.get(word, word) if is_mirrored else word
        kind, number = word
        return figure(-number % 36000 if is_mirrored and kind == "bearing" else number)

    return "south: " + " ".join(map(text, words))


def table(seed, *, is_mirrored=False):
    pick = random.Random(seed)
    period = pick.choice(tuple(TYPES))
    armies = {"south": army(pick, "S", 3000, 0, period), "north": army(pick, "N", 4600, 18000, period)}
    orders = [order(pick) for _ in range(80)]
    outline = [[7000, 3700], [9000, 3700], [9000, 4000], [7000, 4000]]
    if is_mirrored:
        outline = [[WIDTH - x, y] for x, y in outline]
        for one in (*armies["south"], *armies["north"]):
            one["at"][0] = WIDTH - one["at"][0]
    sides = {
        side: {
            "name": side,
            "corps": [{"id": name, "ap": 20, "general": {"id": f"G{name}", "at": [9000, y]}, "units": armies[side]}],
        }
        for side, name, y in (("south", "I", 1000), ("north", "X", 11000))
    }
    return {
        "ruleset": "stp",
        "title": "Random moves",
        "period": period,
        "first": "south",
        "orders": [written(words, is_mirrored=is_mirrored) for words in orders],
        "start": {"turn": 1, "side": "south", "step": "moves"},
        "terrain": [{"id": "R1", "kind": "rough", "outline": outline}],
        "sides": sides,
    }


def lean(base):
    return Base(base.at, base.facing, base.width - SLACK, base.depth - SLACK)


@pytest.mark.rule("STP-GEO-02")
@pytest.mark.parametrize("seed", range(12))
def test_bases_stay_apart_and_on_the_table(seed):
    played = play_case(table(seed), {RULESET.code: RULESET})
    units = list(played.states[max(played.states)].units.values())
    assert sum(event["type"] in ("UnitMoved", "UnitOriented") for event in played.result.events) > 3
    for at, one in enumerate(units):
        assert is_on_table(one.base, WIDTH, HEIGHT)
        for other in units[:at]:
            assert not overlap(lean(one.base), lean(other.base)), (one, other)


@pytest.mark.rule("STP-GEO-14")
@pytest.mark.parametrize("seed", range(12, 20))
def test_a_mirrored_table_gives_mirrored_moves(seed):
    one, other = (
        play_case(table(seed, is_mirrored=is_mirrored), {RULESET.code: RULESET}).result for is_mirrored in (False, True)
    )
    refusals = [[(found.order, found.code) for found in result.rejections] for result in (one, other)]
    assert refusals[0] == refusals[1]
    moves = [
        [event["data"] for event in result.events if event["type"] in ("UnitMoved", "PointsSpent")]
        for result in (one, other)
    ]
    assert [mirrored(data) for data in moves[0]] == moves[1]


def mirrored(data):
    if "to" not in data:
        return data
    from_, to = data["from"], data["to"]
    turned = -data["facing_hdeg"] % 36000
    return {**data, "from": [WIDTH - from_[0], from_[1]], "to": [WIDTH - to[0], to[1]], "facing_hdeg": turned}
