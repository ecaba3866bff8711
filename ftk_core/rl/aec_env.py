"""PettingZoo AEC (agent environment cycle) environment of a game: one agent per seat; they act one after the other."""

from __future__ import annotations

from typing import Any

import msgspec
from gymnasium import spaces
from pettingzoo import AECEnv

from ftk_core.rl.multi_agent_matches import AGENT_NAMES, MaskedObservation, MultiAgentMatches
from ftk_core.rl.observation_encoder import Floats


class SequentialTableEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]  # pettingzoo is untyped
    """AEC environment whose agents are the seats, ``seat_0`` and so on. Only agents that must choose are asked.

    Seats that choose simultaneously are asked one after the other, lowest first, and do not see each other's choices. A
    seat with only one action is skipped, except in turns in which other seats must not learn that it has no choice.
    """

    def __init__(
        self, game: str, seats: int = 0, options: msgspec.Struct | None = None, render_mode: str | None = None
    ) -> None:
        """Create the environment of a game for `seats` players (0: as few as the game allows) with its `options`.

        Raise UnknownGameError if the game does not exist, UnboundedFieldError if its views or actions have no bounds.
        Raise ValueError if the game cannot be played with these seats and options.
        """
        self.table = MultiAgentMatches(game, seats, options, keeps_facts=render_mode == "ansi")
        self.render_mode = render_mode
        self.metadata = {"name": f"ftk_{game}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = self.table.agents
        self.observation_spaces = self.table.observation_spaces()
        self.action_spaces = self.table.action_spaces()
        self.agent_selection = self.possible_agents[0]
        self._choices: dict[int, int] = {}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent. PettingZoo demands the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent. PettingZoo demands the same object at each call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002 - required by the API
        """Deal a new match; `options` is ignored.

        A seed starts a new sequence of random numbers. Without a seed, the present sequence goes on.
        """
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def observe(self, agent: str) -> MaskedObservation:
        """Return a dict with an agent's `observation` and its `action_mask`.

        The mask is all 0 unless the agent must choose now.
        """
        seat = AGENT_NAMES.index(agent)
        return self.table.observe_with_mask(seat, chosen=seat in self._choices)

    def step(self, action: Any) -> None:
        """Apply the action of the agent whose turn it is: an index into its menu, or None if the match is over.

        For an index beyond the menu, item 0 is played, as for a bot with an invalid answer, and
        ``infos[agent]["excuse"]`` is "nonsense".
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        seat = AGENT_NAMES.index(agent)
        self._choices[seat], self.infos[agent] = self.table.parse_action(seat, action)
        if len(self._choices) < len(self.table.menu_sizes):
            self.agent_selection = self._next_agent()
            return
        self.table.choose(self._choices)
        self._ask()

    def _ask(self) -> None:
        self._choices = {}
        if self.table.menu_sizes:
            self.agent_selection = self._next_agent()
            return
        self.rewards = self.table.rewards()
        self._accumulate_rewards()  # only now, as all earlier rewards are 0
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _next_agent(self) -> str:
        # the seats that must choose are in ascending order, and have chosen in this order
        return AGENT_NAMES[[*self.table.menu_sizes][len(self._choices)]]

    def rows(self, agent: str) -> Floats:
        """Return the features of an agent's menu as an array of shape (items, feature columns).

        The array has no rows if the agent need not choose now.
        """
        return self.table.rows(AGENT_NAMES.index(agent))

    def render(self) -> str:
        """Return sentences on the events since the last call, without secrets; "" unless the render mode is "ansi"."""
        return self.table.describe_new_facts()

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
