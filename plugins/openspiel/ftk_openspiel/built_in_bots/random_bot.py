"""Built-in bot: OpenSpiel's uniform random bot."""

import pyspiel
from ftk_openspiel.spiel_bots import choose_with

from ftk_core.kit.bot import run

choose = choose_with(lambda _game, seat, seed: pyspiel.make_uniform_random_bot(seat, seed))

if __name__ == "__main__":
    run(choose)
