"""What both of PettingZoo's forms of a table share: the match, and what agents are given of it."""

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
"""By seat: what PettingZoo calls the agent there."""


class Sensed(TypedDict):
    """What an agent is given."""

    observation: Floats
    action_mask: Mask


class Learners:
    """A table at which all seats learn; matches are dealt one after the other."""

    def __init__(self, game: str, seats: int, options: msgspec.Struct | None) -> None:
        """Raise UnknownGame, NoBounds, and ValueError for what cannot be played."""
        self.game = find_game(game)
        self.seats, self.options = seats or self.game.seats.start, options
        check_options(self.game, self.seats, options or self.game.options())
        self.senses = Senses(self.game)
        self.agents = list(AGENT[: self.seats])
        self.match: BareMatch
        self._told = 0
        self._luck = np.random.default_rng()

    def observation_spaces(self) -> dict[str, spaces.Space[Any]]:
        """Return by agent a space of what it is given."""
        mask = spaces.Box(0, 1, (self.senses.actions,), np.int8)
        given: dict[str, spaces.Space[Any]] = {"observation": self.senses.observation_space(), "action_mask": mask}
        return {agent: spaces.Dict(given) for agent in self.agents}

    def action_spaces(self) -> dict[str, spaces.Space[Any]]:
        """Return by agent a space of what it may answer."""
        return {agent: self.senses.action_space() for agent in self.agents}

    def deal(self, seed: int | None) -> None:
        """Begin a match."""
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self.match, self._told = BareMatch(self.game, self.seats, self._luck.bytes(32), self.options), 0

    def sensed(self, seat: int, *, chosen: bool = False) -> Sensed:
        """Return what a seat is given; nothing may be answered by who is not asked, or has answered."""
        menu = () if chosen else self.match.menus.get(seat, ())
        view = self.game.view(self.match.state, seat)
        return {
            "observation": self.senses.observation(view, seat, self.seats),
            "action_mask": self.senses.mask(menu),
        }

    def rows(self, seat: int) -> Floats:
        """Return what each item of a seat's menu says."""
        return self.senses.rows(self.match.menus.get(seat, ()))

    def meant(self, seat: int, action: Any) -> tuple[int, dict[str, str]]:
        """Return the index that an answer stands for, and what is noted of it."""
        return meant(action, len(self.match.menus[seat]))

    def rewards(self) -> dict[str, float]:
        """Return what the match was worth by agent: the share of opponents left behind."""
        return {agent: float(share(self.match.result.places, seat)) for seat, agent in enumerate(self.agents)}

    def told(self) -> str:
        """Return in sentences what everybody has been told since the last time."""
        new, self._told = self.match.history[self._told :], len(self.match.history)
        return "\n".join(self.game.say(tell(fact, PUBLIC), self.agents, "en") for fact in new)


def meant(action: Any, items: int) -> tuple[int, dict[str, str]]:
    """Return the index into a menu that an answer stands for, and what is noted of it.

    >>> meant(1, 2), meant(2, 2)
    ((1, {}), (0, {'excuse': 'nonsense'}))
    """
    index = int(action)
    return (index, {}) if 0 <= index < items else (0, {"excuse": "nonsense"})
