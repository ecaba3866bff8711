"""Gymnasium vector environment: many matches of one game, played in parallel."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ftk_core.games import game as find_game
from ftk_core.match_fold import check_options
from ftk_core.rl.match_step_arrays import MatchStepArrays, Opponents
from ftk_core.rl.observation_encoder import Floats, ObservationEncoder
from ftk_core.rl.parallel_matches import create_tables

VectorStep = tuple[Floats, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
"""(observations, rewards, terminations, truncations, infos), each with a row per table."""


def _check_arguments(num_envs: int, opponents: Opponents, autoreset_mode: AutoresetMode) -> None:
    if opponents not in get_args(Opponents):
        raise ValueError(f"opponents are {', '.join(get_args(Opponents))}, not {opponents!r}")
    if num_envs < 1:
        raise ValueError(f"a vector environment needs at least one table, not {num_envs}")
    if autoreset_mode == AutoresetMode.DISABLED:
        raise ValueError("every table deals the next match: choose the mode NEXT_STEP or SAME_STEP")


class VectorTableEnv(VectorEnv[Any, Any, Any]):
    """Vector environment of many tables, each with a match in progress. In every step one seat of each table chooses.

    With opponents, only the learner's seat chooses. This seat is drawn anew for each match. With
    ``opponents="none"`` all seats learn, and the seat whose turn it is chooses (self-play). The reward is 0 until
    the end of the match, then the share of opponents that the seat finished ahead of.

    With `AutoresetMode.NEXT_STEP`, the step after the end of a match deals a new match and ignores the action. With
    `AutoresetMode.SAME_STEP`, the last step of a match deals the new one: it returns the first observation and
    infos of the new match, and ``final_obs`` has the last observation of the old one.

    The infos have one value per table. ``action_mask`` marks the items of the menu. ``seat`` is the seat that must
    choose. ``menu_size`` is the length of its menu. ``excused`` is True if the action lay beyond the menu, so that
    item 0 was played. ``shares`` are the rewards of all seats at the end of a match.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        seats: int = 0,
        *,
        opponents: Opponents = "random",
        options: msgspec.Struct | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        native: bool = True,
    ) -> None:
        """Create `num_envs` tables (parallel matches) for `seats` players each (0: as few as the game allows).

        Opponents are "random", "quick" (the game's fast policy for simulations), or "none". If `copy` is False, every
        step returns the same arrays with new content, which saves most of the time. If `native` is False, the Python
        rules are used instead of the C++ rules.

        Raise UnknownGameError if the game does not exist, UnboundedFieldError if its views or actions have no bounds,
        and ValueError for impossible arguments.
        """
        rules = find_game(game)
        self.seats = seats or rules.seats.start
        check_options(rules, self.seats, options or rules.options())
        _check_arguments(num_envs, opponents, autoreset_mode)
        self.num_envs, self.copy, self.view_encoder = num_envs, copy, ObservationEncoder(rules)
        self.autoreset_mode = autoreset_mode
        self.metadata = {"autoreset_mode": autoreset_mode}
        self.single_observation_space = self.view_encoder.observation_space()
        self.single_action_space = self.view_encoder.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, num_envs)
        self._tables = create_tables(
            self.view_encoder, self.seats, options, tables=num_envs, opponents=opponents, native=native
        )
        self._arrays = MatchStepArrays(self.view_encoder, num_envs, self.seats)
        self._no_truncation = np.zeros(num_envs, np.bool_)
        self._dealt = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Deal new matches at all tables; return the first observations and infos. `options` is ignored.

        The same seed gives the same matches on every machine. Without a seed, the present sequence of random
        numbers goes on.
        """
        super().reset(seed=seed, options=options)
        self._tables.start_series(f"vector/{self.np_random.integers(1 << 62) if seed is None else seed}")
        self._tables.step(None, self._arrays)
        self._dealt = True
        return self._observed(), self._infos()

    def step(self, actions: Any) -> VectorStep:
        """Play one choice in each match; return observations, rewards, terminations, truncations, infos.

        `actions` has a menu index for each table (match in progress). Raise ValueError if there is not one action per
        table, RuntimeError before the first `reset`.
        """
        if not self._dealt:
            raise RuntimeError("no match is going on: call reset()")
        items = np.ascontiguousarray(actions, np.int64)
        if items.shape != (self.num_envs,):
            raise ValueError(f"one action per table: {self.num_envs} are needed, not {items.shape}")
        arrays = self._arrays
        self._tables.step(items, arrays)
        final = self._deal_again() if self.autoreset_mode == AutoresetMode.SAME_STEP and arrays.over.any() else {}
        rewards, over = (arrays.rewards.copy(), arrays.over.copy()) if self.copy else (arrays.rewards, arrays.over)
        return self._observed(), rewards, over, self._no_truncation, self._infos() | final

    def _deal_again(self) -> dict[str, Any]:
        """Deal a new match at each table whose match has ended; return infos on the ended matches.

        The infos have the keys of Gymnasium's `SyncVectorEnv`: ``final_obs`` and ``final_info``, with their masks.
        """
        arrays = self._arrays
        over, seats = arrays.over.copy(), arrays.seats.copy()
        final_observations = np.full(self.num_envs, None, object)
        for table in np.flatnonzero(over):
            final_observations[table] = arrays.observations[table].copy()
        self._tables.deal_again(arrays)
        return {
            "final_obs": final_observations,
            "_final_obs": over,
            "final_info": {"seat": seats, "_seat": over},
            "_final_info": over,
        }

    def _observed(self) -> Floats:
        return self._arrays.observations.copy() if self.copy else self._arrays.observations

    def _infos(self) -> dict[str, Any]:
        arrays = self._arrays
        infos: dict[str, NDArray[Any]] = {
            "action_mask": arrays.masks,
            "seat": arrays.seats,
            "menu_size": arrays.sizes,
            "excused": arrays.excused,
            "shares": arrays.shares,
        }
        return {name: array.copy() for name, array in infos.items()} if self.copy else infos
