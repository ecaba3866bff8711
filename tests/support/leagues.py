"""Leagues of Pig in the database, played by built-in bots."""

from __future__ import annotations

from random import Random
from typing import Any

from bots.models import BotVersion
from ftk_core.kit.built_in_bots import list_built_in_bots
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version
from tournaments.leagues import services
from tournaments.leagues.league_projection import HAS_BEGUN
from tournaments.leagues.league_terms import Terms
from tournaments.models import League, TableMatch


def start_league(
    versions: list[BotVersion],
    seats: int = 2,
    rounds: int = 2,
    games: int = 1,
    slug: str = "night",
    season: str | None = None,
    **terms: Any,
) -> League:
    """Open and start a league of Pig."""
    league = services.open_league(
        Terms(slug=slug, name=slug.title(), game="pig", seats=seats, rounds=rounds, games=games, season=season, **terms)
    )
    for version in versions:
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    return league


def create_entrants(count: int = 4) -> list[BotVersion]:
    """Return built-in bots under names of their own, alternately good and bad ones."""
    house = list_built_in_bots("pig")
    return [create_active_version(house["hold20" if n % 2 else "random"], slug=f"b{n}") for n in range(count)]


def play_all(league: League, order: Random | None = None) -> None:
    """Play and record until the league is closed."""
    while True:
        league.refresh_from_db()
        if league.status == League.Status.CLOSED:
            return
        waiting = list(Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True))
        assert waiting
        if order:
            order.shuffle(waiting)
        for match_id in waiting:
            assert play_match(match_id)
            early = TableMatch.objects.filter(~HAS_BEGUN, match=match_id).exists()
            assert services.record_match(match_id) is not early, "at once, or when it is its round's turn"
            assert not services.record_match(match_id), "recorded once"
