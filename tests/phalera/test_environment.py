"""The example of docs/examples is an environment as PettingZoo wants one, and follows from its seed."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

zoo = pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # those of PettingZoo and Gymnasium are advice to others
]


@pytest.fixture(scope="module")
def example() -> ModuleType:
    """The module of the example."""
    spec = importlib.util.spec_from_file_location("pettingzoo_env", ROOT / "docs" / "examples" / "pettingzoo_env.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("game", "scenario"), [("tts", "skirmish"), ("singidunum", "quick")])
def test_it_passes_the_test_of_pettingzoo(example: ModuleType, game: str, scenario: str) -> None:
    from pettingzoo.test import api_test

    api_test(example.PhaleraEnv(game, scenario), num_cycles=30)


def test_it_passes_the_test_of_its_seed(example: ModuleType) -> None:
    from pettingzoo.test import seed_test

    seed_test(lambda: example.PhaleraEnv("singidunum", "quick"), num_cycles=5)


def played(env: Any, seed: int) -> list[tuple[str, float, bool, bool]]:
    """A battle by chance: who acted, what they were given, how it was over."""
    env.reset(seed=seed)
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    seen = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        seen.append((agent, reward, terminated, truncated))
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    return seen


def test_a_battle_goes_to_its_end_and_the_winner_is_rewarded(example: ModuleType) -> None:
    env = example.PhaleraEnv("tts", "skirmish")
    seen = played(env, 3)
    assert env.battle.ended and env.battle.winner
    ended = {agent: reward for agent, reward, terminated, _ in seen if terminated}
    assert ended == {side: 1 if side == env.battle.winner else -1 for side in env.possible_agents}
    assert env.agents == []


def test_a_battle_that_goes_on_too_long_is_cut(example: ModuleType) -> None:
    env = example.PhaleraEnv("tts", "skirmish", most_orders=4)
    seen = played(env, 3)
    assert not env.battle.ended
    assert [truncated for *_, truncated in seen] == [False] * 4 + [True] * 2


def test_a_side_sees_what_it_knows_and_no_more(example: ModuleType) -> None:
    env = example.PhaleraEnv("singidunum", "ambush", render_mode="ansi")
    env.reset(seed=2)
    own, others = (env.observe(side)["observation"]["board"][:, 1] for side in ("south", "north"))
    assert (own > 0).any() and (others > 0).any()
    assert env.render().strip()
