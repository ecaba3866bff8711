"""Search bot with a small budget, which plays others at random in its head: an opponent for beginners."""

from ftk_core.kit.bot import run
from ftk_core.kit.engine import SearchBot

choose = SearchBot(budget=500, at_random=True).choose

if __name__ == "__main__":
    run(choose)
