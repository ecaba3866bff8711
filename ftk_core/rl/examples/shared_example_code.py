"""Common part of the training examples: their options, and a comparison with opponents that choose at random."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Annotated, Protocol

import msgspec
import numpy as np
import typer
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ftk_core.rl.confidence_interval import ConfidenceInterval, estimate_mean
from ftk_core.rl.observation_encoder import Floats, Mask
from ftk_core.rl.vector_env import VectorTableEnv

TABLES = 64
"""Number of tables that are played together in training."""


class TrainingExampleOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a training example."""

    game: str = ""
    seats: int = 0
    """Number of seats; 0 is the smallest number of the game."""
    minutes: float = 5.0
    choices: int = 1_000_000_000
    """Maximum number of choices in training. The training stops earlier if `minutes` have passed."""
    matches: int = 2000
    """Number of matches of each measurement."""
    seed: int = 1


DEFAULTS = TrainingExampleOptions()


class ActionMaskIgnoredError(Exception):
    """Raised if a policy chooses an index beyond the menu: it ignores the action mask."""


GoesOn = Callable[[int], bool]
"""(number of choices made in training) -> True to continue the training."""


class TrainablePolicy(Protocol):
    """A policy that can be trained."""

    def choose(self, observations: Floats, masks: Mask, /) -> NDArray[np.int64]:
        """Return the policy's preferred action for each table (match in progress), as an array of shape (tables,)."""
        ...

    def train(self, goes_on: GoesOn, /) -> int:
        """Train until `goes_on`, called before each update, returns False; return the number of choices made."""
        ...


def create_training_tables(run: TrainingExampleOptions, *, copy: bool = True) -> VectorTableEnv:
    """Create an environment of parallel matches in which a learner plays against random players."""
    mode = AutoresetMode.SAME_STEP
    return VectorTableEnv(run.game, TABLES, run.seats, opponents="random", autoreset_mode=mode, copy=copy)


def measure_share(learner: TrainablePolicy, run: TrainingExampleOptions) -> ConfidenceInterval:
    """Measure the mean share of random opponents that a policy beats.

    Raises ActionMaskIgnoredError for a masked action.
    """
    tables = VectorTableEnv(run.game, run.matches, run.seats, opponents="random", copy=False)
    observations, infos = tables.reset(seed=run.seed + 1_000_000)  # another seed than in training
    shares = np.full(run.matches, np.nan)
    while np.isnan(shares).any():
        actions = learner.choose(observations, infos["action_mask"])
        observations, rewards, over, _, infos = tables.step(actions)
        if infos["excused"].any():
            raise ActionMaskIgnoredError(f"{infos['excused'].sum()} choices were no items of their menus")
        ended = over & np.isnan(shares)
        shares[ended] = rewards[ended]
    return estimate_mean(shares)


def create_command(create_learner: Callable[[TrainingExampleOptions], TrainablePolicy]) -> Callable[..., None]:
    """Return the command of a training example, for `typer.run`."""

    def train(
        game: Annotated[str, typer.Argument(help="Name of a game; `ftk games` lists them.")],
        seats: Annotated[int, typer.Option(min=0, help="How many sit at the table; 0: the fewest.")] = DEFAULTS.seats,
        minutes: Annotated[float, typer.Option(min=0, help="How long the net learns.")] = DEFAULTS.minutes,
        choices: Annotated[int, typer.Option(min=1, help="Stop earlier, after these choices.")] = DEFAULTS.choices,
        matches: Annotated[int, typer.Option(min=2, help="Matches of each measurement.")] = DEFAULTS.matches,
        seed: Annotated[int, typer.Option(min=0, help="Seed of the net and of all matches.")] = DEFAULTS.seed,
    ) -> None:
        """Train a policy; print the share of random opponents that it beats before and after training."""
        run = TrainingExampleOptions(
            game=game, seats=seats, minutes=minutes, choices=choices, matches=matches, seed=seed
        )
        try:
            learner = create_learner(run)
        except (LookupError, TypeError, ValueError) as error:
            raise typer.BadParameter(str(error)) from error
        print_comparison(learner, run)

    return train


def print_comparison(learner: TrainablePolicy, run: TrainingExampleOptions) -> None:
    """Train a policy; print the share of random opponents that it beats before and after training."""
    typer.echo(_describe("untrained", measure_share(learner, run), run))
    start = monotonic()
    choices = learner.train(lambda made: made < run.choices and monotonic() < start + run.minutes * 60)
    seconds = monotonic() - start
    typer.echo(f"training: {seconds:.0f} s, {choices:,} choices, {choices / seconds:,.0f} a second")
    typer.echo(_describe("trained", measure_share(learner, run), run))


def _describe(name: str, share: ConfidenceInterval, run: TrainingExampleOptions) -> str:
    interval = f"95 % between {share.low:.3f} and {share.high:.3f}"
    return f"{name}: share of random opponents left behind {share.mean:.3f}, {interval}, {run.matches} matches"
