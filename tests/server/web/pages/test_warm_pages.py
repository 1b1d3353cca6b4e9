"""What is kept from one page of a battle to the next changes no byte of any page."""

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from domain.basics import data
from replay.remembered import Remembered
from replay.telling.words import catalogue, names, scenes, template
from replay.writing.entropy import SeededEntropy
from server.play.live_battle import LiveBattle
from server.shown.kept import PerBattle
from server.web.keys import KEPT, PICTURES
from server.web.pages import rendering
from tests.support.clock import ManualClock
from tests.support.serving import PHRASE, Caller, RunningServer, serving

Pages = dict[tuple[int, str, str, str], str]
"""Pages by event, reader, language, and what else was asked."""
OF_THE_PROGRAM = (catalogue, data, names, rendering, template)
"""Modules that keep what is the same for all battles: texts, templates, files."""


async def test_pages_are_the_same_whatever_was_shown_before(tmp_path: Path) -> None:
    warm = await pages_of(tmp_path / "warm", "skirmish", lambda server: None)
    assert len(warm) > 80
    cold = await pages_of(tmp_path / "cold", "skirmish", forget)
    assert warm.keys() == cold.keys()
    assert [key for key in warm if warm[key] != cold[key]] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "ruleset"), [("cannae", "tts"), ("ambush", "singidunum"), ("two-lines", "warmaster-shooting")]
)
async def test_so_are_those_of_large_battles(tmp_path: Path, scenario: str, ruleset: str) -> None:
    warm = await pages_of(tmp_path / "warm", scenario, lambda server: None, ruleset, every=12)
    cold = await pages_of(tmp_path / "cold", scenario, forget, ruleset, every=12)
    assert [key for key in warm if warm[key] != cold.get(key)] == []


async def pages_of(
    folder: Path,
    scenario: str,
    before: Callable[[RunningServer], None],
    ruleset: str = "tts",
    orders: int = 8,
    every: int = 8,
) -> Pages:
    """The pages of a battle by chance, always the same: after each order, and in the end of every so manyth event."""
    found: Pages = {}
    async with serving(folder, SeededEntropy("warm pages"), ManualClock()) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob, scenario=scenario, ruleset=ruleset)
        live = await server.running.battles.get(battle)

        async def look(n: int, more: str) -> None:
            for name, reader in (("south", anna), ("north", bob), ("", server.stranger)):
                for lang in ("en", "fr"):
                    before(server)
                    answer = await reader.get(f"/battles/{battle}?lang={lang}{more}", {"Accept": "text/html"})
                    assert answer.status == 200, answer.text
                    found[n, name, lang, more] = answer.text

        for at in range(orders):
            since = live.n
            await order(live, {"south": anna, "north": bob}, at)
            await look(live.n, f"&since={since}")
        for n in range(1, live.n + 1, every):
            await look(n, f"&n={n}")
    return found


async def order(live: LiveBattle, players: dict[str, Caller], at: int) -> None:
    """Give one of the options, most of them not the last, which ends a turn."""
    side = live.to_act()[0]
    options = live.options(side)
    chosen = options[(at * 37 + 11) % len(options)] if at % 6 != 5 else options[-1]
    answer = await players[side].order(live.id, chosen.order, phrase=PHRASE)
    assert answer.status == 200, answer.text


def forget(server: RunningServer) -> None:
    """Forget whatever was made for a page before."""
    for kept in _everything_kept():
        if isinstance(kept, Remembered):
            kept._kept.clear()
            kept.bytes = 0
        elif isinstance(kept, (PerBattle, WeakKeyDictionary)):
            kept.clear()
        elif kept.__module__ not in {module.__name__ for module in OF_THE_PROGRAM}:
            kept.cache_clear()
    scenes._texts.clear()
    for key in (KEPT, PICTURES):
        held: Any = server.app[key]
        held = held.kept if key is PICTURES else held
        held._answers.clear()
        held.bytes = 0


def _everything_kept() -> Iterator[Any]:
    """The caches of this process, whoever made them."""
    ours = [module for name, module in sys.modules.items() if name.startswith(("domain", "replay", "server"))]
    held = [value for module in ours for value in vars(module).values()]
    for thing in (*held, *rendering._templates().globals.values()):
        if isinstance(thing, (functools._lru_cache_wrapper, Remembered, PerBattle, WeakKeyDictionary)):
            yield thing
