"""What the way through workers costs: a league's matches beside the same ones played straight on, in the same cage.

``python -m tests.support.bench.way league <slug> <rounds>`` opens a league in the arena that the environment names,
``... straight <matches>`` plays as many matches of its bots in two processes, without a database, and prints seconds.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from time import perf_counter

import django

BOTS, JOBS = 64, 2


def open_league(slug: str, rounds: int) -> None:
    """Open a league of Pig for 64 bots of the house, two at a table, and start it."""
    from bots.models import BotVersion
    from ftk_core.kit.house import house_bots
    from tests.support.factories import CLOCK, active_version
    from tournaments import services
    from tournaments.terms import Terms

    names = ("hold20", "random")
    if not BotVersion.objects.filter(bot__slug="b0").exists():
        for number in range(BOTS):
            active_version(house_bots("pig")[names[number % len(names)]], slug=f"b{number}")
    terms = Terms(slug=slug, name=slug, game="pig", seats=2, rounds=rounds, games=1, clock=CLOCK)
    league = services.open_league(terms)
    for version in BotVersion.objects.filter(bot__slug__startswith="b").order_by("pk"):
        services.enter_bot(league.pk, version)
    services.start(league.pk)


def play_straight(matches: int) -> float:
    """Play so many matches in two processes, as `ftk play --jobs 2` does, each bot in the server's cage; seconds."""
    from bots.folders import folder_of
    from bots.models import BotVersion

    versions = BotVersion.objects.filter(bot__slug__startswith="b").select_related("package").order_by("pk")
    held = [(str(folder_of(version.package)), tuple(version.package.command)) for version in versions]
    pairs = list(islice(cycle(zip(held[0::2], held[1::2], strict=True)), matches))
    with ProcessPoolExecutor(JOBS, initializer=django.setup) as pool:
        list(pool.map(play_one, pairs[:JOBS], range(JOBS)))
        started = perf_counter()
        list(pool.map(play_one, pairs, range(matches)))
        return perf_counter() - started


def play_one(pair: tuple[tuple[str, tuple[str, ...]], ...], number: int) -> None:
    """Play one match of Pig into memory."""
    from pathlib import Path

    from django.conf import settings

    from bots import cage_settings
    from bots.cage.plan import BotProgram
    from bots.cage.spawn import caged_all
    from ftk_core.entries import Clock
    from ftk_core.games import build_of, game
    from ftk_core.log import MemoryLog
    from ftk_core.referee import play
    from ftk_core.rng import seed_of

    bots = [(f"bot{seat}", BotProgram(Path(folder), command)) for seat, (folder, command) in enumerate(pair)]
    with caged_all(cage_settings.read_cage(), bots, metered=settings.METERED) as players:
        terms = {"clock": Clock(1000, 5000), "build": build_of("pig")}
        play(game("pig"), players, seed_of(number), match=f"straight/{number}", log=MemoryLog(), **terms)


def main(what: str, *words: str) -> None:
    """Do one of the two."""
    django.setup()
    if what == "league":
        open_league(words[0], int(words[1]))
    else:
        sys.stdout.write(f"{play_straight(int(words[0])):.3f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
