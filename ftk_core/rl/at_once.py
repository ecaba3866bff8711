"""A table as an environment of PettingZoo in which all agents answer in every step (parallel)."""

from __future__ import annotations

from typing import Any

import msgspec
from gymnasium import spaces
from pettingzoo import ParallelEnv

from ftk_core.rl.senses import Floats
from ftk_core.rl.table import AGENT, Learners, Sensed


class NoAction(KeyError):
    """Raised for a step in which an agent that is asked says nothing; the message names it."""


Answers = tuple[dict[str, Sensed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class TableAtOnce(ParallelEnv[str, Any, Any]):  # type: ignore[misc]  # pettingzoo says no types to mypy
    """Seats are agents, ``seat_0`` and so on. A step is a turn of the rules: all seats that owe a choice make it.

    That is one seat mostly, and several where the rules let them choose at the same time. Who is not asked has a mask
    of zeros; what it answers is not read.
    """

    def __init__(
        self, game: str, seats: int = 0, options: msgspec.Struct | None = None, render_mode: str | None = None
    ) -> None:
        """Set a table for so many (0: the fewest); raises UnknownGame, NoBounds, ValueError."""
        self.table = Learners(game, seats, options)
        self.render_mode = render_mode
        self.metadata = {"name": f"ftk_{game}", "render_modes": ["ansi"]}
        self.possible_agents = self.table.agents
        self.observation_spaces = self.table.observation_spaces()
        self.action_spaces = self.table.action_spaces()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent is given, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent may answer, always the same object."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: Any = None,  # noqa: ARG002 - as it is called
    ) -> tuple[dict[str, Sensed], dict[str, dict[str, Any]]]:
        """Deal a new match: of that seed, or of the luck that goes on from the last seed; there are no options."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        return self._sensed(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> Answers:
        """Let the seats that are asked choose; return observations, rewards, terminations, truncations, infos.

        An answer off the menu is nonsense, as for a bot: item 0 is played, and the agent's info says so. Raises
        NoAction where there is none.
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
        """Return what each item of an agent's menu says, a row each; no rows for who is not asked."""
        return self.table.rows(AGENT.index(agent))

    def render(self) -> str:
        """Return in sentences what everybody has been told since the last time."""
        return self.table.told()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
