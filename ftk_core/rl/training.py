"""Example of reinforcement learning: a scikit-learn network learns the value of choices in any game.

    python -m ftk_core.rl.training for_the_king --seats 4 --out trained

The learner mostly takes the legal action that its network scores highest. After each round of training matches, the
network learns to predict the share of opponents that the learner beats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from scipy.sparse import csr_array
from sklearn.neural_network import MLPRegressor

from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.rl.action_menu_scorer import ActionScorer, Floats
from ftk_core.rl.bot_export import export
from ftk_core.rl.confidence_interval import ConfidenceInterval, estimate_mean
from ftk_core.rl.single_seat_env import SingleSeatEnv

RANDOM_OPPONENT = "anything"
"""Name of the opponent that chooses uniformly at random."""
TEST_MATCHES = 400
"""Number of matches in which the share of opponents beaten by the trained scorer is measured."""


class TrainingParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of a training run, which consists of rounds of play and learning."""

    rounds: int = 30
    matches: int = 100
    """Matches per round."""
    curious: float = 0.1
    """Probability of a random choice from the second round on; in the first round all choices are random."""
    passes: int = 5
    """Number of passes over the data of a round in learning."""
    hidden: int = 32
    """Number of units in the network's hidden layer."""
    seed: int = 1


ChooseItem = Callable[[Floats, Floats], int]
"""(observation, features of the menu with one row per item) -> index into the menu."""
SparseSituation = tuple[NDArray[np.int64], Floats]
"""(indices, values) of the non-zero columns of a situation: an observation and the features of the chosen item."""


def create_learning_env(game: str, seats: int, opponent: str = RANDOM_OPPONENT) -> SingleSeatEnv:
    """Create an environment in which the learner plays against copies of one bot.

    With RANDOM_OPPONENT, the opponents choose uniformly at random.
    """
    # These are faster than the built-in random bot, and weaker in games where that bot avoids bad moves.
    quick = [RandomPlayer(seed_of("opponent", seat)) for seat in range(1, seats)]
    return SingleSeatEnv(game, quick if opponent == RANDOM_OPPONENT else [opponent] * (seats - 1))


def play_match(seat: SingleSeatEnv, choose: ChooseItem, seed: int) -> tuple[list[SparseSituation], float]:
    """Play a match. Return the learner's choices, each with the observation before it, and the learner's reward."""
    observation, _ = seat.reset(seed=seed)
    chosen, share, over = list[SparseSituation](), 0.0, False
    while not over:
        item_rows = seat.rows()
        index = choose(observation, item_rows)
        situation = np.concatenate((observation, item_rows[index]))
        columns = np.flatnonzero(situation)
        chosen.append((columns, situation[columns]))
        observation, share, over, _, _ = seat.step(index)
    return chosen, share


def train(
    seat: SingleSeatEnv, training: TrainingParameters, tell: Callable[[str], None] = lambda _words: None
) -> ActionScorer:
    """Train a neural network in matches; return it as a scorer of menu items.

    `tell` receives a progress message after each round.
    """
    luck = np.random.default_rng(training.seed)
    net = MLPRegressor(hidden_layer_sizes=(training.hidden,), learning_rate_init=0.005, random_state=training.seed)
    scorer: ActionScorer | None = None

    def choose(observation: Floats, rows: Floats) -> int:
        if scorer is None or luck.random() < training.curious:
            return int(luck.integers(len(rows)))
        return scorer.best(observation, rows)

    for number in range(training.rounds):
        matches = [play_match(seat, choose, int(luck.integers(1 << 32))) for _ in range(training.matches)]
        situations = [one for chosen, _ in matches for one in chosen]
        shares = [share for chosen, share in matches for _ in chosen]
        for _ in range(training.passes):
            net.partial_fit(_stack_situations(situations, seat), np.array(shares, np.float32))
        scorer = scorer_of(net)
        tell(f"round {number + 1} of {training.rounds}: share {np.mean([share for _, share in matches]):.3f}")
    assert scorer is not None, "there was a round"
    return scorer


def _stack_situations(situations: Sequence[SparseSituation], seat: SingleSeatEnv) -> csr_array:
    """Make a sparse matrix with one row for each encoded situation (an observation and the chosen action)."""
    ends = np.cumsum([0, *(len(columns) for columns, _ in situations)])
    columns, values = (np.concatenate(part) for part in zip(*situations, strict=True))
    return csr_array(
        (values, columns, ends), (len(situations), seat.view_encoder.width + seat.view_encoder.action_width)
    )


def scorer_of(net: MLPRegressor) -> ActionScorer:
    """Convert a trained network into a scorer of menu items."""
    # The bias of the output is left out: it would raise all scores equally.
    (first, last), (bias, _) = net.coefs_, net.intercepts_
    return ActionScorer(first.astype(np.float32), bias.astype(np.float32), last[:, 0].astype(np.float32))


def measure_scorer(seat: SingleSeatEnv, scorer: ActionScorer, matches: int, seed: int) -> ConfidenceInterval:
    """Measure the mean share of opponents that a scorer beats, in matches not used for training."""
    luck = np.random.default_rng([seed, 1])
    return estimate_mean([play_match(seat, scorer.best, int(luck.integers(1 << 32)))[1] for _ in range(matches)])


def main(
    game: Annotated[str, typer.Argument(help="Name of a game; `ftk games` lists them.")],
    seats: Annotated[int, typer.Option(min=2, help="How many sit at the table.")],
    out: Annotated[Path, typer.Option(help="Write the bot into this folder.")],
    against: Annotated[
        str, typer.Option(help="A built-in bot or a path; `anything` chooses at random.")
    ] = RANDOM_OPPONENT,
    rounds: Annotated[int, typer.Option(min=1, help="How often the net learns.")] = TrainingParameters().rounds,
    matches: Annotated[int, typer.Option(min=1, help="Matches in each round.")] = TrainingParameters().matches,
    seed: Annotated[int, typer.Option(min=0, help="The same seed learns the same.")] = TrainingParameters().seed,
) -> None:
    """Train a bot, print its measured share, and export it."""
    terminal = Console()
    try:
        seat = create_learning_env(game, seats, against)
    except (LookupError, TypeError, ValueError) as error:
        raise typer.BadParameter(str(error)) from error
    try:
        out.mkdir(parents=True, exist_ok=True)  # before the training, which takes minutes
    except OSError as error:
        raise typer.BadParameter(f"--out {out}: {error.strerror}") from error
    scorer = train(seat, TrainingParameters(rounds=rounds, matches=matches, seed=seed), terminal.print)
    share = measure_scorer(seat, scorer, TEST_MATCHES, seed)
    sure = f"95 % between {share.low:.3f} and {share.high:.3f}"
    terminal.print(f"share of opponents ({against}) left behind: {share.mean:.3f}, {sure}")
    terminal.print(f"written: {export(scorer, seat.view_encoder, out)}; ftk check {game} {out} tries it")


if __name__ == "__main__":
    typer.run(main)
