"""Armies of every game with campaigns at random, forces of them, and battles between these that bots have fought."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec import to_builtins

from domain.basics.data import read_toml, scenario_names
from domain.catalogue import RULESETS
from domain.contract.campaign_book import CampaignBook, Element, Fielded
from domain.contract.ruleset import Ruleset
from domain.games.singidunum.state.roster import PROFILES
from domain.games.to_the_strongest.armies.lists import USUAL_SIZE, army_lists
from domain.games.to_the_strongest.armies.making import new_army
from domain.log.record import decode
from domain.run.timeline import Timeline, catalogue_of
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from server.offline.demo import play_out

Table = dict[str, Any]


def _of_a_list(pick: Random) -> Table:
    entry = pick.choice(list(army_lists().values()))
    army = new_army(entry, USUAL_SIZE, pick.randrange)
    return dict(to_builtins(army))


def _of_a_scenario(pick: Random) -> Table:
    table = read_toml("stp", "scenarios", f"{pick.choice(scenario_names('stp'))}.toml")
    side = pick.choice(list(table["sides"].values()))
    return {"period": table["period"], "name": side["name"], "corps": side["corps"]}


def _of_counters(pick: Random) -> Table:
    printed = [(key, strength) for key, profile in PROFILES.items() for strength in profile.strengths]
    chosen = pick.sample(printed, pick.randint(5, 12))
    units = [{"id": f"u-{at}", "type": key, "strength": strength} for at, (key, strength) in enumerate(chosen)]
    return {"name": "A host", "units": units}


ARMIES: Mapping[str, Callable[[Random], Table]] = {
    "tts": _of_a_list,
    "stp": _of_a_scenario,
    "singidunum": _of_counters,
}
"""An army file by the game, at random."""


def book_of(code: str) -> CampaignBook:
    """The book of a game that has one."""
    book = RULESETS[code].campaign
    assert book is not None
    return book


def random_forces(code: str, pick: Random) -> tuple[Fielded, Fielded]:
    """Two forces of one army, of which some of each stay away."""
    army = book_of(code).read(ARMIES[code](pick))
    return _fielded("F1", code, army, pick), _fielded("F2", code, army, pick)


def _fielded(name: str, code: str, army: Any, pick: Random) -> Fielded:
    roster = book_of(code).roster(army)
    away = pick.randrange(len(roster)) if pick.random() < 0.5 else -1
    here = tuple(each for at, each in enumerate(roster) if at != away or each.kind != "unit")
    groups = {each.group for each in here if each.kind == "unit"}
    return Fielded(name, army, tuple(each for each in here if each.group in groups))


def ended(ruleset: Ruleset, table: Mapping[str, Any], name: str, bot: str = "random") -> Timeline:
    """A battle that two bots have fought to its end, folded from its log; all follows from the name."""
    battle = OfflineBattle(ruleset, dict(table), SeededClock(name), SeededEntropy(name))
    for side in ("south", "north"):
        battle.seat_bot(side, bot)
    play_out(battle)
    timeline = Timeline(ruleset)
    for recorded in battle.events():
        timeline.feed(recorded)
    return timeline


def promotions(book: CampaignBook, army: Any, unit: Element) -> Iterator[Element]:
    """What a unit becomes, step by step."""
    better = book.promoted(army, unit)
    while better is not None:
        yield better
        better = book.promoted(army, better)


def folded(content: bytes) -> Timeline:
    """A battle folded from its file."""
    header, *lines = content.splitlines()
    timeline = Timeline(RULESETS[msgspec.json.decode(header)["ruleset"]], {})
    catalogue = catalogue_of(timeline.ruleset)
    for line in lines:
        if not line.startswith(b'{"checkpoint":'):
            timeline.feed(decode(line, catalogue))
    return timeline
