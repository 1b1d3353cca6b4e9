"""A bot that orders otherwise under the same version is noticed."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from benchmarks.random_play import GAMES
from domain.catalogue import RULESETS
from domain.run.bots import RANDOM, bot_label, offered
from tests.fingerprints.bots import changed, found, kept


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.slow
def test_the_bots_of_a_version_order_what_they_did(code):
    now = found(RULESETS[code])
    assert now.keys() <= kept().keys()
    assert changed(kept(), now) == []


@pytest.mark.slow
def test_a_bot_that_orders_otherwise_is_noticed():
    game = RULESETS["singidunum"]
    last: Any = lambda state, side, options, chance: options[-1].order  # noqa: E731
    other: Mapping[str, Any] = {**game.bots, "easy": last}
    assert changed(kept(), found(replace(game, bots=other))) == [f"singidunum {game.version} {bot_label(game, 'easy')}"]
    assert changed(kept(), found(replace(game, bots=other, bots_version="2"))) == []


def test_a_bot_is_told_with_its_version():
    game = replace(RULESETS["tts"], bots_version="7")
    assert [bot_label(game, bot) for bot in offered(game)] == ["easy 7", "sensible 7", "strong 7", f"{RANDOM} 1"]
