"""Built-in bot: OpenSpiel's Monte Carlo tree search, with hidden cards and dice drawn anew for each choice."""

from typing import Any

import pyspiel
from ftk_openspiel.spiel_bots import choose_with

from ftk_core.kit.bot import run

SIMULATIONS, EXPLORATION, MEMORY_MB = 100, 2.0, 20


def make_bot(game: Any, _seat: int, seed: int) -> Any:
    """Return a new search bot of OpenSpiel for a single choice."""
    solve, verbose, evaluator = True, False, pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, EXPLORATION, SIMULATIONS, MEMORY_MB, solve, seed, verbose)


choose = choose_with(make_bot)

if __name__ == "__main__":
    run(choose)
