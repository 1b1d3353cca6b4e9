"""Checks of rules and orders: it opens, options can be played, it comes to an end, its orders read back."""

import ast
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from domain.basics.data import demo_scenario, first_scenario, scenario_names
from domain.basics.errors import Refusal
from domain.basics.installed import installed
from domain.engine.state import GameState
from domain.events.event import Fact
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.mechanics.trial import Trial
from domain.run.bots import BOTS
from domain.run.decide import decide, evolve
from domain.scripts.reading import read
from phalera.testing.check import asked
from phalera.testing.game import MOST_ORDERS, Game, GameFault, require
from server.shown.notation import order_help

OTHERS = frozenset({"phalera", "projections", "replay", "server"})
"""Packages of Phalera that a game does not import: it stands on `domain` alone."""
LINES = ("resign", "offer draw", "accept draw", "decline draw")
FIRST_ORDERS = 30
ANY_KEY = b"phalera.testing"
LANGUAGES = ("en", "fr")


@asked()
def says_what_it_is(game: Game) -> None:
    """code, version and title are there, and the title is no code"""
    ruleset = game.ruleset
    require(ruleset.version and ruleset.title, "version and title must not be empty")


@asked()
def imports_domain_alone(game: Game) -> None:
    """its modules import nothing of Phalera but `domain`"""
    spec = find_spec(installed()[game.code][0].module)
    require(spec and spec.origin, "its module cannot be found")
    assert spec and spec.origin
    origin = Path(spec.origin)
    paths = sorted(origin.parent.rglob("*.py")) if spec.submodule_search_locations else [origin]
    found = [f"{path.name}: {name}" for path in paths for name in _imports(path) if name.partition(".")[0] in OTHERS]
    require(not found, "; ".join(found))


def _imports(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.append(node.module or "")
    return found


@asked("scenarios")
def every_scenario_opens(game: Game) -> None:
    """each packaged scenario has a title and opens; `first` and `demo` of game.toml are among them"""
    names = scenario_names(game.code)
    require({first_scenario(game.code), demo_scenario(game.code)} <= {*names}, f"first and demo are not among {names}")
    for name in names:
        table = game.opening(name)
        require(table.get("title"), f"{name}: no title")
        require(table.get("ruleset") == game.code, f"{name}: its ruleset is not {game.code}")
        require(game.seated(name).to_act, f"{name}: nobody is to move")


@asked()
def every_option_is_accepted(game: Game) -> None:
    """in the first turns whatever a side is offered can be ordered as it stands"""
    played = game.seated()
    for _ in range(FIRST_ORDERS):
        if played.recording.battle.ended:
            return
        side = played.to_act[0]
        options = game.ruleset.orders.options(played.recording.known(side), side)
        require(options, f"nothing to order for {side}")
        for option in options:
            _decided(game, played.recording.battle.game, side, option.order)
        played.bot_order()


@asked("trials")
def an_option_needs_what_its_trial_needs(game: Game) -> None:
    """in the first turns the number that an option tells is the one that its first trial is measured against"""
    played = game.seated()
    for _ in range(FIRST_ORDERS):
        if played.recording.battle.ended:
            return
        side, state = played.to_act[0], played.recording.battle.game
        for option in game.ruleset.orders.options(played.recording.known(side), side):
            trial = _first_trial(game, state, _decided(game, state, side, option.order)) if option.needed else None
            fits = not option.needed or (trial and (trial.needed, trial.how) == (option.needed, option.how))
            tested = f"{trial.how} {trial.needed}" if trial else "without a trial"
            require(fits, f"“{option.order}” says {option.how} {option.needed}, and is decided {tested}")
        played.bot_order()


def _first_trial(game: Game, state: GameState, facts: Sequence[Fact]) -> Trial | None:
    """The first trial among the facts of an order that is measured against a number."""
    for fact in facts:
        trial = game.ruleset.draws.trial(state, fact)
        if trial is not None and trial.needed is not None:
            return trial
        state = evolve(game.ruleset, state, fact.event, 0)
    return None


def _decided(game: Game, state: GameState, side: str, order: str) -> Sequence[Fact]:
    """The facts of an order; the battle is left as it is."""
    chance = StreamChance(Stream(ANY_KEY))
    try:
        return decide(game.ruleset, state, side, game.ruleset.read(order), chance)
    except Refusal as refused:
        raise GameFault(f"{side} is offered “{order}”, which is refused: {refused.code}") from None


@asked()
def random_bots_play_it_to_an_end(game: Game) -> None:
    """two random bots come to an end by themselves"""
    require(game.battle.timeline.now.game.winner is not None, f"no end after {MOST_ORDERS} orders")


@asked()
def the_same_seed_gives_the_same_bytes(game: Game) -> None:
    """nothing in it depends on the time of day, the machine, or chance of its own"""
    one, other = game.seated(seed="again"), game.seated(seed="again")
    for _ in range(FIRST_ORDERS):
        if one.recording.battle.ended:
            break
        one.bot_order()
        other.bot_order()
    require(one.file() == other.file(), "two battles with one seed differ")


@asked()
def every_bot_gives_an_order(game: Game) -> None:
    """each bot by which it may be played opens with an order that is accepted"""
    for name in BOTS:
        battle = game.seated()
        battle.bots = dict.fromkeys(battle.bots, name)
        require(battle.bot_order(), f"{name} gives no order")


@asked("resigning")
def the_shared_orders_read_back(game: Game) -> None:
    """resigning and agreeing on a draw are read and written in each language"""
    for line in LINES:
        _reads_back(game, line)


@asked("help")
def its_help_shows_orders_that_read_back(game: Game) -> None:
    """each example of the help is read, and written in each language so that it reads back"""
    examples = [
        form.example for lang in LANGUAGES for chapter in order_help(game.ruleset, lang) for form in chapter.forms
    ]
    require(examples, "its help shows no order")
    for example in examples:
        _reads_back(game, example)


def _reads_back(game: Game, line: str) -> None:
    command = game.ruleset.read(line)
    for lang in LANGUAGES:
        written = game.ruleset.write(command, lang)
        require(game.ruleset.read(written) == command, f"{line!r} is written as {written!r}, which is another order")


@asked("scripts")
def its_examples_of_scripts_are_read(game: Game) -> None:
    """the orders and conditions that its senses show make scripts"""
    orders, senses = game.ruleset.orders, game.ruleset.orders.senses
    one, other = (*senses.orders, *senses.orders)[:2]
    lines = [one, f"repeat {one} until it fails", f"try {one}", *senses.policy.values()]
    lines += [f"if {test}: {other}\nelse: {one}" for test in senses.examples]
    read("\n".join(lines), orders.parse, senses)  # raises Unreadable
