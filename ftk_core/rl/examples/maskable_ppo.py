"""Training example: MaskablePPO of sb3-contrib learns to beat random players.

    python -m ftk_core.rl.examples.maskable_ppo pig --minutes 5

It needs `pip install .[train]`.
"""

from __future__ import annotations

import numpy as np
import typer
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecNormalize

from ftk_core.rl.examples.shared_example_code import (
    TABLES,
    GoesOn,
    TrainingExampleOptions,
    create_command,
    create_training_tables,
)
from ftk_core.rl.examples.stable_baselines_vec_env import StableBaselinesVecEnv
from ftk_core.rl.observation_encoder import Floats, Mask

STEPS = 128
"""Number of choices at each table between two updates of the net."""


class MaskablePpoLearner:
    """Policy that learns by MaskablePPO."""

    # Matches are short and only their end is rewarded, so later rewards are not discounted (gamma is 1).

    def __init__(self, run: TrainingExampleOptions) -> None:
        """Create an untrained net and the tables (matches played in parallel) from which it learns."""
        self.tables = VecNormalize(StableBaselinesVecEnv(create_training_tables(run)), norm_reward=False)
        self.model = MaskablePPO(
            "MlpPolicy",
            self.tables,
            learning_rate=1e-3,
            n_steps=STEPS,
            batch_size=1024,
            n_epochs=4,
            gamma=1.0,
            gae_lambda=0.95,
            ent_coef=0.01,
            policy_kwargs={"net_arch": [64, 64]},
            seed=run.seed,
            device="cpu",
        )

    def choose(self, observations: Floats, masks: Mask) -> NDArray[np.int64]:
        """Return the most probable action for each table (match in progress), as an array of shape (tables,)."""
        normal = self.tables.normalize_obs(observations)
        actions, _ = self.model.predict(normal, action_masks=masks, deterministic=True)
        return np.asarray(actions, np.int64)

    def train(self, goes_on: GoesOn) -> int:
        """Train until `goes_on` returns False; return the number of choices made."""
        while goes_on(self.model.num_timesteps):
            self.model.learn(STEPS * TABLES, reset_num_timesteps=False)  # one update
        return int(self.model.num_timesteps)


if __name__ == "__main__":
    typer.run(create_command(MaskablePpoLearner))
