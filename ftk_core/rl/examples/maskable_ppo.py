"""Training example: MaskablePPO of sb3-contrib learns to beat players that choose at random.

    python -m ftk_core.rl.examples.maskable_ppo pig --minutes 5

It needs `pip install .[train]`.
"""

from __future__ import annotations

from time import monotonic

import numpy as np
import typer
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecNormalize

from ftk_core.rl.examples.random_play_comparison import (
    DEFAULTS,
    ChoicesOption,
    ExampleRun,
    GameArgument,
    MatchesOption,
    MinutesOption,
    SeatsOption,
    SeedOption,
    compare_with_random_play,
    create_training_tables,
)
from ftk_core.rl.examples.table_vec_env import TableVecEnv
from ftk_core.rl.observation_encoder import Floats, Mask


class TimeLimit(BaseCallback):  # type: ignore[misc]  # stable-baselines3 is not among the development tools
    """Callback that ends the training when its time is over."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = monotonic() + seconds

    def _on_step(self) -> bool:
        return monotonic() < self.end


class MaskablePpoLearner:
    """Policy of MaskablePPO.

    Matches are short and only their end is rewarded, so later rewards are not discounted (gamma is 1).
    """

    def __init__(self, run: ExampleRun) -> None:
        """Create an untrained net and its tables."""
        self.tables = VecNormalize(TableVecEnv(create_training_tables(run)), norm_reward=False)
        self.model = MaskablePPO(
            "MlpPolicy",
            self.tables,
            learning_rate=1e-3,
            n_steps=128,
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
        """Return the most probable action by table."""
        normal = self.tables.normalize_obs(observations)
        actions, _ = self.model.predict(normal, action_masks=masks, deterministic=True)
        return np.asarray(actions, np.int64)

    def train(self, seconds: float, choices: int) -> int:
        """Train until the time is over or this many choices were made; return the number of choices."""
        self.model.learn(choices, callback=TimeLimit(seconds))
        return int(self.model.num_timesteps)


def main(
    game: GameArgument = DEFAULTS.game,
    seats: SeatsOption = DEFAULTS.seats,
    minutes: MinutesOption = DEFAULTS.minutes,
    choices: ChoicesOption = DEFAULTS.choices,
    matches: MatchesOption = DEFAULTS.matches,
    seed: SeedOption = DEFAULTS.seed,
) -> None:
    """Train with MaskablePPO, and print the share of random opponents left behind before and after."""
    run = ExampleRun(game=game, seats=seats, minutes=minutes, choices=choices, matches=matches, seed=seed)
    compare_with_random_play(MaskablePpoLearner, run)


if __name__ == "__main__":
    typer.run(main)
