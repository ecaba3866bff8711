"""Example of learning: scikit-learn's neural network learns the value of choices from played matches.

    python -m ftk_core.rl.training for_the_king --seats 4 --out trained

In each round the learner plays matches in which it mostly takes the item with the highest score, and sometimes a random
one. Then the network learns the share of opponents left behind at the end. Nothing here depends on a particular game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
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
from ftk_core.rl.exporting import export
from ftk_core.rl.one_seat import OneSeat
from ftk_core.rl.scoring import Floats, Scorer
from ftk_core.rng import seed_of

SURE = 1.96
"""Number of standard errors in half a 95% interval."""
ANYTHING = "anything"
"""Name of the opponent that chooses uniformly at random."""
TRIALS = 400
"""Number of matches in which a trained bot is tested."""


class Training(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of a training."""

    rounds: int = 30
    matches: int = 100
    """Matches per round."""
    curious: float = 0.1
    """Probability of a random choice; 1 in the first round."""
    passes: int = 5
    """Number of passes of the network over the data of each round."""
    hidden: int = 32
    """Width of the hidden layer."""
    seed: int = 1


class Interval(msgspec.Struct, frozen=True):
    """Mean share of opponents left behind, with its 95% interval."""

    mean: float
    low: float
    high: float


Choose = Callable[[Floats, Floats], int]
"""(observation, rows of the menu) -> index into the menu."""
Filled = tuple[NDArray[np.int64], Floats]
"""Non-zero columns of a situation with its chosen item, and their values. Most columns are 0."""


def seat_against(game: str, seats: int, opponent: str = ANYTHING) -> OneSeat:
    """Create a seat, a random one in each match, at a table with one kind of bot; raise as `OneSeat` does.

    Uniformly random players are faster than the built-in random bot, and weaker in games where that bot avoids bad
    moves.
    """
    quick = [RandomPlayer(seed_of("opponent", seat)) for seat in range(1, seats)]
    return OneSeat(game, quick if opponent == ANYTHING else [opponent] * (seats - 1))


def played(seat: OneSeat, choose: Choose, seed: int) -> tuple[list[Filled], float]:
    """Play a match; return the situations with the chosen items, and the share of opponents left behind."""
    observation, _ = seat.reset(seed=seed)
    chosen, share, over = list[Filled](), 0.0, False
    while not over:
        rows = seat.rows()
        index = choose(observation, rows)
        whole = np.concatenate((observation, rows[index]))
        columns = np.flatnonzero(whole)
        chosen.append((columns, whole[columns]))
        observation, share, over, _, _ = seat.step(index)
    return chosen, share


def trained(seat: OneSeat, training: Training, tell: Callable[[str], None] = lambda _words: None) -> Scorer:
    """Train a model that scores the legal actions in this seat; `tell` is called with a message after each round."""
    luck = np.random.default_rng(training.seed)
    net = MLPRegressor(hidden_layer_sizes=(training.hidden,), learning_rate_init=0.005, random_state=training.seed)
    scorer: Scorer | None = None

    def choose(observation: Floats, rows: Floats) -> int:
        if scorer is None or luck.random() < training.curious:
            return int(luck.integers(len(rows)))
        return scorer.best(observation, rows)

    for number in range(training.rounds):
        matches = [played(seat, choose, int(luck.integers(1 << 32))) for _ in range(training.matches)]
        situations = [one for chosen, _ in matches for one in chosen]
        shares = [share for chosen, share in matches for _ in chosen]
        for _ in range(training.passes):
            net.partial_fit(_stacked(situations, seat), np.array(shares, np.float32))
        scorer = scorer_of(net)
        tell(f"round {number + 1} of {training.rounds}: share {np.mean([share for _, share in matches]):.3f}")
    assert scorer is not None, "there was a round"
    return scorer


def _stacked(situations: Sequence[Filled], seat: OneSeat) -> csr_array:
    """Stack situations as the rows of one sparse matrix."""
    ends = np.cumsum([0, *(len(columns) for columns, _ in situations)])
    columns, values = (np.concatenate(part) for part in zip(*situations, strict=True))
    return csr_array((values, columns, ends), (len(situations), seat.senses.width + seat.senses.action_width))


def scorer_of(net: MLPRegressor) -> Scorer:
    """Convert the network into a scorer. The output bias is dropped: it does not change the ranking."""
    (first, last), (bias, _) = net.coefs_, net.intercepts_
    return Scorer(first.astype(np.float32), bias.astype(np.float32), last[:, 0].astype(np.float32))


def tried(seat: OneSeat, scorer: Scorer, matches: int, seed: int) -> Interval:
    """Measure a scorer in matches that were not used for training."""
    luck = np.random.default_rng([seed, 1])
    shares = [played(seat, scorer.best, int(luck.integers(1 << 32)))[1] for _ in range(matches)]
    mean, error = float(np.mean(shares)), float(np.std(shares, ddof=1)) / sqrt(matches)
    return Interval(mean, mean - SURE * error, mean + SURE * error)


def main(
    game: Annotated[str, typer.Argument(help="A game of `ftk games`.")],
    seats: Annotated[int, typer.Option(min=2, help="How many sit at the table.")],
    out: Annotated[Path, typer.Option(help="Write the bot into this folder.")],
    against: Annotated[str, typer.Option(help="A house bot or a path; `anything` chooses any item.")] = ANYTHING,
    rounds: Annotated[int, typer.Option(min=1, help="How often the net learns.")] = Training().rounds,
    matches: Annotated[int, typer.Option(min=1, help="Matches in each round.")] = Training().matches,
    seed: Annotated[int, typer.Option(min=0, help="The same seed learns the same.")] = Training().seed,
) -> None:
    """Train a bot, say how it plays, and write it down."""
    terminal = Console()
    try:
        seat = seat_against(game, seats, against)
    except (LookupError, TypeError, ValueError) as error:
        raise typer.BadParameter(str(error)) from error
    scorer = trained(seat, Training(rounds=rounds, matches=matches, seed=seed), terminal.print)
    share = tried(seat, scorer, TRIALS, seed)
    sure = f"95 % between {share.low:.3f} and {share.high:.3f}"
    terminal.print(f"share of opponents ({against}) left behind: {share.mean:.3f}, {sure}")
    terminal.print(f"written: {export(scorer, seat.senses, out)}; ftk check {game} {out} tries it")


if __name__ == "__main__":
    typer.run(main)
