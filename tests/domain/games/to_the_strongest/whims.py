"""Random standing orders for property tests."""

from domain.games.to_the_strongest.chapters.standing import CLASSES, TERRAIN, TOPICS
from domain.games.to_the_strongest.state.roster import PROFILES
from domain.games.to_the_strongest.state.state import State
from tests.support.playing import Dice

FACINGS = ("N", "E", "S", "W")


def standing_line(state: State, side: str, dice: Dice, topic: str = "") -> str:
    """A readable standing order of a side, about its own units and generals; it may contradict itself."""
    topic = topic or dice.pick(TOPICS)
    units = [unit.id for unit in state.units.values() if unit.side == side]
    generals = [general.id for general in state.generals.values() if general.side == side]
    enemies = [unit.id for unit in state.units.values() if unit.side != side]
    if topic == "evade":
        whom = dice.pick(("all", dice.pick(units)))
        return f"standing evade {whom} {_yes_no(dice, ('facing', dice.pick(FACINGS)), _evade_tests(dice, enemies))}"
    if topic == "replay":
        whom = dice.pick(("", f"{dice.pick(units)} "))
        source = dice.pick((*generals, "HERO"))
        return f"standing replay {whom}{_yes_no(dice, ('with', source), _replay_tests(dice))}"
    if topic == "join":
        whom = f"general {dice.pick(generals)} " if generals and dice.one_in(2) else ""
        return f"standing join {whom}{_wishes(dice, units, ['disordered'])}"
    return f"standing shift {_wishes(dice, (*FACINGS, 'open', 'none'), TERRAIN)}"


def _yes_no(dice: Dice, extra: tuple[str, str], tests: list[str]) -> str:
    if dice.one_in(5):
        return dice.pick(("always", "never", "ask"))
    if dice.one_in(5):
        return f"never {_condition(dice, tests)}"
    with_ = f"{' '.join(extra)} " if dice.one_in(3) else ""
    return f"{with_}{_condition(dice, tests)}{dice.pick(('', ' else ask'))}"


def _evade_tests(dice: Dice, enemies: list[str]) -> list[str]:
    chargers = [dice.pick(enemies), dice.pick(tuple(PROFILES)), *CLASSES]
    return ["heavier", *_numbers(dice, 10), *(f"charged by {charger}" for charger in chargers)]


def _replay_tests(dice: Dice) -> list[str]:
    spent = f"replayed at {dice.pick(('most', 'least'))} {dice.stream.below(4)}"
    return ["activation", "hit", "disordered", spent, *_numbers(dice, 10)]


def _numbers(dice: Dice, highest: int) -> list[str]:
    relation = dice.pick(("most", "least"))
    needs = f"needs at {relation} {1 + dice.stream.below(highest)}"
    return [needs, f"odds at {relation} {1 + dice.stream.below(99)}"]


def _wishes(dice: Dice, names: object, tests: object) -> str:
    if dice.one_in(6):
        return "ask"
    wishes = " ".join(dice.pick(names) for _ in range(1 + dice.stream.below(4)))
    return wishes if dice.one_in(2) else f"{wishes} {_condition(dice, tests)}"


def _condition(dice: Dice, tests: object) -> str:
    words = [dice.pick(("if", "unless")), dice.pick(tests)]
    for _ in range(dice.stream.below(3)):
        words += [dice.pick(("and", "or")), dice.pick(tests)]
    if words[0] == "if" and dice.one_in(3):
        words += ["unless", dice.pick(tests)]
    return " ".join(words)
