"""PettingZoo environment of a game in which the players act one after the other (AEC)."""

from __future__ import annotations

from typing import Any

import msgspec
from pettingzoo import AECEnv

from ftk_core.rl.multi_agent_matches import AGENT_NAMES, MaskedObservation, MultiAgentEnv


class SequentialTableEnv(MultiAgentEnv, AECEnv[str, Any, Any]):  # type: ignore[misc]  # pettingzoo is untyped
    """PettingZoo AEC environment with the agents ``seat_0``, ``seat_1`` and so on.

    Agents who choose simultaneously act in the order of their seats and do not see each other's choices. An agent with
    only one action is skipped if opponents learn no secret from that.
    """

    def __init__(
        self, game: str, seats: int = 0, options: msgspec.Struct | None = None, render_mode: str | None = None
    ) -> None:
        """Create the environment of a game, as `MultiAgentEnv` does."""
        super().__init__(game, seats, options, render_mode)
        self.metadata["is_parallelizable"] = False
        self.agent_selection = self.possible_agents[0]
        self._choices: dict[int, int] = {}

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002 - required by the API
        """Deal a new match; `options` is ignored. If `seed` is None, the random number generator is not reset."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def observe(self, agent: str) -> MaskedObservation:
        """Return an agent's `observation` and `action_mask`. The mask is all 0 if the agent need not choose."""
        seat = AGENT_NAMES.index(agent)
        return self.table.observe_with_mask(seat, chosen=seat in self._choices)

    def step(self, action: Any) -> None:
        """Apply the current agent's action: an index into its menu, or None if the match is over.

        An index beyond the menu plays item 0 and sets ``infos[agent]["excuse"]`` to "nonsense".
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
