"""Search bot for beginners: it simulates at most 500 choices a move, all random."""

from ftk_core.kit.bot import run
from ftk_core.kit.engine import SearchBot

choose = SearchBot(budget=500, at_random=True).choose

if __name__ == "__main__":
    run(choose)
