"""PettingZoo parallel environment of a game: one agent per seat; all agents act in every step."""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv

from ftk_core.rl.multi_agent_matches import AGENT_NAMES, MaskedObservation, MultiAgentEnv


class AgentActionMissingError(KeyError):
    """Raised if a step lacks the action of an agent that must choose."""


StepResult = tuple[
    dict[str, MaskedObservation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]


class SimultaneousMovesEnv(MultiAgentEnv, ParallelEnv[str, Any, Any]):  # type: ignore[misc]  # pettingzoo is untyped
    """PettingZoo parallel environment with the agents ``seat_0``, ``seat_1`` and so on.

    All agents that must choose do so in one step. The others have an action mask of zeros, and their actions are
    ignored.
    """

    def reset(
        self,
        seed: int | None = None,
        options: Any = None,  # noqa: ARG002 - required by the interface
    ) -> tuple[dict[str, MaskedObservation], dict[str, dict[str, Any]]]:
        """Start a new match and return its first observations and infos; `options` is ignored.

        If `seed` is None, the random number generator is not reset.
        """
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        return self._sensed(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> StepResult:
        """Apply the agents' actions; return observations, rewards, terminations, truncations, infos.

        An action is an index into the agent's menu. An index beyond it plays item 0 and gives the info ``excuse``.
        Raises AgentActionMissingError for a missing action.
        """
        table, agents = self.table, self.agents
        silent = [AGENT_NAMES[seat] for seat in table.menu_sizes if AGENT_NAMES[seat] not in actions]
        if silent:
            raise AgentActionMissingError(f"{silent[0]} is asked (its mask is not all 0) and there is no action of it")
        answers = {seat: table.parse_action(seat, actions[AGENT_NAMES[seat]]) for seat in table.menu_sizes}
        table.choose({seat: index for seat, (index, _) in answers.items()})
        over = not table.menu_sizes
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        infos |= {AGENT_NAMES[seat]: {**noted} for seat, (_, noted) in answers.items()}
        rewards = self.table.rewards() if over else dict.fromkeys(agents, 0.0)
        self.agents = [] if over else agents
        return self._sensed(), rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _sensed(self) -> dict[str, MaskedObservation]:
        return {agent: self.table.observe_with_mask(seat) for seat, agent in enumerate(self.possible_agents)}
