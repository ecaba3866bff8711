"""The strongest search bot: it simulates at most 400,000 choices a move."""

from ftk_core.kit.bot import run
from ftk_core.kit.engine import SearchBot

choose = SearchBot(budget=400_000).choose

if __name__ == "__main__":
    run(choose)
