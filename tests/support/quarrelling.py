"""A battle in which everything that rulings do has been done: see `quarrel`."""

from tests.support.disputing import DAY_MS, Disputed

LONG, SHORT = (6, 4, 8, 6, 12), (2, 1, 2, 1, 3)
GAMES = {
    "medals": ("set medals south 2", LONG),
    "singidunum-goal": ("set turn ended", LONG),
    "warmaster-destroyed": ("set turn ended", SHORT),
}
"""The scripts whose scenarios are quarrelled over, each with what is set in its game, and the orders between."""


def quarrel(name: str) -> Disputed:
    """Play, a correction that stands, more play, a correction that a rewind takes back, a ruling on a flag, play."""
    line, (first, second, third, fourth, last) = GAMES[name]
    battle = Disputed(umpire=True, pace="1d+3d", name=name, seed=name)
    play(battle, first)
    settle(battle)
    battle.say("north: dispute 1 facts First.", f"umpire: rule d1 correct because of the first; {line}")
    play(battle, second)
    settle(battle)
    kept = battle.n
    play(battle, third)
    settle(battle)
    battle.say("south: dispute 1 facts Second.", "umpire: rule d2 correct because of the second; set turn ended")
    play(battle, fourth)
    battle.say("south: dispute 1 rules Third.", f"umpire: rule d3 rewind {kept} Again.")
    late = (*battle.now.owing, *battle.battle.to_act)[0]
    battle.clock.wait(5 * DAY_MS)
    battle.battle.fire_clock("deadline", late)
    battle.say(f"umpire: flag {late} more Ill.")
    play(battle, last)
    return battle


def play(battle: Disputed, orders: int) -> None:
    for _ in range(orders):
        if not battle.now.ended:
            battle.play()


def settle(battle: Disputed) -> None:
    """Play on until nobody is asked anything, so that facts may be set."""
    phases = battle.battle.ruleset.corrections.phases
    while battle.now.game.waiting or battle.now.game.phase not in phases or not battle.now.game.t:
        battle.play()
