"""Search bot that simulates the most moves (a large budget), at most half a second a move: the strongest opponent."""

from ftk_core.kit.bot import run
from ftk_core.kit.engine import SearchBot

choose = SearchBot(budget=400_000).choose

if __name__ == "__main__":
    run(choose)
