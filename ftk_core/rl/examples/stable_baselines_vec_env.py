"""Adapter from `VectorTableEnv` to the vector environments of stable-baselines3, which have their own interface."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from ftk_core.rl.observation_encoder import Floats
from ftk_core.rl.vector_env import VectorTableEnv

Indices = int | list[int] | None
"""Numbers of tables; None for all of them."""


class StableBaselinesVecEnv(VecEnv):  # type: ignore[misc]  # stable-baselines3 is not among the development tools
    """Adapter from `VectorTableEnv` to `VecEnv` of stable-baselines3, with the action masks that sb3-contrib reads.

    At the end of a match, its info has the key ``terminal_observation``, and the step returns the first observation of
    the next match. After a choice beyond the menu, the info has the ``excuse`` "nonsense".
    """

    def __init__(self, tables: VectorTableEnv) -> None:
        """Wrap an environment. Raises ValueError unless it was created with ``SAME_STEP`` and ``copy=True``."""
        if tables.autoreset_mode != AutoresetMode.SAME_STEP or not tables.copy:
            raise ValueError("stable-baselines3 needs tables with autoreset_mode=SAME_STEP and copy=True")
        self.tables = tables
        super().__init__(tables.num_envs, tables.single_observation_space, tables.single_action_space)
        self._actions = np.zeros(tables.num_envs, np.int64)
        self._masks = np.zeros((tables.num_envs, tables.view_encoder.actions), np.bool_)

    def reset(self) -> Floats:
        """Start new matches and return the first observations.

        The random number generator is reset only if `seed` was called since the last reset.
        """
        observations, infos = self.tables.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._masks = infos["action_mask"].astype(np.bool_)
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Store the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[Floats, NDArray[np.float64], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the stored actions; return (observations, rewards, match is over, infos), with one item per match."""
        observations, rewards, over, _, infos = self.tables.step(self._actions)
        self._masks = infos["action_mask"].astype(np.bool_)
        notes = [dict[str, Any]() for _ in range(self.num_envs)]
        for table in np.flatnonzero(over):
            notes[table] |= {"terminal_observation": infos["final_obs"][table], "TimeLimit.truncated": False}
        for table in np.flatnonzero(infos["excused"]):
            notes[table]["excuse"] = "nonsense"
        return observations, rewards, over, notes

    def env_method(self, method_name: str, *_args: Any, indices: Indices = None, **_kwargs: Any) -> list[Any]:
        """Return the action masks of the matches. Raises AttributeError unless the method is ``action_masks``."""
        if method_name != "action_masks":
            raise AttributeError(f"a table has no method {method_name!r}, only 'action_masks'")
        return [self._masks[table] for table in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute of the environment, repeated for each match."""
        # sb3-contrib looks up `action_masks` as an attribute and expects a callable.
        value = self.env_method if attr_name == "action_masks" else getattr(self.tables, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:  # noqa: ARG002 - as in the API
        """Raise AttributeError, because attributes cannot be set for single matches."""
        raise AttributeError(f"{attr_name!r} cannot be set table by table")

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:  # noqa: ARG002 - the API
        """Return False for each match, because a single match cannot be wrapped."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Close the wrapped `VectorTableEnv`."""
        self.tables.close()
