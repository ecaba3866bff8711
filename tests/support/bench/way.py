"""What the way through workers costs: a league's matches beside the same ones played straight on, in the same cage.

``python -m tests.support.bench.way league <game> <slug> <rounds>`` opens a league in the arena that the environment
names, ``... straight <slug>`` plays its matches once more in two processes, without a database, and prints seconds.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from bots.models import BotVersion

BOTS, JOBS = 64, 2
SEATS = 2
HOUSE = {"pig": ("hold20", "random"), "to_court_the_king": ("greedy", "random")}
"""The bots that play, by turns."""


@dataclass(frozen=True)
class Table:
    """A match to be played: (folder, command) of each seat's bot."""

    game: str
    seed: bytes
    seats: list[tuple[str, tuple[str, ...]]]


def entrants(name: str) -> QuerySet[BotVersion]:
    """Return the bots of a game, in the order of their coming."""
    from bots.models import BotVersion

    versions = BotVersion.objects.filter(bot__game=name, bot__slug__startswith=f"{name.replace('_', '-')}-")
    return versions.select_related("package").order_by("pk")


def open_league(name: str, slug: str, rounds: int) -> None:
    """Open a league of a game for 64 bots of the house, and start it."""
    from ftk_core.kit.house import house_bots
    from tests.support.factories import CLOCK, AuthorFactory, active_version
    from tournaments import services
    from tournaments.terms import Terms

    if not entrants(name).exists():
        sources = [house_bots(name)[bot] for bot in HOUSE[name]]
        for number, source in enumerate(islice(cycle(sources), BOTS)):
            called = f"{name.replace('_', '-')}-{number}"
            active_version(source, slug=called, game=name, owner=AuthorFactory.create(username=called))
    terms = Terms(slug=slug, name=slug, game=name, seats=SEATS, rounds=rounds, games=1, clock=CLOCK)
    league = services.open_league(terms)
    for version in entrants(name):
        services.enter_bot(league.pk, version)
    services.start(league.pk)


def play_straight(slug: str) -> float:
    """Play a league's matches again in two processes, as `ftk play --jobs 2` does; return the seconds it took.

    The same bots in the same seats with the same seeds, each in the server's cage: the same games, choice for choice.
    """
    from bots.folders import folder_of
    from replays.models import Match

    matches = Match.objects.filter(table__league__slug=slug).order_by("table__round", "table__number")
    tables = [
        Table(
            match.game,
            bytes(match.seed),
            [(str(folder_of(seat.version.package)), tuple(seat.version.package.command)) for seat in match.seats.all()],
        )
        for match in matches.prefetch_related("seats__version__package")
    ]
    with ProcessPoolExecutor(JOBS, initializer=django.setup) as pool:
        list(pool.map(play_one, tables[:JOBS]))
        started = perf_counter()
        list(pool.map(play_one, tables))
        return perf_counter() - started


def play_one(table: Table) -> None:
    """Play one match into memory."""
    from django.conf import settings

    from bots import cage_settings
    from bots.cage.plan import BotProgram
    from bots.cage.spawn import caged_all
    from ftk_core.games import build_of, game
    from ftk_core.log import MemoryLog
    from ftk_core.referee import play
    from tests.support.factories import CLOCK

    bots = [(f"bot{seat}", BotProgram(Path(folder), command)) for seat, (folder, command) in enumerate(table.seats)]
    with caged_all(cage_settings.read_cage(), bots, metered=settings.METERED) as players:
        terms = {"clock": CLOCK, "build": build_of(table.game)}
        play(game(table.game), players, table.seed, match="straight", log=MemoryLog(), **terms)


def main(what: str, *words: str) -> None:
    """Do one of the two."""
    django.setup()
    if what == "league":
        game, slug, rounds = words
        open_league(game, slug, int(rounds))
    else:
        sys.stdout.write(f"{play_straight(*words):.3f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
