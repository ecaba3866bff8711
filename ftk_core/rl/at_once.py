"""PettingZoo parallel environment: a table at which all agents answer in every step."""

from __future__ import annotations

from typing import Any

import msgspec
from gymnasium import spaces
from pettingzoo import ParallelEnv

from ftk_core.rl.senses import Floats
from ftk_core.rl.table import AGENT, Learners, Sensed


class NoAction(KeyError):
    """Raised if an agent that is asked has no action in a step. The message names the agent."""


Answers = tuple[dict[str, Sensed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class TableAtOnce(ParallelEnv[str, Any, Any]):  # type: ignore[misc]  # pettingzoo is untyped
    """Parallel environment whose agents are the seats, ``seat_0`` and so on. A step is one turn of the rules.

    In each step all seats that owe a choice make it: usually one, or several where the rules let them choose
    simultaneously. An agent that is not asked has a mask of zeros, and its action is ignored.
    """

    def __init__(
        self, game: str, seats: int = 0, options: msgspec.Struct | None = None, render_mode: str | None = None
    ) -> None:
        """Create a table of this size (0: the smallest); raise UnknownGame, NoBounds or ValueError."""
        self.table = Learners(game, seats, options)
        self.render_mode = render_mode
        self.metadata = {"name": f"ftk_{game}", "render_modes": ["ansi"]}
        self.possible_agents = self.table.agents
        self.observation_spaces = self.table.observation_spaces()
        self.action_spaces = self.table.action_spaces()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: Any = None,  # noqa: ARG002 - required by the interface
    ) -> tuple[dict[str, Sensed], dict[str, dict[str, Any]]]:
        """Deal a new match from the seed, or from the generator of the last seed. There are no options."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        return self._sensed(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> Answers:
        """Apply the agents' choices; return observations, rewards, terminations, truncations, infos.

        An action that is not on the menu counts as nonsense, as for a bot: item 0 is played, and the info of the agent
        says so. Raise NoAction if an action is missing.
        """
        match, agents = self.table.match, self.agents
        silent = [AGENT[seat] for seat in match.menus if AGENT[seat] not in actions]
        if silent:
            raise NoAction(f"{silent[0]} is asked (its mask is not all 0) and there is no action of it")
        answers = {seat: self.table.meant(seat, actions[AGENT[seat]]) for seat in match.menus}
        match.choose({seat: index for seat, (index, _) in answers.items()})
        over = not match.menus
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        infos |= {AGENT[seat]: {**noted} for seat, (_, noted) in answers.items()}
        rewards = self.table.rewards() if over else dict.fromkeys(agents, 0.0)
        self.agents = [] if over else agents
        return self._sensed(), rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _sensed(self) -> dict[str, Sensed]:
        return {agent: self.table.sensed(seat) for seat, agent in enumerate(self.possible_agents)}

    def rows(self, agent: str) -> Floats:
        """Return the features of an agent's menu, one row per item; no rows if it is not asked."""
        return self.table.rows(AGENT.index(agent))

    def render(self) -> str:
        """Return the public facts since the last call as sentences."""
        return self.table.told()

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
