"""Training example: PPO in one file learns to beat random players.

    python -m ftk_core.rl.examples.clean_ppo pig --minutes 5

It needs `pip install .[train]`. Sources: Schulman et al., Proximal Policy Optimization Algorithms (2017); Huang and
Ontañón, A Closer Look at Invalid Action Masking (2020).
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import torch
import typer
from numpy.typing import NDArray
from torch import nn
from torch.distributions import Categorical

from ftk_core.rl.examples.shared_example_code import (
    TABLES,
    GoesOn,
    TrainingExampleOptions,
    create_command,
    create_training_tables,
)
from ftk_core.rl.observation_encoder import Floats, Mask

STEPS = 128
"""Number of choices at each table between two updates of the net."""
EPOCHS = 4
"""Number of passes over the collected choices in each update of the net."""
MINIBATCH_CHOICES = 1024
LEARNING_RATE = 1e-3
GAMMA = 1.0
"""Discount factor of later rewards: 1, because a match is short and only its end is rewarded."""
GAE_LAMBDA = 0.95
CLIP_RATIO = 0.2
ENTROPY_WEIGHT = 0.01
VALUE_WEIGHT = 0.5
MAX_GRADIENT_NORM = 0.5
NORMAL_LIMIT = 10.0
"""Largest absolute value of a normalised observation."""


class PpoRollout(msgspec.Struct, kw_only=True):
    """Choices since the last update of the network, as tensors of shape (steps, parallel matches).

    `observations` has a third dimension for features, `masks` one for actions.
    """

    observations: Any
    masks: Any
    actions: Any
    log_probabilities: Any
    values: Any
    """Estimated values, as a tensor of shape (STEPS + 1, TABLES): the last row is the state after the last step."""
    rewards: Any
    over: Any
    """1 if the choice ended the match, otherwise 0."""


class PolicyNet(nn.Module):  # type: ignore[misc]  # torch is not among the development tools
    """Two nets on normalised observations: one for the logits of the actions, the other for the value."""

    def __init__(self, width: int, actions: int, hidden: int = 64) -> None:
        super().__init__()
        self.policy, self.value = _create_layers(width, hidden, actions, 0.01), _create_layers(width, hidden, 1, 1.0)
        self.mean, self.variance, self.count = torch.zeros(width), torch.ones(width), 0

    def normalise(self, observations: Any) -> Any:
        """Scale each column to mean 0 and variance 1, then clamp it to plus or minus `NORMAL_LIMIT`."""
        scaled = (observations - self.mean) / torch.sqrt(self.variance + 1e-8)
        return scaled.clamp(-NORMAL_LIMIT, NORMAL_LIMIT)

    def note_scale(self, observations: Any) -> None:
        """Add observations to the running mean and variance."""
        count, share = len(observations), len(observations) / (self.count + len(observations))
        difference = observations.mean(0) - self.mean
        spread = observations.var(0, unbiased=False) - self.variance
        self.mean += difference * share
        self.variance += spread * share + difference**2 * share * (1 - share)
        self.count += count

    def distribution(self, normal: Any, masks: Any) -> Categorical:
        """Return the distribution over the actions; an action outside the mask has probability 0."""
        return Categorical(logits=self.policy(normal).masked_fill(~masks, -1e9))


def _create_layers(width: int, hidden: int, outputs: int, last_scale: float) -> nn.Sequential:
    layers = [nn.Linear(width, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, outputs)]
    for layer, scale in zip(layers[::2], (2**0.5, 2**0.5, last_scale), strict=True):
        nn.init.orthogonal_(layer.weight, scale)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(*layers)


def compute_advantages(rewards: Any, values: Any, over: Any) -> Any:
    """Return the generalised advantage estimate (GAE) of each choice, with shape (steps, parallel matches).

    `rewards` and `over` have the same shape; `over` is 1 for the last choice of a match. `values` has one more row,
    for the states after the last step.
    """
    advantages, later = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for step in reversed(range(len(rewards))):
        goes_on = 1 - over[step]
        error = rewards[step] + GAMMA * values[step + 1] * goes_on - values[step]
        advantages[step] = later = error + GAMMA * GAE_LAMBDA * goes_on * later
    return advantages


class SingleFilePpoLearner:
    """Policy net, its optimiser, and the tables (matches played in parallel) from which it learns."""

    def __init__(self, run: TrainingExampleOptions) -> None:
        """Create an untrained network and start the first matches."""
        torch.manual_seed(run.seed)
        self.tables = create_training_tables(run, copy=False)
        self.net = PolicyNet(self.tables.view_encoder.width, self.tables.view_encoder.actions)
        self.optimiser = torch.optim.Adam(self.net.parameters(), lr=LEARNING_RATE, eps=1e-5)
        self.observations, infos = self.tables.reset(seed=run.seed)
        self.masks: Mask = infos["action_mask"]

    def choose(self, observations: Floats, masks: Mask) -> NDArray[np.int64]:
        """Return the most probable action for each table (match in progress), as an array of shape (tables,)."""
        with torch.no_grad():
            normal = self.net.normalise(torch.from_numpy(observations))
            logits = self.net.distribution(normal, torch.from_numpy(masks).bool()).logits
        best: NDArray[np.int64] = logits.argmax(1).numpy()
        return best

    def train(self, goes_on: GoesOn) -> int:
        """Train until `goes_on` returns False; return the number of choices made."""
        made = 0
        while goes_on(made):
            self.update(self.play())
            made += STEPS * TABLES
        return made

    def play(self) -> PpoRollout:
        """Play `STEPS` steps of all matches in progress by the present policy, and return the choices."""
        width, actions = self.tables.view_encoder.width, self.tables.view_encoder.actions
        rollout = PpoRollout(
            observations=torch.zeros(STEPS, TABLES, width),
            masks=torch.zeros(STEPS, TABLES, actions, dtype=torch.bool),
            actions=torch.zeros(STEPS, TABLES, dtype=torch.int64),
            log_probabilities=torch.zeros(STEPS, TABLES),
            values=torch.zeros(STEPS + 1, TABLES),
            rewards=torch.zeros(STEPS, TABLES),
            over=torch.zeros(STEPS, TABLES),
        )
        with torch.no_grad():
            for step in range(STEPS):
                self._play_step(rollout, step)
            rollout.values[STEPS] = self._value(torch.from_numpy(self.observations))
        return rollout

    def _play_step(self, rollout: PpoRollout, step: int) -> None:
        observations, masks = torch.from_numpy(self.observations), torch.from_numpy(self.masks).bool()
        self.net.note_scale(observations)
        normal = self.net.normalise(observations)
        distribution = self.net.distribution(normal, masks)
        actions = distribution.sample()
        rollout.observations[step], rollout.masks[step], rollout.actions[step] = normal, masks, actions
        rollout.log_probabilities[step] = distribution.log_prob(actions)
        rollout.values[step] = self.net.value(normal).flatten()
        self.observations, rewards, over, _, infos = self.tables.step(actions.numpy())
        self.masks = infos["action_mask"]
        rollout.rewards[step], rollout.over[step] = torch.from_numpy(rewards), torch.from_numpy(over)

    def _value(self, observations: Any) -> Any:
        return self.net.value(self.net.normalise(observations)).flatten()

    def update(self, rollout: PpoRollout) -> None:
        """Improve the net with the choices of a rollout."""
        advantages = compute_advantages(rollout.rewards, rollout.values, rollout.over)
        columns = (
            rollout.observations, rollout.masks, rollout.actions, rollout.log_probabilities,
            advantages, advantages + rollout.values[:-1],
        )  # fmt: skip
        choices = [column.flatten(0, 1) for column in columns]
        for _ in range(EPOCHS):
            for chosen in torch.randperm(STEPS * TABLES).split(MINIBATCH_CHOICES):
                loss = self._loss(*(column[chosen] for column in choices))
                self.optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), MAX_GRADIENT_NORM)
                self.optimiser.step()

    def _loss(self, normal: Any, masks: Any, actions: Any, before: Any, advantages: Any, returns: Any) -> Any:
        distribution = self.net.distribution(normal, masks)
        ratio = (distribution.log_prob(actions) - before).exp()
        gain = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        policy_gain = torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP_RATIO, 1 + CLIP_RATIO)).mean()
        value_loss = (self.net.value(normal).flatten() - returns).square().mean()
        return VALUE_WEIGHT * value_loss - policy_gain - ENTROPY_WEIGHT * distribution.entropy().mean()


if __name__ == "__main__":
    typer.run(create_command(SingleFilePpoLearner))
