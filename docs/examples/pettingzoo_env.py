"""A battle as a PettingZoo environment (AEC), for bots that learn: `pip install pettingzoo`, then

    env = PhaleraEnv("tts", "skirmish")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        action = None if over else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

An action is the place of an option in `Battle.options`, which are all legal; places behind the last are masked out. A
side sees its tokens, those of the others as far as it knows them, and the tally. The winner is given 1, the loser -1.
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

import phalera

MOST_OPTIONS = 1024
MOST_TOKENS = 128
FEATURES = 6
"""Of a token: whether it is there, whose it is (1 own, -1 of others), across, up, facing as sine and cosine."""
FULL_TURN = 3600
"""Facings are tenths of a degree."""


class PhaleraEnv(AECEnv[str, dict[str, Any], int]):
    """A battle of a game; `most_orders` ends one that goes on and on."""

    metadata = {"name": "phalera_v0", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(
        self, game: str = "tts", scenario: str = "", most_orders: int = 5000, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.game, self.scenario, self.most_orders, self.render_mode = game, scenario, most_orders, render_mode
        self.battle = phalera.Battle(game, scenario)
        self.possible_agents = list(self.battle.ruleset.seats.names)
        self.agents = []
        board = Box(-1.0, 1.0, (MOST_TOKENS, FEATURES), np.float32)
        tally = Box(-np.inf, np.inf, (len(self.possible_agents),), np.float32)
        mask = Box(0, 1, (MOST_OPTIONS,), np.int8)
        self.observation_spaces = {
            side: Dict({"observation": Dict({"board": board, "tally": tally}), "action_mask": mask})
            for side in self.possible_agents
        }
        self.action_spaces = {side: Discrete(MOST_OPTIONS) for side in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The shape of what a side sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The places of options, most of them masked out."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new battle; the same seed and the same actions make the same one."""
        self.battle = phalera.Battle(self.game, self.scenario, seed=1 if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.orders = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {side: {} for side in self.agents}
        self.agent_selection = self.battle.to_act[0]

    def step(self, action: int | None) -> None:
        """Give the order at a place of the options of the side that is to act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.battle.order(agent, self.battle.options(agent)[action].order)
        self.orders += 1
        self._clear_rewards()
        if self.battle.ended:
            winner = self.battle.winner
            self.rewards = {side: 0 if not winner else 1 if side == winner else -1 for side in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.orders >= self.most_orders:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.battle.to_act[0]
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """What a side knows, and which of its options there are."""
        scene = phalera.board(self.battle, side=agent).scene
        board = np.zeros((MOST_TOKENS, FEATURES), np.float32)
        for row, token in zip(board, scene.tokens, strict=False):
            (x, y), turned = token.at, 2 * np.pi * (token.facing or 0) / FULL_TURN
            across, up = (2 * at / most - 1 for at, most in zip((x, y), (scene.width, scene.height), strict=True))
            row[:] = 1, 1 if token.side == agent else -1, across, up, np.sin(turned), np.cos(turned)
        tally = self.battle.ruleset.shown.tally(self.battle.known(agent))
        left = np.array([tally.get(side, 0) for side in self.possible_agents], np.float32)
        mask = np.zeros(MOST_OPTIONS, np.int8)
        mask[: len(self.battle.options(agent))] = 1
        return {"observation": {"board": np.clip(board, -1, 1), "tally": left}, "action_mask": mask}

    def render(self) -> str | None:
        """The board as a stranger sees it: text, or an SVG document."""
        board = phalera.board(self.battle)
        return {"ansi": str(board), "svg": board.svg}.get(self.render_mode or "")

    def close(self) -> None:
        """Nothing is open."""
