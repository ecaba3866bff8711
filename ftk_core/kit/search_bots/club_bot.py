"""Search bot of medium strength: it simulates at most 20,000 choices a move, in about 20 milliseconds."""

from ftk_core.kit.bot import run
from ftk_core.kit.engine import SearchBot

choose = SearchBot(budget=20_000).choose

if __name__ == "__main__":
    run(choose)
