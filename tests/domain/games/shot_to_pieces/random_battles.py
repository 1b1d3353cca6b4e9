"""Random battles: a scenario of any period made from a seed, and play by options alone."""

import random

from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from domain.run.decide import beginning, decide, folded, opening, proceeding, to_act

GROUND = [
    {"id": "W1", "kind": "wood", "cover": "light", "outline": [[5000, 5000], [7000, 5000], [7000, 6500], [5000, 6500]]},
    {"id": "B1", "kind": "building", "cover": "hard"} | {"outline": [[8000, 4800], [8600, 4800], [8600, 5400]]},
    {"id": "H1", "kind": "hill", "outline": [[9000, 4000], [11000, 4000], [11000, 6000], [9000, 6000]]},
    {"id": "L1", "kind": "wall", "line": [[3000, 4600], [5000, 4600]], "cover": "light"},
]
TRAITS = ("fat", "skeleton", "experienced", "impetuous", "impetus", "hidden", "lancer", "poor", "heavy", "regimental")
OPTIONS = ("d20_events", "infantry_fired", "army_reserve", "detachment", "erratic", "second_line_infantry")


class Dice:
    """Dice of a seed; no cards."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def card(self, *_):
        raise AssertionError("there are no cards")

    def die(self, scope, sides, t=0, values=()):
        return self.random.randint(1, sides)


def scenario(seed, code=""):
    """Two armies of twelve units of any type, 20 to 40 cm apart, or to be deployed."""
    chance = random.Random(seed)
    code = code or chance.choice(PERIODS)
    is_deployed = chance.random() < 0.2
    gap = chance.choice((2000, 2800, 4200))
    return {
        "ruleset": "stp",
        "title": f"Random {seed}",
        "period": code,
        "options": {"turn_limit": 6} | {name: chance.random() < 0.4 for name in OPTIONS},
        "terrain": GROUND,
        "sides": {
            side: _army(chance, side, code, y, rows, is_deployed)
            for side, y, rows in (("south", 4500 - gap // 4, -800), ("north", 4500 + gap, 800))
        },
    }


def _army(chance, side, code, y, rows, is_deployed):
    types, statuses = list(period(code).types), period(code).statuses
    places = [3000]
    for _ in range(5):
        places.append(places[-1] + chance.choice((850, 850, 1200, 1900)))
    letter = side[0].upper()
    units = [
        {"id": f"{letter}U{at}", "type": chance.choice(types), "status": chance.choice(statuses)}
        | {"brigade": f"{letter}B{at // 3}", "traits": [chance.choice(TRAITS)] if chance.random() < 0.4 else []}
        | ({} if is_deployed else {"at": [places[at % 6], y + rows * (at // 6)]})
        for at in range(12)
    ]
    chief = {"id": f"G{letter}1", "at": [5000, y], "commander": True}
    other = {"id": f"G{letter}2", "with": units[6]["id"]}
    return {
        "name": side,
        "strafes": 1 if code == "ww1" else 0,
        "corps": [
            {"id": f"{letter}I", "units": units[:6], "general": chief},
            {"id": f"{letter}II", "units": units[6:], "general": other},
        ],
    }


def moments(seed, code="", most=400):
    """The states of a battle played at random, each with the side to act and its options."""
    chance, dice = random.Random(seed + 1), Dice(seed)
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, scenario(seed, code)))
    state = folded(RULESET, state, beginning(RULESET, state))
    state = folded(RULESET, state, proceeding(RULESET, state, dice))
    for _ in range(most):
        if state.winner is not None:
            break
        (side,) = to_act(RULESET, state)
        listed = RULESET.orders.options(state, side)
        yield state, side, listed
        playable = [option for option in listed if option.kind != "draw"]
        chosen = playable[-1] if chance.random() < 0.12 else chance.choice(playable)
        facts = decide(RULESET, state, side, RULESET.orders.parse(chosen.order), dice)
        state = folded(RULESET, state, facts)
    yield state, "", ()
