"""Rated matches without a log: their seats and places."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from django.db import transaction

from bots.models import BotVersion
from replays.models import Match
from tests.support.factories import create_active_version, create_waiting_match
from tournaments.ladders import ladder_match_rating
from tournaments.ladders.ladder_event_types import LeagueMatchRated
from tournaments.models import ALL_TIME, Rating

NAMES = ("ada", "bo", "cy", "dot", "eve", "fay")
Ratings = dict[str, tuple[int, int, int]]
Results = list[tuple[Sequence[BotVersion], tuple[int, ...]]]


def create_bot(slug: str, game: str = "pig") -> BotVersion:
    return create_active_version("print()", slug=slug, game=game)


def add_version(version: BotVersion) -> BotVersion:
    """Return the next version of the same bot."""
    row = version.bot
    return BotVersion.objects.create(bot=row, number=version.number + 1, package=version.package, status="active")


def build_match(
    match: str, names: Sequence[str], places: Sequence[int], league: int = 1, table: int = 0
) -> LeagueMatchRated:
    """Return a match of a league's only round."""
    return LeagueMatchRated(
        match=match, league=league, round=1, table=table, game=0, names=tuple(names), places=tuple(places)
    )


def add_matches(results: Results, league: int = 1) -> list[LeagueMatchRated]:
    """Store these results as matches, each at the next table of a league."""
    first = Match.objects.count()
    return [
        build_match(
            create_waiting_match(list(seats), f"{number}").pk,
            [version.bot.slug for version in seats],
            places,
            league,
            number,
        )
        for number, (seats, places) in enumerate(results, first)
    ]


def rate_results(results: Results, season: str = "2026", game: str = "pig", league: int = 1) -> list[LeagueMatchRated]:
    played = add_matches(results, league)
    with transaction.atomic():
        ladder_match_rating.rate(game, season, played)
    return played


def draw_results(count: int, bots: Sequence[BotVersion], seats: int = 3) -> Results:
    """Return results at tables of that size; earlier bots are stronger."""
    luck = Random(count)
    found: Results = []
    for _ in range(count):
        table = luck.sample(bots, seats)
        order = sorted(table, key=lambda version: bots.index(version) + luck.gauss(0, 3))
        found.append((table, tuple(1 + order.index(version) for version in table)))
    return found


def read_elo(season: str = ALL_TIME) -> Ratings:
    """Return each bot's rating, matches and wins."""
    rows = Rating.objects.filter(season=season).values_list("bot__slug", "value", "matches", "wins")
    return {slug: (value, games, wins) for slug, value, games, wins in rows}
