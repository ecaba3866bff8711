"""PettingZoo parallel environment of a game: one agent per seat; all agents act in every step."""

from __future__ import annotations

from typing import Any

import msgspec
from gymnasium import spaces
from pettingzoo import ParallelEnv

from ftk_core.rl.multi_agent_matches import AGENT_NAMES, MaskedObservation, MultiAgentMatches
from ftk_core.rl.observation_encoder import Floats


class AgentActionMissingError(KeyError):
    """Raised if a step has no action for an agent that must choose. The message names the agent."""


StepResult = tuple[
    dict[str, MaskedObservation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]


class SimultaneousTableEnv(ParallelEnv[str, Any, Any]):  # type: ignore[misc]  # pettingzoo is untyped
    """Parallel environment whose agents are the seats, ``seat_0`` and so on.

    In each step all seats that must choose do so: usually one seat, or several if the rules demand simultaneous
    choices. Any other agent has an action mask of zeros, and its action is ignored.
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
        self.metadata = {"name": f"ftk_{game}", "render_modes": ["ansi"]}
        self.possible_agents = self.table.agents
        self.observation_spaces = self.table.observation_spaces()
        self.action_spaces = self.table.action_spaces()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent. PettingZoo demands the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent. PettingZoo demands the same object at each call."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: Any = None,  # noqa: ARG002 - required by the interface
    ) -> tuple[dict[str, MaskedObservation], dict[str, dict[str, Any]]]:
        """Deal a new match and return all first observations and infos; `options` is ignored.

        A seed starts a new sequence of random numbers. Without a seed, the present sequence goes on.
        """
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        return self._sensed(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> StepResult:
        """Apply the agents' actions; return observations, rewards, terminations, truncations, infos.

        An action is an index into the agent's menu. For an index beyond the menu, item 0 is played, as for a bot with
        an invalid answer, and the agent's info has the excuse "nonsense". Raise AgentActionMissingError if the action
        of an agent that must choose is missing.
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

    def rows(self, agent: str) -> Floats:
        """Return the features of the actions that an agent may choose, as an array of shape (actions, feature columns).

        The array has no rows if the agent need not choose.
        """
        return self.table.rows(AGENT_NAMES.index(agent))

    def render(self) -> str:
        """Return sentences on the events since the last call, without secrets; "" unless the render mode is "ansi"."""
        return self.table.describe_new_facts()

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
