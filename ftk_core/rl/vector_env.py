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
from ftk_core.match_state_from_log import check_options
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
    """Gymnasium vector environment of many parallel matches. In each step one player of each match chooses.

    With opponents, the learner gets a random seat in each match. With ``opponents="none"`` all players learn
    (self-play). The reward is the share of opponents that a player beat, given at the end of the match; a tie counts
    half.

    With `AutoresetMode.NEXT_STEP`, the step after the end of a match starts a new one and ignores the action. With
    `AutoresetMode.SAME_STEP`, the last step of a match starts the new one and returns its first observation; the last
    observation of the old match is in ``final_obs``.

    The infos have one value per match:

    - ``action_mask`` marks the items of the menu, and ``menu_size`` counts them.
    - ``seat`` is the player who must choose.
    - ``excused`` is True if the action lay beyond the menu, so that item 0 was played.
    - ``shares`` are the rewards of all players at the end of a match.
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
        """Create `num_envs` parallel matches for `seats` players each; 0 means as few as the game allows.

        Opponents are "random", "quick" (the game's fast policy) or "none". If `copy` is False, each step overwrites the
        arrays that the last step returned; this is much faster. If `native` is False, the slower Python rules are used.

        Raises UnknownGameError, UnboundedFieldError if views or actions have no bounds, or ValueError for impossible
        arguments.
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
        self._dealt = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Start new matches; return the first observations and infos. `options` is ignored.

        The same seed gives the same matches on every machine. If `seed` is None, the random number generator is not
        reset.
        """
        super().reset(seed=seed, options=options)
        self._tables.start_series(f"vector/{self.np_random.integers(1 << 62) if seed is None else seed}")
        self._tables.step(None, self._arrays)
        self._dealt = True
        return self._observed(), self._infos()

    def step(self, actions: Any) -> VectorStep:
        """Play one choice in each match; return observations, rewards, terminations, truncations, infos.

        Raises ValueError unless there is one action per match, RuntimeError before the first `reset`.
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
        return self._observed(), rewards, over, np.zeros(self.num_envs, np.bool_), self._infos() | final

    def _deal_again(self) -> dict[str, Any]:
        """Replace finished matches by new ones. Return infos with the last observations and seats of the old ones."""
        # The infos have the keys of Gymnasium's `SyncVectorEnv`.
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
