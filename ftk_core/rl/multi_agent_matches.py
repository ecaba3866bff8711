"""Common part of the PettingZoo environments: matches, observations and rewards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

import msgspec
import numpy as np
from gymnasium import spaces

from ftk_core.game import PUBLIC, redact
from ftk_core.games import game as find_game
from ftk_core.league.scoring.entrant_stage_totals import share_left_behind
from ftk_core.match_state_from_log import check_options
from ftk_core.rl.observation_encoder import Floats, Mask, ObservationEncoder
from ftk_core.rl.parallel_matches import ParallelMatches, create_tables
from ftk_core.rl.python_parallel_matches import PythonParallelMatches

MAX_AGENTS = 64
"""Maximum number of seats at a table."""
AGENT_NAMES = tuple(f"seat_{seat}" for seat in range(MAX_AGENTS))
"""Name of the PettingZoo agent in each seat."""


class MaskedObservation(TypedDict):
    """Observation of an agent with its action mask."""

    observation: Floats
    action_mask: Mask


class MultiAgentMatches:
    """Series of matches, one after the other, in which all players learn."""

    def __init__(self, game: str, seats: int, options: msgspec.Struct | None, *, keeps_facts: bool) -> None:
        """Create a series of matches for `seats` players; 0 means as few as the game allows.

        With `keeps_facts`, events are kept for `describe_new_facts`. Raises UnknownGameError, UnboundedFieldError if
        views or actions have no bounds, or ValueError for impossible seats or options.
        """
        # Keeping the events needs the Python rules, which are slower.
        self.game = find_game(game)
        self.seats, self.options = seats or self.game.seats.start, options
        check_options(self.game, self.seats, options or self.game.options())
        self.view_encoder = ObservationEncoder(self.game)
        self.agents = list(AGENT_NAMES[: self.seats])
        self.menu_sizes: dict[int, int] = {}
        """Seat that must choose -> number of items on its menu; empty when the match is over."""
        self._tables: ParallelMatches = create_tables(self.view_encoder, self.seats, options, native=not keeps_facts)
        self._told = 0
        self._luck = np.random.default_rng()

    def observation_spaces(self) -> dict[str, spaces.Space[Any]]:
        """Return agent name -> observation space: a dict of the observation and the action mask."""
        mask = spaces.Box(0, 1, (self.view_encoder.actions,), np.int8)
        subspaces: dict[str, spaces.Space[Any]] = {
            "observation": self.view_encoder.observation_space(),
            "action_mask": mask,
        }
        return {agent: spaces.Dict(subspaces) for agent in self.agents}

    def action_spaces(self) -> dict[str, spaces.Space[Any]]:
        """Return agent name -> action space."""
        return {agent: self.view_encoder.action_space() for agent in self.agents}

    def deal(self, seed: int | None) -> None:
        """Start a new match. If `seed` is None, the random number generator is not reset."""
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self.menu_sizes, self._told = self._tables.deal(0, self._luck.bytes(32)), 0

    def choose(self, choices: Mapping[int, int]) -> None:
        """Apply the players' choices (seat -> menu index), and play on to the next choices."""
        self.menu_sizes = self._tables.answer(0, choices)

    def observe_with_mask(self, seat: int, *, chosen: bool = False) -> MaskedObservation:
        """Return a player's `observation` and `action_mask`.

        The mask is all 0 if the player need not choose, or has already chosen in this turn (`chosen`).
        """
        mask = self.view_encoder.mask(0 if chosen else self.menu_sizes.get(seat, 0))
        return {"observation": self._tables.observe(0, seat), "action_mask": mask}

    def rows(self, seat: int) -> Floats:
        """Return the features of a seat's menu as an array of shape (items, feature columns)."""
        return self._tables.rows(0, seat)

    def parse_action(self, seat: int, action: Any) -> tuple[int, dict[str, str]]:
        """Return (menu index, info) for a player's action, as `interpret_action` does."""
        return interpret_action(action, self.menu_sizes[seat])

    def rewards(self) -> dict[str, float]:
        """Return each agent's reward at the end of a match: the share of opponents beaten. A tie counts half."""
        places = self._tables.places(0)
        return {agent: float(share_left_behind(places, seat)) for seat, agent in enumerate(self.agents)}

    def describe_new_facts(self) -> str:
        """Return sentences on the events since the last call, without secrets.

        The text is empty if no events are kept.
        """
        history = self._tables.matches[0].history if isinstance(self._tables, PythonParallelMatches) else []
        new, self._told = history[self._told :], len(history)
        return "\n".join(self.game.say(redact(fact, PUBLIC), self.agents, "en") for fact in new)


class MultiAgentEnv:
    """Common part of the PettingZoo environments of a game, with the agents ``seat_0``, ``seat_1`` and so on."""

    def __init__(
        self, game: str, seats: int = 0, options: msgspec.Struct | None = None, render_mode: str | None = None
    ) -> None:
        """Create the environment of a game for `seats` players; 0 means as few as the game allows.

        Raises UnknownGameError, UnboundedFieldError if views or actions have no bounds, or ValueError for impossible
        seats or options.
        """
        self.table = MultiAgentMatches(game, seats, options, keeps_facts=render_mode == "ansi")
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {"name": f"ftk_{game}", "render_modes": ["ansi"]}
        self.possible_agents = self.table.agents
        self.observation_spaces = self.table.observation_spaces()
        self.action_spaces = self.table.action_spaces()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent. PettingZoo demands the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent. PettingZoo demands the same object at each call."""
        return self.action_spaces[agent]

    def rows(self, agent: str) -> Floats:
        """Return the features of an agent's actions, with shape (items, feature columns).

        There are no rows if the agent need not choose.
        """
        return self.table.rows(AGENT_NAMES.index(agent))

    def render(self) -> str:
        """Return sentences on the events since the last call, without secrets.

        The text is empty unless the render mode is "ansi".
        """
        return self.table.describe_new_facts()

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


def interpret_action(action: Any, items: int) -> tuple[int, dict[str, str]]:
    """Return (menu index, info) for an action. An invalid action gives index 0 and an ``excuse``.

    >>> interpret_action(1, 2), interpret_action(2, 2)
    ((1, {}), (0, {'excuse': 'nonsense'}))
    """
    index = int(action)
    return (index, {}) if 0 <= index < items else (0, {"excuse": "nonsense"})
