"""Strength of a bot: ``python -m tools.bot_strength GAME BOT OPPONENT ...`` prints a table for `docs/engine.md`.

One seat plays the bot and all other seats play copies of one opponent. Each deal is played once from every seat, so
that good cards favour nobody. A cell is the mean share of opponents that the bot left behind, with its 95 % interval
over the deals; 0.5 would be as strong as the opponent. ``house`` stands for all built-in bots except the faulty ones.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from scipy.stats import t as student_t

from ftk_core.analysis.position_estimates import shares_of
from ftk_core.games import game
from ftk_core.kit.built_in_bots import list_opponents
from ftk_core.kit.series.in_process_bots import InProcessBot
from ftk_core.log import InMemoryLog
from ftk_core.random_streams import seed_of
from ftk_core.referee import play


def play_deal(name: str, bot: str, opponent: str, seats: int, deal: int) -> float:
    """Play a deal once from each seat; return the mean share of opponents that the bot left behind, from 0 to 1."""
    shares = []
    for seat in range(seats):
        players = [InProcessBot(name, bot if at == seat else opponent) for at in range(seats)]
        seed = seed_of("strength", name, seats, deal)
        result = play(game(name), players, seed, match=f"strength-{deal}-{seat}", log=InMemoryLog())
        shares.append(float(shares_of(result.places)[seat]))
    return fmean(shares)


def interval_of(values: Sequence[float]) -> tuple[float, float]:
    """Return (mean, half-width of its 95 % interval) of at least two values, by Student's t distribution."""
    width = float(student_t.ppf(0.975, len(values) - 1)) * stdev(values) / sqrt(len(values))
    return fmean(values), width


def main(words: Sequence[str] | None = None) -> int:
    """Play all matches and print the table, a row for each opponent as soon as it is complete."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("bot")
    parser.add_argument("opponents", nargs="+")
    parser.add_argument("--seats", type=int, nargs="*", help="table sizes; default: all of the game")
    parser.add_argument("--deals", type=int, default=12, help="deals for each cell; each is played from every seat")
    chosen = parser.parse_args(words)
    sizes = chosen.seats or game(chosen.game).seats
    sys.stdout.write(f"| `{chosen.bot}` against | " + " | ".join(map(str, sizes)) + " |\n|---|" + "---:|" * len(sizes))
    for opponent in list_opponents(chosen.game, chosen.opponents):
        sys.stdout.write(f"\n| `{opponent}` |")
        for seats in sizes:
            deals = [play_deal(chosen.game, chosen.bot, opponent, seats, deal) for deal in range(chosen.deals)]
            mean, width = interval_of(deals)
            sys.stdout.write(f" {mean:.2f} ± {width:.2f} |")
            sys.stdout.flush()
    sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
