"""PettingZoo AEC environment: a table at which one agent acts after the other."""

from __future__ import annotations

from typing import Any

import msgspec
from gymnasium import spaces
from pettingzoo import AECEnv

from ftk_core.rl.senses import Floats
from ftk_core.rl.table import AGENT, Learners, Sensed


class TableInTurn(AECEnv[str, Any, Any]):  # type: ignore[misc]  # pettingzoo is untyped
    """AEC environment whose agents are the seats, ``seat_0`` and so on. Only the agent that is asked acts.

    Seats that choose simultaneously are asked one after the other, lowest first, without seeing each other's choices.
    Nobody is asked about a forced move, unless the other seats may not know that it is forced.
    """

    def __init__(
        self, game: str, seats: int = 0, options: msgspec.Struct | None = None, render_mode: str | None = None
    ) -> None:
        """Create a table of this size (0: the smallest); raise UnknownGame, NoBounds or ValueError."""
        self.table = Learners(game, seats, options)
        self.render_mode = render_mode
        self.metadata = {"name": f"ftk_{game}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = self.table.agents
        self.observation_spaces = self.table.observation_spaces()
        self.action_spaces = self.table.action_spaces()
        self.agent_selection = self.possible_agents[0]
        self._choices: dict[int, int] = {}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002 - required by the API
        """Deal a new match from the seed, or from the generator of the last seed. There are no options."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def observe(self, agent: str) -> Sensed:
        """Return an agent's observation and its action mask, all 0 unless it is asked."""
        seat = AGENT.index(agent)
        return self.table.sensed(seat, chosen=seat in self._choices)

    def step(self, action: Any) -> None:
        """Answer for the agent that is asked; None if the match is over.

        An action that is not on the menu counts as nonsense, as for a bot: item 0 is played, and
        ``infos[agent]["excuse"]`` says so.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = AGENT.index(agent)
        self._choices[seat], self.infos[agent] = self.table.meant(seat, action)
        if len(self._choices) < len(self.table.match.menus):
            self.agent_selection = self._asked()
            return
        self.table.match.choose(self._choices)
        self._ask()
        self._accumulate_rewards()

    def _ask(self) -> None:
        self._choices = {}
        if self.table.match.menus:
            self.agent_selection = self._asked()
            return
        self.rewards = self.table.rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _asked(self) -> str:
        return next(AGENT[seat] for seat in self.table.match.menus if seat not in self._choices)

    def rows(self, agent: str) -> Floats:
        """Return the features of an agent's menu, one row per item; no rows if it is not asked."""
        return self.table.rows(AGENT.index(agent))

    def render(self) -> str:
        """Return the public facts since the last call as sentences."""
        return self.table.told()

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
