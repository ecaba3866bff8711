"""Match and agent inputs shared by both PettingZoo environments."""

from __future__ import annotations

from typing import Any, TypedDict

import msgspec
import numpy as np
from gymnasium import spaces

from ftk_core.fold import check_options
from ftk_core.game import PUBLIC, tell
from ftk_core.games import game as find_game
from ftk_core.league.tallies import share
from ftk_core.rl.match import BareMatch
from ftk_core.rl.senses import Floats, Mask, Senses

MOST_AGENTS = 64
AGENT = tuple(f"seat_{seat}" for seat in range(MOST_AGENTS))
"""Names of the agents in PettingZoo, by seat."""


class Sensed(TypedDict):
    """Observation of an agent with its action mask."""

    observation: Floats
    action_mask: Mask


class Learners:
    """Table at which all seats learn, over a series of matches."""

    def __init__(self, game: str, seats: int, options: msgspec.Struct | None) -> None:
        """Create the table; raise UnknownGame, NoBounds, or ValueError for an impossible table."""
        self.game = find_game(game)
        self.seats, self.options = seats or self.game.seats.start, options
        check_options(self.game, self.seats, options or self.game.options())
        self.senses = Senses(self.game)
        self.agents = list(AGENT[: self.seats])
        self.match: BareMatch
        self._told = 0
        self._luck = np.random.default_rng()

    def observation_spaces(self) -> dict[str, spaces.Space[Any]]:
        """Return the observation space of each agent."""
        mask = spaces.Box(0, 1, (self.senses.actions,), np.int8)
        given: dict[str, spaces.Space[Any]] = {"observation": self.senses.observation_space(), "action_mask": mask}
        return {agent: spaces.Dict(given) for agent in self.agents}

    def action_spaces(self) -> dict[str, spaces.Space[Any]]:
        """Return the action space of each agent."""
        return {agent: self.senses.action_space() for agent in self.agents}

    def deal(self, seed: int | None) -> None:
        """Start a new match."""
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self.match, self._told = BareMatch(self.game, self.seats, self._luck.bytes(32), self.options), 0

    def sensed(self, seat: int, *, chosen: bool = False) -> Sensed:
        """Return the observation of a seat; its mask is empty if it is not asked or has answered."""
        menu = () if chosen else self.match.menus.get(seat, ())
        view = self.game.view(self.match.state, seat)
        return {
            "observation": self.senses.observation(view, seat, self.seats),
            "action_mask": self.senses.mask(menu),
        }

    def rows(self, seat: int) -> Floats:
        """Return the features of each item of a seat's menu."""
        return self.senses.rows(self.match.menus.get(seat, ()))

    def meant(self, seat: int, action: Any) -> tuple[int, dict[str, str]]:
        """Return the index that an action stands for, and a note about it."""
        return meant(action, len(self.match.menus[seat]))

    def rewards(self) -> dict[str, float]:
        """Return the reward of each agent: its share of opponents left behind."""
        return {agent: float(share(self.match.result.places, seat)) for seat, agent in enumerate(self.agents)}

    def told(self) -> str:
        """Return the public facts since the last call as sentences."""
        new, self._told = self.match.history[self._told :], len(self.match.history)
        return "\n".join(self.game.say(tell(fact, PUBLIC), self.agents, "en") for fact in new)


def meant(action: Any, items: int) -> tuple[int, dict[str, str]]:
    """Return the index into a menu that an action stands for, and a note about it.

    >>> meant(1, 2), meant(2, 2)
    ((1, {}), (0, {'excuse': 'nonsense'}))
    """
    index = int(action)
    return (index, {}) if 0 <= index < items else (0, {"excuse": "nonsense"})
