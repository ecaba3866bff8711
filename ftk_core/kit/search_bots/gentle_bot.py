"""Search bot for beginners: it simulates few moves (a small budget) and assumes that all seats play at random."""

from ftk_core.kit.bot import run
from ftk_core.kit.engine import SearchBot

choose = SearchBot(budget=500, at_random=True).choose

if __name__ == "__main__":
    run(choose)
