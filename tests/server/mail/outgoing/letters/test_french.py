"""A French letter has no English word in it, whatever the game and its scenario."""

import re
import tomllib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.basics.data import scenario_names, scenario_text
from domain.catalogue import RULESETS
from replay.telling.words.names import name_in
from replay.telling.words.po import read_po
from server.play.seating import take_side
from server.store.tables import outbox
from tests.support import messages
from tests.support.french import english_in
from tests.support.letter_writing import PHRASE, Arrived, Office, opened

ROOT = Path(__file__).parents[5]
SCENARIOS = [(code, name) for code in sorted(RULESETS) for name in scenario_names(code)]
WORD = re.compile(r"(?<![\w-])[^\W\d_]{3,}(?!\w)")
GAP = re.compile(r"{[^{}]*}")
PROTOCOL = re.compile(r"^(?:hand:\w+|north|south|public|rules|hash_0|C) .*$|https?://\S+|\n-- \n[\s\S]*", re.M)
"""What is the same in every language: lines of the commitment (fairness.md 2), addresses, the signed head."""


def words_of(lang: str) -> Iterator[str]:
    """All words of the sentences in a language."""
    for package in ("replay", "server"):
        for path in (ROOT / package / "locale" / lang).rglob("*.po"):
            for forms in read_po(path.read_text(encoding="utf-8")).texts.values():
                for said in forms:
                    yield from map(str.lower, WORD.findall(GAP.sub(" ", said)))


@cache
def english_words() -> frozenset[str]:
    """Those of the English sentences that no French one has."""
    return frozenset(words_of("en")) - frozenset(words_of("fr"))


def names_of(scenario: object) -> Iterator[str]:
    """What a scenario names its battle, sides and their parts."""
    if isinstance(scenario, dict):
        yield from (scenario[key] for key in ("title", "name") if isinstance(scenario.get(key), str))
        scenario = list(scenario.values())
    if isinstance(scenario, list):
        for inner in scenario:
            yield from names_of(inner)


def test_english_words_are_known() -> None:
    assert {"the", "ahead", "orders", "left", "wanted"} <= english_words()
    assert not {"tour", "ordres", "charge", "corps"} & english_words()


@asynccontextmanager
async def begun(folder: Path, code: str, scenario: dict[str, Any]) -> AsyncIterator[Office]:
    """A battle of two French players."""
    async with opened(folder) as office:
        office.live = await office.battles.open(code, scenario, "public", "steady")
        for side, player in (("south", "Anna"), ("north", "Bob")):
            seated = await office.enrol(side, player, lang="fr")
            phrase = messages.phrase(office.live.recording, PHRASE)
            await take_side(office.live, side, seated, phrase=phrase)
        yield office


def require_french(letter: Any, scenario: dict[str, Any]) -> None:
    told = f"{letter['Subject']}\n{PROTOCOL.sub('', letter.text)}"
    french = {given: name_in(given, "fr") for given in names_of(scenario)}
    for given, translated in french.items():
        assert given == translated or given not in told.replace(translated, ""), given
    for named in french.values():
        told = told.replace(named, "")
    assert [word for word in WORD.findall(told) if word.lower() in english_words()] == []
    assert english_in(told) == []


@pytest.mark.slow
@pytest.mark.parametrize("code, name", SCENARIOS)
async def test_a_first_french_letter_has_no_english_word(tmp_path: Path, code: str, name: str) -> None:
    scenario = tomllib.loads(scenario_text(code, name))
    async with begun(tmp_path, code, scenario) as office:
        assert office.rows()
        for row in office.rows():
            require_french(await office.letter(row), scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    "code, name", [("tts", "skirmish"), ("singidunum", "two-lines"), ("warmaster-shooting", "charge-at-dawn")]
)
async def test_no_french_letter_of_a_battle_has_an_english_word(tmp_path: Path, code: str, name: str) -> None:
    """Letters with stories, decisions and the end, of a battle in which both attack whenever they can."""
    scenario, chance = tomllib.loads(scenario_text(code, name)), Random(name)
    kinds: set[str] = set()
    async with begun(tmp_path, code, scenario) as office:
        live = office.live
        useful = live.ruleset.shown.useful[:2]
        while "end" not in kinds:
            for row in office.rows():
                composed = await office.writer.compose(row)
                if composed and not composed.wait_until:
                    require_french(Arrived(composed), scenario)
                    kinds.add(row.kind)
                await office.store.write(outbox.sent(row.id, office.clock.now()))
            if live.recording.battle.ended:
                break
            (side, *_) = live.to_act()
            options = live.options(side)
            wanted = [option for option in options if option.kind in useful] or options
            after = [] if live.game.waiting else [options[-1].order]
            is_enough = {"turn", "decision"} <= kinds and not live.game.waiting
            await office.order(side, "resign" if is_enough else "\n".join([chance.choice(wanted).order, *after]))
            office.clock.wait(minutes=7)
    assert {"turn", "decision", "end"} <= kinds


@pytest.mark.parametrize("code, name", SCENARIOS)
def test_a_scenario_has_french_names(code: str, name: str) -> None:
    scenario = tomllib.loads(scenario_text(code, name))

    def tables(value: object) -> Iterator[dict[str, object]]:
        if isinstance(value, dict):
            yield value
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from tables(inner)

    named = [(key, table) for table in tables(scenario) for key in ("title", "name", "history") if key in table]
    assert [key for key, table in named if not table.get(f"{key}_fr")] == []
    assert {"title", "history"} <= {key for key, table in named if table is scenario}
