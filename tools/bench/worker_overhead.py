"""Comparison of the speed of matches played with and without workers.

``python -m tools.bench.worker_overhead league <game> <slug> <bots> <rounds>`` opens a league. ``python -m
tools.bench.worker_overhead straight <slug>`` plays its matches again without workers and prints the seconds.
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

JOBS, SEATS = 2, 2
HOUSE = {"pig": ("hold20", "random"), "to_court_the_king": ("greedy", "random")}
"""Game -> names of the two built-in bots that are copied alternately to get the entrants of the league."""


@dataclass(frozen=True)
class BenchmarkMatch:
    """A match to play: its game, its seed, and the (folder, command) of each seat's bot."""

    game: str
    seed: bytes
    seats: list[tuple[str, tuple[str, ...]]]


def entrants(name: str) -> QuerySet[BotVersion]:
    """Return the bot versions that `open_league` has created for a game."""
    from bots.models import BotVersion

    versions = BotVersion.objects.filter(bot__game=name, bot__slug__startswith=f"{name.replace('_', '-')}-")
    return versions.select_related("package").order_by("pk")


def open_league(name: str, slug: str, bots: int, rounds: int) -> None:
    """Open and start a league of copies of built-in bots."""
    from ftk_core.kit.built_in_bots import list_built_in_bots
    from tests.support.factories import CLOCK, AuthorFactory, create_active_version
    from tournaments.leagues import services
    from tournaments.leagues.league_settings import LeagueSettings

    if not entrants(name).exists():
        sources = [list_built_in_bots(name)[bot] for bot in HOUSE[name]]
        for number, source in enumerate(islice(cycle(sources), bots)):
            called = f"{name.replace('_', '-')}-{number}"
            create_active_version(source, slug=called, game=name, owner=AuthorFactory.create(username=called))
    terms = LeagueSettings(slug=slug, name=slug, game=name, seats=SEATS, rounds=rounds, games=1, clock=CLOCK)
    league = services.open_league(terms)
    for version in entrants(name):
        services.enter_bot(league.pk, version)
    services.start(league.pk)


def replay_without_workers(slug: str) -> float:
    """Play a league's matches again in two processes. Return the duration in seconds."""
    # Bots, seats, seeds and sandbox are those of the league, so the bots make the same choices.
    from bots.bot_folder_cache import bot_folder
    from replays.models import Match

    matches = Match.objects.filter(table__league__slug=slug).order_by("table__round", "table__number")
    tables = [
        BenchmarkMatch(
            match.game,
            bytes(match.seed),
            [
                (str(bot_folder(seat.version.package)), tuple(seat.version.package.command))
                for seat in match.seats.all()
            ],
        )
        for match in matches.prefetch_related("seats__version__package")
    ]
    with ProcessPoolExecutor(JOBS, initializer=django.setup) as pool:
        list(pool.map(play_one, tables[:JOBS]))
        started = perf_counter()
        list(pool.map(play_one, tables))
        return perf_counter() - started


def play_one(table: BenchmarkMatch) -> None:
    """Play one match in the sandbox with its log in memory."""
    from django.conf import settings

    from bots import sandbox_settings
    from bots.sandbox.bot_start_settings import BotStartCommand
    from bots.sandbox.sandboxed_bot_start import start_all_in_sandbox
    from ftk_core.games import build_of, game
    from ftk_core.hash_chained_log import InMemoryLog
    from ftk_core.referee import play
    from tests.support.factories import CLOCK

    bots = [
        (f"bot{seat}", BotStartCommand(Path(folder), command)) for seat, (folder, command) in enumerate(table.seats)
    ]
    with start_all_in_sandbox(sandbox_settings.read_sandbox(), bots, metered=settings.METERED) as players:
        terms = {"clock": CLOCK, "build": build_of(table.game)}
        play(game(table.game), players, table.seed, match="straight", log=InMemoryLog(), **terms)


def main(what: str, *words: str) -> None:
    """Run the command ``league`` or ``straight`` with its arguments."""
    django.setup()
    if what == "league":
        game, slug, bots, rounds = words
        open_league(game, slug, int(bots), int(rounds))
    else:
        sys.stdout.write(f"{replay_without_workers(*words):.3f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
