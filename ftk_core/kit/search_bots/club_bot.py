"""Search bot with a medium budget, about 20 milliseconds a move."""

from ftk_core.kit.bot import run
from ftk_core.kit.engine import SearchBot

choose = SearchBot(budget=20_000).choose

if __name__ == "__main__":
    run(choose)
